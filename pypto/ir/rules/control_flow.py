"""Rules about statements: what bodies end with, and what may stand where."""

from __future__ import annotations

from collections.abc import Iterator

from pypto.ir import nodes as n
from pypto.ir.print import as_python
from pypto.ir.rules.rule import Finding, Property, Rule, last, statements
from pypto.ir.visit import bodies, walk


def yield_present(function: n.Function, program: n.Program) -> Iterator[Finding]:
    """Every body of a statement with results ends with a yield."""
    for stmt in statements(function):
        if isinstance(stmt, n.For | n.While | n.If) and stmt.results:
            for body in bodies(stmt):
                if not isinstance(last(body), n.Yield):
                    yield Finding("a body that has to hand on values does not end with a yield", stmt.span)


def carried_count(function: n.Function, program: n.Program) -> Iterator[Finding]:
    """A loop has one result per carried value."""
    for stmt in statements(function):
        if isinstance(stmt, n.For | n.While) and len(stmt.iter_args) != len(stmt.results):
            carried, results = len(stmt.iter_args), len(stmt.results)
            yield Finding(f"a loop carries {carried} values and has {results} results", stmt.span)


def yield_count(function: n.Function, program: n.Program) -> Iterator[Finding]:
    """A yield hands on as many values as its statement has results."""
    for stmt in statements(function):
        if isinstance(stmt, n.For | n.While | n.If):
            for body in bodies(stmt):
                end = last(body)
                if isinstance(end, n.Yield) and len(end.values) != len(stmt.results):
                    given, wanted = len(end.values), len(stmt.results)
                    yield Finding(f"a yield hands on {given} values, its statement has {wanted} results", end.span)


def yield_last(function: n.Function, program: n.Program) -> Iterator[Finding]:
    """A yield is the last statement of a branch or loop body."""
    yield from _yields(function.body, allowed=False)


def _yields(body: n.Body, allowed: bool) -> Iterator[Finding]:
    for index, stmt in enumerate(body):
        if isinstance(stmt, n.Yield):
            if not allowed:
                yield Finding("a yield stands outside a branch or loop body", stmt.span)
            elif index != len(body) - 1:
                yield Finding("a yield is followed by other statements", stmt.span, "move it to the end of its body")
        for nested in bodies(stmt):
            yield from _yields(nested, allowed=not isinstance(stmt, n.Scope))


def no_jumps(function: n.Function, program: n.Program) -> Iterator[Finding]:
    """No break and continue are left, and a return stands only at the end."""
    for stmt in statements(function):
        if isinstance(stmt, n.Break | n.Continue):
            yield Finding(f"a {type(stmt).__name__.lower()} is left", stmt.span)
        elif isinstance(stmt, n.Return) and stmt is not last(function.body):
            yield Finding("a return stands before the end of the function", stmt.span)


def no_nested_calls(function: n.Function, program: n.Program) -> Iterator[Finding]:
    """A call stands alone on the right of an assignment, or as a statement."""
    for stmt in statements(function):
        top = stmt.value if isinstance(stmt, n.Assign | n.Eval) else None
        exprs = [node for node in _own_exprs(stmt) if node is not top]
        for node in exprs:
            if isinstance(node, n.Call | n.FunctionCall):
                yield Finding(f"{as_python(node)} is part of another expression", node.span)


def _own_exprs(stmt: n.Stmt) -> Iterator[n.Node]:
    """The expressions of ``stmt``, those of nested statements not included."""
    if isinstance(stmt, n.Assign | n.Eval):
        yield from walk(stmt.value)
    elif isinstance(stmt, n.For):
        yield from walk((stmt.start, stmt.stop, stmt.step, *[arg.init for arg in stmt.iter_args]))
    elif isinstance(stmt, n.While):
        yield from walk((stmt.condition, *[arg.init for arg in stmt.iter_args]))
    elif isinstance(stmt, n.If):
        yield from walk(stmt.condition)
    elif isinstance(stmt, n.Yield | n.Return):
        yield from walk(stmt.values)


RULES = (
    Rule(3, Property.SSAForm, yield_present),
    Rule(4, Property.SSAForm, carried_count),
    Rule(5, Property.SSAForm, yield_count),
    Rule(7, Property.SSAForm, yield_last),
    Rule(201, Property.StructuredCtrlFlow, no_jumps),
    Rule(202, Property.NoNestedCalls, no_nested_calls),
)
