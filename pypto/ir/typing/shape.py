"""Rules of operations that keep the elements: reshape and transposes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import prod
from typing import Any

from pypto.errors import OpValueError
from pypto.ir.build import describe, dim_binary, dims
from pypto.ir.nodes import BinaryKind, Expr
from pypto.ir.types import Dim, Shape, TensorType, TileType, Type
from pypto.ir.typing.rules import (
    Operands,
    check_dtype,
    check_same_dtype,
    check_same_kind,
    differ,
    given,
    is_one,
    rule,
    shape_text,
    shaped,
)
from pypto.ops.row import Op


def _viewed(value: TensorType | TileType, shape: Shape, valid: Shape) -> Type:
    """A view of ``value``: it stays in its memory space."""
    fresh = value.fresh(shape, valid=valid)
    return replace(fresh, space=value.space) if isinstance(fresh, TileType) and isinstance(value, TileType) else fresh


@rule("reshape")
def reshape(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """The same elements under another shape; the valid region must stay a box at the origin."""
    x = given(operands[0])
    value, shape = shaped(x), dims(operands[1]) or ()
    old, new = value.shape, shape
    if not new:
        raise OpValueError(f"{op.name}: 'shape' is empty", x.span)
    if value.is_static and all(isinstance(dim, int) for dim in new) and prod(old) != prod(new):  # type: ignore[arg-type]
        raise OpValueError(
            f"{op.name}: {shape_text(old)} has {prod(old)} elements, {shape_text(new)} {prod(new)}; expected as many",  # type: ignore[arg-type]
            x.span,
        )
    valid = new if value.valid_shape == old else reshaped_valid(old, value.valid_shape, new)
    if valid is None:
        raise OpValueError(
            f"{op.name}: the valid region {shape_text(value.valid_shape)} of {shape_text(old)} "
            f"is no box in {shape_text(new)}",
            x.span,
            "fillpad first, so that all of it is valid",
        )
    return _viewed(value, new, valid)


def reshaped_valid(old: Shape, valid: Shape, new: Shape) -> Shape | None:
    """Where the box ``valid`` of ``old`` lies in ``new``; None when it is no box there.

    Known cases: unit axes come and go; leading axes merge or split where only the first is partly valid.
    """
    core = [(size, extent) for size, extent in zip(old, valid, strict=True) if not is_one(size)]
    core_new = [size for size in new if not is_one(size)]
    if [size for size, _ in core] == core_new:
        extents = iter(extent for _, extent in core)
        return tuple(size if is_one(size) else next(extents) for size in new)
    partial = [axis for axis, (size, extent) in enumerate(core) if size != extent]
    while core and core_new and core[-1][0] == core_new[-1] and len(core) > 1 and len(core_new) > 1:
        tail = core.pop()
        core_new.pop()
        partial = [axis for axis in partial if axis < len(core)]
        if tail[0] != tail[1]:
            return _merged(core, partial, new, tail)
    return _prefix(core, partial, new, core_new)


def _prefix(core: list[tuple[Dim, Dim]], partial: list[int], new: Shape, core_new: list[Dim]) -> Shape | None:
    """Valid cells that are the first cells in row-major order, as a box of the new shape."""
    rest_old, rest_new = [size for size, _ in core[1:]], core_new[1:]
    if partial != [0] or not all(isinstance(size, int) for size in (*rest_old, *rest_new)):
        return None
    cells, step = prod(rest_old), prod(rest_new)  # type: ignore[arg-type]
    extent = core[0][1]
    if isinstance(extent, int):
        first: Dim | None = extent * cells // step if extent * cells % step == 0 else None
    else:
        first = dim_binary(BinaryKind.Mul, extent, cells // step) if cells % step == 0 else None
    if first is None:
        return None
    lead = next(axis for axis, size in enumerate(new) if not is_one(size))
    return (*new[:lead], first, *new[lead + 1 :])


def _merged(core: list[tuple[Dim, Dim]], partial: list[int], new: Shape, tail: tuple[Dim, Dim]) -> Shape | None:
    """Leading axes merged above a last axis that is partly valid: [A, B, N] to [A * B, N]."""
    if any(axis > 0 for axis in partial) or len([size for size in new if not is_one(size)]) != 2:
        return None
    lead = _prefix(core, partial, new[:-1], [size for size in new[:-1] if not is_one(size)]) if partial else new[:-1]
    return None if lead is None else (*lead, tail[1])


def _axis(op: Op, value: TensorType | TileType, axis: int, x: Expr) -> int:
    if not -value.rank <= axis < value.rank:
        raise OpValueError(f"{op.name}: axis {axis} is outside {describe(x)}", x.span, f"use 0 to {value.rank - 1}")
    return axis % value.rank


def _exchanged(shape: Shape, first: int, second: int) -> Shape:
    order = list(shape)
    order[first], order[second] = order[second], order[first]
    return tuple(order)


@rule("transpose")
def transpose(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """Two axes exchanged."""
    x = given(operands[0])
    value = shaped(x)
    if value.rank < 2:
        raise OpValueError(f"{op.name}: 'x' is {describe(x)}, expected rank 2 or more", x.span)
    first, second = _axis(op, value, statics["axis1"], x), _axis(op, value, statics["axis2"], x)
    if first == second:
        raise OpValueError(f"{op.name}: axis1 and axis2 are both {first}", x.span, "name two axes")
    return value.fresh(_exchanged(value.shape, first, second), valid=_exchanged(value.valid_shape, first, second))


@rule("transpose_view")
def transpose_view(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """The last two axes exchanged, in place."""
    x = given(operands[0])
    value = shaped(x)
    if value.rank < 2:
        raise OpValueError(f"{op.name}: 'tile' is {describe(x)}, expected rank 2 or more", x.span)
    last = value.rank - 1
    return _viewed(value, _exchanged(value.shape, last - 1, last), _exchanged(value.valid_shape, last - 1, last))


@rule("concat")
def concat(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """Two values with equal rows, side by side."""
    first, second = ("src0", given(operands[0])), ("src1", given(operands[1]))
    check_same_kind(op, first, second)
    check_dtype(op, *first)
    check_same_dtype(op, first, second)
    left, right = shaped(first[1]), shaped(second[1])
    if left.rank != 2 or right.rank != 2 or differ(left.shape[0], right.shape[0]):
        raise OpValueError(
            f"{op.name}: 'src0' is {describe(first[1])}, 'src1' {describe(second[1])}; expected rank 2 and equal rows",
            second[1].span,
        )
    if left.valid_shape[1] != left.shape[1] or differ(left.valid_shape[0], right.valid_shape[0]):
        raise OpValueError(
            f"{op.name}: valid regions {shape_text(left.valid_shape)} and {shape_text(right.valid_shape)} leave a gap",
            second[1].span,
            "fillpad the parts first",
        )
    columns = dim_binary(BinaryKind.Add, left.shape[1], right.shape[1])
    valid = dim_binary(BinaryKind.Add, left.shape[1], right.valid_shape[1])
    return left.fresh((left.shape[0], columns), valid=(left.valid_shape[0], valid))
