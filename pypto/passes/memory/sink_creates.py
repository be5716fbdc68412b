"""An uninitialised tile with several users becomes several tiles, each made right before its user.

Nothing is lost, since the content is undefined, and each can live in the buffer of what it becomes: an accumulator
made outside an outer loop and started anew by an inner one needs no second buffer, and no copy, which the cube core
cannot make.
"""

from __future__ import annotations

from collections.abc import Iterator

from pypto.ir import nodes as n
from pypto.ir.types import TileType
from pypto.ir.visit import Rewriter, Rewritten, bodies, walk
from pypto.ops.row import Trait


def sink_creates(function: n.Function) -> n.Function:
    """``function`` with uninitialised tiles made where they are used, where each user takes the tile over."""
    shared = {var: stmt for var, stmt in _creates(function.body, 0) if _is_sinkable(var, function)}
    return _Sink(shared).function(function) if shared else function


def _creates(body: n.Body, depth: int) -> Iterator[tuple[n.Var, n.Assign]]:
    for stmt in body:
        if isinstance(stmt, n.Assign) and isinstance(stmt.value, n.Call) and stmt.value.op.name == "create_tile":
            yield stmt.var, stmt
        for nested in bodies(stmt):
            yield from _creates(nested, depth + 1)


def _is_sinkable(var: n.Var, function: n.Function) -> bool:
    """Whether every user of ``var`` takes it over: starts a loop or a branch result with it, or changes it in place."""
    return all(var not in _others(stmt) for stmt in walk(function.body) if isinstance(stmt, n.Stmt))


def _others(stmt: n.Stmt) -> set[n.Node]:
    """The variables that ``stmt`` itself reads in another way than taking them over."""
    if isinstance(stmt, n.Assign) and isinstance(stmt.value, n.Call) and Trait.IN_PLACE in stmt.value.op.traits:
        return set(stmt.value.args[1:])  # type: ignore[arg-type]
    if isinstance(stmt, n.Assign | n.Eval):
        return set(walk(stmt.value))
    return set(stmt.values) if isinstance(stmt, n.Return) else set()


class _Sink(Rewriter):
    """Makes each tile in front of the statement that takes it over."""

    def __init__(self, creates: dict[n.Var, n.Assign]) -> None:
        super().__init__()
        self.creates = creates

    def rewrite_assign(self, stmt: n.Assign) -> Rewritten:
        return () if stmt.var in self.creates else super().rewrite_assign(stmt)

    def rewrite_var(self, var: n.Var) -> n.Expr:
        stmt = self.creates.get(var)
        if stmt is None or not isinstance(var.type, TileType):
            return super().rewrite_var(var)
        made = n.Var(var.type, var.name, span=var.span)
        self.emit(n.Assign(made, stmt.value, span=stmt.span))
        return made
