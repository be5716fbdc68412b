"""Every call of an Inline function is replaced by the statements of that function, under names of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pypto.errors import ParserError
from pypto.ir import nodes as n
from pypto.ir.types import TensorType, TupleType
from pypto.ir.visit import Rewriter, Rewritten, defined_vars, walk
from pypto.ops.enums import FunctionType, ParamDirection
from pypto.passes.context import PassContext

_WRITES = ("assemble", "store", "write")


@dataclass(frozen=True)
class InlineFunctions:
    """Afterwards no Inline function and no call of one is left. Needs calls that stand alone in their statement."""

    name: str = "InlineFunctions"

    def __call__(self, program: n.Program, context: PassContext) -> n.Program:
        """``program`` with its Inline functions expanded; ParserError with the chain when one reaches itself."""
        helpers = {function.name: function for function in program.functions if function.kind is FunctionType.Inline}
        if not helpers:
            return program
        kept = [function for function in program.functions if function.name not in helpers]
        return replace(program, functions=tuple(_Inline(helpers, (f.name,)).function(f) for f in kept))


class _Inline(Rewriter):
    def __init__(self, helpers: Mapping[str, n.Function], chain: tuple[str, ...]) -> None:
        super().__init__()
        self.helpers = helpers
        self.chain = chain

    def rewrite_assign(self, stmt: n.Assign) -> Rewritten:
        if not self._is_helper(stmt.value):
            return super().rewrite_assign(stmt)
        values = self._expand(stmt.value)
        if not values:
            raise ParserError(f"'{stmt.value.callee}' returns nothing, so its call has no value", stmt.span)
        value = values[0]
        if isinstance(stmt.value.type, TupleType):
            value = n.MakeTuple(stmt.value.type, values, span=stmt.span)
        return n.Assign(stmt.var, value, span=stmt.span)

    def rewrite_eval(self, stmt: n.Eval) -> Rewritten:
        if not self._is_helper(stmt.value):
            return super().rewrite_eval(stmt)
        self._expand(stmt.value)
        return ()

    def _is_helper(self, value: n.Expr) -> bool:
        return isinstance(value, n.FunctionCall) and value.callee in self.helpers

    def _expand(self, call: n.Expr) -> tuple[n.Expr, ...]:
        """Emit the body of the callee and give the values it returns."""
        assert isinstance(call, n.FunctionCall)
        helper = self.helpers[call.callee]
        if helper.name in self.chain:
            cycle = " -> ".join((*self.chain[self.chain.index(helper.name) :], helper.name))
            raise ParserError(f"inline function '{helper.name}' reaches itself: {cycle}", call.span)
        inner = _Inline(self.helpers, (*self.chain, helper.name))
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
