"""When each tile variable of a function is live.

Time is counted in points: the statement with number k reads at point 2k and writes at point 2k + 1. A set of points is
an int used as a bit set, so "never live together" is ``a & b == 0``. Liveness follows the structure exactly: a value
that only one branch reads is dead in the other one, and a value from outside that a loop reads lives as long as the
loop.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pypto.ir import nodes as n
from pypto.ir.types import TileType
from pypto.ir.visit import walk
from pypto.ops.row import Kind, Param, Trait

_CELLS = {Kind.VALUE, Kind.VALUE_OR_SCALAR}


def points(first: int, last: int) -> int:
    """The set of points from ``first`` to ``last``."""
    return (1 << (last + 1)) - (1 << first) if last >= first else 0


def first_point(live: int) -> int:
    """The earliest point of a set that is not empty."""
    return (live & -live).bit_length() - 1


@dataclass
class Lifetimes:
    """The liveness of the tiles of one function.

    ``live`` holds the points of each tile variable, ``reads_at`` the point at which an assignment, loop or branch
    begins, ``plain`` the variables that fill their buffer from its first byte without gaps.
    """

    live: dict[n.Var, int] = field(default_factory=dict)
    reads_at: dict[n.Stmt, int] = field(default_factory=dict)
    plain: set[n.Var] = field(default_factory=set)


def lifetimes(function: n.Function) -> Lifetimes:
    """The lifetimes of the tiles of ``function``, which is in SSA form."""
    walker = _Walker()
    for param in function.params:
        walker.define(param, 0)
    walker.time = 1
    walker.body(function.body)
    return walker.found


@dataclass
class _Frame:
    """A body that is being walked: where it starts, where its statement was entered, what a loop reads from outside."""

    start: int
    entry: int
    is_loop: bool
    crossing: dict[n.Var, None] = field(default_factory=dict)


class _Walker:
    def __init__(self) -> None:
        self.found = Lifetimes()
        self.time = 0  # the number of the next statement
        self._frames: list[_Frame] = []
        self._depth: dict[n.Var, int] = {}
        self._defined: dict[n.Var, int] = {}

    def define(self, var: n.Var, point: int, plain: bool = True) -> None:
        if isinstance(var.type, TileType):
            self._depth[var] = len(self._frames)
            self._defined[var] = point
            self.found.live[var] = points(point, point)
            if plain:
                self.found.plain.add(var)

    def use(self, var: n.Expr | None, point: int) -> None:
        """``var`` is read at ``point``: it is live on every way from its definition to there."""
        if not isinstance(var, n.Var) or var not in self._depth:
            return
        live = 0
        for frame in reversed(self._frames[self._depth[var] :]):
            if frame.is_loop:
                frame.crossing[var] = None
            else:
                live |= points(frame.start, point)
            point = frame.entry
        self.found.live[var] |= live | points(self._defined[var], point)

    def body(self, body: n.Body) -> None:
        for stmt in body:
            now, self.time = 2 * self.time, self.time + 1
            if isinstance(stmt, n.Assign):
                self.assign(stmt, now)
            elif isinstance(stmt, n.For | n.While):
                self.loop(stmt, now)
            elif isinstance(stmt, n.If):
                self.branch(stmt, now)
            elif isinstance(stmt, n.Scope):
                self.body(stmt.body)
            else:
                for node in walk(stmt):
                    if isinstance(node, n.Expr):
                        self.use(node, now if isinstance(stmt, n.Yield | n.Return) else now + 1)

    def assign(self, stmt: n.Assign, now: int) -> None:
        value, var = stmt.value, stmt.var
        self.found.reads_at[stmt] = now
        if not isinstance(value, n.Call) or not isinstance(var.type, TileType):
            for node in walk(value):
                if isinstance(node, n.Expr):
                    self.use(node, now)
            self.define(var, now + 1, plain=not isinstance(value, n.Var) or value in self.found.plain)
            return
        for param, arg in zip(value.op.operands, value.args, strict=True):
            if isinstance(arg, n.Var) and isinstance(arg.type, TileType):
                self.use(arg, now if self.may_share(value, param, arg, var.type) else now + 1)
        self.define(var, now + 1, self._is_plain(value))

    def may_share(self, call: n.Call, param: Param, arg: n.Var, result: TileType) -> bool:
        """Whether the result may be written over ``arg`` when that dies here: both are visited cell by cell in step."""
        traits, type_ = call.op.traits, arg.type
        if Trait.IN_PLACE in traits or Trait.VIEW in traits:
            return arg is call.args[0] and sum(arg is other for other in call.args) == 1
        return (
            Trait.ELEMENTWISE in traits
            and Trait.NOT_IN_PLACE not in traits
            and param.kind in _CELLS
            and isinstance(type_, TileType)
            and type_.shape == result.shape
            and type_.dtype.bits == result.dtype.bits
            and arg in self.found.plain
        )

    def _is_plain(self, call: n.Call) -> bool:
        traits, source = call.op.traits, call.args[0] if call.args else None
        if Trait.VIEW in traits and call.op.name not in ("reshape", "set_validshape"):
            return False
        return not (Trait.VIEW in traits or Trait.IN_PLACE in traits) or source in self.found.plain

    def loop(self, stmt: n.For | n.While, now: int) -> None:
        self.found.reads_at[stmt] = now
        for arg in stmt.iter_args:
            self.use(arg.init, now)
        frame = _Frame(now + 1, now, is_loop=True)
        self._frames.append(frame)
        for arg in stmt.iter_args:
            self.define(arg, now + 1)
        self.body(stmt.body)
        self._frames.pop()
        end, self.time = 2 * self.time + 1, self.time + 1
        for var in frame.crossing:
            self.found.live[var] |= points(now, end)
        for result in stmt.results:
            self.define(result, end)

    def branch(self, stmt: n.If, now: int) -> None:
        self.found.reads_at[stmt] = now
        for body in (stmt.then, stmt.orelse):
            self._frames.append(_Frame(2 * self.time, now, is_loop=False))
            self.body(body)
            self._frames.pop()
        end, self.time = 2 * self.time + 1, self.time + 1
        for result in stmt.results:
            self.define(result, end)
