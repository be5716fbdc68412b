"""Annotations inside a function, and whether a value agrees with the one on its name."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pypto.errors import ParserTypeError
from pypto.frontend.annotations import AnnotationError, annotated_type
from pypto.frontend.directives import typed_constant
from pypto.frontend.shapes import same_base, same_dims
from pypto.ir.build import call, cast_scalar, describe
from pypto.ir.nodes import Call, Const, Expr
from pypto.ir.types import ScalarType, TensorType, TileType, Type
from pypto.ops.dtypes import INDEX, INT64

if TYPE_CHECKING:
    from pypto.frontend.parser import Parser


def declared_type(p: Parser, node: ast.expr) -> Type:
    """The type that the annotation ``node`` names."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        node = _quoted(p, node, node.value)
    value = p.value(node)
    try:
        return annotated_type(value)
    except AnnotationError as error:
        raise p.error(ParserTypeError, error.message, node, error.hint, error.code) from None


def _quoted(p: Parser, node: ast.Constant, text: str) -> ast.expr:
    try:
        parsed = ast.parse(text, mode="eval").body
    except SyntaxError:
        raise p.error(
            ParserTypeError, f"{node.value!r} is no annotation", node, "write a type of the language"
        ) from None
    for inner in ast.walk(parsed):
        ast.copy_location(inner, node)
    return parsed


def reconcile(p: Parser, value: Any, declared: Type, node: ast.AnnAssign) -> tuple[Any, Type]:
    """``value`` under the annotation of its name: the value, converted where it is a constant, and the type to keep."""
    syntax = node.value
    assert syntax is not None
    if isinstance(declared, ScalarType) and not isinstance(value, Expr) and type(value) in (bool, int, float):
        return typed_constant(p, value, declared.dtype, syntax), declared
    expr = p.as_expr(value, syntax)
    if isinstance(declared, ScalarType) and {expr.type, declared} == {ScalarType(INDEX), ScalarType(INT64)}:
        return cast_scalar(expr, declared.dtype, p.span(syntax)), declared
    if not same_base(expr.type, declared):
        raise p.error(
            ParserTypeError, f"'{ast.unparse(node.target)}' is declared {describe(Const(declared, 0))}, the value is "
            f"{describe(expr)}", syntax, "correct the annotation, or leave it out",
        )  # fmt: skip
    if p.printed:
        return _printed(expr, declared), declared
    if isinstance(declared, TileType) and isinstance(expr.type, TileType):
        return _tile(p, expr, declared, node)
    if isinstance(declared, TensorType) and isinstance(expr.type, TensorType):
        view = declared.view or expr.type.view
        return expr, replace(declared, view=view)
    return expr, declared


def _printed(expr: Expr, declared: Type) -> Expr:
    """A call with the type that printed IR gives its variable: passes know more than the rules of the operations."""
    if not isinstance(expr, Call) or not isinstance(declared, TileType) or not isinstance(expr.type, TileType):
        return expr
    return replace(expr, type=replace(declared, space=declared.space or expr.type.space))


def _tile(p: Parser, expr: Expr, declared: TileType, node: ast.AnnAssign) -> tuple[Expr, Type]:
    found = expr.type
    assert isinstance(found, TileType) and node.value is not None
    if declared.space is not None and found.space not in (None, declared.space):
        if isinstance(expr, Call) and "target_memory" not in expr.kwargs and expr.op.name in ("load", "create_tile"):
            operands = dict(zip((param.name for param in expr.op.operands), expr.args, strict=True))
            with p.operation(node.value):
                expr = call(expr.op, span=expr.span, **operands, **expr.kwargs, target_memory=declared.space)
            found = expr.type
            assert isinstance(found, TileType)
        else:
            raise p.error(
                ParserTypeError, f"declared in {declared.space.name}, but the value is elsewhere: {found.space!r}",
                node.annotation, "use pl.move to bring it there",
            )  # fmt: skip
    if declared.view is not None and found.view is not None and not same_dims(declared.valid_shape, found.valid_shape):
        raise p.error(
            ParserTypeError, "the valid region of the annotation is not that of the value", node.annotation,
            "use pl.set_validshape",
        )  # fmt: skip
    kept = replace(declared, view=declared.view or found.view, space=declared.space or found.space)
    return expr, kept
