"""Shapes in two dimensions."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import cast

from pypto.errors import LoweringError
from pypto.ir.build import dim_binary
from pypto.ir.nodes import BinaryKind
from pypto.ir.types import Dim, Shape, TileType


def flat(shape: Shape) -> Shape:
    """``shape`` in two dimensions: the leading ones folded into rows, a single one as one row."""
    if len(shape) == 2:
        return shape
    if len(shape) < 2:
        return (1, *(shape or (1,)))
    return (prod(cast("tuple[int, ...]", shape[:-1])), shape[-1])


def flat_tile(type_: TileType) -> TileType:
    """A tile type in two dimensions.

    Of the leading dimensions only the first that is not 1 may be partly valid, or the valid rows would have gaps;
    LoweringError says so.
    """
    if len(type_.shape) == 2:
        return type_
    shape, valid = flat(type_.shape), type_.valid_shape
    first = next((axis for axis, size in enumerate(type_.shape[:-1]) if size != 1), 0)
    if valid[first + 1 : -1] != type_.shape[first + 1 : -1]:
        raise LoweringError(
            f"the valid rows of a tile {list(type_.shape)} have gaps: axis {first + 1} or a later one is partly valid",
            hint=f"work on one index of axis {first} at a time, in a pl.range loop",
        )
    rows: Dim = 1
    for dim in valid[:-1]:
        rows = dim_binary(BinaryKind.Mul, rows, dim)
    return replace(type_.fresh(shape, valid=(rows, valid[-1])), space=type_.space)
