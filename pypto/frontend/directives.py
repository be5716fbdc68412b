"""``pl.const``, ``pl.min``, ``pl.static_assert`` and other constructs that look like calls."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pypto.errors import InvalidOperandError, ParserError, ParserSyntaxError, UnsupportedFeatureError
from pypto.frontend.operators import is_shaped, scalar_form
from pypto.ir.build import call as build_call
from pypto.ir.build import constant, describe
from pypto.ir.nodes import Const, Expr
from pypto.ops.dtypes import DataType

if TYPE_CHECKING:
    from pypto.frontend.parser import Parser


def _const(p: Parser, node: ast.Call) -> Expr:
    """``pl.const(value, dtype)``."""
    if len(node.args) + len(node.keywords) != 2:
        raise p.error(InvalidOperandError, "pl.const takes a value and a dtype", node, "write pl.const(1, pl.INT32)")
    values = {"value": None, "dtype": None}
    values.update(zip(values, map(p.value, node.args), strict=False))
    for keyword in node.keywords:
        if keyword.arg not in values:
            raise p.error(
                InvalidOperandError, f"pl.const has no parameter '{keyword.arg}'", node, "use value and dtype"
            )
        values[keyword.arg] = p.value(keyword.value)
    value: Any = values["value"]
    dtype: Any = values["dtype"]
    if isinstance(value, Const):
        value = value.value
    if not isinstance(value, bool | int | float) or not isinstance(dtype, DataType):
        raise p.error(
            InvalidOperandError, "pl.const takes a constant number and a dtype", node, "write pl.const(1, pl.INT32)"
        )
    return typed_constant(p, value, dtype, node)


def typed_constant(p: Parser, value: Any, dtype: DataType, node: ast.AST) -> Const:
    """``value`` as a constant of ``dtype``; an error where the dtype cannot hold it."""
    if dtype.is_integer:
        low = -(1 << dtype.bits - 1) if dtype.is_signed else 0
        high = (1 << (dtype.bits - 1 if dtype.is_signed else dtype.bits)) - 1
        if (isinstance(value, float) and not value.is_integer()) or not low <= value <= high:
            raise p.error(
                InvalidOperandError, f"{dtype.name} cannot hold {value}", node, f"use an integer from {low} to {high}"
            )
        return constant(int(value), dtype, p.span(node))
    if dtype.kind == "bool":
        if value not in (0, 1):
            raise p.error(InvalidOperandError, f"BOOL cannot hold {value}", node, "use True or False")
        return constant(bool(value), dtype, p.span(node))
    return constant(float(value), dtype, p.span(node))


def _extremum(scalar: str, shaped: str) -> Callable[[Parser, ast.Call], Any]:
    """``pl.min`` and ``pl.max``: of two scalars, or cell by cell."""

    def rule(p: Parser, node: ast.Call) -> Any:
        args = [p.value(arg) for arg in node.args]
        if len(args) != 2 or node.keywords:
            raise p.error(InvalidOperandError, f"pl.{scalar} takes two values", node, f"write pl.{scalar}(a, b)")
        if is_shaped(args[0]) or is_shaped(args[1]):
            if not is_shaped(args[0]):
                args.reverse()
            with p.operation(node):
                return build_call(shaped, *args, span=p.span(node))
        return scalar_form(p, scalar, args, node)

    return rule


def _static_assert(p: Parser, node: ast.Call) -> Any:
    if len(node.args) not in (1, 2) or node.keywords:
        raise p.error(
            ParserSyntaxError, "pl.static_assert takes a condition and a message", node, "write both in order"
        )
    message = node.args[1] if len(node.args) == 2 else None
    if message is not None and not (isinstance(message, ast.Constant) and isinstance(message.value, str)):
        raise p.error(
            ParserSyntaxError, "the message of pl.static_assert is a string literal", message, "write it in quotes"
        )
    condition = p.value(node.args[0])
    if isinstance(condition, Const):
        condition = condition.value
    if isinstance(condition, Expr):
        raise p.error(
            ParserError, "the condition of pl.static_assert is only known at run time", node.args[0],
            "assert constants, shapes and dtypes", "E306",
        )  # fmt: skip
    if not condition:
        text = str(message.value) if isinstance(message, ast.Constant) else ast.unparse(node.args[0])
        raise p.error(
            ParserError, f"static assertion failed: {text}", node, "the condition is false for this call", "E306"
        )
    return ()


def _static_print(p: Parser, node: ast.Call) -> Any:
    if node.keywords:
        raise p.error(ParserSyntaxError, "pl.static_print takes no keywords", node, "pass what to print in order")
    print(*(_shown(p, arg) for arg in node.args))
    return ()


def _shown(p: Parser, node: ast.expr) -> str:
    if not isinstance(node, ast.JoinedStr):
        return _text(p.value(node))
    parts = []
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            if part.conversion != -1 or part.format_spec is not None:
                raise p.error(
                    UnsupportedFeatureError,
                    "a conversion or format in a static f-string",
                    node,
                    "use plain {name} fields",
                )
            parts.append(_text(p.value(part.value)))
        elif isinstance(part, ast.Constant):
            parts.append(str(part.value))
    return "".join(parts)


def _text(value: Any) -> str:
    if isinstance(value, Const):
        return str(value.value)
    return describe(value) if isinstance(value, Expr) else str(value)


def _func_attr(p: Parser, node: ast.Call) -> Any:
    if p.out or p.names.depth:
        raise p.error(
            ParserSyntaxError, "pl.func_attr stands first in a function", node, "move it to the top of the body"
        )
    if len(node.args) != 1 or node.keywords or not isinstance(node.args[0], ast.Dict):
        raise p.error(
            ParserSyntaxError, "pl.func_attr takes one dictionary", node, "write pl.func_attr({'key': value})"
        )
    for key, item in zip(node.args[0].keys, node.args[0].values, strict=True):
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            raise p.error(
                ParserSyntaxError, "a key of pl.func_attr is a string literal", key or node, "write it in quotes"
            )
        name = key.value
        if name in p.attrs or name in ("auto_scope", "external_source"):
            what = "is given twice" if name in p.attrs else "is an option of the decorator"
            raise p.error(ParserSyntaxError, f"func_attr: '{name}' {what}", key, "leave it out")
        p.attrs[name] = p.value(item)
    return ()


def _misplaced(message: str, hint: str) -> Callable[[Parser, ast.Call], Any]:
    def rule(p: Parser, node: ast.Call) -> Any:
        raise p.error(ParserSyntaxError, message, node, hint)

    return rule


DIRECTIVES: dict[str, Callable[[Parser, ast.Call], Any]] = {
    "const": _const,
    "min": _extremum("min", "minimum"),
    "max": _extremum("max", "maximum"),
    "static_assert": _static_assert,
    "static_print": _static_print,
    "func_attr": _func_attr,
    "yield_": _misplaced(
        "pl.yield_ is the last statement of a loop or branch, and assigns", "write result = pl.yield_(value) at its end"
    ),
    "cond": _misplaced("pl.cond is the first statement of a pl.while_ loop", "move it to the top of the loop"),
}
