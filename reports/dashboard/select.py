"""Which runs a page shows, and everything about them that it needs from the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from db import ResultView
from db.queries import attempts, find_run, results, runs, stage_events
from db.store import Store
from reports.diff import CHANGE_ORDER, DiffReport, RunResults, diff
from reports.errors import NothingRecorded
from reports.show import Attempt, attempt_details

MAX_RUNS = 30  # the newest ones, where all are asked for
MAX_FAILURES = 200  # told with message and traceback


@dataclass(frozen=True)
class Selection:
    """The runs of a page, the oldest first, the diff of the last two, and the failures to tell in full."""

    runs: tuple[RunResults, ...]
    runs_left_out: int
    report: DiffReport | None
    failures: tuple[Attempt, ...]
    failures_left_out: int


def select(store: Store, selectors: Sequence[str]) -> Selection:
    """The named runs in the order given, or the newest of all."""
    if selectors:
        chosen, left_out = [find_run(store, selector) for selector in selectors], 0
    else:
        known = runs(store)
        chosen, left_out = known[:MAX_RUNS][::-1], max(0, len(known) - MAX_RUNS)
    if not chosen:
        raise NothingRecorded(url=store.url)
    shown = tuple(RunResults(run, results(store, run)) for run in chosen)
    report = diff(shown[-2], shown[-1]) if len(shown) > 1 else None
    failing = _failing(shown, report)
    told = tuple(_details(store, result) for result in failing[:MAX_FAILURES])
    return Selection(shown, left_out, report, told, max(0, len(failing) - MAX_FAILURES))


def _failing(shown: Sequence[RunResults], report: DiffReport | None) -> list[ResultView]:
    """What needs telling in the last two runs: by kind of change, head before base."""
    found = [one for side in reversed(shown[-2:]) for one in side.results if not one.outcome.counts_as_pass]
    rank = _ranks(report) if report else {}
    found = [one for one in found if one.outcome.counts_as_failure or one.message]
    return sorted(found, key=lambda one: rank.get(one.case_id, 0))  # stable: head stays before base


def _ranks(report: DiffReport) -> Mapping[str, int]:
    order = {change: index for index, change in enumerate(CHANGE_ORDER)}
    return {case.case_id: order[case.change] for case in report.cases}


def _details(store: Store, result: ResultView) -> Attempt:
    tried = attempts(store, result.run_id, result.case_id)
    return attempt_details(tried, stage_events(store, result.run_id, result.case_id))[-1]
