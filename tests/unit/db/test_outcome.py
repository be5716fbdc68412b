"""Every member answers every question, and no two look alike."""

import re
from enum import Enum

import pytest

from db.outcome import Change, Outcome, RunState, Stage


@pytest.mark.parametrize("kind", [Outcome, Change])
def test_labels_and_colours_are_complete_and_distinct(kind: type[Enum]):
    for member in kind:
        assert member.label
        assert re.fullmatch("#[0-9a-f]{6}", member.colour)
        assert member.style
    assert len({member.label for member in kind}) == len(kind)
    assert len({member.colour for member in kind}) == len(kind)


def test_symbols_are_distinct():
    assert len({outcome.symbol for outcome in Outcome}) == len(Outcome)
    assert all(len(outcome.symbol) == 1 for outcome in Outcome)


def test_what_counts_as_what():
    table = {o: (o.counts_as_pass, o.counts_as_failure, o.is_verdict, o.is_recorded) for o in Outcome}
    assert table == {
        Outcome.PASS: (True, False, True, True),
        Outcome.FAIL: (False, True, True, True),
        Outcome.CRASH: (False, True, True, True),
        Outcome.TIMEOUT: (False, True, True, True),
        Outcome.INFRA: (False, False, False, True),
        Outcome.SKIPPED: (False, False, False, True),
        Outcome.DESELECTED: (False, False, False, False),
        Outcome.NOT_REACHED: (False, False, False, False),
        Outcome.ABORTED: (False, False, False, True),
    }


def test_changes_that_count_as_regression():
    assert {change for change in Change if change.counts_as_regression} == {Change.NEWLY_FAILING, Change.BORN_RED}
    assert {change for change in Change if change.is_inconclusive} == {
        Change.INCONCLUSIVE,
        Change.ADDED_INCONCLUSIVE,
    }
    assert [change for change in Change if not change.show_in_summary] == [Change.SAME]


def test_stages_are_in_the_order_of_a_case():
    assert [stage.value for stage in sorted(Stage, key=lambda stage: stage.order)] == [
        "collect",
        "specialize",
        "compile",
        "golden",
        "run",
        "compare",
        "test",
    ]


def test_run_states_have_labels():
    assert all(state.label for state in RunState)
    assert "killed" in RunState.UNFINISHED.label
