"""Facts about a case on its way through the six stages."""

from __future__ import annotations

from typing import Any, Literal

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


class StageEvent(CaseEvent, frozen=True, kw_only=True):
    """A stage of a case gave its result.

    `fingerprint` is the digest of all it depends on, `components` its parts by name, each as "digest place", so that a
    later run can say what changed. With `problems` the fingerprint leaves something out: the result is never reused.
    """

    attempt: int
    seconds: float
    fingerprint: str = ""
    components: dict[str, str] = msgspec.field(default_factory=dict)
    problems: list[str] = msgspec.field(default_factory=list)

    @staticmethod
    def upcast_v1(payload: dict[str, Any]) -> dict[str, Any]:
        """Version 1 knew no fingerprints."""
        return {**payload, "fingerprint": "", "components": {}, "problems": []}


class CaseSpecialized(StageEvent, frozen=True, kw_only=True):
    """A kernel was parsed and bound to its sample arguments."""

    type = "case.specialized"
    version = 2

    program_digest: str


class CaseCompiled(StageEvent, frozen=True, kw_only=True):
    """C++ for one specialized case was generated and built; `phases` splits the time (passes, codegen, g++).

    `stored` is the digest under which the artifact store has the whole folder, "" when it was not kept.
    """

    type = "case.compiled"
    version = 2

    source_digest: str
    library_digest: str
    phases: dict[str, float]
    artifact: str
    source_files: dict[str, str]
    stored: str = ""

    @staticmethod
    def upcast_v1(payload: dict[str, Any]) -> dict[str, Any]:
        """Version 1 knew neither fingerprints nor the artifact store."""
        return {**StageEvent.upcast_v1(payload), "stored": ""}


class GoldenComputed(StageEvent, frozen=True, kw_only=True):
    """The reference gave its outputs; `outputs` maps each name to the digest of its value.

    `stored` maps each name to the digest under which the artifact store has its file; empty when they were not kept.
    """

    type = "case.golden_computed"
    version = 2

    outputs: dict[str, str]
    stored: dict[str, str] = msgspec.field(default_factory=dict)

    @staticmethod
    def upcast_v1(payload: dict[str, Any]) -> dict[str, Any]:
        """Version 1 knew neither fingerprints nor the artifact store."""
        return {**StageEvent.upcast_v1(payload), "stored": {}}


class CaseExecuted(StageEvent, frozen=True, kw_only=True):
    """The built kernel ran to its end; `outputs` maps each name to the digest of its value.

    `stored` maps each name to the digest under which the artifact store has its file; empty when they were not kept.
    """

    type = "case.executed"
    version = 2

    outputs: dict[str, str]
    stored: dict[str, str] = msgspec.field(default_factory=dict)
    device: str
    worker: str

    @staticmethod
    def upcast_v1(payload: dict[str, Any]) -> dict[str, Any]:
        """Version 1 knew neither fingerprints nor the artifact store."""
        return {**StageEvent.upcast_v1(payload), "stored": {}}


class CaseCompared(StageEvent, frozen=True, kw_only=True):
    """Actual outputs were held against the golden; `margin` is error over limit, so above 1 is a mismatch.

    `shape` describes a mismatch without its numbers, such as "c: scattered, 10^3 over limit".
    """

    type = "case.compared"
    version = 2

    passed: bool
    worst_abs: float | None = None
    worst_rel: float | None = None
    mismatches: int
    elements: int
    margin: float | None = None
    shape: str = ""


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


class StageReused(CaseEvent, frozen=True, kw_only=True):
    """A stage was not run: its fingerprint is that of an earlier run, whose result stands.

    `outputs` are the digests that the stage gave then: `program`, or `source` and `library`, or one by output name.
    `numbers` are those of the comparison, by the names of `CaseCompared`.
    """

    type = "case.stage_reused"
    version = 1

    attempt: int
    stage: Stage
    fingerprint: str
    origin_run: str
    outputs: dict[str, str] = msgspec.field(default_factory=dict)
    numbers: dict[str, float] = msgspec.field(default_factory=dict)


class NondeterminismObserved(CaseEvent, frozen=True, kw_only=True):
    """A stage gave two different results under one fingerprint; it is not reused until the case is released."""

    type = "case.nondeterminism_observed"
    version = 1

    attempt: int
    stage: Stage
    fingerprint: str
    origin_run: str
    before: dict[str, str]
    now: dict[str, str]
