"""Rules of operations that make values and move them: load, store, slice, assemble and their like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pypto.errors import OpTypeError, OpValueError
from pypto.ir.build import describe, dim_binary, dim_min, dims
from pypto.ir.nodes import UNKNOWN, BinaryKind, Expr
from pypto.ir.types import Dim, ScalarType, Shape, ShapedType, TensorType, TileType, TileView, Type
from pypto.ir.typing.check_tile import check_tile
from pypto.ir.typing.rules import (
    Operands,
    check_dtype,
    check_rank,
    check_same_dtype,
    check_same_kind,
    given,
    is_one,
    rule,
    scalar_operand_dtype,
    shape_text,
    shaped,
    static_shape,
)
from pypto.ops.dtypes import BF16, FP16, FP32, INDEX, INT64, DataType, dtypes
from pypto.ops.enums import AtomicType, MemorySpace, PadValue
from pypto.ops.row import Op

ATOMIC_DTYPES = {"FP32", "FP16", "BF16", "INT32", "INT16", "INT8"}


def _check_window(op: Op, offset: Shape, window: Shape, limit: Shape, what: str, operand: Expr) -> None:
    """Refuse a window that is known to begin before ``limit`` or to end behind it."""
    for axis, (start, size, end) in enumerate(zip(offset, window, limit, strict=True)):
        if isinstance(start, int) and start < 0:
            raise OpValueError(f"{op.name}: offset {start} on axis {axis} is negative", operand.span)
        if isinstance(start, int) and isinstance(size, int) and isinstance(end, int) and start + size > end:
            raise OpValueError(
                f"{op.name}: {start} + {size} on axis {axis} is beyond {what} of shape {shape_text(limit)}",
                operand.span,
                "make the window smaller, or narrow it with valid_shape",
            )


def _clip(valid: Shape, shape: Shape, offset: Shape, window: Shape, edge: bool) -> Shape:
    """The valid region of a window: (valid - offset) within the window.

    A fully valid axis counts as covering the window, which the program promises, unless ``edge`` asks for the clip.
    """
    clipped: list[Dim] = []
    for have, size, start, want in zip(valid, shape, offset, window, strict=True):
        if have == size and not edge:
            clipped.append(want)
            continue
        rest = dim_min(dim_binary(BinaryKind.Sub, have, start), want)
        if isinstance(start, int) and start == 0:
            clipped.append(rest)
        else:
            clipped.append(max(0, rest) if isinstance(rest, int) else dim_binary(BinaryKind.Max, rest, 0))
    return tuple(clipped)


def _narrow(valid: Shape, window: Shape, narrower: Shape | None) -> Shape:
    """``valid`` cut to ``narrower``, which the program promises to lie within the window."""
    if narrower is None:
        return valid
    return tuple(
        less if have == size else dim_min(have, less) for have, size, less in zip(valid, window, narrower, strict=True)
    )


def _window(op: Op, x: Expr, offset: Shape, shape: Shape, narrower: Shape | None, clamp: bool, operand: Expr) -> Shape:
    """The valid region of the window of ``x`` at ``offset``, after the checks that load and slice share."""
    source = shaped(x)
    check_rank(op, "offset", offset, source.rank, "the source", operand)
    check_rank(op, "shape", shape, source.rank, "the source", operand)
    if narrower is not None:
        check_rank(op, "valid_shape", narrower, source.rank, "the source", operand)
        _check_window(op, (0,) * len(shape), narrower, shape, "a window", operand)
    if not clamp:
        _check_window(op, offset, shape if narrower is None else narrower, source.shape, "a source", operand)
    return _narrow(_clip(source.valid_shape, source.shape, offset, shape, clamp), shape, narrower)


@rule("load")
def load(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """A tile of the window in Vec or Mat."""
    src, offsets, shapes, valid_shape = operands
    shape, space = static_shape(op, "shapes", shapes), statics["target_memory"]
    if space not in (MemorySpace.Vec, MemorySpace.Mat):
        raise OpValueError(
            f"{op.name}: target_memory is {space.name}, expected Vec or Mat", given(src).span, "load, then pl.move"
        )
    valid = _window(op, given(src), dims(offsets) or (), shape, dims(valid_shape), statics["clamp"], given(shapes))
    return check_tile(_placed(shaped(src).dtype, shape, valid, space), op.name, given(shapes).span)


def _placed(dtype: DataType, shape: Shape, valid: Shape, space: MemorySpace) -> TileType:
    return TileType(shape, dtype, None if valid == shape else TileView(valid_shape=valid), space)


@rule("store")
def store(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """The tensor that is written."""
    tile, offsets, dst, shapes = (operands[0], operands[1], operands[2], operands[3])
    source, target = shaped(tile), shaped(dst)
    assert isinstance(source, TileType)
    if source.dtype != target.dtype and not _writes_out(source, target):
        raise OpTypeError(
            f"{op.name}: the tile has dtype {source.dtype.name}, the tensor {target.dtype.name}; expected the same",
            given(tile).span,
            f"cast the tile first: pl.cast(tile, pl.{target.dtype.name})",
        )
    if source.space not in (None, MemorySpace.Vec, MemorySpace.Acc):
        raise OpValueError(
            f"{op.name}: a tile in {source.space.name} cannot be stored, only one in Vec or Acc", given(tile).span
        )
    _check_atomic(op, statics["atomic"], target, given(tile))
    start = dims(offsets) or ()
    check_rank(op, "offsets", start, target.rank, "the tensor", given(offsets))
    window = dims(shapes)
    if window is None and source.rank <= target.rank:
        window = (1,) * (target.rank - source.rank) + source.valid_shape
    if window is not None:
        check_rank(op, "shapes", window, target.rank, "the tensor", given(offsets))
        whole = shapes is None or source.valid_shape == source.shape  # else the cells of the window are not all written
        _check_window(op, start, window if whole else (0,) * target.rank, target.shape, "a tensor", given(offsets))
    return target


def _writes_out(source: TileType, target: ShapedType) -> bool:
    """Whether an accumulator converts to the dtype of the target on its way out."""
    return source.space is MemorySpace.Acc and source.dtype is FP32 and target.dtype in dtypes(FP16, BF16)


def _check_atomic(op: Op, atomic: AtomicType, target: ShapedType, operand: Expr) -> None:
    if atomic is AtomicType.Add and target.dtype.name not in ATOMIC_DTYPES:
        raise OpTypeError(
            f"{op.name}: atomic Add on {target.dtype.name}, expected one of {', '.join(sorted(ATOMIC_DTYPES))}",
            operand.span,
        )


@rule("move")
def move(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """The same tile in another space."""
    source, space = shaped(operands[0]), statics["target_memory"]
    if space is MemorySpace.DDR:
        raise OpValueError(
            f"{op.name}: target_memory is DDR", given(operands[0]).span, "use pl.store to write global memory"
        )
    moved = _placed(source.dtype, source.shape, source.valid_shape, space)
    layouts = {name: statics[name] for name in ("blayout", "slayout") if statics[name] is not None}
    return moved.with_view(**layouts) if layouts else moved


@rule("create_tile")
def create_tile(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """A tile of constant shape."""
    shape, space = static_shape(op, "shape", operands[0]), statics["target_memory"]
    if space is MemorySpace.DDR:
        raise OpValueError(
            f"{op.name}: target_memory is DDR", given(operands[0]).span, "use pl.create_tensor for global memory"
        )
    return check_tile(_placed(statics["dtype"], shape, shape, space), op.name, given(operands[0]).span)


@rule("create_tensor")
def create_tensor(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """A tensor; its dimensions may be run-time values."""
    shape = dims(operands[0]) or ()
    _check_positive(op, shape, given(operands[0]))
    made = TensorType(shape, statics["dtype"])
    return made.with_view(layout=statics["layout"])


def _check_positive(op: Op, shape: Shape, operand: Expr) -> None:
    if not shape or any(isinstance(dim, int) and dim <= 0 for dim in shape):
        raise OpValueError(
            f"{op.name}: a shape has one or more positive dimensions, got {shape_text(shape)}", operand.span
        )


@rule("full_tensor")
def full_tensor(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """A tensor-level value."""
    shape = dims(operands[0]) or ()
    _check_positive(op, shape, given(operands[0]))
    made = TensorType(shape, statics["dtype"])
    _check_fill(op, made, given(operands[1]))
    return made


@rule("full_tile")
def full_tile(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """A tile in Vec."""
    shape = static_shape(op, "shape", operands[0])
    made = _placed(statics["dtype"], shape, shape, MemorySpace.Vec)
    _check_fill(op, made, given(operands[1]))
    return check_tile(made, op.name, given(operands[0]).span)


def _check_fill(op: Op, made: ShapedType, value: Expr) -> None:
    if made.dtype not in op.dtypes:
        raise OpTypeError(f"{op.name}: dtype {made.dtype.name} cannot be filled", value.span)
    found = scalar_operand_dtype(op, "value", made, value)
    if found.is_float and not made.dtype.is_float:
        raise OpTypeError(f"{op.name}: 'value' is a float, dtype is {made.dtype.name}", value.span, "write an integer")


@rule("slice")
def slice_(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """A view of the window, without the axes of drop_dims."""
    x, shape_operand, offset, valid_shape, drop_dims = operands
    source = shaped(x)
    if isinstance(source, TileType):
        if statics["clamp"]:
            raise OpTypeError(f"{op.name}: clamp is for tensors", given(x).span, "leave clamp out and give valid_shape")
        shape: Shape = static_shape(op, "shape", shape_operand)
    else:
        shape = dims(shape_operand) or ()
        _check_positive(op, shape, given(shape_operand))
    valid = _window(op, given(x), dims(offset) or (), shape, dims(valid_shape), statics["clamp"], given(shape_operand))
    keep = _kept(op, shape, dims(drop_dims), given(x))
    shape, valid = tuple(shape[axis] for axis in keep), tuple(valid[axis] for axis in keep)
    result = source.fresh(shape, valid=valid)
    if isinstance(result, TileType):
        result = replace(result, space=source.space) if isinstance(source, TileType) else result
    return result if statics["pad_value"] is None else result.with_view(pad=statics["pad_value"])


def _kept(op: Op, shape: Shape, drop: Shape | None, x: Expr) -> list[int]:
    """The axes of a slice that stay."""
    dropped = {int(axis) for axis in drop or () if isinstance(axis, int)}
    for axis in dropped:
        if not 0 <= axis < len(shape) or not is_one(shape[axis]):
            raise OpValueError(
                f"{op.name}: drop_dims names axis {axis}, which is no unit axis of {shape_text(shape)}", x.span
            )
    least = 2 if isinstance(x.type, TileType) else 1
    if len(shape) - len(dropped) < least:
        raise OpValueError(f"{op.name}: drop_dims leaves less than {least} dimensions of {shape_text(shape)}", x.span)
    return [axis for axis in range(len(shape)) if axis not in dropped]


@rule("assemble")
def assemble(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """The type of target; of a tile, the valid region grows to the bounding box of both."""
    target_expr, source_expr, offset_operand = (given(operand) for operand in operands)
    check_same_kind(op, ("target", target_expr), ("source", source_expr))
    target, source = shaped(target_expr), shaped(source_expr)
    if not (isinstance(source, TileType) and _writes_out(source, target)):
        check_same_dtype(op, ("target", target_expr), ("source", source_expr))
    _check_atomic(op, statics["atomic"], target, source_expr)
    if statics["atomic"] is AtomicType.Add and isinstance(target, TileType):
        raise OpTypeError(f"{op.name}: atomic Add needs a tensor as target", target_expr.span)
    offset = dims(offset_operand) or ()
    check_rank(op, "offset", offset, target.rank, "target", offset_operand)
    if source.rank > target.rank:
        raise OpValueError(
            f"{op.name}: source is {describe(source_expr)}, target {describe(target_expr)}", source_expr.span
        )
    lead = (1,) * (target.rank - source.rank)
    _check_window(op, offset, lead + source.valid_shape, target.shape, "a target", source_expr)
    if not isinstance(target, TileType):
        return target
    ends = map(lambda start, size: dim_binary(BinaryKind.Add, start, size), offset, lead + source.valid_shape)
    return target.with_view(valid_shape=tuple(map(_larger, target.valid_shape, ends, target.shape)))


def _larger(valid: Dim, end: Dim, limit: Dim) -> Dim:
    return valid if valid == limit else dim_binary(BinaryKind.Max, valid, end)


@rule("read")
def read(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """A scalar of the element dtype."""
    source = shaped(operands[0])
    _check_indices(op, source, given(operands[1]))
    return ScalarType(source.dtype)


@rule("write")
def write(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """Nothing; the value has the element dtype."""
    target, value = shaped(operands[0]), given(operands[2])
    _check_indices(op, target, given(operands[1]))
    assert isinstance(value.type, ScalarType)
    found = scalar_operand_dtype(op, "value", target, value)
    if found != target.dtype or (value.type.dtype not in (target.dtype, INDEX, FP32)):
        raise OpTypeError(
            f"{op.name}: 'value' is a scalar of {value.type.dtype.name}, the elements are {target.dtype.name}",
            value.span,
            f"use pl.cast(value, pl.{target.dtype.name}), or pl.const for a literal",
        )
    return UNKNOWN


def _check_indices(op: Op, value: ShapedType, operand: Expr) -> None:
    indices = dims(operand) or ()
    check_rank(op, "indices", indices, value.rank, "the value", operand)
    for axis, (index, size) in enumerate(zip(indices, value.shape, strict=True)):
        if isinstance(index, int) and (index < 0 or (isinstance(size, int) and index >= size)):
            raise OpValueError(
                f"{op.name}: index {index} is outside axis {axis} of shape {shape_text(value.shape)}", operand.span
            )


@rule("dim")
def dim(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """An INT64 scalar."""
    source, axis = shaped(operands[0]), statics["axis"]
    if not -source.rank <= axis < source.rank:
        raise OpValueError(f"{op.name}: axis {axis} is outside a tensor of rank {source.rank}", given(operands[0]).span)
    return ScalarType(INT64)


@rule("fillpad")
def fillpad(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """The same shape, fully valid."""
    return _padded(op, given(operands[0]), statics["pad_value"])


def _padded(op: Op, x: Expr, pad: PadValue, shape: Shape | None = None) -> Type:
    check_dtype(op, op.params[0].name, x)
    if pad is PadValue.null:
        raise OpValueError(f"{op.name}: pad_value is null, expected zero, max or min", x.span)
    return shaped(x).fresh(shape)


@rule("fillpad_expand")
def fillpad_expand(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """A larger shape, fully valid."""
    x, shape = given(operands[0]), static_shape(op, "shape", operands[1])
    source = shaped(x)
    check_rank(op, "shape", shape, source.rank, "'x'", given(operands[1]))
    if any(isinstance(dim, int) and dim > size for dim, size in zip(source.shape, shape, strict=True)):
        raise OpValueError(
            f"{op.name}: 'shape' is {shape_text(shape)}, expected at least {shape_text(source.shape)}", x.span
        )
    result = _padded(op, x, statics["pad_value"], shape)
    return check_tile(result, op.name, x.span) if isinstance(result, TileType) else result


@rule("set_validshape")
def set_validshape(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """The same value with another valid region."""
    x = given(operands[0])
    value = shaped(x)
    if value.rank != 2:
        raise OpValueError(f"{op.name}: 'x' is {describe(x)}, expected rank 2", x.span)
    valid: list[Dim] = []
    for name, operand, size in zip(("valid_rows", "valid_cols"), operands[1:], value.shape, strict=True):
        scalar = given(operand)
        assert isinstance(scalar.type, ScalarType)
        if scalar.type.dtype.name not in ("INDEX", "INT64", "UINT64"):
            raise OpTypeError(
                f"{op.name}: '{name}' is a scalar of {scalar.type.dtype.name}, expected INDEX or INT64",
                scalar.span,
                f"use pl.cast({name}, pl.INDEX)",
            )
        (extent,) = dims_of(scalar)
        if isinstance(extent, int) and (extent < 0 or (isinstance(size, int) and extent > size)):
            raise OpValueError(f"{op.name}: {name} {extent} is outside 0 to {size}", scalar.span)
        valid.append(extent)
    return value.with_view(valid_shape=tuple(valid))


def dims_of(*scalars: Expr) -> tuple[Dim, ...]:
    """Scalar expressions as dimensions."""
    from pypto.ir.build import as_dim

    return tuple(as_dim(scalar) for scalar in scalars)
