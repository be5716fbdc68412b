"""Every argument of a task launch gets the direction by which the runtime orders tasks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from pypto.ir import nodes as n
from pypto.ir.roots import buffer_roots
from pypto.ir.types import TensorType
from pypto.ir.visit import Rewriter, Rewritten
from pypto.ops.enums import ArgDirection, ForKind, FunctionType, ParamDirection
from pypto.passes.context import PassContext


@dataclass(frozen=True)
class DeriveCallDirections:
    """Afterwards each FunctionCall carries ``arg_directions``; directions that are there already stay."""

    name: str = "DeriveCallDirections"

    def __call__(self, program: n.Program, context: PassContext) -> n.Program:
        """``program`` with directions on the calls of its orchestrations."""
        functions = [
            _Derive(program, function).function(function) if function.kind is FunctionType.Orchestration else function
            for function in program.functions
        ]
        return replace(program, functions=tuple(functions))


class _Derive(Rewriter):
    def __init__(self, program: n.Program, function: n.Function) -> None:
        super().__init__()
        self.callees = {function.name: function for function in program.functions}
        self.roots = buffer_roots(function.body)
        pairs = zip(function.params, function.directions, strict=True)
        self.updated = {param for param, direction in pairs if direction is ParamDirection.InOut}
        self.written: set[n.Expr] = set()
        self.repeats = False

    def rewrite_for(self, stmt: n.For) -> Rewritten:
        return self._repeated(super().rewrite_for, stmt, stmt.kind is not ForKind.Parallel)

    def rewrite_while(self, stmt: n.While) -> Rewritten:
        return self._repeated(super().rewrite_while, stmt, True)

    def _repeated(self, rewrite: Callable[[Any], Rewritten], stmt: n.Stmt, repeats: bool) -> Rewritten:
        outer, self.repeats = self.repeats, self.repeats or repeats
        rewritten = rewrite(stmt)
        self.repeats = outer
        return rewritten

    def rewrite_function_call(self, call: n.FunctionCall) -> n.Expr:
        if "arg_directions" in call.attrs:
            return call
        callee = self.callees[call.callee]
        directions = tuple(
            self._direction(arg, direction) for arg, direction in zip(call.args, callee.directions, strict=True)
        )
        return replace(call, attrs={**call.attrs, "arg_directions": directions})

    def _direction(self, arg: n.Expr, direction: ParamDirection) -> ArgDirection:
        if not isinstance(arg.type, TensorType):
            return ArgDirection.Scalar
        if direction is ParamDirection.In:
            return ArgDirection.Input
        root = self.roots.get(arg, arg) if isinstance(arg, n.Var) else arg
        seen = root in self.written
        self.written.add(root)
        if direction is ParamDirection.InOut or self.repeats or seen or root in self.updated:
            return ArgDirection.InOut
        return ArgDirection.OutputExisting
