"""Matrix products of every operand type and shape, over valid regions and strided operands."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from pypto.errors import SimulatorError
from pypto.ops.dtypes import BF16, FP16, FP32, INT8, INT32, DataType

VEC, MAT, LEFT, RIGHT, ACC, BIAS = range(1, 7)
SHAPES = [(1, 1, 1), (16, 16, 16), (13, 7, 33), (64, 32, 96), (1, 128, 40), (37, 50, 1), (25, 64, 31)]


def operands(m: int, k: int, n: int, dtype: DataType) -> tuple[torch.Tensor, torch.Tensor]:
    """Small whole numbers, so that every order of summation gives the same."""
    generator = torch.Generator().manual_seed(m + k + n)
    a, b = (torch.randint(-4, 5, shape, generator=generator) for shape in ((m, k), (k, n)))
    return a.to(getattr(torch, dtype.torch)), b.to(getattr(torch, dtype.torch))


@pytest.mark.parametrize("dtype", [FP32, FP16, BF16, INT8], ids=lambda d: d.name)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_product(sim: Any, tile: Any, dtype: DataType, shape: tuple[int, int, int]) -> None:
    m, k, n = shape
    a, b = operands(*shape, dtype)
    wide = INT32 if dtype is INT8 else FP32
    expected = (a.double() @ b.double()).to(getattr(torch, wide.torch))
    out, left, right = tile(m, n, wide, space=ACC), tile(m, k, dtype, space=LEFT), tile(k, n, dtype, space=RIGHT)
    assert torch.equal(sim("TMATMUL_ttt", [out, left, right], [a, b]), expected)
    before = torch.arange(m * n).reshape(m, n).to(expected.dtype)
    assert torch.equal(sim("TMATMUL_ACC_ttt", [out, left, right], [a, b], before=before), before + expected)
    bias = before[:1].clone()
    found = sim("TMATMUL_BIAS_tttt", [out, left, right, tile(1, n, wide, space=BIAS)], [a, b, bias])
    assert torch.equal(found, expected + bias)


@pytest.mark.parametrize("dtype", [FP32, INT8], ids=lambda d: d.name)
def test_transposed_views_of_operands(sim: Any, tile: Any, dtype: DataType) -> None:
    a, b = operands(20, 24, 40, dtype)
    wide = INT32 if dtype is INT8 else FP32
    expected = (a.double() @ b.double()).to(getattr(torch, wide.torch))
    for upright_left, upright_right in ((True, False), (False, True), (True, True)):
        left = tile(20, 24, dtype, space=LEFT, upright=upright_left)
        right = tile(24, 40, dtype, space=RIGHT, upright=upright_right)
        assert torch.equal(sim("TMATMUL_ttt", [tile(20, 40, wide, space=ACC), left, right], [a, b]), expected)


def test_only_the_valid_part_of_k_is_summed(sim: Any, tile: Any, poisoned: Any) -> None:
    a, b = operands(32, 32, 32, FP32)
    a[:, 20:], b[20:] = float("nan"), float("nan")
    a[17:], b[:, 9:] = float("nan"), float("nan")
    out = tile(32, 32, valid=(17, 9), space=ACC)
    left, right = tile(32, 32, valid=(17, 20), space=LEFT), tile(32, 32, valid=(20, 9), space=RIGHT)
    found = sim("TMATMUL_ttt", [out, left, right], [a, b])
    assert torch.equal(found[:17, :9], a[:17, :20] @ b[:20, :9])
    assert poisoned(found[17:]) and poisoned(found[:, 9:])


def test_int8_wraps_no_intermediate(sim: Any, tile: Any) -> None:
    a, b = torch.full((16, 1024), -128, dtype=torch.int8), torch.full((1024, 16), -128, dtype=torch.int8)
    out = tile(16, 16, INT32, space=ACC)
    found = sim("TMATMUL_ttt", [out, tile(16, 1024, INT8, space=LEFT), tile(1024, 16, INT8, space=RIGHT)], [a, b])
    assert (found == 1024 * 128 * 128).all()


def test_float32_matches_torch_closely(sim: Any, tile: Any) -> None:
    a, b = torch.randn(64, 128), torch.randn(128, 64)
    found = sim("TMATMUL_ttt", [tile(64, 64, space=ACC), tile(64, 128, space=LEFT), tile(128, 64, space=RIGHT)], [a, b])
    assert torch.allclose(found.double(), a.double() @ b.double(), atol=1e-4)


def test_nan_and_inf_stay_in_their_row_and_column(sim: Any, tile: Any) -> None:
    a, b = operands(24, 16, 40, FP32)
    a[3, 5], b[7, 33] = float("inf"), float("nan")
    found = sim("TMATMUL_ttt", [tile(24, 40, space=ACC), tile(24, 16, space=LEFT), tile(16, 40, space=RIGHT)], [a, b])
    assert torch.equal(found.isfinite(), (a @ b).isfinite())


def test_misuse_is_diagnosed(sim: Any, tile: Any) -> None:
    a, b = operands(16, 16, 16, FP32)
    out, left, right = tile(16, 16, space=ACC), tile(16, 16, space=LEFT), tile(16, 16, space=RIGHT)
    with pytest.raises(SimulatorError, match="TMATMUL: operands of dtype FP32 accumulate in FP32, the result is INT32"):
        sim("TMATMUL_ttt", [tile(16, 16, INT32, space=ACC), left, right], [a, b])
    with pytest.raises(SimulatorError, match="operands have dtypes FP16 and FP32"):
        sim("TMATMUL_ttt", [out, tile(16, 16, FP16, space=LEFT), right], [a.half(), b])
    with pytest.raises(SimulatorError, match="valid shapes do not fit"):
        sim("TMATMUL_ttt", [out, left, tile(16, 16, valid=(8, 16), space=RIGHT)], [a, b])
    with pytest.raises(SimulatorError, match="operands of dtype INT32 are not supported"):
        sim(
            "TMATMUL_ttt",
            [tile(16, 16, INT32, space=ACC), tile(16, 16, INT32, space=LEFT), tile(16, 16, INT32, space=RIGHT)],
            [a.int(), b.int()],
        )
