"""Rules about names: each is bound once, before its uses and where they see it."""

from __future__ import annotations

from collections.abc import Iterator

from pypto.ir import nodes as n
from pypto.ir.rules.rule import Finding, Property, Rule, statements
from pypto.ir.visit import bodies, definitions, type_exprs, used_vars


def single_assignment(function: n.Function, program: n.Program) -> Iterator[Finding]:
    """Every variable is bound exactly once."""
    bound = set(function.params)
    if len(bound) != len(function.params):
        yield Finding("a parameter is listed twice", function.span)
    for stmt in statements(function):
        for var in dict.fromkeys(definitions(stmt)):
            if var in bound:
                yield Finding(f"'{var.name}' is bound again", stmt.span, "convert_to_ssa makes one variable each time")
            bound.add(var)


def no_shadowing(function: n.Function, program: n.Program) -> Iterator[Finding]:
    """A statement binds each of its variables once: loop variable, carried values and results differ."""
    for stmt in statements(function):
        bound = definitions(stmt)
        for index, var in enumerate(bound):
            if var in bound[:index]:
                yield Finding(f"'{var.name}' is bound twice by one statement", stmt.span)


def use_inside_scope(function: n.Function, program: n.Program) -> Iterator[Finding]:
    """Variables are used after their binding and inside the body that binds them."""
    visible = _given(function)
    bound = {var for stmt in statements(function) for var in definitions(stmt)}
    yield from _scope(function.body, visible, bound)


def _given(function: n.Function) -> set[n.Var]:
    """The parameters and the dimension variables in their types."""
    return {*function.params, *used_vars(expr for param in function.params for expr in type_exprs(param.type))}


def _scope(body: n.Body, visible: set[n.Var], bound: set[n.Var]) -> Iterator[Finding]:
    for stmt in body:
        for var in _reads(stmt):
            if var not in visible:
                where = "outside the body that binds it, or before" if var in bound else "but nothing binds it"
                yield Finding(f"'{var.name}' is used {where}", stmt.span, "hand it out of the body with a yield")
        inner = set(visible)
        if isinstance(stmt, n.For | n.While):
            inner.update(stmt.iter_args)
            if isinstance(stmt, n.For):
                inner.add(stmt.var)
            elif isinstance(stmt, n.While):
                for var in used_vars(stmt.condition):
                    if var not in inner:
                        yield Finding(f"'{var.name}' is used in a condition that does not see it", stmt.span)
        for nested in bodies(stmt):
            yield from _scope(nested, visible if isinstance(stmt, n.Scope) else set(inner), bound)
        visible.update(definitions(stmt) if not isinstance(stmt, n.For | n.While) else stmt.results)


def _reads(stmt: n.Stmt) -> tuple[n.Var, ...]:
    """What ``stmt`` itself reads when it begins, the types of what it binds included."""
    exprs: list[n.Expr] = []
    if isinstance(stmt, n.Assign | n.Eval):
        exprs = [stmt.value]
    elif isinstance(stmt, n.For | n.While):
        exprs = [arg.init for arg in stmt.iter_args]
        if isinstance(stmt, n.For):
            exprs += [stmt.start, stmt.stop, stmt.step]
    elif isinstance(stmt, n.If):
        exprs = [stmt.condition]
    elif isinstance(stmt, n.Yield | n.Return):
        exprs = list(stmt.values)
    if isinstance(stmt, n.Assign):
        exprs += type_exprs(stmt.var.type)
    return used_vars(exprs)


def use_after_binding(function: n.Function, program: n.Program) -> Iterator[Finding]:
    """Variables are bound in the text before they are used; dimension variables of the parameters are bound."""
    visible = _given(function)
    stack: list[n.Stmt] = list(reversed(function.body))
    while stack:
        stmt = stack.pop()
        for var in _reads(stmt):
            if var not in visible:
                yield Finding(f"'{var.name}' is used before anything binds it", stmt.span)
        visible.update(definitions(stmt))
        if isinstance(stmt, n.While):
            for var in used_vars(stmt.condition):
                if var not in visible:
                    yield Finding(f"'{var.name}' is used before anything binds it", stmt.span)
        for nested in reversed(bodies(stmt)):
            stack.extend(reversed(nested))


RULES = (
    Rule(1, Property.SSAForm, single_assignment),
    Rule(2, Property.SSAForm, no_shadowing),
    Rule(6, Property.SSAForm, use_inside_scope),
    Rule(6, Property.UseAfterDef, use_after_binding),
)
