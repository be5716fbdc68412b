"""What one pytest session tells the record: which tests it collected, what became of each, and how it ended.

It deals in plain values; `pipeline.plugin` reads them from pytest's objects. The same class serves a session in one
process, a worker of pytest-xdist (whose events travel to the controller) and the controller.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from db.events import (
    CaseCollected,
    CaseDeselected,
    CaseSkipped,
    Event,
    RunAborted,
    RunFinished,
    RunStarted,
    StageFailed,
    TestReported,
)
from db.outcome import Stage
from db.signature import signature
from pipeline.facts import CaseFacts, Phase, PhaseOutcome, TestFailure, Totals
from pipeline.phases import PassedPhases
from pipeline.provenance import Revision


@dataclass(slots=True)
class Entry:
    """What the session knows of one collected item."""

    node_id: str
    case_id: str
    announced: bool = True  # the record knows the item; the controller of pytest-xdist hears of it late
    attempt: int = 0
    reported: bool = False
    staged: int = 0  # the attempt whose failure a stage of the case has told already
    is_case: bool = False


class Session:
    """Counts what happens and says it as events."""

    def __init__(self, run_id: str, record: Callable[[Event], Any]) -> None:
        self.run_id = run_id
        self.record = record
        self._entries: dict[str, Entry] = {}
        self._deselected: set[str] = set()
        self._phases = PassedPhases(record)
        self._started = time.perf_counter()

    # The run

    def start(
        self,
        *,
        label: str,
        command: str,
        root: str,
        revision: Revision,
        host: str,
        platforms: Iterable[str],
        options: dict[str, Any],
        environment: dict[str, str],
    ) -> None:
        """The session begins."""
        self._phases.watch()
        self.record(
            RunStarted(
                run_id=self.run_id,
                label=label,
                command=command,
                root=root,
                git_commit=revision.commit,
                git_branch=revision.branch,
                git_dirty=revision.dirty,
                diff_digest=revision.diff_digest,
                host=host,
                platforms=list(platforms),
                options=options,
                environment=environment,
            )
        )

    def finish(self, exit_status: int, aborted: str = "") -> Totals:
        """The session ends, of itself or because it was stopped."""
        self._phases.close()
        for entry in self._entries.values():
            self._announce(entry)
        totals = self.totals()
        if aborted:
            self.record(RunAborted(run_id=self.run_id, reason=aborted))
            return totals
        self.record(
            RunFinished(
                run_id=self.run_id,
                exit_status=exit_status,
                collected=totals.collected,
                recorded=totals.recorded,
                deselected=totals.deselected,
                missing=list(totals.missing),
                seconds=time.perf_counter() - self._started,
            )
        )
        return totals

    def totals(self) -> Totals:
        """How many items were collected, and what became of them."""
        missing = []
        recorded = 0
        for node_id, entry in self._entries.items():
            if entry.reported:
                recorded += 1
            elif node_id not in self._deselected:
                missing.append(entry.case_id)
        deselected = len(self._entries) - recorded - len(missing)
        return Totals(len(self._entries), recorded, deselected, tuple(missing))

    # Collection

    def collected(self, node_id: str, case_id: str, case: CaseFacts | None = None, name: str = "") -> None:
        """An item, of a case or a plain test, is due in this session."""
        self._entries[node_id] = Entry(node_id, case_id, is_case=case is not None)
        self.record(self._collected_event(node_id, case_id, case, name))

    def expected(self, node_id: str, case_id: str) -> None:
        """Workers of pytest-xdist will run this item, and tell more about it when they do."""
        if node_id not in self._entries:
            self._entries[node_id] = Entry(node_id, case_id, announced=False)

    def is_case(self, node_id: str, case_id: str) -> None:
        """An expected item runs a case, and is recorded under its id."""
        entry = self._entries.get(node_id)
        if entry is not None and not entry.announced:
            entry.case_id = case_id

    def relayed(self, event: Event) -> None:
        """A worker of pytest-xdist tells what happened there."""
        if isinstance(event, CaseCollected):
            entry = self._entries.setdefault(event.node_id, Entry(event.node_id, event.case_id, announced=False))
            if entry.announced:
                return  # by another worker, or for an earlier attempt
            entry.case_id, entry.announced = event.case_id, True
        elif isinstance(event, CaseDeselected):
            self._deselected.update(node_id for node_id, e in self._entries.items() if e.case_id == event.case_id)
        elif isinstance(event, TestReported):
            entry = self.entry(event.node_id)
            is_last = event.whole or event.phase == "teardown"
            entry.attempt, entry.reported = event.attempt, entry.reported or is_last
        self.record(event)

    def _announce(self, entry: Entry) -> None:
        """Record an item that no worker told more about."""
        if not entry.announced:
            entry.announced = True
            self.record(self._collected_event(entry.node_id, entry.case_id, None, ""))

    def _collected_event(self, node_id: str, case_id: str, case: CaseFacts | None, name: str) -> CaseCollected:
        if case is None:
            return CaseCollected(
                run_id=self.run_id, case_id=case_id, node_id=node_id, name=name or node_id, kind="test"
            )
        return CaseCollected(
            run_id=self.run_id,
            case_id=case_id,
            node_id=node_id,
            name=case.name,
            platform=case.platform,
            planner=case.planner,
            kind="case",
            inputs=case.inputs,
            declaration=case.declaration,
            comparison=case.comparison,
            rtol=case.rtol,
            atol=case.atol,
            source_file=case.source_file,
            source_line=case.source_line,
        )

    def deselected(self, node_id: str, reason: str) -> None:
        """A collected item was taken out by a filter."""
        entry = self._entries.get(node_id)
        if entry is not None and node_id not in self._deselected:
            self._deselected.add(node_id)
            self.record(CaseDeselected(run_id=self.run_id, case_id=entry.case_id, reason=reason))

    def collection_failed(self, node_id: str, case_id: str, failure: TestFailure, report: str) -> None:
        """A file could not be collected; it counts as one item of its own, however many processes say so."""
        if node_id in self._entries:
            return
        self.collected(node_id, case_id)
        entry = self._entries[node_id]
        entry.attempt, entry.reported = 1, True
        self._failed(entry, Stage.COLLECT, failure, report)

    def collection_skipped(self, node_id: str, case_id: str, reason: str) -> None:
        """A whole file asked to be skipped; it counts as one item of its own, however many processes say so."""
        if node_id in self._entries:
            return
        self.collected(node_id, case_id)
        self._entries[node_id].reported = True
        self.record(CaseSkipped(run_id=self.run_id, case_id=case_id, reason=reason))

    # Tests

    def entry(self, node_id: str) -> Entry:
        """What is known of an item; an item nobody announced is taken up here, so that none is lost."""
        found = self._entries.get(node_id)
        if found is None:
            self.collected(node_id, node_id)
            found = self._entries[node_id]
        return found

    def upcoming(self, node_id: str) -> int:
        """The number of the attempt that begins."""
        return self.entry(node_id).attempt + 1

    def knows_as(self, node_id: str, case_id: str) -> bool:
        """Whether an item is recorded under this case id."""
        return self.entry(node_id).case_id == case_id

    def stage_told(self, node_id: str, attempt: int) -> None:
        """A stage has recorded why this attempt failed; pytest's report of it adds no second cause."""
        self.entry(node_id).staged = attempt

    def reported(
        self,
        node_id: str,
        phase: Phase,
        outcome: PhaseOutcome,
        seconds: float,
        report: str = "",
        skip_reason: str = "",
        failure: TestFailure | None = None,
        is_last: bool = False,
    ) -> Entry:
        """One phase of an item ended; the last one of an attempt completes it."""
        entry = self._entries.get(node_id) or self.entry(node_id)
        self._announce(entry)
        if phase == "setup" or not entry.attempt:
            entry.attempt += 1
        # What counts is the end: an item that began and whose last report never came is missing.
        entry.reported = entry.reported or is_last
        event = TestReported(
            run_id=self.run_id,
            case_id=entry.case_id,
            attempt=entry.attempt,
            phase=phase,
            outcome=outcome,
            seconds=seconds,
            longrepr=report,
            node_id=node_id,
        )
        if outcome == "passed" and not entry.is_case:
            self._phases.passed(event, is_last)
            return entry
        self._phases.release()
        if failure is not None and entry.staged != entry.attempt:
            self._failed(entry, Stage.TEST, failure, report)
        if skip_reason:
            self.record(CaseSkipped(run_id=self.run_id, case_id=entry.case_id, reason=skip_reason))
        self.record(event)
        return entry

    def _failed(self, entry: Entry, stage: Stage, failure: TestFailure, report: str) -> None:
        self.record(
            StageFailed(
                run_id=self.run_id,
                case_id=entry.case_id,
                attempt=entry.attempt,
                stage=stage,
                cause="test",
                error_type=failure.error_type,
                message=failure.message,
                traceback=report,
                signature=signature(stage, failure.error_type, failure.message, failure.frame),
            )
        )
