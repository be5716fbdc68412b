"""The closed vocabularies of a result: stages of a case, how a case or a run ended, how two results differ.

Labels, colours and what counts are properties here, so that a new member has to answer every question at once.
"""

from __future__ import annotations

from enum import Enum


class Stage(Enum):
    """Where in its life a case is; a plain pytest test has the single stage `test`."""

    COLLECT = "collect"
    SPECIALIZE = "specialize"
    COMPILE = "compile"
    GOLDEN = "golden"
    RUN = "run"
    COMPARE = "compare"
    TEST = "test"

    @property
    def order(self) -> int:
        """Position in the life of a case, from 0."""
        return _STAGE_ORDER[self]


_STAGE_ORDER = {stage: index for index, stage in enumerate(Stage)}


class Outcome(Enum):
    """How one attempt at a case ended."""

    PASS = "pass"
    FAIL = "fail"
    CRASH = "crash"
    TIMEOUT = "timeout"
    INFRA = "infra"
    SKIPPED = "skipped"
    DESELECTED = "deselected"
    NOT_REACHED = "not_reached"
    ABORTED = "aborted"

    @property
    def label(self) -> str:
        """Words for a person."""
        return _OUTCOMES[self][0]

    @property
    def symbol(self) -> str:
        """One character for a dense table."""
        return _OUTCOMES[self][1]

    @property
    def colour(self) -> str:
        """Hex colour for charts, readable on white; all nine are distinct."""
        return _OUTCOMES[self][2]

    @property
    def style(self) -> str:
        """Terminal style, in the words of `rich`."""
        return _OUTCOMES[self][3]

    @property
    def counts_as_failure(self) -> bool:
        """The code under test is to blame."""
        return self in (Outcome.FAIL, Outcome.CRASH, Outcome.TIMEOUT)

    @property
    def counts_as_pass(self) -> bool:
        """The code under test did what it should."""
        return self is Outcome.PASS

    @property
    def is_verdict(self) -> bool:
        """Says something about the code; infra, skips and aborts do not."""
        return self.counts_as_pass or self.counts_as_failure

    @property
    def is_recorded(self) -> bool:
        """The case was reached: it counts as `recorded` in `collected = recorded + deselected + missing`."""
        return self not in (Outcome.DESELECTED, Outcome.NOT_REACHED)


#                        label           symbol  colour     style
_OUTCOMES = {
    Outcome.PASS: ("passed", ".", "#2e7d32", "green"),
    Outcome.FAIL: ("failed", "F", "#c62828", "bold red"),
    Outcome.CRASH: ("crashed", "C", "#6a1b9a", "bold magenta"),
    Outcome.TIMEOUT: ("timed out", "T", "#ad1457", "bold red"),
    Outcome.INFRA: ("infrastructure", "I", "#ef6c00", "yellow"),
    Outcome.SKIPPED: ("skipped", "s", "#1565c0", "blue"),
    Outcome.DESELECTED: ("deselected", "d", "#78909c", "bright_black"),
    Outcome.NOT_REACHED: ("not reached", "-", "#b0bec5", "bright_black"),
    Outcome.ABORTED: ("aborted", "A", "#5d4037", "yellow"),
}


class RunState(Enum):
    """How far a run came."""

    FINISHED = "finished"
    ABORTED = "aborted"
    UNFINISHED = "unfinished"  # still going, or killed before it could say so

    @property
    def label(self) -> str:
        """Words for a person."""
        return "unfinished (running or killed)" if self is RunState.UNFINISHED else self.value


class Change(Enum):
    """How the result of one case differs between a base run and a head run (design section 7)."""

    SAME = "same"
    NEWLY_FAILING = "newly_failing"
    FIXED = "fixed"
    STILL_FAILING = "still_failing"
    FAILING_DIFFERENTLY = "failing_differently"
    ADDED = "added"
    REMOVED = "removed"
    BORN_RED = "born_red"
    NO_BASELINE_PASS = "no_baseline_pass"
    NO_BASELINE_FAILING = "no_baseline_failing"
    INCONCLUSIVE = "inconclusive"
    ADDED_INCONCLUSIVE = "added_inconclusive"

    @property
    def label(self) -> str:
        """Words for a person."""
        return _CHANGES[self][0]

    @property
    def colour(self) -> str:
        """Hex colour for charts, readable on white."""
        return _CHANGES[self][1]

    @property
    def style(self) -> str:
        """Terminal style, in the words of `rich`."""
        return _CHANGES[self][2]

    @property
    def counts_as_regression(self) -> bool:
        """Head is worse than base: the diff ends with status 1."""
        return self in (Change.NEWLY_FAILING, Change.BORN_RED)

    @property
    def is_inconclusive(self) -> bool:
        """Head says nothing about the code."""
        return self in (Change.INCONCLUSIVE, Change.ADDED_INCONCLUSIVE)

    @property
    def show_in_summary(self) -> bool:
        """Cases of this kind are listed one by one rather than counted."""
        return self is not Change.SAME


#                             label                   colour     style
_CHANGES = {
    Change.SAME: ("same", "#90a4ae", "bright_black"),
    Change.NEWLY_FAILING: ("newly failing", "#c62828", "bold red"),
    Change.FIXED: ("fixed", "#2e7d32", "bold green"),
    Change.STILL_FAILING: ("still failing", "#8d6e63", "red"),
    Change.FAILING_DIFFERENTLY: ("failing differently", "#d84315", "bold yellow"),
    Change.ADDED: ("added", "#1565c0", "blue"),
    Change.REMOVED: ("removed", "#455a64", "bold bright_black"),
    Change.BORN_RED: ("born red", "#ad1457", "bold red"),
    Change.NO_BASELINE_PASS: ("no baseline: pass", "#558b2f", "green"),
    Change.NO_BASELINE_FAILING: ("no baseline: failing", "#6d4c41", "red"),
    Change.INCONCLUSIVE: ("inconclusive", "#ef6c00", "yellow"),
    Change.ADDED_INCONCLUSIVE: ("added: inconclusive", "#f9a825", "yellow"),
}
