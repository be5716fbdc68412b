"""Loops marked ``pl.unroll`` become copies of their body."""

from __future__ import annotations

from dataclasses import dataclass

from pypto.errors import LoweringError
from pypto.ir import nodes as n
from pypto.ir.build import constant
from pypto.ir.visit import Rewriter, Rewritten
from pypto.ops.enums import ForKind
from pypto.passes.context import PassContext


@dataclass(frozen=True)
class UnrollLoops:
    """Afterwards no loop of kind Unroll is left. Runs before SSA, so a name keeps its variable in every copy."""

    name: str = "UnrollLoops"

    def __call__(self, program: n.Program, context: PassContext) -> n.Program:
        """``program`` with its unroll loops expanded; LoweringError for bounds that are no constants."""
        return _Unroll().program(program)


class _Unroll(Rewriter):
    def rewrite_for(self, stmt: n.For) -> Rewritten:
        if stmt.kind is not ForKind.Unroll:
            return super().rewrite_for(stmt)
        bounds = [self.expr(bound) for bound in (stmt.start, stmt.stop, stmt.step)]
        values = [int(bound.value) for bound in bounds if isinstance(bound, n.Const)]
        if len(values) < 3 or values[2] == 0:
            raise LoweringError("pl.unroll: bounds must be constants and the step not zero", stmt.span, "use pl.range")
        out: list[n.Stmt] = []
        outer = dict(self.vars)
        for value in range(*values):
            self.vars = {**outer, stmt.var: constant(value, span=stmt.span)}
            out.extend(self.body(stmt.body))
        self.vars = outer
        return tuple(out)
