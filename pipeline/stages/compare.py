"""Compare: the verdict, from what lies in the files."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from pipeline.case import Case
from pipeline.comparators import Comparison
from pipeline.tensor_files import load_tensors


@dataclass(frozen=True)
class Compared:
    """The comparison and what it took."""

    comparison: Comparison
    seconds: float


def compare(case: Case, data: Path) -> Compared:
    """Hold `data/actual` against `data/out` with the case's own comparator."""
    started = time.perf_counter()
    names = [tensor.name for tensor in case.outputs]
    actual, expected = (load_tensors(data / side, names) for side in ("actual", "out"))
    comparison = case.comparator.compare(actual, expected)
    return Compared(comparison, time.perf_counter() - started)
