"""Python statements as IR statements."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pypto.errors import ParserSyntaxError, ParserTypeError, UnsupportedFeatureError
from pypto.frontend import buffers, loops, scopes
from pypto.frontend.assign import bind_name
from pypto.frontend.conditions import condition_of
from pypto.frontend.declared import declared_type, reconcile
from pypto.frontend.operators import binary_op
from pypto.frontend.targets import assign_target
from pypto.frontend.typed_calls import fits
from pypto.frontend.yields import is_yield, yielded_if
from pypto.ir.build import describe
from pypto.ir.nodes import Break, Call, Const, Continue, Eval, Expr, FunctionCall, If, Return, TupleItem
from pypto.ir.types import TupleType

if TYPE_CHECKING:
    from pypto.frontend.parser import Parser


def statement(p: Parser, node: ast.stmt) -> None:
    """Parse ``node`` and write what it means."""
    rule = _RULES.get(type(node))
    if rule is None:
        name, hint = _REFUSED.get(
            type(node), (f"'{type(node).__name__}'", "rewrite it with the statements of the language")
        )
        raise p.error(UnsupportedFeatureError, f"{name} is not supported in a kernel", node, hint, "E001")
    if p.names.ended:
        return  # never reached: what follows return, break or continue
    rule(p, node)


def _assign(p: Parser, node: ast.Assign) -> None:
    value = p.value(node.value, hoist=False)
    for target in node.targets:
        assign_target(p, target, value, node)
        if len(node.targets) > 1 and isinstance(target, ast.Name):
            value = p.value(ast.copy_location(ast.Name(target.id, ast.Load()), target))


def _annotated(p: Parser, node: ast.AnnAssign) -> None:
    if not isinstance(node.target, ast.Name):
        raise p.error(
            ParserSyntaxError, "only a name can be annotated", node.target, "assign without annotation", "E002"
        )
    declared = declared_type(p, node.annotation)
    if node.value is None:
        raise p.error(ParserSyntaxError, "a declaration without a value", node, "assign a value", "E002")
    value = p.value(node.value, hoist=False)
    value, type_ = reconcile(p, value, declared, node)
    bind_name(p, node.target.id, value, node.target, node, type_)


def _augmented(p: Parser, node: ast.AugAssign) -> None:
    load: ast.expr
    if isinstance(node.target, ast.Name):
        load = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
    elif isinstance(node.target, ast.Subscript):
        load = ast.copy_location(ast.Subscript(node.target.value, node.target.slice, ast.Load()), node.target)
    else:
        raise p.error(ParserSyntaxError, "only names and subscripts can be assigned", node.target, "use a name", "E002")
    assign_target(p, node.target, binary_op(p, node.op, p.value(load), p.value(node.value), node), node)


def _expression(p: Parser, node: ast.Expr) -> None:
    if isinstance(node.value, ast.Constant) and (isinstance(node.value.value, str) or node.value.value is Ellipsis):
        return  # a docstring, or the body of an external function
    if not isinstance(node.value, ast.Call):
        raise p.error(UnsupportedFeatureError, "an expression without effect", node, "assign it to a name", "E001")
    value = p.value(node.value, hoist=False)
    if isinstance(value, Call):
        _call_statement(p, node, node.value, value)
    elif isinstance(value, FunctionCall):
        p.emit(Eval(value, span=p.span(node)))  # the tensors it writes are written in place
    elif value != ():
        raise p.error(
            UnsupportedFeatureError,
            "a Python call that stands alone does nothing in a kernel",
            node,
            "leave it out",
            "E001",
        )


def _call_statement(p: Parser, node: ast.Expr, syntax: ast.Call, value: Call) -> None:
    """``pl.store(tile, [0, 0], out)`` standing alone: the name ``out`` stands for the tensor after the write."""
    name = "" if p.printed else buffers.target_name(value)
    if not name:
        p.emit(Eval(value, span=p.span(node)))
        return
    target = _syntax_of(value, syntax, name)
    if isinstance(target, ast.Name):
        bind_name(p, target.id, value, target, node)
        return
    raise p.error(
        ParserSyntaxError, f"{value.op.name} writes into '{name}', which must be a name", target or node,
        f"give the tensor a name: part = {ast.unparse(target) if target else 'x[0:16, :]'}",
    )  # fmt: skip


def _syntax_of(call: Call, syntax: ast.Call, name: str) -> ast.expr | None:
    for keyword in syntax.keywords:
        if keyword.arg == name:
            return keyword.value
    position = [param.name for param in call.op.params].index(name)
    return syntax.args[position] if position < len(syntax.args) else None


def _if(p: Parser, node: ast.If) -> None:
    condition = condition_of(p, node.test, "if")
    if any(is_yield(p, body[-1]) for body in (node.body, node.orelse) if body):
        yielded_if(p, node, condition)
        return
    branch(p, node, condition, lambda: p.statements(node.body), lambda: p.statements(node.orelse))


Side = Callable[[], None]


def branch(p: Parser, node: ast.If, condition: Expr, then_side: Side, else_side: Side) -> None:
    """Write an ``if`` whose sides are parsed by the two functions, and merge what they bind."""
    p.names.push()
    with p.block() as then:
        then_side()
    after_then = p.names.pop()
    p.names.push()
    with p.block() as orelse:
        else_side()
    after_else = p.names.pop()
    for name, a, b in p.names.merge_branches(after_then, after_else):
        raise p.error(
            ParserTypeError, f"'{name}' is {_type(a.value)} in one branch and {_type(b.value)} in the other", b.span,
            "use two names, or give both the same shape and dtype",
        )  # fmt: skip
    p.emit(If(condition, tuple(then), tuple(orelse), span=p.span(node)))


def _type(var: Any) -> str:
    return describe(var)


def _return(p: Parser, node: ast.Return) -> None:
    if p.loops:
        raise p.error(
            UnsupportedFeatureError, "a return inside a loop", node,
            "use break, and return at the end of the function",
        )  # fmt: skip
    values = returned_values(p, node)
    p.emit(Return(tuple(values), span=p.span(node)))
    p.returned = tuple(value.type for value in values)
    p.names.end()


def returned_values(p: Parser, node: ast.Return) -> list[Expr]:
    """What a return statement hands out, checked against the annotation of the function."""
    values: list[Expr] = []
    if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
        parts = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        for part in parts:
            values.extend(_returned(p, part))
    _check_results(p, node, values)
    return values


def _check_results(p: Parser, node: ast.Return, values: list[Expr]) -> None:
    """Results agree with the annotation of the function."""
    declared = p.declared_results
    if declared is None:
        return
    at = node.value or node
    if len(declared) != len(values):
        raise p.error(
            ParserTypeError, f"{len(values)} values returned, {len(declared)} declared", at, "correct the annotation"
        )
    for value, type_ in zip(values, declared, strict=True):
        if not fits(type_, value.type):
            raise p.error(
                ParserTypeError, f"{describe(value)} is returned, {describe(Const(type_, 0))} is declared", at,
                "correct the annotation after '->'",
            )  # fmt: skip


def _returned(p: Parser, node: ast.expr) -> list[Expr]:
    value = p.value(node)
    if isinstance(value, tuple | list):
        return [p.as_expr(item, node) for item in value]
    expr = p.as_expr(value, node)
    if isinstance(expr.type, TupleType):
        return [TupleItem(type_, expr, i, span=p.span(node)) for i, type_ in enumerate(expr.type.items)]
    return [expr]


def _jump(p: Parser, node: ast.Break | ast.Continue) -> None:
    word = "break" if isinstance(node, ast.Break) else "continue"
    kind = p.loops[-1] if p.loops else ""
    if kind not in ("range", "while", "pipeline"):
        where = f"in a pl.{kind} loop" if kind else "outside a loop"
        raise p.error(ParserSyntaxError, f"'{word}' {where}", node, "use it in pl.range and while loops", "E001")
    p.emit((Break if isinstance(node, ast.Break) else Continue)(span=p.span(node)))
    p.names.end()


def _nothing(p: Parser, node: ast.stmt) -> None:
    """``pass``."""


_RULES: dict[type, Callable[[Parser, Any], None]] = {
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Expr: _expression,
    ast.If: _if,
    ast.For: loops.for_,
    ast.While: loops.while_,
    ast.With: scopes.with_,
    ast.Return: _return,
    ast.Break: _jump,
    ast.Continue: _jump,
    ast.Pass: _nothing,
}
_REFUSED: dict[type, tuple[str, str]] = {
    ast.Delete: ("'del'", "leave it out; values end by themselves"),
    ast.Try: ("'try'", "there are no exceptions in a kernel"),
    ast.Raise: ("'raise'", "use pl.static_assert for what is known at compile time"),
    ast.Assert: ("'assert'", "use pl.static_assert for what is known at compile time"),
    ast.FunctionDef: ("a nested function", "define it outside, under @pl.jit.inline"),
    ast.AsyncFunctionDef: ("a nested function", "define it outside, under @pl.jit.inline"),
    ast.ClassDef: ("a class", "define it outside the kernel"),
    ast.Import: ("'import'", "import at the top of the module"),
    ast.ImportFrom: ("'import'", "import at the top of the module"),
    ast.Global: ("'global'", "module constants can be read without it"),
    ast.Nonlocal: ("'nonlocal'", "captured constants can be read without it"),
    ast.Match: ("'match'", "write if and elif"),
    ast.AsyncFor: ("'async for'", "use pl.range"),
    ast.AsyncWith: ("'async with'", "use with"),
}
