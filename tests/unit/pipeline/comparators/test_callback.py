"""Comparisons that users write."""

from __future__ import annotations

import pytest
import torch

import pipeline.st as st
from pipeline.comparators import Callback
from pipeline.errors import ComparatorRaised, ComparisonError

ONE, TWO = {"c": torch.ones(2)}, {"c": torch.full((2,), 2.0)}


def near(actual, expected):
    assert (actual["c"] - expected["c"]).abs().max() < 1.5, "too far"


def test_a_function_that_raises_fails_the_case_with_its_words():
    assert Callback(near).compare(TWO, ONE).passed
    with pytest.raises(ComparatorRaised, match="near: AssertionError: too far"):
        Callback(near).compare({"c": torch.full((2,), 9.0)}, ONE)


def test_what_passes_has_figures_but_no_wrong_elements():
    found = Callback(near).compare(TWO, ONE)
    assert (found.worst_abs, found.mismatches, found.margin) == (1.0, 0, None)


@pytest.mark.parametrize("result", [False, 0, "no", torch.tensor(True)])
def test_a_result_other_than_none_or_true_cannot_go_unseen(result):
    with pytest.raises(ComparatorRaised, match=r"returned .*; raise to fail"):
        Callback(lambda actual, expected: result).compare(ONE, ONE)


def test_true_is_taken_as_a_pass():
    assert Callback(lambda actual, expected: True).compare(ONE, ONE).passed


def test_another_comparator_inside_keeps_its_figures():
    def mine(actual, expected):
        st.rel_err_under(0.1)(actual, expected)

    found = Callback(mine).compare(TWO, ONE)
    assert not found.passed
    assert found.shape == "c: all, 10^1 over limit"
    assert found.margin == pytest.approx(10.0)


def test_a_function_cannot_change_what_was_persisted():
    def spoil(actual, expected):
        actual["c"].zero_()
        expected["c"].zero_()

    actual = {"c": torch.full((2,), 2.0)}
    assert Callback(spoil).compare(actual, ONE).worst_abs == 1.0
    assert actual["c"].tolist() == [2.0, 2.0]


def test_shapes_are_checked_before_the_function_is_asked():
    with pytest.raises(ComparisonError, match="expected"):
        Callback(lambda actual, expected: None).compare({"c": torch.ones(3)}, ONE)


def test_its_text_names_the_function():
    assert str(Callback(near)) == "compare=near"
