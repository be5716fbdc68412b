"""Warm calls on the simulator against eager torch on one thread, and what a call costs without its kernel."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import run
import torch

import pypto.language as pl
from pypto.runtime.config import RunConfig

REPEATS = 200
TODAY_WARM_SECONDS = 0.125  # the toolchain in use today takes 100 to 150 ms for a warm call


@pl.jit
def add(a: pl.Tensor, b: pl.Tensor, out: pl.Out[pl.Tensor]):
    """One tile of 128 x 128 FP32 takes 64 KiB; halves keep all three in the 184 KiB of Vec."""
    with pl.at(level=pl.Level.CORE_GROUP):
        for row in pl.range(0, a.shape[0], 64):
            out[row : row + 64, :] = pl.add(a[row : row + 64, :], b[row : row + 64, :])


@pl.jit
def softmax(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    """Softmax over rows."""
    with pl.at(level=pl.Level.CORE_GROUP):
        weights = pl.exp(pl.sub(x, pl.row_max(x)))
        out[:] = pl.div(weights, pl.row_sum(weights))


@pl.jit
def matmul(a: pl.Tensor, b: pl.Tensor, out: pl.Out[pl.Tensor]):
    """Blocks of 128 x 128, K in steps of 128."""
    m, k = a.shape
    n = b.shape[1]
    with pl.at(level=pl.Level.CORE_GROUP):
        for i in pl.range(0, m, 128):
            for j in pl.range(0, n, 128):
                acc = pl.create_tensor([128, 128], dtype=pl.FP32)
                for p in pl.range(0, k, 128):
                    a_block, b_block = a[i : i + 128, p : p + 128], b[p : p + 128, j : j + 128]
                    acc = pl.matmul_acc(acc, a_block, b_block, init_cond=(p == 0))
                out[i : i + 128, j : j + 128] = acc


@pl.jit
def smallest(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    """A kernel with next to nothing to do."""
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = pl.add(x, 1.0)


def seconds(function: Callable[[], object]) -> float:
    """One call, timed."""
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def compare(ours: Callable[[], object], theirs: Callable[[], object]) -> tuple[float, float]:
    """Median seconds of both, taken in turns."""
    pairs = [(seconds(ours), seconds(theirs)) for _ in range(REPEATS)][REPEATS // 10 :]
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)


def main() -> list[tuple[str, float, str, float | None]]:
    """Medians, and ratios to torch."""
    torch.set_num_threads(1)
    config = RunConfig(platform="a2a3sim")
    x, y, square = torch.randn(128, 128), torch.randn(128, 128), torch.randn(64, 64)
    big_a, big_b, small = torch.randn(256, 256), torch.randn(256, 256), torch.randn(8, 8)
    out, square_out, big_out, small_out = (torch.empty_like(t) for t in (x, square, big_a, small))
    pairs = {
        "add 128x128 FP32": (lambda: add(x, y, out, config=config), lambda: torch.add(x, y, out=out)),
        "softmax 64x64 FP32": (lambda: softmax(square, square_out, config=config), lambda: torch.softmax(square, -1)),
        "matmul 256x256 FP32": (
            lambda: matmul(big_a, big_b, big_out, config=config),
            lambda: torch.mm(big_a, big_b, out=big_out),
        ),
    }
    rows: list[tuple[str, float, str, float | None]] = []
    for name, (ours, theirs) in pairs.items():
        mine, torch_seconds = compare(ours, theirs)
        rows.append((f"warm call: {name}; ratio: torch eager", 1e6 * mine, "us", mine / torch_seconds))
    overhead, _ = compare(lambda: smallest(small, small_out, config=config), lambda: None)
    rows.append(("warm call: 8x8 add; ratio: today's toolchain", 1e6 * overhead, "us", TODAY_WARM_SECONDS / overhead))
    return rows


if __name__ == "__main__":
    run.show(main())
