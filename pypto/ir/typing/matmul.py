"""Rules of matrix products."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pypto.errors import OpTypeError, OpValueError
from pypto.ir.build import describe
from pypto.ir.nodes import Expr
from pypto.ir.types import Dim, ScalarType, Shape, ShapedType, TensorType, TileType, Type
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
from pypto.ops.dtypes import BF16, BOOL, FP16, FP32, INT32, DataType, dtypes, promote
from pypto.ops.enums import MemorySpace
from pypto.ops.row import Op


def accumulator(dtype: DataType) -> DataType:
    """The dtype that products of ``dtype`` add up in."""
    return FP32 if dtype.is_float else INT32


def _turned(shape: Shape, flag: bool) -> Shape:
    return (*shape[:-2], shape[-1], shape[-2]) if flag and len(shape) >= 2 else shape


def _extents(op: Op, lhs: Expr, rhs: Expr, statics: Mapping[str, Any]) -> tuple[Shape, Shape]:
    """Shape and valid region of the product, batch dimensions first."""
    left, right = shaped(lhs), shaped(rhs)
    for name, operand in (("lhs", lhs), ("rhs", rhs)):
        if shaped(operand).rank < 2:
            raise OpValueError(
                f"{op.name}: '{name}' is {describe(operand)}, expected rank 2 or more", operand.span, "reshape it"
            )
    a, b = _turned(left.shape, statics.get("a_trans", False)), _turned(right.shape, statics.get("b_trans", False))
    valid_a = _turned(left.valid_shape, statics.get("a_trans", False))
    valid_b = _turned(right.valid_shape, statics.get("b_trans", False))
    if differ(a[-1], b[-2]):
        raise OpValueError(
            f"{op.name}: 'lhs' is [M, K] = {shape_text(a)}, 'rhs' [K, N] = {shape_text(b)}; expected one K",
            rhs.span,
            "use a_trans or b_trans when an operand is stored transposed" if isinstance(left, TensorType) else "",
        )
    if isinstance(valid_a[-1], int) and isinstance(valid_b[-2], int) and valid_b[-2] < valid_a[-1]:
        raise OpValueError(
            f"{op.name}: {valid_a[-1]} columns of 'lhs' are valid, but only {valid_b[-2]} rows of 'rhs'",
            rhs.span,
            "fillpad first",
        )
    batch = _batch(op, a[:-2], b[:-2], rhs)
    return (*batch, a[-2], b[-1]), (*batch, valid_a[-2], valid_b[-1])


def _batch(op: Op, a: Shape, b: Shape, rhs: Expr) -> Shape:
    """The batch dimensions of both, broadcast."""
    rank = max(len(a), len(b))
    a, b = (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b
    merged: list[Dim] = []
    for x, y in zip(a, b, strict=True):
        if differ(x, y) and not is_one(x) and not is_one(y):
            raise OpValueError(
                f"{op.name}: batch dimensions {shape_text(a)} and {shape_text(b)} do not match", rhs.span
            )
        merged.append(y if is_one(x) else x)
    return tuple(merged)


def _check_operands(op: Op, lhs: Expr, rhs: Expr, statics: Mapping[str, Any]) -> None:
    check_same_kind(op, ("lhs", lhs), ("rhs", rhs))
    check_dtype(op, "lhs", lhs)
    check_dtype(op, "rhs", rhs)
    if isinstance(lhs.type, TileType):
        check_same_dtype(op, ("lhs", lhs), ("rhs", rhs))
        for name, hint in (
            ("a_trans", "load the operand transposed, or use pl.tile.transpose_view"),
            ("b_trans", "load the operand transposed, or use pl.tile.transpose_view"),
            ("c_matrix_nz", "leave it out"),
        ):
            if statics.get(name):
                raise OpTypeError(f"{op.name}: {name} is for tensors", lhs.span, hint)
    elif shaped(lhs).dtype.is_float != shaped(rhs).dtype.is_float:
        check_same_dtype(op, ("lhs", lhs), ("rhs", rhs))


@rule("matmul")
def matmul(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """[M, K] by [K, N]; a tile in Acc, or a tensor of the operands' dtype unless out_dtype says otherwise."""
    lhs, rhs = given(operands[0]), given(operands[1])
    _check_operands(op, lhs, rhs, statics)
    shape, valid = _extents(op, lhs, rhs, statics)
    left, out_dtype = shaped(lhs), statics.get("out_dtype")
    wide = accumulator(left.dtype)
    if isinstance(left, TileType):
        if out_dtype not in (None, wide):
            raise OpTypeError(
                f"{op.name}: a tile product is {wide.name}, got out_dtype {out_dtype.name}", lhs.span, "store converts"
            )
        return _accumulated(left, shape, wide, valid)
    if out_dtype is not None and out_dtype not in dtypes(FP16, BF16, FP32, INT32):
        raise OpTypeError(f"{op.name}: out_dtype is {out_dtype.name}, expected FP16, BF16, FP32 or INT32", lhs.span)
    return left.fresh(shape, out_dtype or promote(left.dtype, shaped(rhs).dtype), valid)


def _accumulated(left: TileType, shape: Shape, dtype: DataType, valid: Shape) -> TileType:
    return replace(left.fresh(shape, dtype, valid), space=MemorySpace.Acc)


@rule("matmul_acc")
def matmul_acc(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """The type of acc."""
    acc, lhs, rhs, init_cond = operands
    _check_operands(op, given(lhs), given(rhs), statics)
    check_same_kind(op, ("acc", given(acc)), ("lhs", given(lhs)))
    total, wide = shaped(acc), accumulator(shaped(lhs).dtype)
    if total.dtype != wide:
        raise OpTypeError(
            f"{op.name}: 'acc' has dtype {total.dtype.name}, expected {wide.name}",
            given(acc).span,
            f"start from pl.matmul(..., out_dtype=pl.{wide.name})"
            if isinstance(total, TensorType)
            else "start from pl.matmul",
        )
    shape, valid = _extents(op, given(lhs), given(rhs), statics)
    if total.rank != len(shape) or any(map(differ, total.shape, shape)):
        raise OpValueError(
            f"{op.name}: 'acc' has shape {shape_text(total.shape)}, the product {shape_text(shape)}; expected the same",
            given(acc).span,
        )
    if init_cond is not None:
        _check_condition(op, init_cond, total)
    return (
        total.fresh(total.shape, valid=valid)
        if isinstance(total, TensorType)
        else _accumulated(total, shape, wide, valid)
    )


def _check_condition(op: Op, condition: Expr, total: ShapedType) -> None:
    if condition.type != ScalarType(BOOL):
        raise OpTypeError(
            f"{op.name}: 'init_cond' is {describe(condition)}, expected BOOL", condition.span, "compare: k == 0"
        )
    if total.rank != 2:
        raise OpValueError(f"{op.name}: init_cond needs an acc of rank 2, got rank {total.rank}", condition.span)


@rule("matmul_bias")
def matmul_bias(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """[M, K] by [K, N] plus a row."""
    lhs, rhs, bias = (given(operand) for operand in operands)
    _check_operands(op, lhs, rhs, statics)
    shape, valid = _extents(op, lhs, rhs, statics)
    left, row = shaped(lhs), shaped(bias)
    assert isinstance(left, TileType)
    wide = accumulator(left.dtype)
    if row.dtype != wide:
        raise OpTypeError(
            f"{op.name}: 'bias' has dtype {row.dtype.name}, expected {wide.name}", bias.span, "cast it before the move"
        )
    if row.rank != 2 or not is_one(row.shape[0]) or differ(row.shape[1], shape[-1]):
        raise OpValueError(
            f"{op.name}: 'bias' has shape {shape_text(row.shape)}, expected {shape_text((1, shape[-1]))}", bias.span
        )
    return _accumulated(left, shape, wide, valid)
