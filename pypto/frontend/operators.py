"""Python's operators: computed on constants, nodes on scalars, operations of that name on tensors and tiles."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pypto.errors import InvalidArgumentError, InvalidOperandError, ParserTypeError, UnsupportedFeatureError
from pypto.ir.build import binary, call, describe, logical_not, negate, scalar_dtype
from pypto.ir.nodes import BinaryKind, Const, Expr, Unary, UnaryKind
from pypto.ir.types import ScalarType, ShapedType, TileType
from pypto.ops.dtypes import BOOL
from pypto.ops.enums import CompareMode
from pypto.ops.row import SPELLINGS, Op, find

if TYPE_CHECKING:
    from pypto.frontend.parser import Parser

_LARGEST = 1 << 12  # bits of a constant that an operator may compute, items of a sequence it may make

_BINARY: dict[type, tuple[str, Callable[[Any, Any], Any], BinaryKind | None, str]] = {
    ast.Add: ("+", operator.add, BinaryKind.Add, "add"),
    ast.Sub: ("-", operator.sub, BinaryKind.Sub, "sub"),
    ast.Mult: ("*", operator.mul, BinaryKind.Mul, "mul"),
    ast.Div: ("/", operator.truediv, BinaryKind.FloatDiv, "div"),
    ast.FloorDiv: ("//", operator.floordiv, BinaryKind.FloorDiv, ""),
    ast.Mod: ("%", operator.mod, BinaryKind.FloorMod, ""),
    ast.LShift: ("<<", operator.lshift, BinaryKind.ShiftLeft, "shl"),
    ast.RShift: (">>", operator.rshift, BinaryKind.ShiftRight, "shr"),
    ast.Pow: ("**", operator.pow, None, ""),
    ast.BitAnd: ("&", operator.and_, None, ""),
    ast.BitOr: ("|", operator.or_, None, ""),
    ast.BitXor: ("^", operator.xor, None, ""),
    ast.MatMult: ("@", operator.matmul, None, "matmul"),
}
_INSTEAD = {
    "**": "multiply, or use pl.exp and pl.log", "&": "use 'and' on conditions, pl.and_ on tiles",
    "|": "use 'or' on conditions, pl.or_ on tiles", "^": "use '!=' on conditions, pl.xor on tiles",
    "@": "use pl.matmul on tensors or tiles", "//": "use pl.div, which truncates on integers",
    "%": "use pl.fmod or pl.rem",
}  # fmt: skip
_CAST = "bring both sides to one kind: pl.cast(x, pl.FP32), x != 0"
_COMPARE: dict[type, tuple[Callable[[Any, Any], Any], BinaryKind | None]] = {
    ast.Eq: (operator.eq, BinaryKind.Eq), ast.NotEq: (operator.ne, BinaryKind.Ne),
    ast.Lt: (operator.lt, BinaryKind.Lt), ast.LtE: (operator.le, BinaryKind.Le),
    ast.Gt: (operator.gt, BinaryKind.Gt), ast.GtE: (operator.ge, BinaryKind.Ge),
    ast.Is: (operator.is_, None), ast.IsNot: (operator.is_not, None),
    ast.In: (lambda a, b: a in b, None), ast.NotIn: (lambda a, b: a not in b, None),
}  # fmt: skip
_MODES = {
    BinaryKind.Eq: CompareMode.eq, BinaryKind.Ne: CompareMode.ne, BinaryKind.Lt: CompareMode.lt,
    BinaryKind.Le: CompareMode.le, BinaryKind.Gt: CompareMode.gt, BinaryKind.Ge: CompareMode.ge,
}  # fmt: skip
_SWAPPED = {
    BinaryKind.Lt: BinaryKind.Gt, BinaryKind.Gt: BinaryKind.Lt, BinaryKind.Le: BinaryKind.Ge,
    BinaryKind.Ge: BinaryKind.Le,
}  # fmt: skip


def is_shaped(value: Any) -> bool:
    """Whether ``value`` is a tensor or tile."""
    return isinstance(value, Expr) and isinstance(value.type, ShapedType)


def binary_op(p: Parser, op: ast.operator, left: Any, right: Any, node: ast.AST) -> Any:
    """``left op right``."""
    sign, compute, kind, name = _BINARY[type(op)]
    if not isinstance(left, Expr) and not isinstance(right, Expr):
        _check_size(p, op, left, right, node)
        return p.python(node, lambda: compute(left, right))
    if is_shaped(left) or is_shaped(right):
        return _shaped(p, sign, name, left, right, node)
    if kind is None:
        raise p.error(UnsupportedFeatureError, f"'{sign}' on run-time scalars", node, _INSTEAD[sign])
    a, b = _scalar(p, left, sign, node), _scalar(p, right, sign, node)
    if sign in ("//", "%", "/") and isinstance(b, Const) and b.value == 0:
        raise p.error(InvalidArgumentError, f"'{sign}' by the constant zero", node, "use another divisor", "E303")
    with p.operation(node, "E303", hint=_CAST):
        return binary(kind, a, b, p.span(node))


def _check_size(p: Parser, op: ast.operator, left: Any, right: Any, node: ast.AST) -> None:
    """Refuse constants that would take for ever to compute."""
    huge = False
    if isinstance(op, ast.Pow | ast.LShift) and type(left) is int and type(right) is int:
        huge = right * (left.bit_length() if isinstance(op, ast.Pow) else 1) > _LARGEST
    elif isinstance(op, ast.Mult):
        sizes = [(len(a), b) for a, b in ((left, right), (right, left)) if hasattr(a, "__len__") and type(b) is int]
        huge = any(length * count > _LARGEST for length, count in sizes)
    if huge:
        raise p.error(ParserTypeError, "the constant is too large", node, "use a constant of at most 64 bits", "E303")


def _scalar(p: Parser, value: Any, sign: str, node: ast.AST) -> Expr:
    expr = p.as_expr(value, node)
    if not isinstance(expr.type, ScalarType):
        raise p.error(
            InvalidOperandError,
            f"'{sign}' needs scalars, got {describe(expr)}",
            node,
            "take an element out of it",
            "E303",
        )
    return expr


def _shaped(p: Parser, sign: str, name: str, left: Any, right: Any, node: ast.AST) -> Expr:
    """An operator with a tensor or tile on at least one side. Operations take scalars on the right only."""
    if not name:
        raise p.error(InvalidOperandError, f"'{sign}' on tensors and tiles", node, _INSTEAD[sign], "E303")
    a, b = p.as_expr(left, node), p.as_expr(right, node)
    span = p.span(node)
    with p.operation(node, "E303", hint=_CAST):
        if is_shaped(a):
            return call(_row(p, name, node), a, b, span=span)
        if name in ("add", "mul"):
            return call(name, b, a, span=span)
        return call(_row(p, name, node), _filled(a, b, p, node), b, span=span)


def _row(p: Parser, name: str, node: ast.AST) -> Op:
    row = SPELLINGS.get(name)
    if row is None:
        raise p.error(UnsupportedFeatureError, f"the operation '{name}' is not built yet", node, "leave it out for now")
    return row


def _filled(scalar: Expr, like: Expr, p: Parser, node: ast.AST) -> Expr:
    """A value of the shape and dtype of ``like`` with ``scalar`` in each cell."""
    shaped = like.type
    assert isinstance(shaped, ShapedType)
    row = find("tile" if isinstance(shaped, TileType) else "tensor", "full")
    assert row is not None
    return call(row, list(shaped.shape), shaped.dtype, scalar, span=p.span(node))


def unary_op(p: Parser, op: ast.unaryop, value: Any, node: ast.AST) -> Any:
    """``op value``."""
    if not isinstance(value, Expr):
        return p.python(node, lambda: _PYTHON_UNARY[type(op)](value))
    span = p.span(node)
    with p.operation(node, "E304", hint=_CAST):
        if is_shaped(value):
            if isinstance(op, ast.USub):
                return call("neg", value, span=span)
            name = "a condition" if isinstance(op, ast.Not) else "an integer scalar"
            raise p.error(
                InvalidOperandError, f"the operand must be {name}, got {describe(value)}", node,
                "use pl.not_ for the bits of a tile", "E304",
            )  # fmt: skip
        dtype = scalar_dtype(value)
        if isinstance(op, ast.Not):
            if dtype is not BOOL:
                raise p.error(
                    InvalidOperandError,
                    f"'not' needs a BOOL, got {describe(value)}",
                    node,
                    "compare it: x == 0",
                    "E304",
                )
            return logical_not(value, span)
        if dtype is BOOL or (isinstance(op, ast.Invert) and not dtype.is_integer):
            raise p.error(
                InvalidOperandError, f"an arithmetic operand is needed, got {describe(value)}", node,
                "use 'not' on conditions", "E304",
            )  # fmt: skip
        if isinstance(op, ast.USub):
            return negate(value, span)
        return Unary(value.type, UnaryKind.BitNot, value, span=span) if isinstance(op, ast.Invert) else value


_PYTHON_UNARY: dict[type, Callable[[Any], Any]] = {
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Not: operator.not_, ast.Invert: operator.invert,
}  # fmt: skip


def boolean_op(p: Parser, op: ast.boolop, values: list[Any], node: ast.AST) -> Any:
    """``a and b and ...``; on run-time conditions all sides are evaluated."""
    kind = BinaryKind.And if isinstance(op, ast.And) else BinaryKind.Or
    total = values[0]
    for value in values[1:]:
        if isinstance(total, Expr) or isinstance(value, Expr):
            a, b = _scalar(p, total, kind.value, node), _scalar(p, value, kind.value, node)
            with p.operation(node, "E303", hint=_CAST):
                total = binary(kind, a, b, p.span(node))
        else:
            total = (total and value) if kind is BinaryKind.And else (total or value)
    return total


def compare_op(p: Parser, op: ast.cmpop, left: Any, right: Any, node: ast.AST) -> Any:
    """``left op right``: a BOOL scalar, or 0 and 1 in each cell of a tensor."""
    compute, kind = _COMPARE[type(op)]
    if not isinstance(left, Expr) and not isinstance(right, Expr):
        return p.python(node, lambda: compute(left, right))
    if kind is None:
        raise p.error(
            UnsupportedFeatureError,
            "'is' and 'in' on values of the kernel",
            node,
            "compare with == and join with 'or'",
            "E305",
        )
    if is_shaped(left) or is_shaped(right):
        a, b = p.as_expr(left, node), p.as_expr(right, node)
        if not is_shaped(a):
            a, b, kind = b, a, _SWAPPED.get(kind, kind)
        with p.operation(node, "E305", hint=_CAST):
            return call(_row(p, "cmp", node), a, b, cmp_type=_MODES[kind], span=p.span(node))
    a, b = _scalar(p, left, kind.value, node), _scalar(p, right, kind.value, node)
    with p.operation(node, "E305", hint=_CAST):
        return binary(kind, a, b, p.span(node))


_NAMED_SCALARS = {
    "add": BinaryKind.Add, "sub": BinaryKind.Sub, "mul": BinaryKind.Mul, "div": BinaryKind.FloatDiv,
    "min": BinaryKind.Min, "max": BinaryKind.Max, "minimum": BinaryKind.Min, "maximum": BinaryKind.Max,
}  # fmt: skip


def scalar_form(p: Parser, name: str, args: list[Any], node: ast.AST) -> Any:
    """``pl.add(a, b)`` and its like where both are scalars; None when the operation has no scalar form."""
    kind = _NAMED_SCALARS.get(name)
    if kind is None or len(args) != 2:
        return None
    if not isinstance(args[0], Expr) and not isinstance(args[1], Expr):
        compute = {BinaryKind.Min: min, BinaryKind.Max: max}.get(kind)
        if compute is not None:
            return p.python(node, lambda: compute(args[0], args[1]))
    a, b = _scalar(p, args[0], name, node), _scalar(p, args[1], name, node)
    with p.operation(node, "E302"):
        return binary(kind, a, b, p.span(node))
