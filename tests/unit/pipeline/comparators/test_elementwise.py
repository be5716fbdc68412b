"""Element by element: limits, exactness, don't-care, integers, and the shape of a mismatch."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from pipeline.comparators import Elementwise
from pipeline.errors import ComparisonError, Mismatch

NAN, INF = math.nan, math.inf
EXACT = Elementwise(0.0, 0.0)
INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1
FLOATS = [torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2]
INTEGERS = [torch.int8, torch.int16, torch.int32, torch.int64, torch.bool]
INTEGERS += [torch.uint8, torch.uint16, torch.uint32, torch.uint64]


def compare(actual, expected, rtol=0.0, atol=0.0):
    return Elementwise(rtol, atol).compare({"c": actual}, {"c": expected})


def verdict(actual, expected, rtol=0.0, atol=0.0, dtype=torch.float32):
    return compare(torch.tensor(actual, dtype=dtype), torch.tensor(expected, dtype=dtype), rtol, atol).passed


@pytest.mark.parametrize(
    ("actual", "expected", "rtol", "atol", "passes"),
    [
        ([1.0], [1.0], 0, 0, True),
        ([1.5], [1.0], 0, 0.5, True),
        ([1.5], [1.0], 0, 0.4, False),
        ([110.0], [100.0], 0.1, 0, True),
        ([90.0], [100.0], 0.09, 0, False),
        ([-1.0], [1.0], 1.0, 1.0, True),
        ([NAN], [1.0], 1e9, 1e9, False),
        ([INF], [1.0], 1e9, 1e9, False),
        ([1.0], [INF], 1e9, 1e9, False),
        ([INF], [INF], 0, 0, True),
        ([INF], [INF], 1e-5, 1e-5, True),
        ([-INF], [INF], 1e-5, 1e-5, False),
        ([0.0], [-0.0], 0, 0, False),
        ([0.0], [-0.0], 0, 1e-30, True),
        ([1e-45], [0.0], 0, 0, False),
    ],
)
def test_limits_bound_each_element(actual, expected, rtol, atol, passes):
    assert verdict(actual, expected, rtol, atol) is passes


def test_nan_in_the_golden_means_dont_care():
    assert verdict([NAN, 7.0, 1.0], [NAN, NAN, 1.0])
    assert verdict([INF, 1.0], [NAN, 1.0], 1e-5, 1e-5)
    assert not verdict([7.0, 2.0], [NAN, 1.0])
    found = compare(torch.tensor([7.0, 1.0]), torch.tensor([NAN, 1.0]))
    assert (found.elements, found.mismatches, found.worst_abs) == (1, 0, 0.0)


@pytest.mark.parametrize("dtype", FLOATS + INTEGERS)
def test_every_dtype_compares_exactly(dtype):
    base = torch.tensor([0, 1, 1, 0], dtype=torch.uint8)
    same, other = base.to(dtype), torch.tensor([0, 1, 0, 0], dtype=torch.uint8).to(dtype)
    assert compare(same, same.clone()).passed
    found = compare(other, same)
    assert (found.passed, found.mismatches, found.worst_abs) == (False, 1, 1.0)


@pytest.mark.parametrize(
    ("actual", "expected", "dtype", "difference"),
    [
        ([INT64_MIN], [INT64_MIN], torch.int64, 0),
        ([INT64_MIN], [INT64_MAX], torch.int64, 2**64 - 1),
        ([-128], [-128], torch.int8, 0),
        ([-128], [127], torch.int8, 255),
        ([2**63], [2**63 + 1], torch.uint64, 1),
        ([2**62], [2**62 + 1], torch.int64, 1),
    ],
)
def test_integers_never_overflow(actual, expected, dtype, difference):
    found = compare(torch.tensor(actual, dtype=dtype), torch.tensor(expected, dtype=dtype))
    assert found.worst_abs == float(difference)
    assert found.passed is (difference == 0)


def test_integers_have_tolerances_too():
    assert verdict([100, 101], [100, 100], atol=1, dtype=torch.int32)
    assert not verdict([100, 102], [100, 100], atol=1, dtype=torch.int32)
    assert verdict([INT64_MIN], [INT64_MIN + 5], rtol=1e-5, dtype=torch.int64)


@given(st.lists(st.integers(INT64_MIN, INT64_MAX), min_size=1), st.lists(st.integers(INT64_MIN, INT64_MAX), min_size=1))
def test_exact_comparison_of_integers_is_equality(a, b):
    size = min(len(a), len(b))
    assert verdict(a[:size], b[:size], dtype=torch.int64) is (a[:size] == b[:size])


def test_nothing_is_broadcast_or_cast():
    with pytest.raises(ComparisonError, match=r"c: expected \[4\] float32, the kernel gave \[4, 1\] float32"):
        compare(torch.zeros(4, 1), torch.zeros(4))
    with pytest.raises(ComparisonError, match=r"gave \[4\] float64"):
        compare(torch.zeros(4, dtype=torch.float64), torch.zeros(4))
    with pytest.raises(ComparisonError, match="gave no such output"):
        EXACT.compare({}, {"c": torch.zeros(1)})


def test_comparing_nothing_is_no_pass():
    with pytest.raises(ComparisonError, match="no output"):
        EXACT.compare({}, {})


def test_an_empty_tensor_agrees_with_itself():
    assert compare(torch.zeros(0, 4), torch.zeros(0, 4)).passed


def test_a_single_number_compares():
    found = compare(torch.tensor(2.0), torch.tensor(1.0))
    assert (found.passed, found.shape) == (False, "c: all, not exact")


def at(shape, *places, value=9.0):
    tensor = torch.ones(shape)
    for place in places:
        tensor[place] = value
    return tensor


@pytest.mark.parametrize(
    ("actual", "shape"),
    [
        (at((4, 8), (0, 0), value=NAN), "c: nan"),
        (at((4, 8), (0, 0), value=INF), "c: inf"),
        (torch.full((4, 8), 9.0), "c: all, 10^5 over limit"),
        (at((4, 8), 2, 3), "c: tail, 10^5 over limit"),
        (at((4, 8), 1), "c: one row, 10^5 over limit"),
        (at((4, 8), (1, 3)), "c: one row, 10^5 over limit"),
        (at((4, 8), (0, 1), (2, 5)), "c: scattered, 10^5 over limit"),
        (at((4, 8), (0, 1), (2, 5), value=1.003), "c: scattered, 10^1 over limit"),
        (at((32,), 3), "c: scattered, 10^5 over limit"),
        (at((2, 2, 8), (1, 0)), "c: one row, 10^5 over limit"),
    ],
)
def test_the_shape_tells_the_cause(actual, shape):
    assert compare(actual, torch.ones(actual.shape), 0, 6e-5).shape == shape


def test_dont_care_elements_do_not_hide_a_shape():
    expected = torch.ones(4, 4)
    expected[0] = NAN
    assert compare(torch.full((4, 4), 2.0), expected, 0, 0.1).shape == "c: all, 10^1 over limit"
    expected[3, 3] = NAN
    assert compare(at((4, 4), 2, 3), expected, 0, 0.1).shape == "c: tail, 10^1 over limit"


def test_figures_are_those_of_the_worst_element():
    found = compare(torch.tensor([1.0, 2.5, 10.0]), torch.tensor([1.0, 2.0, 8.0]), rtol=0.1, atol=0.3)
    assert found.worst_abs == 2.0
    assert found.worst_rel == 0.25
    assert found.margin == pytest.approx(2.0 / 1.1)
    assert found.mismatches == 1
    assert found.text == "c: scattered, 10^0 over limit: 1 of 3 elements differ; first c[2] = 10.0, expected 8.0"


def test_several_outputs_are_judged_together():
    actual = {"a": torch.ones(2), "b": torch.zeros(2), "c": torch.full((2,), NAN)}
    found = Elementwise(0, 0.5).compare(actual, {name: torch.ones(2) for name in actual})
    assert not found.passed
    assert found.shape == "b: all, 10^0 over limit; c: nan"
    assert (found.elements, found.mismatches, found.margin) == (6, 4, INF)


def test_a_passing_comparison_has_a_margin_below_one():
    found = compare(torch.tensor([1.04]), torch.tensor([1.0]), atol=0.1)
    assert found.passed and found.margin == pytest.approx(0.4)
    assert (found.shape, found.text) == ("", "")


def test_as_a_function_it_raises():
    EXACT({"c": torch.ones(1)}, {"c": torch.ones(1)})
    with pytest.raises(Mismatch, match="1 of 1 elements differ"):
        EXACT({"c": torch.ones(1)}, {"c": torch.zeros(1)})


def test_its_text_names_the_limits():
    assert str(Elementwise(1e-5, 1e-3)) == "elementwise rtol=1e-05 atol=0.001"
    assert str(EXACT) == "exact"
