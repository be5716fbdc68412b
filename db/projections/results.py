"""The `results` projection: one row per run, case and attempt, with the runs and cases they belong to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import ClassVar

from db.engine import Database
from db.events import CaseEvent, Event, Recorded, RunEvent, event_classes
from db.projections.base import Projection
from db.projections.fold import CaseInRun, case_record, fold_case, fold_run
from db.projections.rows import AnyRecord, CaseRecord, ResultRecord, RunRecord, load, save, select
from db.text import storable


class Results(Projection):
    """Runs, cases and results, from every event that we have a rule for."""

    name = "results"
    version = 2
    tables = ("results", "cases", "runs")
    events: ClassVar[tuple[type[Event], ...]] = tuple(
        cls for cls in event_classes() if cls in fold_run.registry or cls in fold_case.registry
    )

    def apply(self, database: Database, batch: Sequence[Recorded]) -> None:
        """Load what the batch touches, fold the events into it in memory, and write it back."""
        work = _Work(database, batch)
        for recorded in batch:
            event = recorded.event
            run = work.run(recorded)
            if isinstance(event, RunEvent):
                fold_run(event, run, recorded.recorded_at)
            elif isinstance(event, CaseEvent):
                fold_case(event, work.group(run, event.case_id))
        work.save()


class _Work:
    """The records that a batch touches."""

    def __init__(self, database: Database, batch: Sequence[Recorded]) -> None:
        self.database = database
        runs = self._load_by_name(RunRecord, "run_id", {recorded.run_id for recorded in batch})
        cases = self._load_by_name(CaseRecord, "case_id", {recorded.stream for recorded in batch})
        self.runs = {run.run_id: run for run in runs}
        self.cases = {case.case_id: case for case in cases}
        self.groups: dict[tuple[int, int], CaseInRun] = {}
        self._load_groups(batch)
        self.before = self._outcomes()
        self._next_run = self._next_key("runs", "run_key")
        self._next_case = self._next_key("cases", "case_key")

    def run(self, recorded: Recorded) -> RunRecord:
        """The run of an event; events that overtook the start of their run make it known."""
        run = self.runs.get(recorded.run_id)
        if run is None:
            run = RunRecord(self._next_run, recorded.run_id, started_at=recorded.recorded_at)
            self.runs[recorded.run_id] = run
            self._next_run += 1
        return run

    def group(self, run: RunRecord, case_id: str) -> CaseInRun:
        """The attempts at a case in a run."""
        case = self.cases.get(case_id)
        if case is None:
            case = self.cases[case_id] = case_record(self._next_case, case_id)
            self._next_case += 1
        key = (run.run_key, case.case_key)
        if key not in self.groups:
            self.groups[key] = CaseInRun(case, run.run_key)
        return self.groups[key]

    def save(self) -> None:
        """Write every record back."""
        self._count_outcomes()
        save(self.database, RunRecord, self.runs.values())
        save(self.database, CaseRecord, self.cases.values())
        records = (record for group in self.groups.values() for record in group.attempts.values())
        save(self.database, ResultRecord, records)

    def _load_by_name(self, cls: type[AnyRecord], column: str, names: Iterable[str]) -> list[AnyRecord]:
        wanted = self.database.array([storable(name) for name in sorted(names)])
        rows = self.database.rows(select(cls, f"{column} {self.database.in_array}"), (wanted,))
        return [load(cls, row) for row in rows]

    def _load_groups(self, batch: Sequence[Recorded]) -> None:
        by_key = {case.case_key: case for case in self.cases.values()}
        touched: dict[int, set[int]] = {}
        for recorded in batch:
            run, case = self.runs.get(recorded.run_id), self.cases.get(recorded.stream)
            if run is not None and case is not None:
                touched.setdefault(run.run_key, set()).add(case.case_key)
        query = select(ResultRecord, f"run_key = ? AND case_key {self.database.in_array} ORDER BY case_key, attempt")
        for run_key, case_keys in touched.items():
            for row in self.database.rows(query, (run_key, self.database.array(sorted(case_keys)))):
                record = load(ResultRecord, row)
                key = (run_key, record.case_key)
                group = self.groups.setdefault(key, CaseInRun(by_key[record.case_key], run_key))
                group.attempts[record.attempt] = record

    def _outcomes(self) -> Counter[tuple[int, str]]:
        return Counter((group.run_key, group.last().outcome.value) for group in self.groups.values() if group.attempts)

    def _count_outcomes(self) -> None:
        after = self._outcomes()
        for run in self.runs.values():
            for outcome in {name for key, name in (*self.before, *after) if key == run.run_key}:
                key = (run.run_key, outcome)
                count = run.outcomes.get(outcome, 0) + after[key] - self.before[key]
                run.outcomes = {**run.outcomes, outcome: count}
            run.outcomes = {name: count for name, count in sorted(run.outcomes.items()) if count}

    def _next_key(self, table: str, column: str) -> int:
        return int(self.database.rows(f"SELECT coalesce(max({column}), 0) + 1 FROM {table}")[0][0])
