"""Cold cases: CPU time from a jit function to a built library, by phase, for kernels of about ten lines.

Every repeat compiles new code, since a constant of the kernel changes, so no cache can answer. CPU time is that of this
process and of the C++ compiler. Ratios are against what the toolchain in use today needs for such kernels: 45 ms from
source to emitted code and 2,650 ms of g++.
"""

from __future__ import annotations

import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import run
import torch

import pypto.language as pl
from pypto.codegen import generate
from pypto.compiler import lower, write_files
from pypto.runtime.toolchain import build_kernels, simulator_library

REPEATS = 15
TODAY_SECONDS = 0.045 + 2.65


def elementwise(scale: float) -> tuple[object, tuple[torch.Tensor, ...]]:
    """Add, scale, rectify, at tile level."""

    @pl.jit
    def kernel(a: pl.Tensor, b: pl.Tensor, out: pl.Out[pl.Tensor]):
        with pl.at(level=pl.Level.CORE_GROUP):
            left = pl.load(a, [0, 0], [64, 128])
            right = pl.load(b, [0, 0], [64, 128])
            total = pl.add(left, right)
            scaled = pl.mul(total, scale)
            positive = pl.relu(scaled)
            out = pl.store(positive, [0, 0], out)

    return kernel, (torch.zeros(64, 128), torch.zeros(64, 128), torch.zeros(64, 128))


def softmax(scale: float) -> tuple[object, tuple[torch.Tensor, ...]]:
    """Softmax of 64 rows, at tensor level."""

    @pl.jit
    def kernel(x: pl.Tensor, out: pl.Out[pl.Tensor]):
        with pl.at(level=pl.Level.CORE_GROUP):
            scaled = pl.mul(x, scale)
            weights = pl.exp(pl.sub(scaled, pl.row_max(scaled)))
            out[:] = pl.div(weights, pl.row_sum(weights))

    return kernel, (torch.zeros(64, 64), torch.zeros(64, 64))


def matmul(scale: float) -> tuple[object, tuple[torch.Tensor, ...]]:
    """A product and a scaling kernel after it: two kernels and an orchestration."""

    @pl.jit
    def kernel(a: pl.Tensor, b: pl.Tensor, out: pl.Out[pl.Tensor]):
        product = pl.create_tensor([64, 64], dtype=pl.FP32)
        with pl.at(level=pl.Level.CORE_GROUP):
            product[:] = pl.matmul(a, b)
        with pl.at(level=pl.Level.CORE_GROUP):
            out[:] = pl.mul(product, scale)

    return kernel, (torch.zeros(64, 64), torch.zeros(64, 64), torch.zeros(64, 64))


def cpu() -> float:
    """CPU seconds of this process and of the children it waited for."""
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def measure(make: Callable[[float], tuple[object, tuple[torch.Tensor, ...]]]) -> dict[str, list[float]]:
    """CPU seconds of each phase, one entry per repeat, and the wall seconds of all of them together."""
    phases: dict[str, list[float]] = {"specialize": [], "passes": [], "codegen": [], "g++": [], "wall": []}
    for repeat in range(REPEATS + 1):
        kernel, samples = make(1.0 + time.time_ns() % 1_000_003 / 1e6 + repeat)
        with tempfile.TemporaryDirectory() as folder:
            wall, marks = time.perf_counter(), [cpu()]
            program = kernel.specialize(*samples)
            marks.append(cpu())
            lowered = lower(program)
            marks.append(cpu())
            write_files(Path(folder), generate(lowered))
            marks.append(cpu())
            build_kernels(Path(folder))
            marks.append(cpu())
            if repeat:  # the first one warms imports and the file cache
                for name, begin, end in zip(phases, marks, marks[1:], strict=False):
                    phases[name].append(end - begin)
                phases["wall"].append(time.perf_counter() - wall)
    return phases


def main() -> list[tuple[str, float, str, float | None]]:
    """Medians by kernel and phase."""
    simulator_library()
    rows: list[tuple[str, float, str, float | None]] = []
    for make in (elementwise, softmax, matmul):
        phases = measure(make)
        wall = statistics.median(phases.pop("wall"))
        total = statistics.median(sum(parts) for parts in zip(*phases.values(), strict=True))
        for name, seconds in phases.items():
            rows.append((f"cold {make.__name__}: {name}, CPU", 1e3 * statistics.median(seconds), "ms", None))
        name = f"cold {make.__name__}: specialize to library, CPU; ratio: today's toolchain"
        rows.append((name, 1e3 * total, "ms", TODAY_SECONDS / total))
        rows.append((f"cold {make.__name__}: specialize to library, wall", 1e3 * wall, "ms", None))
    return rows


if __name__ == "__main__":
    run.show(main())
