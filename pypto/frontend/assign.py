"""Binding names to values: which variable a name gets, and when binding it again is a mistake."""

from __future__ import annotations

import ast
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pypto.errors import (
    OutParamWriteDropped,
    ParserTypeError,
    SSAViolationError,
    UndefinedVariableError,
)  # fmt: skip
from pypto.frontend import buffers
from pypto.frontend.names import UNKNOWN, Binding, Conflict
from pypto.frontend.shapes import same_base, same_type
from pypto.ir.build import describe
from pypto.ir.nodes import Call, Const, Expr, Span, Var
from pypto.ir.types import ShapedType, TileType, TupleType, Type, UnknownType
from pypto.ir.visit import free_vars, type_exprs

if TYPE_CHECKING:
    from pypto.frontend.parser import Parser

NUMBERS = (bool, int, float)


def read_binding(p: Parser, node: ast.AST, binding: Binding, name: str = "") -> Any:
    """What a name stands for where it is read; an error where it stands for nothing certain."""
    name = name or getattr(node, "id", "")
    if binding.hidden:
        raise p.error(SSAViolationError, f"'{name}' {binding.hidden}", node, f"copy it: last = {name}", "E202")
    if binding.partial:
        raise p.error(
            UndefinedVariableError, f"'{name}' is not assigned on every path to this point", node,
            f"assign '{name}' before the branch or loop",
        )  # fmt: skip
    value = binding.value
    if isinstance(value, Conflict):
        raise p.error(
            ParserTypeError, f"'{name}' is {value.first} on one path and {value.second} on another", node,
            "use two names, or give both the same type",
        )  # fmt: skip
    if isinstance(value, tuple) and value and all(isinstance(item, Binding) for item in value):
        return tuple(read_binding(p, node, item, name) for item in value)
    return value if binding.known is UNKNOWN else binding.known


def bind_name(p: Parser, name: str, value: Any, node: ast.AST, stmt: ast.AST, declared: Type | None = None) -> None:
    """Let ``name`` stand for ``value`` from here on."""
    span, at = p.span(node), p.span(stmt)
    if isinstance(declared, TupleType):
        value = p.as_expr(value, node)
    if isinstance(value, tuple | list) and _is_structure(p, name, value):
        parts = tuple(_part(p, name, index, item, span, at) for index, item in enumerate(value))
        p.names.bind(name, Binding(parts, span, frame=p.names.frame))
        return
    if not isinstance(value, Expr):
        if type(value) not in NUMBERS:
            p.names.bind(name, Binding(value, span, frame=p.names.frame))
            return
        if declared is None and p.assigned.get(name, 0) <= 1:
            p.names.bind(name, Binding(value, span, frame=p.names.frame))
            return
    p.names.bind(name, _variable(p, name, value, span, at, p.names.get(name), declared))


def _is_structure(p: Parser, name: str, value: Any) -> bool:
    """Whether a tuple needs variables for its items: it holds values of the kernel, or numbers that change."""
    if any(
        isinstance(item, Expr) or (isinstance(item, tuple | list) and _is_structure(p, name, item)) for item in value
    ):
        return True
    return p.assigned.get(name, 0) > 1 and all(type(item) in NUMBERS for item in value) and bool(value)


def _part(p: Parser, name: str, index: int, item: Any, span: Span, at: Span) -> Binding:
    part = f"{name}_{index}"
    current = _old_part(p, name, index)
    if isinstance(item, tuple | list):
        parts = tuple(_part(p, part, i, inner, span, at) for i, inner in enumerate(item))
        return Binding(parts, span, frame=p.names.frame)
    if not isinstance(item, Expr) and (type(item) not in NUMBERS or p.assigned.get(name, 0) <= 1):
        return Binding(item, span, frame=p.names.frame)
    return _variable(p, part, item, span, at, current, None)


def _old_part(p: Parser, name: str, index: int) -> Binding | None:
    whole = p.names.get(name)
    if whole is None or not isinstance(whole.value, tuple) or index >= len(whole.value):
        return None
    part = whole.value[index]
    return part if isinstance(part, Binding) else None


def _variable(
    p: Parser, name: str, value: Any, span: Span, at: Span, current: Binding | None, declared: Type | None
) -> Binding:
    """Write the assignment of a number or an expression to the variable that ``name`` gets."""
    known = value if type(value) in NUMBERS and declared is None else UNKNOWN
    expr = p.as_expr(value, _At(span))
    if isinstance(expr.type, UnknownType):
        raise p.error(
            ParserTypeError, "the operation on the right has no value", at, "write it as a statement of its own"
        )
    var = _choose(p, name, expr, declared or expr.type, span, current)
    p.assign(var, _placed(expr, var), at)
    return Binding(var, span, known, p.names.frame)


def _placed(expr: Expr, var: Var) -> Expr:
    """A tile whose memory space is open takes that of the variable it is assigned to."""
    found, wanted = expr.type, var.type
    if isinstance(expr, Call) and isinstance(found, TileType) and isinstance(wanted, TileType) and found.space is None:
        return expr if wanted.space is None else replace(expr, type=replace(found, space=wanted.space))
    return expr


class _At(ast.expr):
    """A syntax node that is nothing but a place."""

    def __init__(self, span: Span) -> None:
        self.lineno, self.col_offset = span.line, span.column
        self.end_lineno, self.end_col_offset = span.end_line, span.end_column


def _choose(p: Parser, name: str, expr: Expr, type_: Type, span: Span, current: Binding | None) -> Var:
    if p.strict_ssa and current is not None:
        raise p.error(
            SSAViolationError,
            f"'{name}' is assigned a second time in a function with strict_ssa",
            span,
            "use a new name",
        )
    if current is not None and isinstance(current.value, Var) and not current.hidden:
        old = current.value
        dropped = p.params.get(old) is not None and buffers.is_written(p, old) and not buffers.derives(p, expr, old)
        if dropped:
            _warn_dropped(name, span)
        inside = p.names.encloses(current.frame)
        if same_type(old.type, type_) and (inside or not dropped):
            return old
        if inside or (current.frame == p.names.frame and not p.renames and not same_base(old.type, type_)):
            _refuse(p, name, old.type, type_, span)
    for var in reversed(p.variables.get(name, ())):
        if same_type(var.type, type_) and var not in p.params:
            return var
    return p.variable(name, type_, span)


def _refuse(p: Parser, name: str, old: Type, new: Type, span: Span) -> None:
    if same_base(old, new):
        what = "the memory space" if isinstance(old, TileType) and old.space != new.space else "the valid region"  # type: ignore[attr-defined]
        raise p.error(
            ParserTypeError, f"'{name}' changes {what} in a branch or loop", span,
            "give it the same one on every path, for instance with pl.fillpad or pl.set_validshape",
        )  # fmt: skip
    raise p.error(
        ParserTypeError, f"'{name}' is {_type_text(old)} and cannot become {_type_text(new)}", span,
        "use another name for the new value",
    )  # fmt: skip


def _type_text(type_: Type) -> str:
    return describe(Const(type_, 0))


def _warn_dropped(name: str, span: Span) -> None:
    message = f"'{name} = ...' only rebinds the name, the tensor is not written; use {name}[:] = ... or pl.store"
    warnings.warn_explicit(message, OutParamWriteDropped, span.file, span.line)


def stale_vars(p: Parser, type_: Type) -> set[Var]:
    """The variables in the dimensions of ``type_`` that other statements assign again."""
    if not isinstance(type_, ShapedType):
        return set()
    found = set(free_vars(tuple(type_exprs(type_))))
    return {var for var in found if p.assigned.get(var.name, 0) > 1}


def hide(binding: Binding, why: str) -> Binding:
    """``binding`` as one that must not be read, for the reason given."""
    return replace(binding, hidden=why)
