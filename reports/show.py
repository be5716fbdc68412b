"""One run, or one case over its runs, as frozen values to show."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from db import ResultView, RunView
from db.errors import RunNotFound
from db.events import CaseCompiled, Recorded, StageFailed, TestReported
from db.queries import attempts, case_history, find_run, results, runs, stage_events
from db.store import Store
from reports.errors import NothingRecorded, UnknownName

HISTORY = 20
SUGGESTIONS = 3
SEARCHED = 3  # runs whose cases are looked through for a suggestion


@dataclass(frozen=True)
class RunReport:
    """A run and the last attempt of each of its cases."""

    run: RunView
    results: tuple[ResultView, ...]


@dataclass(frozen=True)
class Attempt:
    """One attempt at a case, with what its events hold beyond the result."""

    result: ResultView
    message: str  # whole, where the result has its start
    traceback: str
    artifact: str


@dataclass(frozen=True)
class CaseReport:
    """A case: the attempts of one run, and how it ended in its latest runs, the newest first."""

    case_id: str
    run: RunView
    attempts: tuple[Attempt, ...]
    history: tuple[tuple[RunView | None, ResultView], ...]


def show(store: Store, name: str, in_run: str | None = None) -> RunReport | CaseReport:
    """What is recorded under a name: a run by any selector, else a case by its id, in its latest run or `in_run`."""
    if in_run is not None:
        return show_case(store, name, find_run(store, in_run))
    try:
        run = find_run(store, name)
    except RunNotFound:
        history = case_history(store, name, 1)
        if not history:
            raise UnknownName(name=name, hint=_hint(store, name)) from None
        return show_case(store, name, find_run(store, history[0].run_id))
    return RunReport(run, tuple(results(store, run)))


def show_case(store: Store, case_id: str, run: RunView) -> CaseReport:
    """A case as it went in one run."""
    tried = attempts(store, run, case_id)
    if not tried:
        raise UnknownName(name=case_id, hint=_hint(store, case_id))
    told = {one.run_id: one for one in runs(store)}
    return CaseReport(
        case_id=case_id,
        run=run,
        attempts=tuple(attempt_details(tried, stage_events(store, run, case_id))),
        history=tuple((told.get(one.run_id), one) for one in case_history(store, case_id, HISTORY)),
    )


def attempt_details(tried: Sequence[ResultView], events: Sequence[Recorded]) -> list[Attempt]:
    """Each attempt with its whole message, traceback and artifact, from the events of the case in its run."""
    facts = [recorded.event for recorded in events]
    return [_attempt(one, [fact for fact in facts if getattr(fact, "attempt", 0) == one.attempt]) for one in tried]


def _attempt(result: ResultView, facts: Sequence[object]) -> Attempt:
    failed = next((fact for fact in facts if isinstance(fact, StageFailed)), None)
    reported = [fact for fact in facts if isinstance(fact, TestReported) and fact.outcome == "failed" and fact.longrepr]
    compiled = next((fact for fact in facts if isinstance(fact, CaseCompiled)), None)
    return Attempt(
        result=result,
        message=failed.message if failed else result.message,
        traceback=failed.traceback if failed else "\n\n".join(fact.longrepr for fact in reported),
        artifact=compiled.artifact if compiled else "",
    )


def _hint(store: Store, name: str) -> str:
    latest = runs(store, SEARCHED)
    if not latest:
        raise NothingRecorded(url=store.url)
    known = sorted({result.case_id for run in latest for result in results(store, run)})
    near = [case_id for case_id in known if case_id.startswith(f"{name}@")]
    near = (near or difflib.get_close_matches(name, known, SUGGESTIONS, cutoff=0.6))[:SUGGESTIONS]
    if near:
        return f"did you mean {' or '.join(near)}?"
    return "`pypto-report runs` lists the runs, `pypto-report show @latest` the cases of the latest"
