"""Runs and their results out of a store, by the selectors that people type."""

from __future__ import annotations

from db.queries import find_run, results
from db.store import Store
from reports.diff import MAX_INCONCLUSIVE, DiffReport, RunResults, diff


def load_run(store: Store, selector: str) -> RunResults:
    """The run that a selector names, with its results."""
    run = find_run(store, selector)
    return RunResults(run, results(store, run))


def load_diff(store: Store, base: str, head: str, max_inconclusive: float = MAX_INCONCLUSIVE) -> DiffReport:
    """The diff of the two runs that the selectors name."""
    return diff(load_run(store, base), load_run(store, head), max_inconclusive)
