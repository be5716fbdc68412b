"""Facts about what pytest itself reported, for cases and for plain tests alike."""

from __future__ import annotations

from typing import Literal

from db.events.base import CaseEvent


class TestReported(CaseEvent, frozen=True, kw_only=True):
    """One phase of one test ended; `outcome` is pytest's own word, so an expected failure reads `skipped`.

    A plain test whose three phases all passed is told once, by its call, with `whole` and the seconds of the other two:
    most tests are such, and three events would cost a session three times as much.
    """

    __test__ = False  # pytest would otherwise try to collect the class from modules that import it

    type = "test.reported"
    version = 1

    attempt: int
    phase: Literal["setup", "call", "teardown"]
    outcome: Literal["passed", "failed", "skipped"]
    seconds: float
    longrepr: str = ""
    node_id: str
    whole: bool = False
    setup_seconds: float = 0.0
    teardown_seconds: float = 0.0
