"""The results projection: increments, replays, crashes and company give the same rows."""

import subprocess
import sys
from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from db.engine import MemoryDatabase
from db.errors import ProjectionTooNew
from db.events import (
    CaseCollected,
    CaseCompared,
    CaseCompiled,
    CaseDeselected,
    CaseExecuted,
    CaseSkipped,
    CaseSpecialized,
    GoldenComputed,
    RunAborted,
    RunFinished,
    RunStarted,
    StageFailed,
    TestReported,
    from_json,
    seal,
)
from db.outcome import Stage
from db.projections import PROJECTIONS, Results, catch_up, is_current, project, rebuild, replay
from db.store import MemoryStore

TEXT = st.sampled_from(["", "m", "\0\ud800", "E   ValueError: x", "日本", "x" * 700])
SECONDS = st.sampled_from([0.0, 0.25, 1e300, float("inf"), float("nan")])
OPTIONAL = st.none() | SECONDS
NUMBER = st.sampled_from([0, 1, 2**70])
RUN = st.sampled_from(["run-1", "run-2", "run-\0"])
CASE = st.sampled_from(["add@a2a3sim@default", "mul@a5sim@default", "t.py::test_x", "\ud800"])
ATTEMPT = st.integers(1, 3)


def events_of(run_id, case_id, attempt):
    """Any event about a case, sensible or not."""
    case = {"run_id": st.just(run_id), "case_id": st.just(case_id)}
    tried = {**case, "attempt": st.just(attempt), "seconds": SECONDS}
    digests = st.dictionaries(st.sampled_from("ab"), TEXT, max_size=2)
    return st.one_of(
        st.builds(
            CaseCollected,
            **case,
            node_id=TEXT,
            name=TEXT,
            platform=TEXT,
            kind=st.sampled_from(["case", "test"]),
            inputs=digests,
            rtol=OPTIONAL,
            source_line=NUMBER,
        ),
        st.builds(CaseDeselected, **case, reason=TEXT),
        st.builds(CaseSkipped, **case, reason=TEXT),
        st.builds(CaseSpecialized, **tried, program_digest=TEXT),
        st.builds(
            CaseCompiled,
            **tried,
            source_digest=TEXT,
            library_digest=TEXT,
            phases=st.just({}),
            artifact=TEXT,
            source_files=digests,
        ),
        st.builds(GoldenComputed, **tried, outputs=digests),
        st.builds(CaseExecuted, **tried, outputs=digests, device=TEXT, worker=TEXT),
        st.builds(
            CaseCompared,
            **tried,
            passed=st.booleans(),
            worst_abs=OPTIONAL,
            margin=OPTIONAL,
            mismatches=NUMBER,
            elements=NUMBER,
            shape=TEXT,
        ),
        st.builds(
            StageFailed,
            **tried,
            stage=st.sampled_from(Stage),
            cause=st.sampled_from(["test", "infra"]),
            error_type=TEXT,
            message=TEXT,
            signal=st.none() | st.just(11),
            timeout=st.booleans(),
            signature=TEXT,
        ),
        st.builds(
            TestReported,
            **tried,
            phase=st.sampled_from(["setup", "call", "teardown"]),
            outcome=st.sampled_from(["passed", "failed", "skipped"]),
            longrepr=TEXT,
            node_id=TEXT,
        ),
    )


def run_events(run_id):
    """Any event about a run."""
    run = {"run_id": st.just(run_id)}
    return st.one_of(
        st.builds(
            RunStarted,
            **run,
            label=TEXT,
            command=TEXT,
            root=TEXT,
            host=TEXT,
            platforms=st.lists(TEXT, max_size=2),
            options=st.dictionaries(TEXT, SECONDS | TEXT, max_size=2),
            environment=st.just({}),
        ),
        st.builds(
            RunFinished,
            **run,
            exit_status=NUMBER,
            collected=NUMBER,
            recorded=NUMBER,
            deselected=NUMBER,
            missing=st.lists(TEXT, max_size=2),
            seconds=SECONDS,
        ),
        st.builds(RunAborted, **run, reason=TEXT),
    )


CASE_EVENTS = st.tuples(RUN, CASE, ATTEMPT).flatmap(lambda which: events_of(*which))
HISTORY = st.lists(CASE_EVENTS | RUN.flatmap(run_events), max_size=25)


def rows(store) -> dict:
    """Everything the projection holds."""
    database = store.projected()
    tables = ("runs", "cases", "results", "projections")
    return {table: repr(database.rows(f"SELECT * FROM {table} ORDER BY 1, 2, 3")) for table in tables}


@pytest.fixture(scope="module")
def make_memory_store():
    """Memory stores that share one projection database, emptied for each: making its tables takes a while."""
    database = MemoryDatabase()

    def make():
        with database.write():
            for table in ("results", "cases", "runs", "projections"):
                database.execute(f"DELETE FROM {table}")
        store = MemoryStore()
        store._database = database
        return store

    yield make
    database.close()


@settings(max_examples=80, deadline=None)
@given(history=HISTORY, cuts=st.lists(st.integers(0, 25), max_size=4), batch=st.integers(1, 7))
def test_replay_equals_increment(make_memory_store, history, cuts, batch):
    """In whatever portions a history arrives and in whatever batches it is taken in, the rows are the same."""
    sealed = [seal(event, recorded_at=number) for number, event in enumerate(history)]
    store = make_memory_store()
    for start, end in zip([0, *sorted(cuts)], [*sorted(cuts), len(sealed)], strict=True):
        store.append_many(sealed[start:end])
        catch_up(store, Results(), batch)
    increment = rows(store)
    rebuild(store, Results())
    assert rows(store) == increment
    rebuild(store, Results(), batch=1)
    assert rows(store) == increment


@settings(max_examples=40, deadline=None)
@given(history=HISTORY)
def test_counts_of_a_run_are_those_of_its_rows(make_memory_store, history):
    store = make_memory_store()
    for event in history:
        store.append_many([event])
        project(store)
    database = store.projected()
    counted = Counter(
        {
            (key, outcome): number
            for key, outcome, number in database.rows(
                "SELECT run_key, outcome, count(*) FROM results WHERE final GROUP BY 1, 2"
            )
        }
    )
    listed = Counter(
        {
            (key, outcome): number
            for key, outcomes in database.rows("SELECT run_key, outcomes FROM runs")
            for outcome, number in from_json(outcomes).items()
        }
    )
    assert counted == listed
    assert all(finals == 1 for (finals,) in database.rows("SELECT sum(final) FROM results GROUP BY run_key, case_key"))


def test_sql_and_memory_hold_the_same_rows(sql_store, fact):
    memory = MemoryStore()
    sealed = [seal(fact(number, case_id=f"t.py::{number % 5}", attempt=number % 3 + 1)) for number in range(60)]
    for store in (sql_store, memory):
        store.append_many(sealed)
        project(store)
    assert rows(sql_store) == rows(memory)
    memory.close()


def test_projecting_takes_in_only_what_is_new(store, fact):
    assert project(store) == 0
    store.append_many([fact(1), fact(2)])
    assert project(store) == 2
    assert project(store) == 0
    store.append_many([fact(3)])
    assert project(store) == 1
    assert is_current(store, Results())
    assert replay(store) == 3


def test_a_failing_step_changes_neither_rows_nor_checkpoint(sql_store, fact, monkeypatch):
    sql_store.append_many([fact(number) for number in range(10)])
    catch_up(sql_store, Results(), batch=10)
    before = rows(sql_store)
    sql_store.append_many([fact(11)])
    apply = Results.apply

    def fail_after(self, database, batch):
        apply(self, database, batch)
        raise RuntimeError("killed between rows and checkpoint")

    monkeypatch.setattr(Results, "apply", fail_after)
    with pytest.raises(RuntimeError):
        project(sql_store)
    assert rows(sql_store) == before
    monkeypatch.undo()
    assert project(sql_store) == 1


def test_a_raised_version_rebuilds_by_itself(sql_store, fact, monkeypatch):
    sql_store.append_many([fact(1)])
    project(sql_store)
    expected = rows(sql_store)
    with sql_store.database.write():
        sql_store.database.execute("DELETE FROM results")
    assert project(sql_store) == 0
    monkeypatch.setattr(Results, "version", Results.version + 1)
    assert not is_current(sql_store, PROJECTIONS[0])
    assert project(sql_store) == 1
    assert rows(sql_store)["results"] == expected["results"]


def test_rows_of_newer_rules_are_left_alone(sql_store, fact, monkeypatch):
    sql_store.append_many([fact(1)])
    project(sql_store)
    monkeypatch.setattr(Results, "version", 0)
    with pytest.raises(ProjectionTooNew, match="projection results was built with version"):
        project(sql_store)


PROJECT = """
import sys
from db.projections import Results, catch_up
from db.store import open_store
store = open_store(sys.argv[1])
catch_up(store, Results(), batch=7)
store.close()
"""


def test_several_processes_project_at_once(sql_store, url, fact):
    sealed = [seal(fact(number, case_id=f"t.py::{number % 7}")) for number in range(700)]
    sql_store.append_many(sealed)
    workers = [subprocess.Popen([sys.executable, "-c", PROJECT, url]) for _ in range(3)]
    assert [worker.wait(60) for worker in workers] == [0, 0, 0]
    together = rows(sql_store)
    rebuild(sql_store, Results())
    assert rows(sql_store) == together


def test_events_that_no_rule_reads_do_not_hold_it_up(sql_store, fact):
    """An event type of a newer version of the project, in the same schema."""
    later = seal(fact(1))
    sql_store.append_many([msgspec.structs.replace(later, type="case.renamed"), seal(fact(2))])
    assert project(sql_store) == 1
    assert is_current(sql_store, Results())
