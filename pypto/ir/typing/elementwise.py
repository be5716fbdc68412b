"""Rules of operations that work cell by cell: the result has the shape and valid region of the first operand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pypto.errors import OpTypeError, OpValueError
from pypto.ir.build import describe
from pypto.ir.nodes import Const, Expr
from pypto.ir.types import ScalarType, Shape, ShapedType, TensorType, TileType, Type
from pypto.ir.typing.rules import (
    Operands,
    check_dtype,
    check_rank,
    check_same_dtype,
    check_same_kind,
    check_scratch,
    common_dtype,
    differ,
    given,
    is_one,
    rule,
    scalar_operand_dtype,
    shape_text,
    shaped,
)
from pypto.ops.dtypes import FP32, INDEX, DataType
from pypto.ops.row import Op


def like(value: TensorType | TileType, dtype: DataType | None = None) -> Type:
    """A fresh value with the shape and valid region of ``value``."""
    return value.fresh(dtype=dtype, valid=value.valid_shape)


@rule("binary")
def binary(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """Of ``lhs`` and a value or scalar ``rhs``; tensors may repeat one of the two, see ``broadcast``."""
    lhs, rhs = given(operands[0]), given(operands[1])
    left = shaped(lhs)
    check_dtype(op, "lhs", lhs)
    if len(operands) > 2:
        check_scratch(op, lhs, operands[2])
    if statics.get("high_precision"):
        _check_high_precision(op, lhs, rhs)
    if isinstance(rhs.type, ScalarType):
        dtype = scalar_operand_dtype(op, "rhs", left, rhs)
        if dtype not in op.dtypes:
            raise OpTypeError(
                f"{op.name}: 'rhs' is a scalar of {dtype.name}, 'lhs' has dtype {left.dtype.name}; no common dtype",
                rhs.span,
            )
        return like(left, dtype)
    check_same_kind(op, ("lhs", lhs), ("rhs", rhs))
    check_dtype(op, "rhs", rhs)
    larger = broadcast(op, lhs, rhs)
    return left.fresh(larger.shape, common_dtype(op, ("lhs", lhs), ("rhs", rhs)), larger.valid_shape)


@rule("division")
def division(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """As binary, but no integer by the constant zero."""
    result, rhs = binary(op, operands, statics), given(operands[1])
    if isinstance(rhs, Const) and rhs.value == 0 and isinstance(result, ShapedType) and not result.dtype.is_float:
        raise OpValueError(f"{op.name}: an integer by the constant zero", rhs.span)
    return result


@rule("shift")
def shift(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """As binary with the dtype of ``lhs``; a constant count is within the width."""
    lhs, rhs = given(operands[0]), given(operands[1])
    binary(op, operands, statics)
    bits = shaped(lhs).dtype.bits
    if isinstance(rhs, Const) and not 0 <= rhs.value < bits:
        raise OpValueError(f"{op.name}: a count of {rhs.value}, expected 0 to {bits - 1}", rhs.span)
    return like(shaped(lhs))


def _check_high_precision(op: Op, lhs: Expr, rhs: Expr) -> None:
    if isinstance(rhs.type, ScalarType) or not shaped(lhs).dtype.is_float:
        raise OpTypeError(
            f"{op.name}: high_precision is for two values of floats", lhs.span, "leave high_precision out"
        )


def broadcast(op: Op, lhs: Expr, rhs: Expr) -> TensorType | TileType:
    """The operand with the shape of the result: ``lhs``, or for tensors the larger where the other repeats."""
    left, right = shaped(lhs), shaped(rhs)
    if left.rank == right.rank and not any(map(differ, left.shape, right.shape)):
        return left
    right_repeats, left_repeats = broadcast_kind(left.shape, right.shape), broadcast_kind(right.shape, left.shape)
    if isinstance(left, TensorType) and op.broadcast and (right_repeats or left_repeats):
        return left if right_repeats else right
    hint = "reshape or expand one of them first"
    if isinstance(left, TileType) and op.broadcast and (right_repeats or left_repeats):
        hint = f"use pl.{right_repeats or left_repeats}_expand_{op.broadcast} with the larger operand first"
    allowed = "equal shapes, or one operand [M, 1] or [1, N]" if isinstance(left, TensorType) else "equal shapes"
    raise OpValueError(
        f"{op.name}: 'lhs' has shape {shape_text(left.shape)}, 'rhs' {shape_text(right.shape)}; expected {allowed}",
        rhs.span,
        hint,
    )


def broadcast_kind(left: Shape, right: Shape) -> str:
    """How ``right`` repeats to the shape of ``left``: "row" as [M, 1], "col" as [1, N], "" not at all."""
    right = (1,) * (len(left) - len(right)) + right
    if len(left) != len(right) or not left:
        return ""
    if not any(map(differ, left, right)):
        return "" if len(left) == 1 else "col" if all(map(is_one, left[:-1])) else ""
    if is_one(right[-1]) and not any(map(differ, left[:-1], right[:-1])):
        return "row"
    if all(map(is_one, right[:-1])) and not differ(left[-1], right[-1]):
        return "col"
    return ""


@rule("tiles")
def tiles(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """Of several tiles of one dtype and shape, and scalars that suit them."""
    first = (op.params[0].name, given(operands[0]))
    check_dtype(op, *first)
    for param, operand in zip(op.operands[1:], operands[1:], strict=True):
        if operand is None or param.scratch:
            continue
        if isinstance(operand.type, ScalarType):
            scalar_operand_dtype(op, param.name, shaped(first[1]), operand)
            continue
        check_same_dtype(op, first, (param.name, operand))
        want, got = shaped(first[1]).shape, shaped(operand).shape
        if len(want) != len(got) or any(map(differ, want, got)):
            raise OpValueError(
                f"{op.name}: '{param.name}' has shape {shape_text(got)}, expected {shape_text(want)}", operand.span
            )
    return like(shaped(first[1]))


@rule("unary")
def unary(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """Of one value, the dtype kept; a scalar that follows must suit it."""
    x = given(operands[0])
    check_dtype(op, op.params[0].name, x)
    for param, operand in zip(op.operands[1:], operands[1:], strict=True):
        if operand is not None and isinstance(operand.type, ScalarType):
            scalar_operand_dtype(op, param.name, shaped(x), operand)
    return like(shaped(x))


@rule("float_unary")
def float_unary(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """Of one value of floats; a tensor of integers counts as FP32."""
    x = given(operands[0])
    value = shaped(x)
    tmp = operands[1] if len(operands) > 1 else None
    check_scratch(op, x, tmp)
    if statics.get("high_precision") and isinstance(value, TileType):
        raise OpTypeError(f"{op.name}: high_precision is for tensors", x.span, "leave high_precision out")
    if isinstance(value, TensorType) and value.dtype.is_integer and FP32 in op.dtypes:
        return like(value, FP32)
    check_dtype(op, op.params[0].name, x)
    return like(value)


@rule("cast")
def cast(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """Of one value to another dtype."""
    x, target = given(operands[0]), statics["target_type"]
    check_dtype(op, "x", x)
    if target not in op.dtypes:
        raise OpTypeError(f"{op.name}: no cast to {target.name} exists", x.span)
    if target == shaped(x).dtype:
        raise OpValueError(f"{op.name}: 'x' is {target.name} already", x.span, "leave the cast out")
    return like(shaped(x), target)


@rule("row_expand")
def row_expand(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """Of [M, N] with [M, 1]."""
    x, vec = given(operands[0]), given(operands[1])
    value, numbers = _expand_operands(op, x, vec)
    if not is_one(numbers.shape[-1]) or any(map(differ, value.shape[:-1], numbers.shape[:-1])):
        expected = (*value.shape[:-1], 1)
        raise OpValueError(
            f"{op.name}: 'row_vec' has shape {shape_text(numbers.shape)}, expected {shape_text(expected)}",
            vec.span,
            f"use pl.{op.name.replace('row', 'col', 1)} for one number per column" if is_one(numbers.shape[0]) else "",
        )
    return like(value, common_dtype(op, (op.params[0].name, x), (op.params[1].name, vec)))


@rule("col_expand")
def col_expand(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """Of [M, N] with [1, N]."""
    x, vec = given(operands[0]), given(operands[1])
    value, numbers = _expand_operands(op, x, vec)
    if not all(map(is_one, numbers.shape[:-1])) or differ(value.shape[-1], numbers.shape[-1]):
        expected = (*(1 for _ in value.shape[:-1]), value.shape[-1])
        raise OpValueError(
            f"{op.name}: 'col_vec' has shape {shape_text(numbers.shape)}, expected {shape_text(expected)}",
            vec.span,
            f"use pl.{op.name.replace('col', 'row', 1)} for one number per row" if is_one(numbers.shape[-1]) else "",
        )
    return like(value, common_dtype(op, (op.params[0].name, x), (op.params[1].name, vec)))


def _expand_operands(op: Op, x: Expr, vec: Expr) -> tuple[TensorType | TileType, TensorType | TileType]:
    first, second = (param.name for param in op.params)
    check_same_kind(op, (first, x), (second, vec))
    check_dtype(op, first, x)
    check_dtype(op, second, vec)
    value, numbers = shaped(x), shaped(vec)
    if value.rank < 2:
        raise OpValueError(
            f"{op.name}: '{first}' is {describe(x)}, expected rank 2 or more", x.span, "reshape it to [1, N]"
        )
    check_rank(op, second, numbers.shape, value.rank, first, vec)
    return value, numbers


@rule("index")
def index(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """An INDEX scalar."""
    return ScalarType(INDEX)
