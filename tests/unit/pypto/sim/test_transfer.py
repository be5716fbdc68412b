"""Loads, stores and the orchestration around them: bounds, strides, ranks, windows, tasks."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch

from pypto.errors import SimulatorError
from pypto.platforms import platform
from pypto.runtime.library import KernelLibrary, Name, capacities, descriptor
from pypto.runtime.toolchain import build_kernels

CODES = {
    torch.float32: 0x34,
    torch.float16: 0x33,
    torch.bfloat16: 0x40,
    torch.int32: 0x13,
    torch.int8: 0x11,
    torch.int64: 0x14,
}
CAPACITY = capacities(platform("a2a3sim"))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> KernelLibrary:
    folder: Path = tmp_path_factory.mktemp("transfer")
    shutil.copy(Path(__file__).with_name("transfer.cpp"), folder / "build.cpp")
    return KernelLibrary(build_kernels(folder))


LABELS = Name("source"), Name("target")
COPY, COPY_RANK3, COPY_RANK1, ADD, CONVERT, BLOCKS, ELEMENTS = range(7)


@pytest.fixture
def run(library: KernelLibrary) -> Any:
    def call(what: int, a: torch.Tensor, b: torch.Tensor, *scalars: int, blocks: int = 1, tasks: int = 0) -> Any:
        descriptors = [
            descriptor(t.data_ptr(), CODES[t.dtype], tuple(t.shape), t.stride(), label)
            for t, label in zip((a, b), LABELS, strict=True)
        ]
        return library.run([what, len(scalars), blocks, *descriptors, *scalars], CAPACITY, tasks)

    return call


def strided(rows: int, cols: int, kind: torch.dtype = torch.float32) -> list[torch.Tensor]:
    """The same values laid out in several ways."""
    x = torch.arange(rows * cols).reshape(rows, cols).to(kind)
    apart = torch.full((rows * 2, cols * 3), -1).to(kind)
    apart[::2, ::3] = x
    return [x, x.T.contiguous().T, apart[::2, ::3]]


@pytest.mark.parametrize("kind", CODES, ids=str)
def test_windows_of_strided_tensors(run: Any, kind: torch.dtype) -> None:
    for a in strided(20, 40, kind):
        for b in strided(12, 30, kind):
            expected = b.clone()
            expected[2:9, 5:17] = a[10:17, 20:32]
            run(COPY, a, b, 10, 20, 2, 5, 7, 12)
            assert torch.equal(b, expected)


SOURCE = r"kernel copy: TLOAD: tensor source \[20, 40\] FP32, "
TARGET = r"kernel copy: TSTORE: tensor target \[12, 30\] FP32, "


@pytest.mark.parametrize(
    ("offsets", "message"),
    [
        ((13, 0, 0, 0, 8, 16), SOURCE + r"offset \[13, 0\], valid window \[8, 16\]: dimension 0 goes from 13 to 21 "),
        ((0, 25, 0, 0, 8, 16), "TLOAD: .*dimension 1 goes from 25 to 41"),
        ((-1, 0, 0, 0, 8, 16), "TLOAD: .*dimension 0 goes from -1 to 7"),
        ((0, 0, 5, 0, 8, 16), TARGET + r"offset \[5, 0\], valid window \[8, 16\]: dimension 0 goes from 5 to 13 "),
        ((0, 0, 0, -3, 8, 16), "TSTORE: .*dimension 1 goes from -3 to 13"),
    ],
)  # fmt: skip
def test_what_leaves_a_tensor_is_diagnosed_and_writes_nothing(run: Any, offsets: Sequence[int], message: str) -> None:
    a, b = torch.ones(20, 40), torch.zeros(12, 30)
    with pytest.raises(SimulatorError, match=message):
        run(COPY, a, b, *offsets)
    assert (b == 0).all()


def test_the_edge_of_a_tensor_is_reached_with_a_narrower_valid_shape(run: Any) -> None:
    a, b = torch.randn(20, 40), torch.zeros(12, 30)
    run(COPY, a, b, 13, 25, 5, 15, 7, 15)
    assert torch.equal(b[5:, 15:], a[13:, 25:]) and b[:5].sum() == 0


def test_nothing_valid_moves_nothing(run: Any) -> None:
    b = torch.zeros(12, 30)
    run(COPY, torch.ones(20, 40), b, 20, 40, 99, 99, 0, 16)
    assert (b == 0).all()


def test_a_load_does_not_convert_and_a_store_only_from_the_accumulator(run: Any) -> None:
    with pytest.raises(
        SimulatorError, match="TSTORE: the tile has dtype FP32 and tensor target FP16; cast the tile first"
    ):
        run(COPY, torch.zeros(8, 16), torch.zeros(8, 16).half(), 0, 0, 0, 0, 8, 16)
    for kind in (torch.float16, torch.bfloat16, torch.float32):
        b = torch.zeros(8, 16, dtype=kind)
        run(CONVERT, b, b, 1)
        assert torch.equal(b, torch.full((8, 16), 70000.25).to(kind))
    with pytest.raises(SimulatorError, match="cast the tile first"):
        run(CONVERT, b, torch.zeros(8, 16).half(), 0)


def test_rank_3_is_flattened_into_rows(run: Any) -> None:
    a = torch.arange(4 * 10 * 20).reshape(4, 10, 20).float()
    for source in (a, a.permute(2, 0, 1).contiguous().permute(1, 2, 0)):
        b = torch.zeros(2, 6, 16)
        run(COPY_RANK3, source, b, 1, 3, 2, 2, 6, 16)
        assert torch.equal(b, a[1:3, 3:9, 2:18])
        run(COPY_RANK3, source, b, 2, 4, 4, 1, 5, 9)  # the rest of the tile is poisoned
        assert torch.equal(b[0, :5, :9], a[2, 4:9, 4:13]) and b[1].isnan().all() and b[0, 5].isnan().all()
    with pytest.raises(
        SimulatorError, match=r"offset \[3, 0, 0\], valid window \[2, 6, 16\]: dimension 0 goes from 3 to 5"
    ):
        run(COPY_RANK3, a, torch.zeros(2, 6, 16), 3, 0, 0, 2, 6, 16)
    with pytest.raises(SimulatorError, match=r"window \[2, 6, 16\], valid \[3, 6, 16\], of tensor source does not fit"):
        run(COPY_RANK3, a, torch.zeros(2, 6, 16), 0, 0, 0, 3, 6, 16)


def test_rank_1_is_a_row_or_a_column(run: Any) -> None:
    a, b = torch.randn(100), torch.zeros(80)
    run(COPY_RANK1, a[::2], b[::2], 10, 5)
    assert torch.equal(b[::2][5:37], a[::2][10:42]) and (b[1::2] == 0).all()
    with pytest.raises(SimulatorError, match=r"TSTORE: tensor target .* dimension 0 goes from 60 to 92"):
        run(COPY_RANK1, a, b, 0, 60)


@pytest.mark.parametrize("kind", [torch.float32, torch.float16, torch.bfloat16, torch.int32, torch.int8], ids=str)
def test_an_adding_store_accumulates(run: Any, kind: torch.dtype) -> None:
    a = (torch.arange(8 * 16) % 50).reshape(8, 16).to(kind)
    for b in strided(8, 16, kind):
        expected = b + a + a
        run(ADD, a, b)
        assert torch.equal(b, expected)


def test_buffers_start_poisoned_and_windows_are_views(run: Any) -> None:
    a, b = torch.randn(8, 16), torch.zeros(8, 16)
    run(-1, a, b)
    assert torch.equal(b[:7], a[:7]) and b[7].isnan().all()
    large, target = torch.randn(20, 30), torch.zeros(9, 16)
    run(-2, large, target)
    assert torch.equal(target[1:], large[4:12, 8:24]) and (target[0] == 0).all()
    deep = torch.randn(5, 4, 32)
    run(-3, deep, b, 3)
    assert torch.equal(b, deep[3].reshape(8, 16))


def test_wrong_windows_and_shapes_are_diagnosed(run: Any) -> None:
    a = torch.randn(20, 16)
    with pytest.raises(
        SimulatorError,
        match="orchestration: window of tensor source: dimension 0 goes from 13 to 21 and the tensor has 20",
    ):
        run(-4, a, a, 13)
    with pytest.raises(SimulatorError, match="reshape of tensor source: 320 elements become 336"):
        run(-5, a, a, 21)
    with pytest.raises(SimulatorError, match="its elements do not lie one after another"):
        run(-5, torch.randn(16, 20).T, a, 20)
    with pytest.raises(SimulatorError, match="submit: func id 99 is unknown; the program has 7 kernels"):
        run(99, a, a)
    with pytest.raises(SimulatorError, match="func id 5 with 0 blocks"):
        run(BLOCKS, a, a, blocks=0)


def test_blocks_run_with_their_index_and_a_failure_names_its_block(run: Any) -> None:
    b = torch.zeros(6, 2, dtype=torch.int64)
    run(BLOCKS, b, b, -1, blocks=6)
    assert b[:, 0].tolist() == [6] * 6
    with pytest.raises(
        SimulatorError, match="kernel blocks, block 4 of 6: read: index 99 of dimension 0 is outside tensor source"
    ):
        run(BLOCKS, b, b, 4, blocks=6)


def test_elements_of_tensors(run: Any) -> None:
    a = torch.arange(12.0).reshape(3, 4)
    b = torch.zeros(1, 2)
    run(ELEMENTS, a.T, b, 3, 1)
    assert b[0, 1] == a.T[3, 1]
    with pytest.raises(
        SimulatorError, match="kernel elements: read: index 4 of dimension 1 is outside tensor source, which has 4"
    ):
        run(ELEMENTS, a, b, 0, 4)


def test_the_log_tells_tasks_in_order(run: Any) -> None:
    a, b = torch.randn(8, 16), torch.zeros(8, 16)
    log = run(-1, a, b, tasks=10)
    assert [(task.func_id, task.core, task.blocks) for task in log] == [(0, "aiv", 1)] * 2
    assert 0 <= log[0].start <= log[0].start + log[0].duration <= log[1].start
    assert len(run(-1, a, b, tasks=1)) == 1


def test_threads_do_not_disturb_each_other(run: Any) -> None:
    failures: list[str] = []

    def work(seed: int) -> None:
        a = torch.full((8, 16), float(seed))
        for _ in range(200):
            b = torch.zeros(8, 16)
            run(-1, a, b)
            if not (b[:7] == seed).all():
                failures.append(f"{seed}: {b}")
            try:
                run(COPY, a, b, seed, 0, 0, 0, 8, 16)
            except SimulatorError as error:
                if f"offset [{seed}, 0]" not in str(error):
                    failures.append(str(error))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
