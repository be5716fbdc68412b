"""Calls: operations, directives, helpers, and Python functions of constants."""

from __future__ import annotations

import ast
import builtins
import math
from typing import TYPE_CHECKING, Any

from pypto.errors import InvalidOperandError, ParserSyntaxError, ParserTypeError, UnsupportedFeatureError
from pypto.frontend import buffers
from pypto.frontend.annotations import Annotation
from pypto.frontend.assign import stale_vars
from pypto.frontend.directives import DIRECTIVES
from pypto.frontend.dynamic import DynExpr
from pypto.frontend.markers import Marker, OpMarker
from pypto.frontend.module_functions import call_module_function
from pypto.frontend.operators import is_shaped, scalar_form
from pypto.ir.build import call as build_call
from pypto.ir.build import cast_scalar, describe
from pypto.ir.nodes import Const, Expr, Function, Unary, UnaryKind, Var
from pypto.ir.types import ScalarType, TensorType, TileType
from pypto.ir.visit import walk
from pypto.ops.dtypes import DataType
from pypto.ops.row import Kind, Op

if TYPE_CHECKING:
    from pypto.frontend.parser import Parser

HARMLESS: dict[str, Any] = {
    f.__name__: f
    for f in (
        abs, all, any, bool, dict, divmod, enumerate, float, frozenset, int, isinstance, len, list, max, min, range,
        repr, reversed, round, set, sorted, str, sum, tuple, zip,
    )
}  # fmt: skip
_INSTEAD = {
    "min": "use pl.min", "max": "use pl.max", "abs": "use pl.abs on a tile, pl.max(x, -x) on a scalar",
    "len": "use x.shape[0]", "print": "use pl.static_print", "float": "use pl.cast(x, pl.FP32)",
    "int": "use pl.cast(x, pl.INT32)", "range": "use pl.range in a for loop", "sum": "use pl.row_sum or pl.col_sum",
}  # fmt: skip


def call(p: Parser, node: ast.Call) -> Any:
    """The value of a call."""
    if isinstance(node.func, ast.Attribute):
        method = _method(p, node, node.func)
        if method is not None:
            return method
    function = p.value(node.func)
    if isinstance(function, OpMarker):
        return operation(p, node, function)
    if isinstance(function, Marker):
        directive = DIRECTIVES.get(function.name)
        if directive is not None:
            return directive(p, node)
        if function.todo:
            raise p.error(UnsupportedFeatureError, function.todo, node, "leave it out for now")
        raise p.error(
            ParserSyntaxError, f"pl.{function.name} cannot stand in an expression", node,
            "loops stand in 'for', scopes in 'with'",
        )  # fmt: skip
    if isinstance(function, Function):
        return call_module_function(p, node, function)
    if hasattr(function, "__pypto_call__"):
        return function.__pypto_call__(p, node)
    return _python_call(p, node, function)


def _method(p: Parser, node: ast.Call, function: ast.Attribute) -> Any:
    """``x.bind_dynamic(...)``; None when the call is something else."""
    if not isinstance(function.value, ast.Name) or p.names.get(function.value.id) is None:
        return None
    base = p.value(function.value)
    if not isinstance(base, Expr):
        return None
    if function.attr == "bind_dynamic":
        return ()  # read ahead of the body, when the type of the parameter is made
    raise p.error(
        UnsupportedFeatureError, f"a value of a kernel has no method '{function.attr}'", function,
        f"operations are functions: pl.{function.attr}({function.value.id}, ...)",
    )  # fmt: skip


def arguments(p: Parser, node: ast.Call) -> tuple[list[Any], dict[str, Any]]:
    """Evaluated positional and keyword arguments."""
    args: list[Any] = []
    for arg in node.args:
        if isinstance(arg, ast.Starred):
            value = p.value(arg.value)
            if not isinstance(value, list | tuple):
                raise p.error(
                    UnsupportedFeatureError, "* needs a tuple known while parsing", arg, "write the arguments out"
                )
            args.extend(value)
        else:
            args.append(p.value(arg))
    kwargs: dict[str, Any] = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            raise p.error(UnsupportedFeatureError, "** in a call", keyword.value, "write the keywords out")
        kwargs[keyword.arg] = p.value(keyword.value)
    return args, kwargs


def operation(p: Parser, node: ast.Call, marker: OpMarker) -> Any:
    """A call of an operation of the table."""
    args, kwargs = arguments(p, node)
    row = marker.op
    if not kwargs and marker.namespace == "pl" and args and not any(map(is_shaped, args)):
        folded = scalar_form(p, row.name, args, node)
        if folded is not None:
            return folded
    if row.name == "cast" and args and not is_shaped(args[0]):
        return _scalar_cast(p, node, args, kwargs)
    if row.name == "dim" and len(args) == 2 and is_shaped(args[0]) and type(args[1]) is int:
        return _size(p, node, args[0], args[1])
    _check_kind(p, node, marker, args)
    _check_statics(p, node, row, args, kwargs)
    args = [_plain(p, value, node) for value in args]
    kwargs = {name: _plain(p, value, node) for name, value in kwargs.items()}
    syntax = [*zip(args, node.args, strict=False), *zip(kwargs.values(), (k.value for k in node.keywords), strict=True)]
    with p.operation(node, operands=syntax):
        result = build_call(row, *args, span=p.span(node), **kwargs)
        if stale := stale_vars(p, result.type):
            args = [_frozen(p, arg, stale, node) for arg in args]
            kwargs = {name: _frozen(p, value, stale, node) for name, value in kwargs.items()}
            result = build_call(row, *args, span=p.span(node), **kwargs)
    written = buffers.target(result)
    if written is None and row.name == "write":
        written = result.args[0]
    if written is not None:
        buffers.check_writable(p, written, node)
    return result


def _plain(p: Parser, value: Any, node: ast.AST) -> Any:
    """``value`` as the builder takes it."""
    if isinstance(value, DynExpr):
        return value.expr
    if isinstance(value, list | tuple) and not all(type(item) is int for item in value):
        return [_plain(p, item, node) for item in value]
    return value


def _frozen(p: Parser, value: Any, stale: set[Var], node: ast.AST) -> Any:
    """``value`` with its scalars copied, where they name variables that are assigned again later.

    The type of the result mentions them, and must go on meaning what they are now.
    """
    if isinstance(value, list | tuple):
        return [_frozen(p, item, stale, node) for item in value]
    scalar = isinstance(value, Expr) and isinstance(value.type, ScalarType) and not isinstance(value, Const)
    return p.hoist(value, node, "extent") if scalar and any(inner in stale for inner in walk(value)) else value


def _scalar_cast(p: Parser, node: ast.Call, args: list[Any], kwargs: dict[str, Any]) -> Expr:
    given = [*args[1:], *kwargs.values()]
    if len(given) != 1 or not isinstance(given[0], DataType):
        raise p.error(
            InvalidOperandError, "the cast of a scalar takes its dtype only", node, "write pl.cast(x, pl.INT32)"
        )
    expr = p.as_expr(args[0], node)
    if not isinstance(expr.type, ScalarType):
        raise p.error(InvalidOperandError, f"cast: {describe(expr)} has no dtype to change", node, "cast its items")
    if isinstance(expr, Const) and given[0].is_integer and not math.isfinite(expr.value):
        raise p.error(InvalidOperandError, f"cast: {expr.value} is no integer", node, "use a finite number")
    if p.printed:  # the printer writes a folded cast as pl.const
        return Unary(ScalarType(given[0]), UnaryKind.Cast, expr, span=p.span(node))
    with p.operation(node):
        return cast_scalar(expr, given[0], p.span(node))


def _size(p: Parser, node: ast.Call, value: Expr, axis: int) -> Any:
    shape = value.type.shape  # type: ignore[attr-defined]
    if not -len(shape) <= axis < len(shape):
        raise p.error(
            InvalidOperandError, f"dim: axis {axis} is outside {describe(value)}", node, f"use 0 to {len(shape) - 1}"
        )
    return shape[axis]


def _check_kind(p: Parser, node: ast.Call, marker: OpMarker, args: list[Any]) -> None:
    """``pl.tile.add`` takes tiles, ``pl.tensor.add`` tensors; ``store`` and the like take both by nature."""
    if marker.namespace == "pl" or ("pl" in marker.op.reach and len(marker.op.reach) == 2):
        return
    wanted = TileType if marker.namespace == "tile" else TensorType
    for param, arg, syntax in zip(marker.op.params, args, node.args, strict=False):
        if param.kind in (Kind.VALUE, Kind.VALUE_OR_SCALAR) and is_shaped(arg) and not isinstance(arg.type, wanted):
            raise p.error(
                InvalidOperandError,
                f"pl.{marker.name}: '{param.name}' must be a {marker.namespace}, got {describe(arg)}", syntax,
                f"pl.{marker.op_name} takes either",
            )  # fmt: skip


def _check_statics(p: Parser, node: ast.Call, row: Op, args: list[Any], kwargs: dict[str, Any]) -> None:
    """Static arguments are known while parsing; tuples hold integers."""
    given = [*zip((param.name for param in row.params), args, node.args, strict=False)]
    given += [(k.arg or "", kwargs[k.arg or ""], k.value) for k in node.keywords]
    params = {param.name: param for param in row.params}
    for name, value, syntax in given:
        param = params.get(name)
        if param is None:
            continue
        if value is None and param.kind.is_operand and param.default is not None:
            raise p.error(InvalidOperandError, f"{row.name}: '{name}' cannot be None", syntax, "pass a value")
        if not param.kind.is_operand and isinstance(value, Expr) and not isinstance(value, Const):
            raise p.error(
                InvalidOperandError, f"{row.name}: '{name}' must be known at compile time", syntax, "use a constant"
            )
        if param.kind is Kind.TUPLE and isinstance(value, list | tuple):
            for item in value:
                _check_integer(p, row, name, item, syntax)


def _check_integer(p: Parser, row: Op, name: str, item: Any, node: ast.AST) -> None:
    if isinstance(item, Expr):
        good = isinstance(item.type, ScalarType) and item.type.dtype.is_integer
    else:
        good = isinstance(item, DynExpr) or (hasattr(item, "__index__") and not isinstance(item, bool))
    if not good:
        what = describe(item) if isinstance(item, Expr) else repr(item)
        raise p.error(InvalidOperandError, f"{row.name}: '{name}' holds integers, got {what}", node, "use integers")


def _python_call(p: Parser, node: ast.Call, function: Any) -> Any:
    """A Python function of values known while parsing; constructors of annotations take values of the kernel too."""
    name = getattr(function, "__name__", None) or repr(function)
    if not callable(function) or isinstance(function, Annotation):
        raise p.error(ParserTypeError, f"{name} is not callable", node, "call an operation: pl.<name>(...)")
    args, kwargs = arguments(p, node)
    takes_kernel_values = getattr(function, "__module__", "") == "pypto.frontend.annotations"
    if not takes_kernel_values and any(map(_involves_kernel, (*args, *kwargs.values()))):
        hint = _INSTEAD.get(name, f"decorate '{name}' with @pl.jit.inline to use it in kernels")
        raise p.error(UnsupportedFeatureError, f"the Python function '{name}' on values of the kernel", node, hint)
    if vars(builtins).get(name) is function and HARMLESS.get(name) is not function:
        hint = _INSTEAD.get(name, "compute it outside the kernel")
        raise p.error(UnsupportedFeatureError, f"'{name}' is not available in kernels", node, hint)
    return p.python(node, lambda: function(*args, **kwargs))


def _involves_kernel(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_involves_kernel, value))
    return isinstance(value, Expr)
