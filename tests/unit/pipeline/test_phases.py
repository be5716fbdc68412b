"""Three passed phases become one event, unless the test is not over soon."""

from __future__ import annotations

import time

import pytest

from db.events import TestReported
from pipeline.phases import PATIENCE, PassedPhases


@pytest.fixture
def events():
    return []


@pytest.fixture
def phases(events):
    made = PassedPhases(events.append)
    yield made
    made.close()


def phase(name, seconds=1.0, test="t.py::a"):
    return TestReported(
        run_id="r", case_id=test, attempt=1, phase=name, outcome="passed", seconds=seconds, node_id=test
    )


def told(events):
    return [(event.phase, event.whole) for event in events]


def test_a_test_that_passed_is_one_event(phases, events):
    for name, seconds in (("setup", 1.0), ("call", 2.0), ("teardown", 4.0)):
        phases.passed(phase(name, seconds), name == "teardown")
    (event,) = events
    assert (event.phase, event.whole) == ("call", True)
    assert (event.setup_seconds, event.seconds, event.teardown_seconds) == (1.0, 2.0, 4.0)


def test_what_was_released_is_told_phase_by_phase(phases, events):
    phases.passed(phase("setup"), False)
    phases.release()
    phases.passed(phase("teardown"), True)
    assert told(events) == [("setup", False), ("teardown", False)]


def test_another_test_lets_the_first_go(phases, events):
    phases.passed(phase("setup"), False)
    phases.passed(phase("setup", test="t.py::b"), False)
    phases.passed(phase("call", test="t.py::b"), False)
    phases.passed(phase("teardown", test="t.py::b"), True)
    assert [(event.case_id, event.whole) for event in events] == [("t.py::a", False), ("t.py::b", True)]


def test_a_long_test_is_told_while_it_is_under_way(phases, events):
    phases.watch()
    phases.passed(phase("setup"), False)
    deadline = time.monotonic() + 20 * PATIENCE
    while not events and time.monotonic() < deadline:
        time.sleep(PATIENCE / 10)
    assert told(events) == [("setup", False)]
    phases.passed(phase("call"), False)
    phases.passed(phase("teardown"), True)
    assert told(events) == [("setup", False), ("call", False), ("teardown", False)]


def test_closing_loses_nothing(phases, events):
    phases.passed(phase("setup"), False)
    phases.close()
    assert told(events) == [("setup", False)]
