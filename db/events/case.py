"""Facts about a case on its way through the six stages."""

from __future__ import annotations

from typing import Literal

import msgspec

from db.events.base import CaseEvent
from db.outcome import Stage


class CaseCollected(CaseEvent, frozen=True, kw_only=True):
    """A case, or a plain test, was declared and is due in this run."""

    type = "case.collected"
    version = 1

    node_id: str
    name: str
    platform: str = ""
    planner: str = ""
    kind: Literal["case", "test"]
    inputs: dict[str, str] = msgspec.field(default_factory=dict)
    declaration: str = ""
    comparison: str = ""
    rtol: float | None = None
    atol: float | None = None
    source_file: str = ""
    source_line: int = 0


class CaseDeselected(CaseEvent, frozen=True, kw_only=True):
    """A collected case was taken out of the run by a filter."""

    type = "case.deselected"
    version = 1

    reason: str


class CaseSkipped(CaseEvent, frozen=True, kw_only=True):
    """A case was not run because it, or its platform, says so."""

    type = "case.skipped"
    version = 1

    reason: str


class CaseSpecialized(CaseEvent, frozen=True, kw_only=True):
    """A kernel was parsed and bound to its sample arguments."""

    type = "case.specialized"
    version = 1

    attempt: int
    program_digest: str
    seconds: float


class CaseCompiled(CaseEvent, frozen=True, kw_only=True):
    """C++ for one specialized case was generated and built; `phases` splits the time (passes, codegen, g++)."""

    type = "case.compiled"
    version = 1

    attempt: int
    source_digest: str
    library_digest: str
    seconds: float
    phases: dict[str, float]
    artifact: str
    source_files: dict[str, str]


class GoldenComputed(CaseEvent, frozen=True, kw_only=True):
    """The reference gave its outputs; `outputs` maps each name to the digest of its bytes."""

    type = "case.golden_computed"
    version = 1

    attempt: int
    outputs: dict[str, str]
    seconds: float


class CaseExecuted(CaseEvent, frozen=True, kw_only=True):
    """The built kernel ran to its end; `outputs` maps each name to the digest of its bytes."""

    type = "case.executed"
    version = 1

    attempt: int
    outputs: dict[str, str]
    seconds: float
    device: str
    worker: str


class CaseCompared(CaseEvent, frozen=True, kw_only=True):
    """Actual outputs were held against the golden; `margin` is error over limit, so above 1 is a mismatch.

    `shape` describes a mismatch without its numbers, such as "c: scattered, 10^3 over limit".
    """

    type = "case.compared"
    version = 1

    attempt: int
    passed: bool
    worst_abs: float | None = None
    worst_rel: float | None = None
    mismatches: int
    elements: int
    margin: float | None = None
    shape: str = ""
    seconds: float


class StageFailed(CaseEvent, frozen=True, kw_only=True):
    """A stage of a case did not give its result; `cause` says whether the code or the surroundings are to blame."""

    type = "case.stage_failed"
    version = 1

    attempt: int
    stage: Stage
    cause: Literal["test", "infra"]
    error_type: str
    message: str
    traceback: str = ""
    signal: int | None = None
    timeout: bool = False
    signature: str
    device: str = ""
    worker: str = ""
    seconds: float = 0.0
