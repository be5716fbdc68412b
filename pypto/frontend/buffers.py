"""Which caller's tensors a value stands for: what was written into a parameter is still that parameter."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pypto.errors import ParserTypeError
from pypto.ir.nodes import Call, Expr, FunctionCall, TupleItem, Var
from pypto.ops.enums import ParamDirection
from pypto.ops.row import Trait

if TYPE_CHECKING:
    from pypto.frontend.parser import Parser

WRITTEN = {"store": "dst", "assemble": "target"}


def target_name(call: Call) -> str:
    """The parameter of an operation that its result replaces, empty when the result is a new value."""
    if call.op.name in WRITTEN:
        return WRITTEN[call.op.name]
    return call.op.operands[0].name if Trait.IN_PLACE in call.op.traits and call.op.operands else ""


def target(call: Call) -> Expr | None:
    """The operand that the result of ``call`` replaces."""
    name = target_name(call)
    for param, arg in zip(call.op.operands, call.args, strict=True):
        if param.name == name:
            return arg
    return None


def roots(p: Parser, expr: Expr) -> frozenset[Var]:
    """The parameters whose buffers ``expr`` may stand for."""
    if isinstance(expr, Var):
        return p.roots.get(expr, frozenset({expr}) if expr in p.params else frozenset())
    if isinstance(expr, Call):
        written = target(expr)
        return frozenset() if written is None else roots(p, written)
    if isinstance(expr, FunctionCall):
        found: set[Var] = set()
        for arg, direction in zip(expr.args, p.session.directions(expr.callee), strict=True):
            if direction is not ParamDirection.In:
                found |= roots(p, arg)
        return frozenset(found)
    return roots(p, expr.tuple) if isinstance(expr, TupleItem) else frozenset()


def note(p: Parser, var: Var, value: Expr) -> None:
    """Remember what ``var`` stands for after ``var = value``."""
    found = roots(p, value)
    if found or var in p.roots:
        p.roots[var] = found | (p.roots.get(var, frozenset()) if var in p.params else frozenset())


def is_written(p: Parser, param: Var) -> bool:
    """Whether the function may write ``param``."""
    return p.params.get(param, ParamDirection.In) is not ParamDirection.In


def derives(p: Parser, expr: Expr, param: Var) -> bool:
    """Whether ``expr`` is ``param``, perhaps after writes into it."""
    return param in roots(p, expr)


def check_writable(p: Parser, base: Expr, node: ast.AST) -> None:
    """Refuse a write into a parameter that the caller passed for reading."""
    for param in roots(p, base):
        if not is_written(p, param):
            raise p.error(
                ParserTypeError, f"'{param.name}' is an input and cannot be written", node,
                "declare it pl.Out[pl.Tensor] or pl.InOut[pl.Tensor]",
            )  # fmt: skip
