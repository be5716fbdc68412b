"""Several copies that happen at once, written as copies one after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pypto.ir import nodes as n
from pypto.ir.build import call
from pypto.ir.types import TileType


@dataclass
class Move:
    """Copy ``source`` into the buffer of ``target``; ``made`` is the variable that holds the copy, once it is made."""

    source: n.Var
    target: TileType
    name: str
    made: n.Var | None = None

    @property
    def reads(self) -> str:
        """The buffer that is read."""
        return _base(self.source.type)

    @property
    def writes(self) -> str:
        """The buffer that is written."""
        return _base(self.target)


def parallel_moves(
    moves: list[Move], scratch: Callable[[TileType], TileType], emit: Callable[[n.Stmt], None], span: n.Span
) -> None:
    """Emit copies so that each move reads what its source held before any of them.

    A buffer is written once nobody needs its old content; where moves go in a circle, a content that is needed goes to
    a ``scratch`` buffer first.
    """
    pending = list(moves)
    while pending:
        ready = next((move for move in pending if not any(move.writes == other.reads for other in pending)), None)
        if ready is not None:
            ready.made = copy(ready.source, ready.target, ready.name, emit, span)
            pending.remove(ready)
            continue
        blocked = next(other for other in pending if other.reads == pending[0].writes)
        aside = scratch(blocked.source.type)  # type: ignore[arg-type]
        blocked.source = copy(blocked.source, aside, f"{blocked.source.name}_old", emit, span)


def copy(source: n.Var, target: TileType, name: str, emit: Callable[[n.Stmt], None], span: n.Span) -> n.Var:
    """Emit a copy of ``source`` that becomes a variable of type ``target``; that variable."""
    assert target.space is not None
    moved = call("move", source, target.space, span=span)
    var = n.Var(target, name, span=span)
    emit(n.Assign(var, n.Call(target, moved.op, moved.args, moved.kwargs, span=span), span=span))
    return var


def _base(type_: object) -> str:
    assert isinstance(type_, TileType) and type_.memref is not None
    return type_.memref.base
