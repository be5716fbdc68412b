"""Tensors of a case: copies of samples, digests, and files that come back bit by bit."""

from __future__ import annotations

import os

import pytest
import torch

from pipeline.errors import DamagedFile
from pipeline.tensor_files import load_tensor, load_tensors, save_tensor, save_tensors
from pipeline.tensors import TensorSpec, describe, tensor_digest

BITS = torch.arange(24, dtype=torch.uint8)
DTYPES = ["float64", "float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"]
DTYPES += ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


def of(dtype):
    return BITS.view(getattr(torch, dtype))


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_comes_back_bit_by_bit(tmp_path, dtype):
    save_tensor(tmp_path / "x.pt", of(dtype))
    back = load_tensor(tmp_path / "x.pt")
    assert back.dtype == of(dtype).dtype
    assert torch.equal(back.view(torch.uint8), BITS)
    assert tensor_digest(back) == tensor_digest(of(dtype))


def test_booleans_scalars_and_empty_tensors_come_back(tmp_path):
    tensors = {
        "b": torch.tensor([True, False]),
        "s": torch.tensor(3.5),
        "e": torch.zeros(0, 4),
        "n": torch.tensor([-0.0]),
    }
    save_tensors(tmp_path / "in", tensors)
    back = load_tensors(tmp_path / "in", tensors)
    assert {name: tensor_digest(t) for name, t in back.items()} == {n: tensor_digest(t) for n, t in tensors.items()}


def test_digests_tell_values_shapes_and_dtypes_apart():
    different = [
        torch.zeros(4), torch.zeros(2, 2), torch.zeros(4, dtype=torch.int32), torch.tensor([0.0, 0.0, 0.0, -0.0]),
        torch.ones(4), torch.zeros(0), torch.tensor(0.0),
    ]  # fmt: skip
    assert len({tensor_digest(tensor) for tensor in different}) == len(different)
    assert tensor_digest(torch.arange(6).reshape(2, 3).T) == tensor_digest(torch.tensor([[0, 3], [1, 4], [2, 5]]))


@pytest.mark.parametrize(
    "sample",
    [
        torch.arange(6.0).reshape(2, 3).T,
        torch.arange(12.0)[::3],
        torch.tensor([1.0, 2.0]).expand(3, 2),
        torch.ones(2, requires_grad=True),
        torch.tensor([1 + 2j]).conj().imag,
    ],
)
def test_a_spec_holds_the_values_of_its_sample(sample):
    spec = TensorSpec("x", sample)
    assert torch.equal(spec.sample, sample)
    assert spec.sample.is_contiguous() and not spec.sample.requires_grad
    assert spec.fresh() is not spec.sample
    assert str(spec) == describe(sample)


def test_a_view_takes_no_storage_of_its_base_along(tmp_path):
    save_tensor(tmp_path / "x.pt", torch.zeros(1 << 16)[:2])
    assert (tmp_path / "x.pt").stat().st_size < 10_000


def test_a_folder_holds_exactly_what_was_saved(tmp_path):
    save_tensors(tmp_path / "in", {"a": torch.zeros(1), "b": torch.zeros(1)})
    save_tensors(tmp_path / "in", {"c": torch.zeros(1)})
    assert [path.name for path in (tmp_path / "in").iterdir()] == ["c.pt"]


def test_a_failed_write_leaves_nothing_behind(tmp_path, monkeypatch):
    save_tensor(tmp_path / "x.pt", torch.zeros(1))
    monkeypatch.setattr(torch, "save", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        save_tensor(tmp_path / "x.pt", torch.ones(1))
    assert [path.name for path in tmp_path.iterdir()] == ["x.pt"]
    assert load_tensor(tmp_path / "x.pt").item() == 0.0


class Evil:
    def __reduce__(self):
        return os.mkdir, ("evil-ran",)


@pytest.mark.parametrize("content", ["nothing", "text", "half", "object", "code"])
def test_what_is_no_tensor_is_refused_and_runs_no_code(tmp_path, monkeypatch, content):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "x.pt"
    if content == "text":
        path.write_text("hello")
    elif content == "half":
        save_tensor(path, torch.zeros(1000))
        path.write_bytes(path.read_bytes()[:1000])
    elif content == "object":
        torch.save({"a": torch.zeros(1)}, path)
    elif content == "code":
        torch.save(Evil(), path)
    with pytest.raises(DamagedFile, match=r"x\.pt: cannot be read as a tensor") as caught:
        load_tensor(path)
    assert "weights_only" not in str(caught.value)
    assert not (tmp_path / "evil-ran").exists()
