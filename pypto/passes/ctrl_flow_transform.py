"""Structured control flow: explicit carries become plain assignments, ``break`` and ``continue`` become flags."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pypto.errors import LoweringError
from pypto.ir import nodes as n
from pypto.ir.build import binary, constant, logical_not
from pypto.ir.types import ScalarType
from pypto.ir.visit import Rewriter, Rewritten
from pypto.ops.dtypes import BOOL
from pypto.passes.context import PassContext


@dataclass(frozen=True)
class CtrlFlowTransform:
    """Afterwards no Yield, Break or Continue is left; ``convert_to_ssa`` derives what loops carry."""

    name: str = "CtrlFlowTransform"

    def __call__(self, program: n.Program, context: PassContext) -> n.Program:
        """``program`` without jumps and yields, its meaning unchanged."""
        program = _PlainCarries().program(program)
        return replace(program, functions=tuple(replace(f, body=_body(f.body)) for f in program.functions))


class _PlainCarries(Rewriter):
    """Turns ``init_values`` and yields into assignments: all values are read before one is bound."""

    def _loop(self, stmt: n.For | n.While) -> tuple[n.Stmt, ...]:
        carried = [n.Var(self.type(arg.type), arg.name, span=arg.span) for arg in stmt.iter_args]
        before = [n.Assign(v, self.expr(a.init), span=a.span) for v, a in zip(carried, stmt.iter_args, strict=True)]
        self.vars.update(zip(stmt.iter_args, carried, strict=True))
        body = self._bind(self.body(stmt.body), tuple(carried))
        after = tuple(n.Assign(self.define(r), v, span=r.span) for r, v in zip(stmt.results, carried, strict=False))
        changes: dict[str, Any] = {"body": body, "iter_args": (), "results": ()}
        if isinstance(stmt, n.While):
            changes["condition"] = self.expr(stmt.condition)
        else:
            changes |= {"start": self.expr(stmt.start), "stop": self.expr(stmt.stop), "step": self.expr(stmt.step)}
        return (*before, replace(stmt, **changes), *after)

    def rewrite_for(self, stmt: n.For) -> Rewritten:
        return self._loop(stmt) if stmt.iter_args else super().rewrite_for(stmt)

    def rewrite_while(self, stmt: n.While) -> Rewritten:
        return self._loop(stmt) if stmt.iter_args else super().rewrite_while(stmt)

    def rewrite_if(self, stmt: n.If) -> Rewritten:
        if not stmt.results:
            return super().rewrite_if(stmt)
        condition = self.expr(stmt.condition)
        results = tuple(self.define(result) for result in stmt.results)
        then, orelse = (self._bind(self.body(body), results) for body in (stmt.then, stmt.orelse))
        return n.If(condition, then, orelse, span=stmt.span)

    def _bind(self, body: n.Body, targets: tuple[n.Var, ...]) -> n.Body:
        """``body`` with its final Yield replaced by assignments to ``targets``."""
        if not body or not isinstance(body[-1], n.Yield):
            return body
        last = body[-1]
        if len(targets) == 1:
            return (*body[:-1], n.Assign(targets[0], last.values[0], span=last.span))
        fresh = [
            n.Var(value.type, f"{t.name}_next", span=last.span) for t, value in zip(targets, last.values, strict=True)
        ]
        reads = [n.Assign(var, value, span=last.span) for var, value in zip(fresh, last.values, strict=True)]
        binds = [n.Assign(target, var, span=last.span) for target, var in zip(targets, fresh, strict=True)]
        return (*body[:-1], *reads, *binds)


@dataclass(frozen=True)
class _Flags:
    """The flags of the innermost loop; None outside loops."""

    broken: n.Var
    skipped: n.Var

    def running(self) -> n.Expr:
        """Whether neither flag is set."""
        return logical_not(binary(n.BinaryKind.Or, self.broken, self.skipped))


def _body(body: n.Body) -> n.Body:
    """``body`` of a function or region, with the loops in it transformed."""
    return _lower(body, None)[0]


def _lower(body: n.Body, flags: _Flags | None) -> tuple[n.Body, set[str]]:
    """``body`` without jumps, and which of the flags of the innermost loop it may set."""
    out: list[n.Stmt] = []
    jumps: set[str] = set()
    for position, stmt in enumerate(body):
        if isinstance(stmt, n.Break | n.Continue):
            if flags is None:
                raise LoweringError(
                    "a jump out of a region or outside a loop", stmt.span, "put the loop into the region"
                )
            broken = isinstance(stmt, n.Break)
            out.append(n.Assign(flags.broken if broken else flags.skipped, constant(True), span=stmt.span))
            return tuple(out), jumps | {"broken" if broken else "skipped"}
        if isinstance(stmt, n.If):
            then, first = _lower(stmt.then, flags)
            orelse, second = _lower(stmt.orelse, flags)
            out.append(replace(stmt, then=then, orelse=orelse))
            if first | second and flags is not None:
                rest, more = _lower(body[position + 1 :], flags)
                if rest:
                    out.append(n.If(flags.running(), rest, span=stmt.span))
                return tuple(out), jumps | first | second | more
        elif isinstance(stmt, n.For | n.While):
            out.extend(_loop(stmt))
        elif isinstance(stmt, n.Scope):
            out.append(replace(stmt, body=_body(stmt.body)))
        else:
            out.append(stmt)
    return tuple(out), jumps


def _loop(stmt: n.For | n.While) -> tuple[n.Stmt, ...]:
    """The loop with its jumps as flags: what follows a taken jump is skipped, later iterations do nothing."""
    flags = _Flags(n.Var(ScalarType(BOOL), "broken"), n.Var(ScalarType(BOOL), "skipped"))
    body, jumps = _lower(stmt.body, flags)
    if not jumps:
        return (replace(stmt, body=body),)
    unset = constant(False)
    body = (n.Assign(flags.skipped, unset, span=stmt.span), *body)
    before = n.Assign(flags.broken, unset, span=stmt.span)
    if "broken" not in jumps:
        return before, replace(stmt, body=body)
    if isinstance(stmt, n.While):
        condition = binary(n.BinaryKind.And, logical_not(flags.broken), stmt.condition)
        return before, replace(stmt, condition=condition, body=body)
    return before, replace(stmt, body=(n.If(logical_not(flags.broken), body, span=stmt.span),))
