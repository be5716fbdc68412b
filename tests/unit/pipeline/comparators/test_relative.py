"""The Frobenius relative error of each output."""

from __future__ import annotations

import math

import pytest
import torch

import pipeline.st as st
from pipeline.comparators.relative import relative_error

NAN, INF = math.nan, math.inf


def error(actual, expected):
    return relative_error(torch.tensor(actual), torch.tensor(expected))


def test_it_is_the_ratio_of_norms():
    torch.manual_seed(0)
    golden = torch.randn(8, 8)
    actual = golden + 0.01 * torch.randn(8, 8)
    expected = (torch.linalg.norm(actual - golden) / torch.linalg.norm(golden)).item()
    assert relative_error(actual, golden) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(
    ("actual", "expected", "result"),
    [
        ([1.0, 2.0], [1.0, 2.0], 0.0),
        ([0.0], [0.0], 0.0),
        ([1.0], [0.0], INF),
        ([NAN, 5.0], [5.0, 5.0], INF),
        ([INF, 5.0], [5.0, 5.0], INF),
        ([INF, 5.0], [INF, 5.0], 0.0),
        ([3.0, 9.0], [3.0, NAN], 0.0),
        ([3e38, 3e38], [-3e38, -3e38], 2.0),
        ([2e-40], [1e-40], 1.0),
    ],
)
def test_edge_values(actual, expected, result):
    assert error(actual, expected) == pytest.approx(result, rel=1e-3)


def test_each_output_is_bounded_by_itself():
    golden = {"small": torch.full((4,), 1e-3), "large": torch.full((4,), 1e3)}
    actual = {"small": torch.full((4,), 2e-3), "large": torch.full((4,), 1e3)}
    found = st.rel_err_under(0.1).compare(actual, golden)
    assert not found.passed
    assert [output.output for output in found.outputs if output.mismatches] == ["small"]
    assert "relative error 1, limit 0.1" in found.text
    assert found.shape == "small: all, 10^1 over limit"


def test_a_few_wrong_elements_may_pass():
    golden = torch.ones(100)
    actual = golden.clone()
    actual[3] = 1.5
    found = st.rel_err_under(0.1).compare({"c": actual}, {"c": golden})
    assert found.passed
    assert (found.worst_abs, found.mismatches) == (0.5, 0)
    assert found.margin == pytest.approx(0.5)


def test_a_limit_of_zero_is_exact():
    one = {"c": torch.ones(2)}
    assert st.rel_err_under(0).compare(one, one).passed
    assert not st.rel_err_under(0).compare({"c": torch.zeros(2)}, one).passed


@pytest.mark.parametrize("limit", [-1, NAN, "x"])
def test_a_limit_that_means_nothing_is_refused(limit):
    with pytest.raises(ValueError, match=r"limit|could not convert"):
        st.rel_err_under(limit)


def test_its_text_names_the_limit():
    assert str(st.rel_err_under(0.01)) == "rel_err_under(0.01)"
