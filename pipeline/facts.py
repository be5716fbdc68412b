"""Plain values that travel from pytest's objects and from cases to the record."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Phase = Literal["setup", "call", "teardown"]
PhaseOutcome = Literal["passed", "failed", "skipped"]
LONGEST_TEXT = 64 * 1024  # characters of a report or traceback that are kept


@dataclass(frozen=True)
class TestFailure:
    """Why a phase of a test failed, in words that can be stored."""

    __test__ = False

    error_type: str
    message: str
    frame: str = ""


@dataclass(frozen=True)
class CaseFacts:
    """What is recorded of a case when it is collected."""

    name: str
    platform: str
    planner: str
    inputs: dict[str, str] = field(default_factory=dict)
    declaration: str = ""
    comparison: str = ""
    rtol: float | None = None
    atol: float | None = None
    source_file: str = ""
    source_line: int = 0


@dataclass(frozen=True)
class Totals:
    """The invariant of a session: collected = recorded + deselected + missing."""

    collected: int
    recorded: int
    deselected: int
    missing: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"collected {self.collected} = recorded {self.recorded} + deselected {self.deselected} "
            f"+ missing {len(self.missing)}"
        )
