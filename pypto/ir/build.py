"""Making nodes: calls typed by their row's rule, scalar arithmetic folded where operands are constants."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from typing import Any

from pypto.errors import OpTypeError, OpValueError
from pypto.ir.nodes import NO_SPAN, Binary, BinaryKind, Call, Const, Expr, MakeTuple, Span, Unary, UnaryKind
from pypto.ir.types import Dim, ScalarType, TensorType, TileType, TupleType
from pypto.ops.dtypes import BOOL, FP32, INDEX, DataType, promote
from pypto.ops.row import REQUIRED, TABLE, Kind, Op, Param


def constant(value: int | float | bool, dtype: DataType | None = None, span: Span = NO_SPAN) -> Const:
    """A scalar constant; without ``dtype`` an int is INDEX, a float FP32, a bool BOOL."""
    if dtype is None:
        dtype = BOOL if isinstance(value, bool) else INDEX if isinstance(value, int) else FP32
    return Const(ScalarType(dtype), value, span=span)


def as_expr(value: Any, span: Span = NO_SPAN) -> Expr:
    """``value`` as an expression: expressions stay, numbers become constants, sequences tuples."""
    if isinstance(value, Expr):
        return value
    if isinstance(value, bool | int | float):
        return constant(value, span=span)
    if isinstance(value, tuple | list):
        items = tuple(as_expr(item, span) for item in value)
        return MakeTuple(TupleType(tuple(item.type for item in items)), items, span=span)
    raise OpTypeError(f"expected an expression, a number or a tuple of them, got {value!r}", span)


def as_dim(value: Dim) -> Dim:
    """A dimension: the int of an integer constant, any other expression as it is."""
    if isinstance(value, Const) and isinstance(value.value, int):
        return int(value.value)
    return value


def dims(value: Expr | None) -> tuple[Dim, ...] | None:
    """The dimensions in a tuple operand; None for an operand that was left out."""
    if value is None:
        return None
    if not isinstance(value, MakeTuple):
        raise OpTypeError(f"expected a tuple of integers, got {type(value).__name__}", value.span)
    return tuple(as_dim(item) for item in value.items)


_FOLD: dict[BinaryKind, Callable[[Any, Any], Any]] = {
    BinaryKind.Add: operator.add, BinaryKind.Sub: operator.sub, BinaryKind.Mul: operator.mul,
    BinaryKind.FloorDiv: operator.floordiv, BinaryKind.FloorMod: operator.mod, BinaryKind.FloatDiv: operator.truediv,
    BinaryKind.Min: min, BinaryKind.Max: max,
    BinaryKind.Eq: operator.eq, BinaryKind.Ne: operator.ne, BinaryKind.Lt: operator.lt, BinaryKind.Le: operator.le,
    BinaryKind.Gt: operator.gt, BinaryKind.Ge: operator.ge,
    BinaryKind.And: lambda a, b: a and b, BinaryKind.Or: lambda a, b: a or b,
    BinaryKind.BitAnd: operator.and_, BinaryKind.BitOr: operator.or_, BinaryKind.BitXor: operator.xor,
    BinaryKind.ShiftLeft: operator.lshift, BinaryKind.ShiftRight: operator.rshift,
}  # fmt: skip


def scalar_dtype(expr: Expr) -> DataType:
    """The dtype of a scalar expression; OpTypeError for anything else."""
    if not isinstance(expr.type, ScalarType):
        raise OpTypeError(f"expected a scalar, got {expr.type}", expr.span)
    return expr.type.dtype


def binary(kind: BinaryKind, left: Any, right: Any, span: Span = NO_SPAN) -> Expr:
    """A scalar operation, folded when both operands are constants of one dtype.

    Raises OpTypeError when an operand is no scalar, when one is an integer and the other a float, or when BOOL meets
    arithmetic.
    """
    left, right = as_expr(left, span), as_expr(right, span)
    a, b = scalar_dtype(left), scalar_dtype(right)
    if kind.is_logical:
        if a is not BOOL or b is not BOOL:
            raise OpTypeError(f"'{kind.value}' needs BOOL operands, got {a!r} and {b!r}", span)
        dtype = BOOL
    else:
        dtype = _arithmetic_dtype(kind, left, right, a, b, span)
    if isinstance(left, Const) and isinstance(right, Const):
        if kind in (BinaryKind.FloorDiv, BinaryKind.FloorMod, BinaryKind.FloatDiv) and right.value == 0:
            raise OpValueError(f"'{kind.value}': division by the constant zero", span)
        return constant(_FOLD[kind](left.value, right.value), dtype, span)
    return _identity(kind, left, right) or Binary(ScalarType(dtype), kind, left, right, span=span)


def _arithmetic_dtype(kind: BinaryKind, left: Expr, right: Expr, a: DataType, b: DataType, span: Span) -> DataType:
    if kind.is_comparison and a is BOOL and b is BOOL:
        return BOOL
    if a is BOOL or b is BOOL:
        raise OpTypeError(f"'{kind.value}': BOOL is no arithmetic operand, got {a!r} and {b!r}", span)
    if a.is_float != b.is_float:
        raise OpTypeError(f"'{kind.value}': one operand is {a!r}, the other {b!r}; cast one of them", span)
    if kind.is_comparison:
        return BOOL
    if kind is BinaryKind.FloatDiv and not a.is_float:
        return FP32
    if isinstance(left, Const) and a is INDEX:  # a bare literal takes the dtype of the other side
        return b
    if isinstance(right, Const) and b is INDEX:
        return a
    return a if a.bits == b.bits else promote(a, b)


def _identity(kind: BinaryKind, left: Expr, right: Expr) -> Expr | None:
    """The operand that an integer operation with a neutral constant leaves as it is."""

    def neutral(expr: Expr, other: Expr, value: int) -> bool:
        return isinstance(expr, Const) and expr.value == value and scalar_dtype(other).is_integer

    if kind in (BinaryKind.Add, BinaryKind.Sub) and neutral(right, left, 0):
        return left
    if kind is BinaryKind.Add and neutral(left, right, 0):
        return right
    if kind in (BinaryKind.Mul, BinaryKind.FloorDiv) and neutral(right, left, 1):
        return left
    if kind is BinaryKind.Mul and neutral(left, right, 1):
        return right
    return None


def minimum(left: Any, right: Any, span: Span = NO_SPAN) -> Expr:
    """The smaller of two scalars; the scalar itself when both are one expression."""
    return as_expr(left, span) if left is right else binary(BinaryKind.Min, left, right, span)


def dim_min(left: Dim, right: Dim) -> Dim:
    """The smaller of two dimensions."""
    return as_dim(minimum(left, right))


def dim_binary(kind: BinaryKind, left: Dim, right: Dim) -> Dim:
    """A dimension computed from two."""
    return as_dim(binary(kind, left, right))


def cast_scalar(operand: Expr, dtype: DataType, span: Span = NO_SPAN) -> Expr:
    """``operand`` as a scalar of ``dtype``; constants convert at once, equal dtypes stay."""
    if scalar_dtype(operand) == dtype:
        return operand
    if isinstance(operand, Const):
        return constant(float(operand.value) if dtype.is_float else int(operand.value), dtype, span)
    return Unary(ScalarType(dtype), UnaryKind.Cast, operand, span=span)


def negate(operand: Expr, span: Span = NO_SPAN) -> Expr:
    """The negated scalar."""
    if isinstance(operand, Const) and not isinstance(operand.value, bool):
        return constant(-operand.value, operand.dtype, span)
    return Unary(operand.type, UnaryKind.Neg, operand, span=span)


def logical_not(operand: Expr, span: Span = NO_SPAN) -> Expr:
    """The opposite of a BOOL scalar."""
    if isinstance(operand, Const):
        return constant(not operand.value, BOOL, span)
    return Unary(ScalarType(BOOL), UnaryKind.Not, operand, span=span)


def call(op: Op | str, *args: Any, span: Span = NO_SPAN, **kwargs: Any) -> Call:
    """A typed call of an operation.

    Arguments bind to the row's parameters as in Python. Raises OpTypeError for a wrong count, an unknown keyword or an
    argument of the wrong kind, OpValueError when the rule of the row refuses them.
    """
    from pypto.ir.typing import RULES  # the rules build nodes themselves

    row = TABLE[op] if isinstance(op, str) else op
    operands, statics = bind(row, args, kwargs, span)
    try:
        result = RULES[row.typing](row, operands, {p.name: statics.get(p.name, p.default) for p in row.statics})
    except (OpTypeError, OpValueError) as error:
        error.span = error.span or (span if span.line else None)
        raise
    return Call(result, row, operands, statics, span=span)


def bind(
    op: Op, args: Sequence[Any], kwargs: Mapping[str, Any], span: Span = NO_SPAN
) -> tuple[tuple[Expr | None, ...], dict[str, Any]]:
    """Operands in the row's order and the static arguments that differ from their defaults."""
    if len(args) > len(op.params):
        raise OpTypeError(f"{op.name}: takes at most {len(op.params)} arguments, got {len(args)}", span, usage(op))
    given = dict(zip((param.name for param in op.params), args, strict=False))
    names = [param.name for param in op.params]
    for name, value in kwargs.items():
        if name not in names:
            raise OpTypeError(f"{op.name}: no parameter called '{name}'", span, usage(op))
        if name in given:
            raise OpTypeError(f"{op.name}: '{name}' is given twice", span, usage(op))
        given[name] = value
    operands: list[Expr | None] = []
    statics: dict[str, Any] = {}
    for param in op.params:
        value = given.get(param.name, param.default)
        if value is REQUIRED:
            raise OpTypeError(f"{op.name}: '{param.name}' is missing", span, usage(op))
        if param.kind.is_operand:
            operands.append(None if value is None else _operand(op, param, value, span))
        elif value != param.default and (found := _static(op, param, value, span)) != param.default:
            statics[param.name] = found
    return tuple(operands), statics


def _operand(op: Op, param: Param, value: Any, span: Span) -> Expr:
    expr = as_expr(value, span)
    kind, found = param.kind, expr.type
    shaped = isinstance(found, TensorType | TileType)
    ok = {
        Kind.VALUE: shaped,
        Kind.TENSOR: isinstance(found, TensorType),
        Kind.TILE: isinstance(found, TileType),
        Kind.SCALAR: isinstance(found, ScalarType),
        Kind.VALUE_OR_SCALAR: shaped or isinstance(found, ScalarType),
        Kind.TUPLE: isinstance(expr, MakeTuple),
    }[kind]
    if not ok:
        wanted = kind.name.lower().replace("_", " ").replace("value", "tensor or tile")
        raise OpTypeError(f"{op.name}: '{param.name}' must be a {wanted}, got {describe(expr)}", expr.span, usage(op))
    return expr


def _static(op: Op, param: Param, value: Any, span: Span) -> Any:
    if isinstance(value, Const):
        value = value.value
    if param.choices is not None and not isinstance(value, param.choices):
        if issubclass(param.choices, Enum):
            for member in param.choices:
                if value == member.name:
                    return member
            with suppress(ValueError):
                return param.choices(value)
        raise OpTypeError(
            f"{op.name}: '{param.name}' must be a {param.choices.__name__}, got {value!r}", span, usage(op)
        )
    expected: dict[Kind, tuple[type, ...]] = {
        Kind.DTYPE: (DataType,), Kind.INT: (int,), Kind.NUMBER: (int, float), Kind.FLAG: (bool,), Kind.TEXT: (str,),
    }  # fmt: skip
    if param.kind in expected and not isinstance(value, expected[param.kind]):
        raise OpTypeError(
            f"{op.name}: '{param.name}' must be a {param.kind.name.lower()}, got {value!r}", span, usage(op)
        )
    return value


def describe(expr: Expr) -> str:
    """What an expression is, in the words of an error message."""
    found = expr.type
    if isinstance(found, TensorType | TileType):
        kind = "tensor" if isinstance(found, TensorType) else "tile"
        shape = ", ".join(str(dim) if isinstance(dim, int) else "?" for dim in found.shape)
        return f"a {kind} [{shape}] of {found.dtype.name}"
    if isinstance(found, ScalarType):
        return f"a scalar of {found.dtype.name}"
    return f"a {type(found).__name__.removesuffix('Type').lower()}"


def usage(op: Op) -> str:
    """The signature of an operation, as a hint."""
    parts = [p.name if p.default is REQUIRED else f"{p.name}={p.default}" for p in op.params]
    return f"use {op.name}({', '.join(parts)})"
