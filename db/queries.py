"""Questions that reports ask, answered from the projections with frozen values.

Every answer is up to date: the projections catch up first, which costs two short look-ups when nothing is new. A run is
named by its `RunView` or by its id.
"""

from __future__ import annotations

from db.engine import Row
from db.errors import RunAmbiguous, RunNotFound
from db.events import Recorded
from db.outcome import Outcome, Stage
from db.projections import project
from db.projections.rows import CaseRecord, ResultRecord, RunRecord, columns, load, select
from db.store import Store
from db.text import restored, storable
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

LATEST = "@latest"
# A run id starts with its time: fewer characters than this are the same for weeks of runs.
SHORTEST_PREFIX = 4


def runs(store: Store, limit: int | None = None) -> list[RunView]:
    """All runs, the newest first."""
    return _runs(store, "1 = 1", (), limit)


def find_run(store: Store, selector: str) -> RunView:
    """The one run that a selector names: a run id or unique prefix of it, a label, a commit, a branch, or `@latest`.

    Of several runs with one label, commit or branch it is the newest. `RunNotFound` and `RunAmbiguous` say what to do.
    """
    if selector == LATEST:
        found = runs(store, limit=1)
        if not found:
            raise RunNotFound(selector=selector, hint="nothing is recorded yet; run pytest with --pypto-db first")
        return found[0]
    name = storable(selector)
    for condition in ("run_id = ?", "label = ?", "git_commit = ?", "git_branch = ?"):
        found = _runs(store, condition, (name,), 1) if selector else []
        if found:
            return found[0]
    if len(selector) >= SHORTEST_PREFIX:
        return _by_prefix(store, selector)
    raise _not_found(store, selector)


def results(store: Store, run: RunView | str) -> list[ResultView]:
    """The last attempt of every case in a run, ordered by case id."""
    return _results(store, "r.run_key = ? AND r.final ORDER BY c.case_id", (_run_key(store, run),))


def attempts(store: Store, run: RunView | str, case_id: str) -> list[ResultView]:
    """Every attempt at a case in a run, in order."""
    condition = "r.run_key = ? AND c.case_id = ? ORDER BY r.attempt"
    return _results(store, condition, (_run_key(store, run), storable(case_id)))


def case_history(store: Store, case_id: str, limit: int = 50) -> list[ResultView]:
    """The last attempt of a case in each run, the newest first."""
    project(store)
    return _results(store, "c.case_id = ? AND r.final ORDER BY r.run_key DESC LIMIT ?", (storable(case_id), limit))


def stage_events(store: Store, run: RunView | str, case_id: str) -> list[Recorded]:
    """All that was recorded about a case in a run, in order; tracebacks and artifact paths are here."""
    return store.read_stream(case_id, run_id=run if isinstance(run, str) else run.run_id)


def _runs(store: Store, condition: str, parameters: Row, limit: int | None) -> list[RunView]:
    project(store)
    query = select(RunRecord, condition) + " ORDER BY run_key DESC"
    if limit is not None:
        query, parameters = query + " LIMIT ?", (*parameters, limit)
    return [_run_view(load(RunRecord, row)) for row in store.projected().rows(query, parameters)]


def _by_prefix(store: Store, selector: str) -> RunView:
    prefix = storable(selector)
    found = _runs(store, "substr(run_id, 1, ?) = ?", (len(prefix), prefix), 6)
    if len(found) > 1:
        candidates = ", ".join(run.run_id for run in found[:5]) + (" …" if len(found) > 5 else "")
        raise RunAmbiguous(selector=selector, candidates=candidates)
    # Commits are often given short; of several runs of one commit the newest counts, as for a label.
    found = found or _runs(store, "substr(git_commit, 1, ?) = ?", (len(prefix), prefix), None)
    commits = sorted({run.git_commit for run in found})
    if len(commits) > 1:
        raise RunAmbiguous(selector=selector, candidates=", ".join(f"commit {commit}" for commit in commits[:5]))
    if not found:
        raise _not_found(store, selector)
    return found[0]


def _not_found(store: Store, selector: str) -> RunNotFound:
    latest = runs(store, limit=3)
    names = ", ".join(run.label or run.run_id for run in latest)
    return RunNotFound(selector=selector, hint=f"the newest are {names}" if latest else "nothing is recorded yet")


def _run_key(store: Store, run: RunView | str) -> int:
    project(store)
    run_id = run if isinstance(run, str) else run.run_id
    found = store.projected().row("SELECT run_key FROM runs WHERE run_id = ?", (storable(run_id),))
    if found is None:
        raise RunNotFound(selector=run_id, hint="a whole run id is expected here; `find_run` takes other selectors")
    return int(found[0])


_RESULT_COLUMNS, _CASE_COLUMNS = columns(ResultRecord), columns(CaseRecord)
_SELECT_RESULTS = (
    f"SELECT {', '.join(f'r.{name}' for name in _RESULT_COLUMNS)}, {', '.join(f'c.{name}' for name in _CASE_COLUMNS)}, "
    "runs.run_id FROM results AS r JOIN cases AS c ON c.case_key = r.case_key JOIN runs ON runs.run_key = r.run_key "
    "WHERE "
)


def _results(store: Store, condition: str, parameters: Row) -> list[ResultView]:
    return [_result_view(row) for row in store.projected().rows(_SELECT_RESULTS + condition, parameters)]


def _run_view(record: RunRecord) -> RunView:
    values = {name: getattr(record, name) for name in columns(RunRecord) if name != "run_key"}
    values["platforms"], values["missing"] = tuple(record.platforms), tuple(record.missing)
    values["outcomes"] = {Outcome(name): count for name, count in record.outcomes.items()}
    return RunView(**values)


def _result_view(row: Row) -> ResultView:
    split = len(_RESULT_COLUMNS)
    result, case = load(ResultRecord, row[:split]), load(CaseRecord, row[split:-1])
    values = {name: getattr(result, name) for name in _PLAIN}
    seconds = {stage: getattr(result, f"seconds_{stage.value}", None) for stage in Stage}
    return ResultView(
        run_id=restored(row[-1]),
        case_id=case.case_id,
        kind=case.kind,
        name=case.name,
        platform=case.platform,
        planner=case.planner,
        stage_seconds={stage: value for stage, value in seconds.items() if value is not None},
        **values,
    )


_PLAIN = tuple(name for name in _RESULT_COLUMNS if not name.endswith("_key") and not name.startswith("seconds_"))
