"""The books of a session: everything collected is recorded, deselected or missing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from db.events import CaseCollected, TestReported
from pipeline.facts import CaseFacts, TestFailure
from pipeline.session import Session


@pytest.fixture
def events():
    return []


@pytest.fixture
def session(events):
    return Session("run-1", events.append)


def names(events):
    return [type(event).__name__ for event in events]


def run(session, node_id, **last):
    session.reported(node_id, "setup", "passed", 0.1)
    session.reported(node_id, "call", last.pop("outcome", "passed"), 0.1, **last)
    session.reported(node_id, "teardown", "passed", 0.1, is_last=True)


def test_an_item_counts_when_its_last_report_came(session):
    session.collected("a", "a")
    assert session.totals().missing == ("a",)
    session.reported("a", "setup", "passed", 0.1)
    assert session.totals().missing == ("a",)
    session.reported("a", "teardown", "passed", 0.1, is_last=True)
    assert session.totals().missing == ()
    assert str(session.totals()) == "collected 1 = recorded 1 + deselected 0 + missing 0"


def test_a_deselected_item_is_told_once(session, events):
    session.collected("a", "a")
    session.deselected("a", "-k b")
    session.deselected("a", "-m c")
    session.deselected("unknown", "-k b")
    assert names(events) == ["CaseCollected", "CaseDeselected"]
    assert session.totals().deselected == 1


def test_a_case_is_recorded_under_its_own_id(session, events):
    session.collected("t.py::x[c@a5sim@default]", "c@a5sim@default", CaseFacts("c", "a5sim", "default"))
    run(session, "t.py::x[c@a5sim@default]")
    assert {event.case_id for event in events} == {"c@a5sim@default"}
    assert events[0].kind == "case"


def test_a_failure_told_by_a_stage_is_not_told_again(session, events):
    session.collected("a", "a")
    session.reported("a", "setup", "passed", 0.1)
    session.stage_told("a", 1)
    session.reported("a", "call", "failed", 0.1, failure=TestFailure("CaseFailed", "x"))
    assert "StageFailed" not in names(events)
    session.reported("a", "setup", "passed", 0.1)  # a second attempt fails by itself
    session.reported("a", "call", "failed", 0.1, failure=TestFailure("AssertionError", "y"))
    assert names(events).count("StageFailed") == 1


def test_attempts_are_counted_by_their_setups(session, events):
    session.collected("a", "a")
    assert session.upcoming("a") == 1
    run(session, "a", outcome="failed", failure=TestFailure("E", "m"))
    assert session.upcoming("a") == 2
    run(session, "a")
    assert [e.attempt for e in events if isinstance(e, TestReported)] == [1, 1, 1, 2]
    assert session.totals().recorded == 1


def test_an_item_nobody_announced_is_taken_up(session, events):
    run(session, "surprise")
    assert isinstance(events[0], CaseCollected)
    assert session.totals().collected == 1


def test_a_stopped_run_is_aborted_and_not_finished(session, events):
    session.finish(2, "by hand")
    assert names(events) == ["RunAborted"]


def test_expected_items_are_announced_at_the_end_if_no_worker_told_of_them(session, events):
    session.expected("a", "a")
    session.expected("b", "b")
    session.is_case("b", "b@a5sim@default")
    session.relayed(CaseCollected(run_id="run-1", case_id="a", node_id="a", name="a", kind="test"))
    session.relayed(CaseCollected(run_id="run-1", case_id="a", node_id="a", name="a", kind="test"))
    totals = session.finish(1)
    assert totals.missing == ("a", "b@a5sim@default")
    assert [e.case_id for e in events if isinstance(e, CaseCollected)] == ["a", "b@a5sim@default"]


@given(
    st.dictionaries(st.text(max_size=3), st.sampled_from(["collected", "deselected", "begun", "run", "run twice"])),
    st.integers(0, 3),
)
def test_the_sum_always_holds(fates, broken_files):
    events = []
    session = Session("run-1", events.append)
    for name, fate in fates.items():
        session.collected(name, name)
        if fate == "deselected":
            session.deselected(name, "-k")
        if fate == "begun":
            session.reported(name, "setup", "passed", 0.0)
        for _ in range({"run": 1, "run twice": 2}.get(fate, 0)):
            run(session, name)
    for number in range(broken_files):
        session.collection_failed(f"file {number}", f"file {number}", TestFailure("E", "m"), "")
    totals = session.finish(0)
    assert totals.collected == len(fates) + broken_files
    assert totals.collected == totals.recorded + totals.deselected + len(totals.missing)
    assert totals.recorded == sum(fate.startswith("run") for fate in fates.values()) + broken_files
    assert events[-1].collected == totals.collected
