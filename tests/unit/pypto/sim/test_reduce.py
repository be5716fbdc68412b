"""Reductions: in index order, over valid cells, with the accumulator that the dtype calls for."""

from __future__ import annotations

from functools import reduce
from typing import Any

import pytest
import torch

from pypto.errors import SimulatorError
from pypto.ops.dtypes import BF16, FP16, FP32, INT8, INT16, INT32, DataType

DTYPES = [FP32, FP16, BF16, INT8, INT16, INT32]


def filled(rows: int, cols: int, dtype: DataType) -> torch.Tensor:
    generator = torch.Generator().manual_seed(rows * cols)
    kind = getattr(torch, dtype.torch)
    x = torch.randn(rows, cols, generator=generator) * (3 if dtype.is_float else 60)
    return x.to(kind)


def folded(x: torch.Tensor, axis: int, step: Any) -> torch.Tensor:
    return reduce(step, x.unbind(axis)).unsqueeze(axis)  # type: ignore[no-any-return]


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda d: d.name)
@pytest.mark.parametrize("shape", [(1, 1), (17, 37), (8, 64), (9, 1500), (64, 1), (3, 2)])
@pytest.mark.parametrize("upright", [False, True])
def test_sums_and_products_go_in_index_order(
    sim: Any, tile: Any, dtype: DataType, shape: tuple[int, int], upright: bool
) -> None:
    x = filled(*shape, dtype)
    rows, cols = shape
    source = tile(rows, cols, dtype, upright=upright)
    wide = x.float() if dtype in (FP16, BF16) else x
    assert torch.equal(sim("TROWSUM_tt", [tile(rows, 1, dtype), source], [x]), folded(wide, 1, torch.add).to(x.dtype))
    product = sim("TROWPROD_tt", [tile(rows, 1, dtype), source], [x])
    assert torch.equal(product.nan_to_num(1), folded(x, 1, torch.mul).nan_to_num(1))
    assert torch.equal(sim("TCOLSUM_tt", [tile(1, cols, dtype), source], [x]), folded(x, 0, torch.add))
    assert torch.equal(sim("TCOLPROD_tt", [tile(1, cols, dtype), source], [x]), folded(x, 0, torch.mul))
    assert torch.equal(sim("TROWMAX_tt", [tile(rows, 1, dtype), source], [x]), x.amax(1, True))
    assert torch.equal(sim("TCOLMIN_tt", [tile(1, cols, dtype), source], [x]), x.amin(0, True))


@pytest.mark.parametrize("valid", [(10, 37), (16, 1), (1, 64), (9, 48)])
@pytest.mark.parametrize("dtype", [FP32, FP16], ids=lambda d: d.name)
def test_only_valid_cells_count(sim: Any, tile: Any, poisoned: Any, valid: tuple[int, int], dtype: DataType) -> None:
    x = filled(16, 64, dtype)
    x[valid[0] :] = float("nan")
    x[:, valid[1] :] = float("nan")
    inner = x[: valid[0], : valid[1]]
    source = tile(16, 64, dtype, valid=valid)
    rows = sim("TROWMAX_tt", [tile(16, 1, dtype, valid=(valid[0], 1)), source], [x])
    assert torch.equal(rows[: valid[0]], inner.amax(1, True)) and poisoned(rows[valid[0] :])
    cols = sim("TCOLMIN_tt", [tile(1, 64, dtype, valid=(1, valid[1])), source], [x])
    assert torch.equal(cols[:, : valid[1]], inner.amin(0, True)) and poisoned(cols[:, valid[1] :])


def test_nan_propagates_from_any_place(sim: Any, tile: Any) -> None:
    for place in range(20):
        x = torch.arange(20.0).repeat(9, 1)
        x[4, place] = float("nan")
        found = sim("TROWMAX_tt", [tile(9, 1), tile(9, 20)], [x])
        assert found.isnan().flatten().tolist() == [row == 4 for row in range(9)]
        assert sim("TCOLMIN_tt", [tile(1, 20), tile(9, 20)], [x]).isnan().flatten().tolist() == [
            c == place for c in range(20)
        ]


def test_an_empty_reduction_is_undefined(sim: Any, tile: Any, poisoned: Any) -> None:
    x = torch.ones(4, 8)
    assert poisoned(sim("TROWSUM_tt", [tile(4, 1), tile(4, 8, valid=(4, 0))], [x]))
    assert poisoned(sim("TCOLSUM_tt", [tile(1, 8), tile(4, 8, valid=(0, 8))], [x]))


def test_a_result_of_the_wrong_shape_is_diagnosed(sim: Any, tile: Any) -> None:
    x = torch.ones(4, 8)
    with pytest.raises(SimulatorError, match=r"TROWSUM: the result Vec tile \[5, 1\] .* does not fit the operand"):
        sim("TROWSUM_tt", [tile(5, 1), tile(4, 8)], [x])
    with pytest.raises(SimulatorError, match="TCOLSUM: the result has dtype FP16, the operand FP32"):
        sim("TCOLSUM_tt", [tile(1, 8, FP16), tile(4, 8)], [x])
