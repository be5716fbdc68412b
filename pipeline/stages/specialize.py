"""Specialize: from a kernel and its sample arguments to the program before any pass."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pipeline.case import Case

Digest = Callable[[Any], str]


@dataclass(frozen=True)
class Specialized:
    """A program and its digest."""

    program: Any
    digest: str
    seconds: float


def specialize(case: Case, digest: Digest) -> Specialized:
    """The program of a case."""
    started = time.perf_counter()
    program = case.get_program()
    return Specialized(program, digest(program), time.perf_counter() - started)
