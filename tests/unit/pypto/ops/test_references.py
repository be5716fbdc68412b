"""What the references say, against values worked out by hand or with Python's own arithmetic."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch

from pypto.ops import TABLE
from pypto.ops.dtypes import BF16, FP16, FP32, INT8, INT16, INT32, INT64, UINT8, DataType
from pypto.ops.enums import CastMode
from pypto.reference.values import stored

NAN, INF = math.nan, math.inf


def floats(*values: float) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float32)


def ints(*values: int) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.int64)


def result(name: str, *operands: Any, **statics: Any) -> Any:
    reference = TABLE[name].reference
    assert reference is not None
    return reference(torch, *operands, **statics)


def same(found: torch.Tensor, *expected: float) -> None:
    """Equal, NaN with NaN, and zeros with the same sign."""
    for a, b in zip(found.tolist(), expected, strict=True):
        assert (math.isnan(a) and math.isnan(b)) or (a == b and math.copysign(1, a) == math.copysign(1, b)), (a, b)


def test_arithmetic() -> None:
    same(result("add", floats(1, INF, -0.0), floats(2, -INF, -0.0)), 3, NAN, -0.0)
    same(result("sub", floats(1, 0.0), floats(2, 0.0)), -1, 0.0)
    same(result("div", floats(1, -1, 0), floats(0, 0, 0)), INF, -INF, NAN)
    same(result("div", ints(7, -7, 7, -7), ints(2, 2, -2, -2)), 3, -3, -3, 3)
    same(result("fmod", floats(7, -7, 7, 1), floats(3, 3, -3, 0)), 1, -1, 1, NAN)
    same(result("rem", floats(7, -7, 7, -2.5), floats(3, 3, -3, 3)), 1, 2, -2, 0.5)
    same(result("fmod", ints(-7), ints(3)), -1)
    same(result("rem", ints(-7), ints(3)), 2)


def test_nan_propagates_through_maximum_minimum_and_reductions() -> None:
    same(result("maximum", floats(NAN, 1, -INF), floats(1, NAN, -1)), NAN, NAN, -1)
    same(result("minimum", floats(NAN, 1, -INF), floats(1, NAN, -1)), NAN, NAN, -INF)
    for name in ("row_max", "row_min", "row_sum", "row_prod"):
        assert result(name, floats(1, NAN, 2).reshape(1, 3)).isnan().all()


def test_unary() -> None:
    same(result("exp", floats(0, -INF, INF, NAN)), 1, 0, INF, NAN)
    same(result("log", floats(1, 0, -1, INF)), 0, -INF, NAN, INF)
    same(result("sqrt", floats(4, -0.0, -1)), 2, -0.0, NAN)
    same(result("rsqrt", floats(4, 0.0, -0.0, INF)), 0.5, INF, -INF, 0)
    same(result("recip", floats(4, 0.0, -0.0, -INF)), 0.25, INF, -INF, -0.0)
    same(result("neg", floats(0.0, -1)), -0.0, 1)
    same(result("abs", floats(-0.0, -1, NAN)), 0.0, 1, NAN)
    same(result("relu", floats(-1, 2, NAN, -0.0)), 0, 2, NAN, -0.0)
    same(result("lrelu", floats(-2, 2, NAN), floats(0.5)[0]), -1, 2, NAN)
    assert result("sin", floats(1.0)).item() == pytest.approx(math.sin(1), rel=1e-7)
    assert result("cos", floats(1.0)).item() == pytest.approx(math.cos(1), rel=1e-7)


def test_bits_and_shifts() -> None:
    same(result("and_", ints(12), ints(10)), 8)
    same(result("or_", ints(12), ints(10)), 14)
    same(result("xor", ints(12), ints(10)), 6)
    same(result("shl", ints(1, 1, 1), ints(4, 31, 40)), 16, 2**31, 0)
    same(result("shr", ints(-16, -16, 16, 16), ints(2, 99, 2, 99)), -4, -1, 4, 0)
    same(result("not_", ints(0, 5)), -1, -6)


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("rint", (0, 2, 2, -2, 1)),
        ("round", (1, 2, 3, -2, 1)),
        ("floor", (0, 1, 2, -2, 1)),
        ("ceil", (1, 2, 3, -1, 2)),
        ("trunc", (0, 1, 2, -1, 1)),
        ("none", (0, 1, 2, -1, 1)),
        ("odd", (1, 1, 3, -1, 1)),
    ],
)
def test_cast_rounds_as_its_mode_says(mode: str, expected: tuple[int, ...]) -> None:
    values = floats(0.5, 1.5, 2.5, -1.5, 1.25)
    same(result("cast", values, target_type=INT32, mode=CastMode[mode]), *expected)


@pytest.mark.parametrize(
    ("dtype", "low", "high"),
    [(INT8, -128, 127), (UINT8, 0, 255), (INT16, -32768, 32767), (INT32, -(2**31), 2**31 - 1)],
)
def test_cast_to_an_integer_saturates(dtype: DataType, low: int, high: int) -> None:
    found = result("cast", floats(-1e20, 1e20, INF, -INF, NAN), target_type=dtype, mode=CastMode.round)
    same(found, low, high, high, low, 0)
    assert result("cast", floats(1e30), target_type=INT64, mode=CastMode.round).item() == 2**63 - 1


def test_cast_between_integers_wraps_and_to_floats_rounds_to_even() -> None:
    assert stored(result("cast", ints(300), target_type=INT8, mode=CastMode.round), INT8).item() == 44
    assert result("cast", floats(65520, 65519), target_type=FP16, mode=CastMode.floor).tolist() == [INF, 65504]
    assert result("cast", ints(2**24 + 1), target_type=FP32, mode=CastMode.ceil).item() == 2**24
    assert result("cast", floats(1.00390625), target_type=BF16, mode=CastMode.ceil).item() == 1


def test_sums_run_in_index_order() -> None:
    values = floats(1e8, 1, -1e8, 0.25).reshape(1, 4)
    same(result("row_sum", values)[0], 0.25)
    same(result("col_sum", values.reshape(4, 1))[0], 0.25)
    half = torch.full((1, 4096), 1.0, dtype=torch.float16)
    assert result("row_sum", half).item() == 4096, "FP16 rows accumulate in FP32"
    assert result("col_sum", half.reshape(4096, 1)).item() == 2048, "FP16 columns round at every step"
    assert result("row_prod", floats(2, 3, 4).reshape(1, 3)).item() == 24


def test_expands() -> None:
    x, rows, columns = floats(1, 2, 3, 4).reshape(2, 2), floats(10, 20).reshape(2, 1), floats(10, 20).reshape(1, 2)
    assert result("row_expand_add", x, rows).tolist() == [[11, 12], [23, 24]]
    assert result("col_expand_mul", x, columns).tolist() == [[10, 40], [30, 80]]
    assert result("row_expand", x, rows).tolist() == [[10, 10], [20, 20]]
    assert result("col_expand", x, columns).tolist() == [[10, 20], [10, 20]]
    assert result("expands", x, floats(7)[0]).tolist() == [[7, 7], [7, 7]]
    assert result("row_expand_expdif", x, floats(1, 3).reshape(2, 1))[:, 0].tolist() == [1, 1]


def test_products() -> None:
    a, b = floats(1, 2, 3, 4).reshape(2, 2), floats(5, 6, 7, 8).reshape(2, 2)
    assert result("matmul", a, b).tolist() == [[19, 22], [43, 50]]
    assert result("matmul", a, b, a_trans=True).tolist() == [[26, 30], [38, 44]]
    assert result("matmul", a, b, b_trans=True).tolist() == [[17, 23], [39, 53]]
    assert result("matmul_acc", a, a, b).tolist() == [[20, 24], [46, 54]]
    assert result("matmul_acc", a, a, b, True).tolist() == [[19, 22], [43, 50]]
    assert result("matmul_bias", a, b, floats(1, 2).reshape(1, 2)).tolist() == [[20, 24], [44, 52]]
    assert result("matmul", ints(100, 100).reshape(1, 2), ints(100, 100).reshape(2, 1)).item() == 20000
    assert result("transpose", a, axis1=0, axis2=1).tolist() == [[1, 3], [2, 4]]
