"""Calls that are no task launch are replaced by the statements of the callee, under names of their own.

These are the calls of Inline functions anywhere, of Opaque functions and orchestrations from an orchestration, and of
in-core functions from in-core code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeGuard

from pypto.errors import ParserError
from pypto.ir import nodes as n
from pypto.ir.types import TensorType, TupleType
from pypto.ir.visit import Rewriter, Rewritten, defined_vars, walk
from pypto.ops.enums import FunctionType, ParamDirection
from pypto.passes.context import PassContext

IN_CORE = (FunctionType.InCore, FunctionType.AIC, FunctionType.AIV)
_HELPERS = (FunctionType.Inline,)
_WRITES = ("assemble", "store", "write")


@dataclass(frozen=True)
class InlineFunctions:
    """Afterwards an orchestration calls in-core functions only, and in-core code calls none.

    Needs calls that stand alone in their statement.
    """

    name: str = "InlineFunctions"

    def __call__(self, program: n.Program, context: PassContext) -> n.Program:
        """``program`` with its helpers expanded; ParserError with the chain when one reaches itself."""
        calls = [node for node in walk(program) if isinstance(node, n.FunctionCall)]
        if not calls:
            return program
        called = {call.callee for call in calls}
        functions = {function.name: function for function in program.functions}
        kept = [f for f in program.functions if f.kind in IN_CORE or (f.kind not in _HELPERS and f.name not in called)]
        expanded = [_Inline(functions, (f.name,), f.kind in IN_CORE).function(f) for f in kept]
        launched = {node.callee for f in expanded for node in walk(f) if isinstance(node, n.FunctionCall)}
        used = [f for f in expanded if f.kind not in IN_CORE or f.name in launched or f.name not in called]
        return replace(program, functions=tuple(used))


class _Inline(Rewriter):
    def __init__(self, functions: Mapping[str, n.Function], chain: tuple[str, ...], in_core: bool) -> None:
        super().__init__()
        self.functions = functions
        self.chain = chain
        self.in_core = in_core

    def rewrite_scope(self, stmt: n.Scope) -> Rewritten:
        outer, self.in_core = self.in_core, self.in_core or isinstance(stmt, n.InCoreScope)
        rewritten = super().rewrite_scope(stmt)
        self.in_core = outer
        return rewritten

    def rewrite_assign(self, stmt: n.Assign) -> Rewritten:
        if not self._is_helper(stmt.value):
            return super().rewrite_assign(stmt)
        values = self._expand(stmt.value)
        if not values:
            raise ParserError(f"'{stmt.value.callee}' returns nothing, so its call has no value", stmt.span)
        value = values[0]
        if isinstance(stmt.value.type, TupleType):
            value = n.MakeTuple(stmt.value.type, values, span=stmt.span)
        return n.Assign(self.define(stmt.var), value, span=stmt.span)

    def rewrite_eval(self, stmt: n.Eval) -> Rewritten:
        if not self._is_helper(stmt.value):
            return super().rewrite_eval(stmt)
        self._expand(stmt.value)
        return ()

    def _is_helper(self, value: n.Expr) -> TypeGuard[n.FunctionCall]:
        if not isinstance(value, n.FunctionCall) or value.callee not in self.functions:
            return False
        callee = self.functions[value.callee]
        return "external_source" not in callee.attrs and (self.in_core or callee.kind not in IN_CORE)

    def _expand(self, call: n.FunctionCall) -> tuple[n.Expr, ...]:
        """Emit the body of the callee and give the values it returns."""
        helper = self.functions[call.callee]
        if helper.name in self.chain:
            cycle = " -> ".join((*self.chain[self.chain.index(helper.name) :], helper.name))
            raise ParserError(f"function '{helper.name}' reaches itself: {cycle}", call.span, "use a loop")
        inner = _Inline(self.functions, (*self.chain, helper.name), self.in_core)
        inner._out = self._out
        defined, written_only = defined_vars(helper.body), _only_written(helper.body)
        for param, direction, arg in zip(helper.params, helper.directions, call.args, strict=True):
            value = self.expr(arg)
            rebinds = param in defined
            shares = direction is not ParamDirection.In or param in written_only
            if rebinds and not (shares and isinstance(value, n.Var)):
                local = n.Var(value.type, param.name, span=param.span)
                self.emit(n.Assign(local, value, span=call.span))
                value = local
            inner.vars[param] = value
        for var in defined:
            if var not in inner.vars:
                inner.vars[var] = _renamed(var, inner)
        for stmt in helper.body:
            if isinstance(stmt, n.Return):
                return tuple(inner.expr(value) for value in stmt.values)
            rewritten = inner.stmt(stmt)
            self._out.extend(rewritten if isinstance(rewritten, tuple) else (rewritten,))
        return ()


def _renamed(var: n.Var, inner: Rewriter) -> n.Var:
    type_ = inner.type(var.type)
    if isinstance(var, n.IterArg):
        return n.IterArg(type_, var.name, inner.expr(var.init), span=var.span)
    return n.Var(type_, var.name, span=var.span)


def _only_written(body: n.Body) -> set[n.Var]:
    """Tensors that ``body`` rebinds only by writing into them, so that they stay the buffer of the caller."""
    written: set[n.Var] = set()
    other: set[n.Var] = set()
    for node in walk(body):
        if isinstance(node, n.Assign) and isinstance(node.var.type, TensorType):
            value = node.value
            writes = isinstance(value, n.Call) and value.op.name in _WRITES and node.var in value.args
            (written if writes else other).add(node.var)
    return written - other
