"""Copies, fills, padding, views and single elements of tiles."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from pypto.errors import SimulatorError
from pypto.ops.dtypes import BF16, FP8E4M3FN, FP16, FP32, INT8, INT16, INT32, INT64, UINT8, DataType

VEC, MAT, LEFT, RIGHT, ACC, BIAS = range(1, 7)
ZERO, MAX, MIN = 1, 2, 3
EVERY = [FP32, FP16, BF16, FP8E4M3FN, INT8, INT16, INT32, INT64, UINT8]


def filled(rows: int, cols: int, dtype: DataType) -> torch.Tensor:
    values = torch.arange(rows * cols).reshape(rows, cols) % 100 - (0 if dtype is UINT8 else 50)
    return values.float().to(getattr(torch, dtype.torch)) if dtype.is_float else values.to(getattr(torch, dtype.torch))


def same(found: torch.Tensor, expected: torch.Tensor) -> bool:
    return torch.equal(found.contiguous().view(torch.uint8), expected.contiguous().view(torch.uint8))


@pytest.mark.parametrize("dtype", EVERY, ids=lambda d: d.name)
def test_copies_between_memories_and_layouts(sim: Any, tile: Any, dtype: DataType) -> None:
    x = filled(9, 33, dtype)
    for layout in ({}, {"pitch": 48}, {"upright": True}, {"upright": True, "pitch": 10}):
        assert same(sim("TMOV_tt", [tile(9, 33, dtype, space=LEFT, **layout), tile(9, 33, dtype, space=MAT)], [x]), x)
        assert same(sim("TMOV_tt", [tile(9, 33, dtype), tile(9, 33, dtype, **layout)], [x]), x)


@pytest.mark.parametrize("dtype", EVERY, ids=lambda d: d.name)
def test_transposition_moves_or_views(sim: Any, tile: Any, dtype: DataType) -> None:
    x = filled(9, 33, dtype)
    for name in ("TTRANS_tt", "transposed"):
        assert same(
            sim(name, [tile(33, 9, dtype), tile(9, 33, dtype)], [x]),
            x.view(torch.uint8).reshape(9, 33, -1).transpose(0, 1).contiguous().view(x.dtype).reshape(33, 9),
        )
    square = filled(12, 12, FP32)
    assert torch.equal(sim("TTRANS_tt", [tile(12, 12)] * 2, [square], in_place=True), square.T)


def test_the_accumulator_converts_on_its_way_out(sim: Any, tile: Any) -> None:
    x = torch.randn(16, 16) * 1e5
    for dtype, kind in ((FP16, torch.float16), (BF16, torch.bfloat16), (FP32, torch.float32)):
        assert torch.equal(
            sim("TMOV_CAST_tt", [tile(16, 16, dtype, space=MAT), tile(16, 16, space=ACC)], [x]), x.to(kind)
        )
    with pytest.raises(SimulatorError, match="TMOV_CAST: INT32 does not become FP16"):
        sim("TMOV_CAST_tt", [tile(4, 16, FP16), tile(4, 16, INT32, space=ACC)], [torch.zeros(4, 16, dtype=torch.int32)])


def test_a_half_bias_widens_and_nothing_else_converts(sim: Any, tile: Any) -> None:
    x = torch.randn(1, 64).half()
    assert torch.equal(sim("TMOV_tt", [tile(1, 64, space=BIAS), tile(1, 64, FP16, space=MAT)], [x]), x.float())
    with pytest.raises(SimulatorError, match="TMOV: the result has dtype FP32, the operand FP16"):
        sim("TMOV_tt", [tile(1, 64, space=LEFT), tile(1, 64, FP16, space=MAT)], [x])


@pytest.mark.parametrize("dtype", EVERY, ids=lambda d: d.name)
def test_fill_and_poison(sim: Any, tile: Any, poisoned: Any, dtype: DataType) -> None:
    found = sim("TFILL_ti", [tile(6, 16, dtype, valid=(5, 9))], [], 3)
    assert (found[:5, :9].double() == 3).all() and poisoned(found[5:]) and poisoned(found[:, 9:])
    assert (
        sim("TFILL_td", [tile(6, 16, dtype, upright=True)], [], 2.5).double() == (2.5 if dtype.is_float else 2)
    ).all()
    assert poisoned(sim("TPOISON_t", [tile(6, 16, dtype)], []))


@pytest.mark.parametrize("dtype", [FP32, FP16, BF16, INT8, INT16, INT32, UINT8], ids=lambda d: d.name)
def test_padding_fills_what_is_not_valid(sim: Any, tile: Any, dtype: DataType) -> None:
    x = filled(8, 24, dtype)
    limits = torch.iinfo(x.dtype) if not dtype.is_float else None
    values = {ZERO: 0, MAX: limits.max if limits else float("inf"), MIN: limits.min if limits else -float("inf")}
    for pad, value in values.items():
        for in_place in (False, True):
            found = sim(
                "TFILLPAD", [tile(8, 24, dtype), tile(8, 24, dtype, valid=(5, 17))], [x], pad, in_place=in_place
            )
            expected = torch.full_like(x, value)
            expected[:5, :17] = x[:5, :17]
            assert torch.equal(found, expected)
    larger = sim("TFILLPAD", [tile(10, 32, dtype), tile(8, 24, dtype)], [x], ZERO)
    assert torch.equal(larger[:8, :24], x) and (larger[8:] == 0).all() and (larger[:, 24:] == 0).all()


def test_assemble_writes_its_part_alone(sim: Any, tile: Any) -> None:
    target, part = torch.zeros(16, 32), torch.ones(4, 8)
    found = sim("TASSEMBLE", [tile(16, 32), tile(4, 8, valid=(3, 8))], [part], 13, 24, before=target)
    expected = target.clone()
    expected[13:16, 24:32] = 1
    assert torch.equal(found, expected)
    for row, col in ((-1, 0), (14, 0), (0, 25)):
        with pytest.raises(SimulatorError, match=rf"TASSEMBLE: \[3, 8\] cells at \[{row}, {col}\] leave the target"):
            sim("TASSEMBLE", [tile(16, 32), tile(4, 8, valid=(3, 8))], [part], row, col)


def test_views_stay_inside(sim: Any, tile: Any) -> None:
    x = torch.randn(16, 32)
    found = sim("subtile", [tile(4, 8), tile(16, 32, pitch=40)], [x], 12, 24)
    assert torch.equal(found, x[12:16, 24:32])
    for row, col in ((13, 0), (0, 25), (-1, 0)):
        with pytest.raises(
            SimulatorError, match=rf"slice: \[4, 8\] cells at \[{row}, {col}\] leave the Vec tile \[16, 32\]"
        ):
            sim("subtile", [tile(4, 8), tile(16, 32)], [x], row, col)
    square = torch.randn(2, 8)
    assert torch.equal(sim("reshaped", [tile(4, 4), tile(2, 8)], [square], 4, 4), square.reshape(4, 4))
    with pytest.raises(SimulatorError, match=r"does not have the cells of \[4, 5\]"):
        sim("reshaped", [tile(4, 4), tile(2, 8)], [square], 4, 5)
    with pytest.raises(SimulatorError, match="is a view with gaps"):
        sim("reshaped", [tile(4, 4), tile(2, 8, pitch=16)], [square], 4, 4)
    with pytest.raises(SimulatorError, match=r"valid shape \[3, 8\] is outside the Vec tile \[2, 8\]"):
        sim("with_valid", [tile(2, 8), tile(2, 8)], [square], 3, 8)


def test_single_elements(sim: Any, tile: Any) -> None:
    x = torch.arange(12.0).reshape(3, 4)
    assert (sim("read", [tile(1, 8), tile(3, 4)], [x], 2, 1) == 9).all()
    with pytest.raises(
        SimulatorError, match=r"read: element \[1, 2\] is outside the Vec tile \[3, 4\] FP32 .*valid \[3, 2\]"
    ):
        sim("read", [tile(1, 8), tile(3, 4, valid=(3, 2))], [x], 1, 2)
    found = sim("write", [tile(3, 4)], [], 1, 3, before=x)
    assert found[1, 3] == 7 and torch.equal(found.flatten()[:7], x.flatten()[:7])
    half = sim("write_float", [tile(3, 4, FP16)], [], 0, 0, before=x.half())
    assert half[0, 0] == torch.tensor(0.1).half()
    with pytest.raises(SimulatorError, match=r"write: element \[3, 0\] is outside"):
        sim("write", [tile(3, 4)], [], 3, 0)


@pytest.mark.parametrize("a", [7, -7, 0, 2**62, -(2**63)])
@pytest.mark.parametrize("b", [2, -2, 7, -1, 1])
def test_whole_numbers_divide_as_in_python(sim: Any, tile: Any, a: int, b: int) -> None:
    wrapped = (a // b + 2**63) % 2**64 - 2**63
    assert sim("floor_div", [tile(1, 8, INT64)], [], a, b)[0, 0] == wrapped
    assert sim("floor_mod", [tile(1, 8, INT64)], [], a, b)[0, 0] == a % b


def test_division_of_scalars_by_zero_is_diagnosed(sim: Any, tile: Any) -> None:
    with pytest.raises(SimulatorError, match="kernel floor_div: integer division by zero: 5 // 0"):
        sim("floor_div", [tile(1, 8, INT64)], [], 5, 0)
    with pytest.raises(SimulatorError, match=r"kernel floor_mod: .*5 % 0"):
        sim("floor_mod", [tile(1, 8, INT64)], [], 5, 0)
