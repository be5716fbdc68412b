"""How one case differs between two runs: the grid of design section 7, as a pure and total function.

Four kinds of result stand on each side. A verdict passed or failed; a silent result (infra, skipped, deselected, not
reached, aborted) says nothing about the code; an absent case was not part of the run.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from db.outcome import Change, Outcome, Stage


@dataclass(frozen=True)
class Verdict:
    """What `compare` looks at: how a case ended, and for a failure where and with which signature."""

    outcome: Outcome
    stage: Stage | None = None
    signature: str = ""


class _Kind(Enum):
    PASSED = "passed"
    FAILED = "failed"
    SILENT = "silent"
    ABSENT = "absent"


_GRID: dict[_Kind, dict[_Kind, Change]] = {
    _Kind.PASSED: {
        _Kind.PASSED: Change.SAME,
        _Kind.FAILED: Change.NEWLY_FAILING,
        _Kind.SILENT: Change.INCONCLUSIVE,
        _Kind.ABSENT: Change.REMOVED,
    },
    _Kind.FAILED: {
        _Kind.PASSED: Change.FIXED,
        _Kind.FAILED: Change.STILL_FAILING,  # or failing differently, which the signatures tell
        _Kind.SILENT: Change.INCONCLUSIVE,
        _Kind.ABSENT: Change.REMOVED,
    },
    _Kind.SILENT: {
        _Kind.PASSED: Change.NO_BASELINE_PASS,
        _Kind.FAILED: Change.NO_BASELINE_FAILING,
        _Kind.SILENT: Change.INCONCLUSIVE,
        _Kind.ABSENT: Change.REMOVED,
    },
    _Kind.ABSENT: {
        _Kind.PASSED: Change.ADDED,
        _Kind.FAILED: Change.BORN_RED,
        _Kind.SILENT: Change.ADDED_INCONCLUSIVE,
        _Kind.ABSENT: Change.SAME,  # on neither side: nothing differs
    },
}


def compare(base: Verdict | None, head: Verdict | None) -> Change:
    """The change from `base` to `head`, where None is a case that its run did not have."""
    change = _GRID[_kind(base)][_kind(head)]
    if change is Change.STILL_FAILING and _identity(base) != _identity(head):
        return Change.FAILING_DIFFERENTLY
    return change


def _kind(verdict: Verdict | None) -> _Kind:
    if verdict is None:
        return _Kind.ABSENT
    if verdict.outcome.counts_as_pass:
        return _Kind.PASSED
    return _Kind.FAILED if verdict.outcome.counts_as_failure else _Kind.SILENT


def _identity(verdict: Verdict | None) -> tuple[Stage | None, str] | None:
    """What makes two failures the same one. The outcome is left to the signature, which knows the error class."""
    return None if verdict is None else (verdict.stage, verdict.signature)
