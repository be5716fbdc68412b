"""Questions that reports ask, answered from the projections with frozen values.

Every answer is up to date: the projections catch up first. A run is named by its `RunView` or by its id.
"""

from __future__ import annotations

from db.events import Recorded
from db.store import Store
from db.views import ResultView, RunView

__all__ = [
    "ResultView",
    "RunView",
    "attempts",
    "case_history",
    "find_run",
    "results",
    "runs",
    "stage_events",
]


def runs(store: Store, limit: int | None = None) -> list[RunView]:
    """All runs, the newest first."""
    raise NotImplementedError


def find_run(store: Store, selector: str) -> RunView:
    """The one run that a selector names: a run id or unique prefix of it, a label, a commit, a branch, or `@latest`.

    Of several runs with one label, commit or branch it is the newest. `RunNotFound` and `RunAmbiguous` say what to do.
    """
    raise NotImplementedError


def results(store: Store, run: RunView | str) -> list[ResultView]:
    """The last attempt of every case in a run, ordered by case id."""
    raise NotImplementedError


def attempts(store: Store, run: RunView | str, case_id: str) -> list[ResultView]:
    """Every attempt at a case in a run, in order."""
    raise NotImplementedError


def case_history(store: Store, case_id: str, limit: int = 50) -> list[ResultView]:
    """The last attempt of a case in each run, the newest first."""
    raise NotImplementedError


def stage_events(store: Store, run: RunView | str, case_id: str) -> list[Recorded]:
    """All that was recorded about a case in a run, in order; tracebacks and artifact paths are here."""
    raise NotImplementedError
