"""Element-wise functions over tiles of every shape in memory: packed, with gaps, upright, partly valid, in place."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import torch

from pypto.errors import SimulatorError
from pypto.ops.dtypes import BF16, FP16, FP32, INT8, INT16, INT32, UINT8, DataType

LAYOUTS = {
    "packed": {},
    "gaps": {"pitch": 80},
    "upright": {"upright": True},
    "upright with gaps": {"upright": True, "pitch": 40},
}
DTYPES = [FP32, FP16, BF16, INT8, INT16, INT32, UINT8]


def filled(rows: int, cols: int, dtype: DataType, seed: int = 0) -> torch.Tensor:
    torch.manual_seed(seed)
    kind = getattr(torch, dtype.torch)
    if dtype.is_float:
        return torch.randn(rows, cols).to(kind)
    return torch.randint(-1000, 1000, (rows, cols)).to(kind)


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda d: d.name)
def test_add_in_every_combination_of_layouts(sim: Any, tile: Any, dtype: DataType) -> None:
    a, b = filled(33, 65, dtype), filled(33, 65, dtype, 1)
    for layouts in itertools.product(LAYOUTS, repeat=3):
        tiles = [tile(33, 65, dtype, **LAYOUTS[layout]) for layout in layouts]
        assert torch.equal(sim("TADD_ttt", tiles, [a, b]), a + b), layouts


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda d: d.name)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_cells_outside_the_valid_region_are_poisoned(
    sim: Any, tile: Any, poisoned: Any, dtype: DataType, layout: str
) -> None:
    a, b = filled(16, 64, dtype), filled(16, 64, dtype, 1)
    tiles = [tile(16, 64, dtype, valid=(7, 40), **LAYOUTS[layout]) for _ in range(3)]
    result = sim("TADD_ttt", tiles, [a, b])
    assert torch.equal(result[:7, :40], (a + b)[:7, :40])
    assert poisoned(result[7:]) and poisoned(result[:, 40:])


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (7, 1), (1, 3000), (3000, 1), (5, 1025)])
@pytest.mark.parametrize("dtype", [FP32, FP16, INT8], ids=lambda d: d.name)
def test_odd_shapes(sim: Any, tile: Any, shape: tuple[int, int], dtype: DataType) -> None:
    a, b = filled(*shape, dtype), filled(*shape, dtype, 1)
    tiles = [tile(*shape, dtype, address=address) for address in (None, 0, 16384 * 4)]
    assert torch.equal(sim("TSUB_ttt", tiles, [a, b]), a - b)


def test_an_empty_valid_region_computes_nothing(sim: Any, tile: Any, poisoned: Any) -> None:
    a = filled(8, 8, FP32)
    for valid in ((0, 8), (8, 0), (0, 0)):
        assert poisoned(sim("TADD_ttt", [tile(8, 8, valid=valid)] * 3, [a, a]))


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda d: d.name)
def test_the_result_may_overwrite_an_operand(sim: Any, tile: Any, dtype: DataType) -> None:
    a, b = filled(20, 70, dtype), filled(20, 70, dtype, 1)
    assert torch.equal(sim("TMUL_ttt", [tile(20, 70, dtype)] * 3, [a, b], in_place=True), a * b)
    assert torch.equal(sim("TABS_tt", [tile(20, 70, dtype)] * 2, [a], in_place=True), a.abs())


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [FP32, BF16, INT32], ids=lambda d: d.name)
def test_rows_and_columns_repeat(sim: Any, tile: Any, layout: str, dtype: DataType) -> None:
    a, row, col = filled(18, 50, dtype), filled(18, 1, dtype, 1), filled(1, 50, dtype, 2)
    cells = tile(18, 50, dtype, **LAYOUTS[layout])
    assert torch.equal(sim("TROWEXPANDSUB_ttt", [cells, cells, tile(18, 1, dtype)], [a, row]), a - row)
    assert torch.equal(sim("TCOLEXPANDMUL_ttt", [cells, cells, tile(1, 50, dtype)], [a, col]), a * col)
    assert torch.equal(sim("TROWEXPAND_tt", [cells, tile(18, 1, dtype)], [row]), row.expand(18, 50))


def test_a_scalar_is_rounded_to_the_dtype_first(sim: Any, tile: Any) -> None:
    a = filled(4, 16, FP16)
    assert torch.equal(sim("TADDS_ttd", [tile(4, 16, FP16)] * 2, [a], 0.1), a + torch.tensor(0.1).half())
    assert torch.equal(sim("TADDS_tti", [tile(4, 16, FP16)] * 2, [a], 2049), a + 2048)
    whole = filled(4, 16, INT32)
    assert torch.equal(sim("TADDS_ttd", [tile(4, 16, INT32)] * 2, [whole], 1.75), whole + 1)
    assert torch.equal(sim("TADDS_tti", [tile(4, 16, INT32)] * 2, [whole], 2**32 + 5), whole + 5)


def test_integers_wrap(sim: Any, tile: Any) -> None:
    top = torch.full((1, 40), 2**31 - 1, dtype=torch.int32)
    assert torch.equal(
        sim("TADDS_tti", [tile(1, 40, INT32)] * 2, [top], 1), torch.full((1, 40), -(2**31), dtype=torch.int32)
    )
    assert (sim("TMUL_ttt", [tile(1, 40, INT32)] * 3, [top, top]) == 1).all()


@pytest.mark.parametrize("name", ["TDIV_ttt", "TREM_ttt"])
@pytest.mark.parametrize("dtype", [INT8, INT16, INT32, UINT8], ids=lambda d: d.name)
def test_an_integer_zero_divisor_is_diagnosed(sim: Any, tile: Any, name: str, dtype: DataType) -> None:
    a, b = filled(3, 50, dtype), torch.ones(3, 50, dtype=getattr(torch, dtype.torch))
    b[2, 49] = 0
    with pytest.raises(SimulatorError, match=rf"kernel {name}: {name[:4]}: integer division by zero"):
        sim(name, [tile(3, 50, dtype)] * 3, [a, b])
    limited = [tile(3, 50, dtype, valid=(2, 50))] * 3  # the zero is no valid cell
    assert torch.equal(sim(name, limited, [a, b])[:2], a[:2] if name == "TDIV_ttt" else torch.zeros_like(a[:2]))


def test_the_least_integer_by_minus_one_is_diagnosed(sim: Any, tile: Any) -> None:
    for dtype in (INT8, INT16, INT32):
        least = torch.full((2, 16), torch.iinfo(getattr(torch, dtype.torch)).min, dtype=getattr(torch, dtype.torch))
        with pytest.raises(SimulatorError, match="divided by -1 overflows"):
            sim("TDIVS_tti", [tile(2, 16, dtype)] * 2, [least], -1)
        assert (sim("TREM_ttt", [tile(2, 16, dtype)] * 3, [least, torch.full_like(least, -1)]) == 0).all()


def test_misuse_names_op_operand_and_tile(sim: Any, tile: Any) -> None:
    a = filled(8, 16, FP32)
    with pytest.raises(
        SimulatorError,
        match=r"TADD: reads \[8, 16\] cells of the second operand Vec tile \[8, 16\] FP32 .*valid \[4, 16\]",
    ):
        sim("TADD_ttt", [tile(8, 16), tile(8, 16), tile(8, 16, valid=(4, 16))], [a, a])
    with pytest.raises(SimulatorError, match="TADD: the first operand has dtype FP16, the result FP32"):
        sim("TADD_ttt", [tile(8, 16), tile(8, 16, FP16), tile(8, 16)], [a.half(), a])
    with pytest.raises(SimulatorError, match="TEXP: dtype INT32 is not supported"):
        sim("TEXP_tt", [tile(8, 16, INT32)] * 2, [a.int()])
    with pytest.raises(SimulatorError, match=r"TLOAD: the result .* ends at byte 512, outside the 500 bytes of Vec"):
        sim("TABS_tt", [tile(8, 16)] * 2, [a], in_place=True, used=500)
    with pytest.raises(SimulatorError, match=r"needs 188417 bytes of Vec, and a core has 188416"):
        sim("nothing", [tile(8, 16)], [], used=188417)
    with pytest.raises(SimulatorError, match="misaligned for elements of 4 bytes"):
        sim("TABS_tt", [tile(8, 16), tile(8, 16, address=2)], [a])
    with pytest.raises(SimulatorError, match=r"valid region of the result .* is outside its shape"):
        sim("TABS_tt", [tile(8, 16, valid=(9, 16)), tile(8, 16)], [a])
