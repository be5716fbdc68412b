"""C++ text of scalar expressions."""

from __future__ import annotations

import math
from collections.abc import Callable

from pypto.errors import LoweringError
from pypto.ir import nodes as n
from pypto.ir.build import scalar_dtype
from pypto.ops.dtypes import BOOL, FP32, DataType

CTYPES = {
    "INT8": "int8_t", "INT16": "int16_t", "INT32": "int32_t", "INT64": "int64_t", "INDEX": "int64_t",
    "UINT8": "uint8_t", "UINT16": "uint16_t", "UINT32": "uint32_t", "UINT64": "uint64_t", "BOOL": "bool",
    "FP16": "float", "BF16": "float", "FP32": "float",
}  # fmt: skip


def ctype(dtype: DataType) -> str:
    """The C++ type of a scalar; floats narrower than FP32 are computed as float."""
    return CTYPES[dtype.name]


def literal(value: int | float | bool, dtype: DataType) -> str:
    """A C++ literal of ``value`` as a scalar of ``dtype``."""
    if dtype is BOOL:
        return "true" if value else "false"
    if not dtype.is_float:
        return "INT64_MIN" if value == -(2**63) else f"{int(value)}" + ("ULL" if int(value) >= 2**63 else "")
    number = float(value)
    if math.isnan(number):
        return '__builtin_nan("")'
    if math.isinf(number):
        return "__builtin_inf()" if number > 0 else "-__builtin_inf()"
    return repr(number) + ("f" if dtype is FP32 else "")


def scalar(expr: n.Expr, name: Callable[[n.Var], str]) -> str:
    """C++ text of ``expr``; ``name`` gives the text of a variable. Compound expressions come in parentheses."""
    if isinstance(expr, n.Var):
        return name(expr)
    if isinstance(expr, n.Const):
        return literal(expr.value, expr.dtype)
    if isinstance(expr, n.Unary):
        return _unary(expr, scalar(expr.operand, name))
    if isinstance(expr, n.Binary):
        return _binary(expr, scalar(expr.left, name), scalar(expr.right, name))
    raise LoweringError(f"a {type(expr).__name__} cannot be computed here", expr.span)


def _unary(expr: n.Unary, operand: str) -> str:
    if expr.kind is n.UnaryKind.Cast:
        source, target = scalar_dtype(expr.operand), scalar_dtype(expr)
        if source.is_float and target.is_integer:
            return f"static_cast<{ctype(target)}>(round_scalar({operand}))"
        return f"static_cast<{ctype(target)}>({operand})"
    return {n.UnaryKind.Neg: "(-{})", n.UnaryKind.Not: "(!{})", n.UnaryKind.BitNot: "(~{})"}[expr.kind].format(operand)


_INFIX = {
    n.BinaryKind.Add, n.BinaryKind.Sub, n.BinaryKind.Mul, n.BinaryKind.Eq, n.BinaryKind.Ne, n.BinaryKind.Lt,
    n.BinaryKind.Le, n.BinaryKind.Gt, n.BinaryKind.Ge, n.BinaryKind.BitAnd, n.BinaryKind.BitOr, n.BinaryKind.BitXor,
}  # fmt: skip
_CALLS = {
    n.BinaryKind.FloorDiv: "floor_div", n.BinaryKind.FloorMod: "floor_mod", n.BinaryKind.Min: "min",
    n.BinaryKind.Max: "max", n.BinaryKind.ShiftLeft: "shift_left", n.BinaryKind.ShiftRight: "shift_right",
}  # fmt: skip


def _binary(expr: n.Binary, left: str, right: str) -> str:
    if expr.kind in _INFIX:
        return f"({left} {expr.kind.value} {right})"
    if expr.kind in (n.BinaryKind.And, n.BinaryKind.Or):
        return f"({left} {'&' if expr.kind is n.BinaryKind.And else '|'} {right})"
    if expr.kind is n.BinaryKind.FloatDiv:
        return f"(static_cast<float>({left}) / static_cast<float>({right}))"
    # The template argument makes both sides one type; the operations themselves are those of Python.
    return f"{_CALLS[expr.kind]}<{ctype(scalar_dtype(expr))}>({left}, {right})"
