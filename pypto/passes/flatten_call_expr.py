"""No call inside another expression: each nested call gets a variable of its own, in the order of evaluation."""

from __future__ import annotations

from dataclasses import dataclass

from pypto.ir import nodes as n
from pypto.ir.build import constant, logical_not
from pypto.ir.visit import Rewriter, Rewritten, walk
from pypto.passes.context import PassContext


@dataclass(frozen=True)
class FlattenCallExpr:
    """Afterwards a call is the whole value of an assignment or of an expression statement."""

    name: str = "FlattenCallExpr"

    def __call__(self, program: n.Program, context: PassContext) -> n.Program:
        """``program`` with nested calls in front of the statement they stood in."""
        return _Flatten().program(program)


class _Flatten(Rewriter):
    def _root(self, value: n.Expr) -> n.Expr:
        """``value`` with the calls inside it hoisted, itself left in place."""
        if isinstance(value, n.Call):
            return super().rewrite_call(value)
        if isinstance(value, n.FunctionCall):
            return super().rewrite_function_call(value)
        return self.expr(value)

    def _hoist(self, call: n.Expr, name: str) -> n.Expr:
        var = n.Var(call.type, name, span=call.span)
        self.emit(n.Assign(var, call, span=call.span))
        return var

    def rewrite_call(self, call: n.Call) -> n.Expr:
        return self._hoist(super().rewrite_call(call), call.op.name)

    def rewrite_function_call(self, call: n.FunctionCall) -> n.Expr:
        return self._hoist(super().rewrite_function_call(call), call.callee)

    def rewrite_assign(self, stmt: n.Assign) -> Rewritten:
        value = self._root(stmt.value)
        return stmt if value is stmt.value else n.Assign(stmt.var, value, span=stmt.span)

    def rewrite_eval(self, stmt: n.Eval) -> Rewritten:
        value = self._root(stmt.value)
        return stmt if value is stmt.value else n.Eval(value, span=stmt.span)

    def rewrite_while(self, stmt: n.While) -> Rewritten:
        """A condition that calls something is evaluated in the body, which it may leave."""
        if not any(isinstance(node, n.Call | n.FunctionCall) for node in walk(stmt.condition)):
            return super().rewrite_while(stmt)
        leave = n.If(logical_not(stmt.condition, stmt.condition.span), (n.Break(span=stmt.span),), span=stmt.span)
        always = constant(True, span=stmt.condition.span)
        return super().rewrite_while(n.While(always, (leave, *stmt.body), stmt.iter_args, stmt.results, span=stmt.span))
