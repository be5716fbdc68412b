"""How each event changes the records: pure rules, without any database.

Rules look at one attempt at a time. An attempt is `not_reached` until something happens to it, `aborted` while it is
under way (so that a killed session needs no last word), and then what its verdict says. The first failing stage
decides; pytest's own report decides only where no stage has spoken.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field, replace
from functools import singledispatch

from db.events import (
    CaseCollected,
    CaseCompared,
    CaseCompiled,
    CaseDeselected,
    CaseEvent,
    CaseExecuted,
    CaseSkipped,
    CaseSpecialized,
    GoldenComputed,
    NondeterminismObserved,
    RunAborted,
    RunEvent,
    RunFinished,
    RunStarted,
    StageFailed,
    StageReused,
    TestReported,
    to_json,
)
from db.outcome import Outcome, RunState, Stage
from db.projections.rows import CaseRecord, ResultRecord, RunRecord
from db.signature import signature

LONGEST_MESSAGE = 500
_NUMBERS = ("margin", "worst_abs", "worst_rel", "mismatches", "elements")
_DECLARED = ("node_id", "source_file", "source_line", "declaration", "inputs_digest", "comparison", "rtol", "atol")


@dataclass
class CaseInRun:
    """All attempts at one case in one run."""

    case: CaseRecord
    run_key: int
    attempts: dict[int, ResultRecord] = field(default_factory=dict)

    def attempt(self, number: int) -> ResultRecord:
        """The record of an attempt; a new one starts with what the case declared."""
        if number not in self.attempts:
            new = ResultRecord(self.run_key, self.case.case_key, number)
            for known in self.attempts.values():
                new = replace(new, **{name: getattr(known, name) for name in _DECLARED})
                break
            self.attempts[number] = new
            last = max(self.attempts)
            for other, record in self.attempts.items():
                record.final = other == last
        return self.attempts[number]

    def last(self) -> ResultRecord:
        """The record of the last attempt, the first one if there is none yet."""
        return self.attempt(max(self.attempts, default=1))


def mapping_digest(digests: dict[str, str]) -> str:
    """One digest for a mapping of names to digests, "" for none."""
    if not digests:
        return ""
    return hashlib.blake2b(to_json(sorted(digests.items())).encode(), digest_size=16).hexdigest()


def case_record(key: int, case_id: str) -> CaseRecord:
    """What a case id says by itself, for events that come without a declaration."""
    name, *where = case_id.rsplit("@", 2)
    if "::" in case_id or len(where) != 2:
        return CaseRecord(key, case_id, kind="test", name=case_id)
    return CaseRecord(key, case_id, kind="case", name=name, platform=where[0], planner=where[1])


# Runs ----------------------------------------------------------------------------------------------------------------


@singledispatch
def fold_run(event: RunEvent, run: RunRecord, recorded_at: int) -> None:
    """Change a run's record as an event about the run says."""
    raise NotImplementedError(type(event).__name__)


@fold_run.register
def _run_started(event: RunStarted, run: RunRecord, recorded_at: int) -> None:
    for name in ("label", "command", "root", "git_commit", "git_branch", "git_dirty", "diff_digest", "host"):
        setattr(run, name, getattr(event, name))
    run.platforms, run.options, run.environment = event.platforms, event.options, event.environment
    run.started_at = recorded_at


@fold_run.register
def _run_finished(event: RunFinished, run: RunRecord, recorded_at: int) -> None:
    for name in ("exit_status", "collected", "recorded", "deselected", "missing", "seconds"):
        setattr(run, name, getattr(event, name))
    run.state = RunState.FINISHED
    run.finished_at = recorded_at


@fold_run.register
def _run_aborted(event: RunAborted, run: RunRecord, recorded_at: int) -> None:
    run.state = RunState.ABORTED
    run.reason = event.reason[:LONGEST_MESSAGE]
    run.finished_at = recorded_at


# Cases ---------------------------------------------------------------------------------------------------------------


@singledispatch
def fold_case(event: CaseEvent, group: CaseInRun) -> None:
    """Change the attempts at a case as an event about the case says."""
    raise NotImplementedError(type(event).__name__)


@fold_case.register
def _collected(event: CaseCollected, group: CaseInRun) -> None:
    case = group.case
    case.kind, case.name, case.platform, case.planner = event.kind, event.name, event.platform, event.planner
    group.last()
    for record in group.attempts.values():
        record.node_id, record.source_file, record.source_line = event.node_id, event.source_file, event.source_line
        record.declaration, record.inputs_digest = event.declaration, mapping_digest(event.inputs)
        record.comparison, record.rtol, record.atol = event.comparison, event.rtol, event.atol


@fold_case.register
def _deselected(event: CaseDeselected, group: CaseInRun) -> None:
    _without_verdict(group.last(), Outcome.DESELECTED, event.reason)


@fold_case.register
def _skipped(event: CaseSkipped, group: CaseInRun) -> None:
    _without_verdict(group.last(), Outcome.SKIPPED, event.reason)


@fold_case.register
def _specialized(event: CaseSpecialized, group: CaseInRun) -> None:
    record = _reached(group.attempt(event.attempt), Stage.SPECIALIZE, event.seconds)
    record.program_digest = event.program_digest


@fold_case.register
def _compiled(event: CaseCompiled, group: CaseInRun) -> None:
    record = _reached(group.attempt(event.attempt), Stage.COMPILE, event.seconds)
    record.source_digest, record.library_digest = event.source_digest, event.library_digest


@fold_case.register
def _golden_computed(event: GoldenComputed, group: CaseInRun) -> None:
    record = _reached(group.attempt(event.attempt), Stage.GOLDEN, event.seconds)
    record.golden_digest = mapping_digest(event.outputs)


@fold_case.register
def _executed(event: CaseExecuted, group: CaseInRun) -> None:
    record = _reached(group.attempt(event.attempt), Stage.RUN, event.seconds)
    record.outputs_digest = mapping_digest(event.outputs)
    record.device, record.worker = event.device, event.worker


@fold_case.register
def _compared(event: CaseCompared, group: CaseInRun) -> None:
    record = _reached(group.attempt(event.attempt), Stage.COMPARE, event.seconds)
    for name in (*_NUMBERS, "shape"):
        setattr(record, name, getattr(event, name))
    if _failed(record):
        return
    if event.passed:
        record.outcome = Outcome.PASS
    else:
        sign = signature(Stage.COMPARE, "Mismatch", event.shape)
        _fail(record, Outcome.FAIL, Stage.COMPARE, "Mismatch", event.shape, sign)


@fold_case.register
def _stage_failed(event: StageFailed, group: CaseInRun) -> None:
    record = group.attempt(event.attempt)
    if _failed(record) and record.stage not in (Stage.TEST, event.stage):
        return
    if event.cause == "infra":
        outcome = Outcome.INFRA
    elif event.timeout:
        outcome = Outcome.TIMEOUT
    else:
        outcome = Outcome.FAIL if event.signal is None else Outcome.CRASH
    _fail(record, outcome, event.stage, event.error_type, event.message, event.signature)
    record.signal = event.signal
    record.device, record.worker = event.device or record.device, event.worker or record.worker
    if event.seconds:
        _spend(record, event.stage, event.seconds)


@fold_case.register
def _stage_reused(event: StageReused, group: CaseInRun) -> None:
    record = _reached(group.attempt(event.attempt), event.stage, None)
    if event.stage is Stage.SPECIALIZE:
        record.program_digest = event.outputs.get("program", "")
    elif event.stage is Stage.COMPILE:
        record.source_digest = event.outputs.get("source", "")
        record.library_digest = event.outputs.get("library", "")
    elif event.stage is Stage.GOLDEN:
        record.golden_digest = mapping_digest(event.outputs)
    elif event.stage is Stage.RUN:
        record.outputs_digest = mapping_digest(event.outputs)
    elif event.stage is Stage.COMPARE and not _failed(record):  # what did not pass is never reused
        for name in _NUMBERS:
            setattr(record, name, event.numbers.get(name))
        record.outcome, record.origin_run = Outcome.PASS, event.origin_run


@fold_case.register
def _nondeterminism_observed(event: NondeterminismObserved, group: CaseInRun) -> None:
    group.attempt(event.attempt)  # the verdict of the attempt is that of its own result


@fold_case.register
def _test_reported(event: TestReported, group: CaseInRun) -> None:
    record = group.attempt(event.attempt)
    record.node_id = record.node_id or event.node_id
    seconds = event.seconds + event.setup_seconds + event.teardown_seconds
    record.seconds_test = (record.seconds_test or 0.0) + seconds
    if group.case.kind == "test":
        record.seconds = record.seconds_test
        if not _failed(record):
            record.stage = Stage.TEST
    if event.outcome == "failed":
        if not _failed(record):
            error_type, message = _last_words(event.longrepr)
            sign = signature(Stage.TEST, error_type, message)
            _fail(record, Outcome.FAIL, Stage.TEST, error_type, message, sign)
    elif event.outcome == "skipped":
        # Also an expected failure: the stages failed, and the test says that they should.
        if record.outcome is not Outcome.INFRA:
            _without_verdict(record, Outcome.SKIPPED, record.reason or event.longrepr)
    elif record.outcome is Outcome.NOT_REACHED:
        record.outcome = Outcome.PASS if event.phase == "call" else Outcome.ABORTED
    elif record.outcome is Outcome.ABORTED and event.phase == "call":
        record.outcome = Outcome.PASS


# Steps ---------------------------------------------------------------------------------------------------------------


def _failed(record: ResultRecord) -> bool:
    return record.outcome.counts_as_failure or record.outcome is Outcome.INFRA


def _reached(record: ResultRecord, stage: Stage, seconds: float | None) -> ResultRecord:
    """The record at a stage that gave its result; one that was taken over took no time."""
    if seconds is not None:
        _spend(record, stage, seconds)
    if not _failed(record) and stage.order > record.stage.order:
        record.stage = stage
    if record.outcome is Outcome.NOT_REACHED:
        record.outcome = Outcome.ABORTED
    return record


def _spend(record: ResultRecord, stage: Stage, seconds: float) -> None:
    column = _SECONDS.get(stage)
    if column is None:
        return
    setattr(record, column, seconds)
    record.seconds = sum(getattr(record, name) or 0.0 for name in _SECONDS.values())


_SECONDS = {
    Stage.SPECIALIZE: "seconds_specialize",
    Stage.COMPILE: "seconds_compile",
    Stage.GOLDEN: "seconds_golden",
    Stage.RUN: "seconds_run",
    Stage.COMPARE: "seconds_compare",
}


def _fail(record: ResultRecord, outcome: Outcome, stage: Stage, error_type: str, message: str, sign: str) -> None:
    record.outcome, record.stage, record.reason = outcome, stage, ""
    record.error_type, record.message, record.signature = error_type, message[:LONGEST_MESSAGE], sign


def _without_verdict(record: ResultRecord, outcome: Outcome, reason: str) -> None:
    record.outcome, record.reason = outcome, reason[:LONGEST_MESSAGE]


_RAISED = re.compile(r"^E\s+(?:(?P<type>[\w.]+(?:Error|Exception|Warning|Exit|Failed|Interrupt)\b): ?)?(?P<text>.*)")
_PLACE = re.compile(r"^\S.*:\d+: (?P<type>[\w.]+)$")


def _last_words(longrepr: str) -> tuple[str, str]:
    """Error type and message from pytest's long form of a failure; a text of another form is its own message."""
    error_type, message = "", ""
    for line in longrepr.splitlines():
        raised = _RAISED.match(line)
        place = _PLACE.match(line)
        if raised and not message:
            error_type, message = raised["type"] or "", raised["text"]
        elif place and not error_type:
            error_type = place["type"]
    return error_type, message or longrepr.strip().rpartition("\n")[2]
