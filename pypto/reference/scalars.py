"""Scalar arithmetic with the language's meaning, on Python numbers."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from pypto.errors import OpValueError
from pypto.ir.nodes import BinaryKind, UnaryKind
from pypto.ops.dtypes import DataType
from pypto.reference.values import Number, rounded

DIVISIONS = (BinaryKind.FloorDiv, BinaryKind.FloorMod, BinaryKind.FloatDiv)
BINARY: dict[BinaryKind, Callable[[Any, Any], Any]] = {
    BinaryKind.Add: operator.add, BinaryKind.Sub: operator.sub, BinaryKind.Mul: operator.mul,
    BinaryKind.FloorDiv: operator.floordiv, BinaryKind.FloorMod: operator.mod, BinaryKind.FloatDiv: operator.truediv,
    BinaryKind.Min: min, BinaryKind.Max: max,
    BinaryKind.Eq: operator.eq, BinaryKind.Ne: operator.ne, BinaryKind.Lt: operator.lt, BinaryKind.Le: operator.le,
    BinaryKind.Gt: operator.gt, BinaryKind.Ge: operator.ge,
    BinaryKind.And: lambda a, b: a and b, BinaryKind.Or: lambda a, b: a or b,
    BinaryKind.BitAnd: operator.and_, BinaryKind.BitOr: operator.or_, BinaryKind.BitXor: operator.xor,
    BinaryKind.ShiftLeft: operator.lshift, BinaryKind.ShiftRight: operator.rshift,
}  # fmt: skip
UNARY: dict[UnaryKind, Callable[[Any], Any]] = {
    UnaryKind.Neg: operator.neg, UnaryKind.Not: operator.not_, UnaryKind.BitNot: operator.invert,
}  # fmt: skip


def binary(kind: BinaryKind, left: Number, right: Number, dtype: DataType) -> Number:
    """The result of a scalar operation as ``dtype`` holds it."""
    if kind in DIVISIONS and right == 0:
        raise OpValueError(f"'{kind.value}': division by zero")
    return rounded(BINARY[kind](left, right), dtype)


def unary(kind: UnaryKind, operand: Number, dtype: DataType) -> Number:
    """The result of a scalar operation as ``dtype`` holds it; a cast to an integer truncates."""
    return rounded(operand if kind is UnaryKind.Cast else UNARY[kind](operand), dtype)
