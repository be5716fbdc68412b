"""Facts about what pytest itself reported, for cases and for plain tests alike."""

from __future__ import annotations

from typing import Literal

from db.events.base import CaseEvent


class TestReported(CaseEvent, frozen=True, kw_only=True):
    """One phase of one test ended; `outcome` is pytest's own word, so an expected failure reads `skipped`."""

    __test__ = False  # pytest would otherwise try to collect the class from modules that import it

    type = "test.reported"
    version = 1

    attempt: int
    phase: Literal["setup", "call", "teardown"]
    outcome: Literal["passed", "failed", "skipped"]
    seconds: float
    longrepr: str = ""
    node_id: str
