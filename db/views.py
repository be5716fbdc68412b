"""What the queries answer with: frozen values, free of any database."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from db.outcome import Outcome, RunState, Stage


@dataclass(frozen=True)
class RunView:
    """One run. Times are UTC nanoseconds; `outcomes` counts the last attempt of every case."""

    run_id: str
    label: str
    state: RunState
    reason: str  # why it was aborted
    command: str
    root: str
    git_commit: str
    git_branch: str
    git_dirty: bool
    diff_digest: str
    host: str
    platforms: tuple[str, ...]
    options: dict[str, Any]
    environment: dict[str, str]
    started_at: int
    finished_at: int | None
    seconds: float | None
    exit_status: int | None
    collected: int | None
    recorded: int | None
    deselected: int | None
    missing: tuple[str, ...]
    outcomes: dict[Outcome, int] = field(default_factory=dict)

    @property
    def cases(self) -> int:
        """How many cases have a result, of whatever kind."""
        return sum(self.outcomes.values())

    @property
    def failures(self) -> int:
        """How many cases failed through the code under test."""
        return sum(count for outcome, count in self.outcomes.items() if outcome.counts_as_failure)


@dataclass(frozen=True)
class ResultView:
    """One attempt at one case in one run; what its stages did not come to say is empty or None."""

    run_id: str
    case_id: str
    attempt: int
    final: bool  # the last attempt of the case in this run
    kind: str  # "case" or "test"
    name: str
    platform: str
    planner: str
    node_id: str
    source_file: str
    source_line: int
    outcome: Outcome
    stage: Stage  # the last stage reached; of a failure, the stage that failed
    reason: str  # of a skip or a deselection
    signature: str
    error_type: str
    message: str  # its first 500 characters
    signal: int | None
    seconds: float
    stage_seconds: dict[Stage, float]
    declaration: str
    inputs_digest: str
    program_digest: str
    source_digest: str
    library_digest: str
    golden_digest: str
    outputs_digest: str
    comparison: str
    rtol: float | None
    atol: float | None
    margin: float | None
    worst_abs: float | None
    worst_rel: float | None
    mismatches: int | None
    elements: int | None
    shape: str
    device: str
    worker: str
    origin_run: str
