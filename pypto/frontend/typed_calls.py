"""Calls of functions whose parameters are fully annotated: arguments are bound and checked, nothing is specialised."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pypto.errors import InvalidOperandError, ParserTypeError, UnsupportedFeatureError
from pypto.frontend.buffers import check_writable
from pypto.frontend.directives import typed_constant
from pypto.frontend.session import Specialized
from pypto.frontend.shapes import affine
from pypto.frontend.signature import EMPTY
from pypto.ir.build import cast_scalar, describe
from pypto.ir.nodes import UNKNOWN, Const, Expr, FunctionCall, Var
from pypto.ir.rewrite import Rewriter
from pypto.ir.types import ScalarType, ShapedType, TensorType, TileType, TupleType, Type
from pypto.ir.visit import type_exprs
from pypto.ops.dtypes import INDEX, INT64
from pypto.ops.enums import ParamDirection

if TYPE_CHECKING:
    from pypto.frontend.parser import Parser

_DISPATCH = {"deps", "device", "dumps", "predicate", "allow_early_resolve", "core_num"}


@dataclass(frozen=True)
class TypedParam:
    """A parameter with its declared type."""

    name: str
    node: ast.arg
    direction: ParamDirection
    type: Type
    default: Any = EMPTY


def call_function(p: Parser, node: ast.Call, name: str, params: list[TypedParam], made: Specialized) -> FunctionCall:
    """The call ``name(...)``."""
    given, attrs = _bind(p, node, name, params)
    exprs: list[Expr] = []
    for param in params:
        value, syntax = given[param.name]
        expr = _converted(p, name, param, value, syntax or node)
        if param.direction is not ParamDirection.In and isinstance(expr.type, TensorType):
            check_writable(p, expr, syntax or node)
        exprs.append(expr)
    mapping: dict[Var, Expr] = dict(zip(made.function.params, exprs, strict=True))
    for param, expr in zip(params, exprs, strict=True):
        _match_dims(param.type, expr.type, mapping)
    types = tuple(
        exprs[index].type if index is not None else in_caller(type_, mapping)
        for index, type_ in zip(made.returned, made.results, strict=True)
    )
    result: Type = types[0] if len(types) == 1 else TupleType(types) if types else UNKNOWN
    call = FunctionCall(result, name, tuple(exprs), attrs, span=p.span(node))
    return call


def in_caller(type_: Type, mapping: dict[Var, Expr]) -> Type:
    """``type_`` of a callee's result with the caller's expressions for what its dimensions mention."""
    return Rewriter(mapping).type(type_) if any(True for _ in type_exprs(type_)) else type_


def _match_dims(declared: Type, found: Type, mapping: dict[Var, Expr]) -> None:
    """Dimension variables of the callee that stand for something else in the caller."""
    if not isinstance(declared, ShapedType) or not isinstance(found, ShapedType):
        return
    for wanted, dim in zip(declared.shape, found.shape, strict=True):
        if isinstance(wanted, Var) and wanted is not dim:
            from pypto.ir.build import constant

            mapping.setdefault(wanted, constant(dim) if isinstance(dim, int) else dim)


def _bind(
    p: Parser, node: ast.Call, name: str, params: list[TypedParam]
) -> tuple[dict[str, tuple[Any, ast.expr | None]], dict[str, Any]]:
    names = [param.name for param in params]
    usage = f"call {name}({', '.join(names)})"
    given: dict[str, tuple[Any, ast.expr | None]] = {}
    attrs: dict[str, Any] = {}
    if len(node.args) > len(names):
        raise p.error(ParserTypeError, f"'{name}' takes {len(names)} arguments, got {len(node.args)}", node, usage)
    for param_name, arg in zip(names, node.args, strict=False):
        given[param_name] = (p.value(arg), arg)
    for keyword in node.keywords:
        if keyword.arg == "attrs" and "attrs" not in names:
            attrs = dict(p.value(keyword.value))
            continue
        if keyword.arg in _DISPATCH and keyword.arg not in names:
            raise p.error(
                ParserTypeError,
                f"'{keyword.arg}' is no argument of a plain call",
                keyword.value,
                "use pl.submit for it",
            )
        if keyword.arg not in names:
            raise p.error(ParserTypeError, f"'{name}' has no parameter '{keyword.arg}'", keyword.value, usage)
        if keyword.arg in given:
            raise p.error(ParserTypeError, f"'{keyword.arg}' is given twice", keyword.value, usage)
        given[keyword.arg] = (p.value(keyword.value), keyword.value)
    for param in params:
        if param.name not in given:
            if param.default is EMPTY:
                raise p.error(ParserTypeError, f"'{name}' needs an argument for '{param.name}'", node, usage)
            given[param.name] = (param.default, None)
    return given, attrs


def _converted(p: Parser, name: str, param: TypedParam, value: Any, at: ast.AST) -> Expr:
    declared = param.type
    if isinstance(declared, ScalarType):
        if type(value) in (bool, int, float):
            return typed_constant(p, value, declared.dtype, at)
        expr = p.as_expr(value, at)
        if isinstance(expr.type, ScalarType) and {expr.type.dtype, declared.dtype} <= {INDEX, INT64}:
            return cast_scalar(expr, declared.dtype, p.span(at))
        if expr.type == declared:
            return expr
        raise _mismatch(p, name, param, expr, at, f"cast it: pl.cast(x, pl.{declared.dtype.name})")
    if isinstance(value, tuple | list):
        raise p.error(
            UnsupportedFeatureError, f"a tuple for '{param.name}' of '{name}'", at, "pass its items one by one"
        )
    expr = p.as_expr(value, at)
    if not fits(declared, expr.type):
        raise _mismatch(p, name, param, expr, at, "pass a value of the declared type")
    return expr


def _mismatch(p: Parser, name: str, param: TypedParam, expr: Expr, at: ast.AST, hint: str) -> Exception:
    wanted = describe(Const(param.type, 0))
    return p.error(InvalidOperandError, f"'{param.name}' of '{name}' is {wanted}, got {describe(expr)}", at, hint)


def fits(declared: Type, found: Type) -> bool:
    """Whether a value of type ``found`` may be passed for ``declared``; run-time sizes fit any size."""
    if isinstance(declared, TensorType | TileType):
        if type(declared) is not type(found) or declared.dtype != found.dtype or declared.rank != found.rank:
            return False
        pairs = zip(declared.shape, found.shape, strict=True)
        return all(not (set(affine(a)) | set(affine(b)) <= {None}) or affine(a) == affine(b) for a, b in pairs)
    return declared == found
