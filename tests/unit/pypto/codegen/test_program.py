"""The emitted files as a person reviews them, and what code generation refuses."""

import pytest
import torch

import pypto.language as pl
from pypto.codegen import generate
from pypto.compiler import lower, source_digest
from pypto.errors import LoweringError
from pypto.ir import nodes as n
from pypto.ops.enums import FunctionType


@pl.jit
def chunked(a: pl.Tensor, b: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        for row in pl.range(0, a.shape[0], 32):
            left = pl.load(a, [row, 0], [32, 128])
            right = pl.load(b, [row, 0], [32, 128])
            out = pl.store(pl.mul(pl.add(left, right), 0.5), [row, 0], out)


@pl.jit
def accumulate(a: pl.Tensor, b: pl.Tensor, c: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        acc = pl.create_tensor([64, 64], dtype=pl.FP32)
        for k in pl.range(0, 256, 64):
            acc = pl.matmul_acc(acc, a[:, k : k + 64], b[k : k + 64, :], init_cond=(k == 0))
        c[:] = acc


@pl.jit
def scalars(x: pl.Tensor, n: pl.Scalar[pl.INT32], s: pl.Scalar[pl.FP32], out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        tile = pl.load(x, [0, 0], [16, 64])
        half = n // 2
        if half > 3:
            y = pl.add(tile, s)
        else:
            y = pl.mul(tile, pl.cast(half % 3, pl.FP32))
        pl.store(y, [0, 0], out)


@pl.jit.incore
def halve(x: pl.Tensor, y: pl.Out[pl.Tensor]):
    y[:] = pl.mul(x, 0.5)


@pl.jit
def tasks(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    half = pl.create_tensor([64, 64], dtype=pl.FP32)
    for row in pl.range(0, 64, 16):
        halve(x[row : row + 16, :], half[row : row + 16, :])
    halve(half, out)


SQUARE = torch.zeros(64, 64)
SUITE = {
    "chunked": (chunked, (torch.zeros(256, 128), torch.zeros(256, 128), torch.zeros(256, 128))),
    "accumulate": (accumulate, (torch.zeros(64, 256), torch.zeros(256, 64), SQUARE)),
    "scalars": (scalars, (torch.zeros(16, 64), 5, 1.5, torch.zeros(16, 64))),
    "tasks": (tasks, (SQUARE, torch.zeros(64, 64))),
}


@pytest.mark.parametrize("name", SUITE)
def test_emitted_files(name, golden):
    kernel, samples = SUITE[name]
    files = generate(lower(kernel.specialize(*samples))).files
    golden("\n".join(f"==== {path}\n{text}" for path, text in sorted(files.items())))


@pl.jit
def outside_any_region(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    y = pl.add(x, 1.0)
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = y


def test_tensor_op_in_orchestration_is_misplaced():
    with pytest.raises(LoweringError, match="misplaced tensor op") as caught:
        generate(lower(outside_any_region.specialize(SQUARE, SQUARE)))
    assert "pl.at" in caught.value.hint and "y = pl.add(x, 1.0)" in str(caught.value)


def test_missing_external_source_is_named():
    missing = n.Function("k", (), (), (), (), FunctionType.InCore, attrs={"external_source": "/nowhere/gone.cpp"})
    entry = n.Function("main", (), (), (), (), FunctionType.Orchestration)
    with pytest.raises(LoweringError, match=r"k: its source /nowhere/gone\.cpp is not there"):
        generate(n.Program("p", (missing, entry)))


def test_source_digest_follows_what_a_hand_written_source_includes_and_not_where_it_lies(tmp_path):
    def write(place, text):
        folder = tmp_path / place
        folder.mkdir()
        (folder / "kernel.cpp").write_text('#include "part.hpp"\n')
        (folder / "part.hpp").write_text(text)
        (folder / "build.cpp").write_text(f'#include "{folder / "kernel.cpp"}"\n')
        return source_digest(folder)

    first = write("one", "int a;\n")
    assert write("two", "int a;\n") == first
    assert write("three", "int b;\n") != first
