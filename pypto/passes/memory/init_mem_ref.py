"""Every tile gets a piece of a buffer; views, in-place results and carried values share one, copied where needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from pypto.errors import LoweringError
from pypto.ir import nodes as n
from pypto.ir.types import MemRef, TileType
from pypto.ir.visit import Rewriter, Rewritten
from pypto.ops.enums import FunctionType
from pypto.passes.context import PassContext
from pypto.passes.memory.aliases import Aliases, Place, tile_aliases
from pypto.passes.memory.parallel_move import Move, copy, parallel_moves
from pypto.passes.memory.sink_creates import sink_creates
from pypto.passes.memory.sizes import buffer_bytes, element_bytes, extents, packed

IN_CORE = (FunctionType.InCore, FunctionType.AIC, FunctionType.AIV)


@dataclass(frozen=True)
class InitMemRef:
    """Afterwards every tile of an in-core function has a MemRef, and loops and branches hand tiles on in place.

    The variables of one carried value (initial value, carried, yielded, result) have one MemRef. Needs SSA form, flat
    calls and memory spaces.
    """

    name: str = "InitMemRef"

    def __call__(self, program: n.Program, context: PassContext) -> n.Program:
        """``program`` with buffers; LoweringError where a value has to be copied that cannot be."""
        return in_core(program, _init)


def in_core(program: n.Program, step: Callable[[n.Function], n.Function]) -> n.Program:
    """``program`` with ``step`` done to its in-core functions."""
    functions = tuple(step(function) if function.kind in IN_CORE else function for function in program.functions)
    return replace(program, functions=functions)


def _init(function: n.Function) -> n.Function:
    function = sink_creates(function)
    return _Place(function.name, tile_aliases(function)).function(function)


class _Place(Rewriter):
    """Writes places into types and emits the copies that are left."""

    def __init__(self, function: str, aliases: Aliases) -> None:
        super().__init__()
        self.name = function
        self.aliases = aliases
        self._bases: dict[n.Var, str] = {}  # by the owner of the buffer
        self._count = 0
        self._slots: list[tuple[n.Var, ...]] = []  # where the yields of the bodies around put their values

    # Types

    def define(self, var: Any) -> Any:
        if isinstance(var.type, TileType) and var not in self.vars:
            type_ = self.placed(var)
            if isinstance(var, n.IterArg):
                self.vars[var] = n.IterArg(type_, var.name, self.expr(var.init), span=var.span)
            else:
                self.vars[var] = n.Var(type_, var.name, span=var.span)
        return super().define(var)

    def placed(self, var: n.Var) -> TileType:
        """The type of ``var`` with its piece of memory."""
        type_, place = self.type(var.type), self.aliases.places[var]
        if type_.space is None:
            raise LoweringError(f"{self.name}: the tile '{var.name}' has no memory space", var.span)
        memref = MemRef(self._base(self.aliases.owner(var), type_), place.offset, _span_bytes(type_, place))
        view = {}
        if place.strides != packed(type_):
            view["stride"] = place.strides
        if place.start is not None:
            view["start_offset"] = self.expr(place.start)
        return replace(type_.with_view(**view) if view else type_, memref=memref)

    def _base(self, owner: n.Var, type_: TileType) -> str:
        if owner not in self._bases:
            self._bases[owner] = self._fresh(type_)
        return self._bases[owner]

    def _fresh(self, type_: TileType) -> str:
        assert type_.space is not None
        self._count += 1
        return f"mem_{type_.space.name.lower()}_{self._count - 1}"

    def scratch(self, type_: TileType) -> TileType:
        """``type_`` in a buffer of its own."""
        packed_type = type_.with_view(stride=None, start_offset=None)
        return replace(packed_type, memref=MemRef(self._fresh(type_), 0, buffer_bytes(type_)))

    # Statements

    def rewrite_assign(self, stmt: n.Assign) -> Rewritten:
        made = self.aliases.copied_operand.get(stmt)
        value = stmt.value
        if made is not None:
            assert isinstance(value, n.Call) and isinstance(value.args[0], n.Var)
            copy_type = self.placed(made)
            self.vars[made] = copy(self.expr(value.args[0]), copy_type, made.name, self.emit, stmt.span)
            value = n.Call(value.type, value.op, (made, *value.args[1:]), value.kwargs, span=value.span)
        var, value = self.define(stmt.var), self.expr(value)
        if isinstance(var.type, TileType) and isinstance(value, n.Call):
            value = n.Call(var.type, value.op, value.args, value.kwargs, span=value.span)
        return n.Assign(var, value, span=stmt.span)

    def rewrite_for(self, stmt: n.For) -> Rewritten:
        return self._loop(stmt, super().rewrite_for)

    def rewrite_while(self, stmt: n.While) -> Rewritten:
        return self._loop(stmt, super().rewrite_while)

    def _loop(self, stmt: Any, rewrite: Callable[[Any], Rewritten]) -> Rewritten:
        inits = self._into_slots(stmt.iter_args, tuple(arg.init for arg in stmt.iter_args), "init", stmt.span)
        for arg, init in zip(stmt.iter_args, inits, strict=True):
            if isinstance(arg.type, TileType):
                self.vars[arg] = n.IterArg(self.placed(arg), arg.name, init, span=arg.span)
        self._slots.append(stmt.iter_args)
        rewritten = rewrite(stmt)
        self._slots.pop()
        return rewritten

    def rewrite_if(self, stmt: n.If) -> Rewritten:
        self._slots.append(stmt.results)
        rewritten = super().rewrite_if(stmt)
        self._slots.pop()
        return rewritten

    def rewrite_yield(self, stmt: n.Yield) -> Rewritten:
        return n.Yield(self._into_slots(self._slots[-1], stmt.values, "next", stmt.span), span=stmt.span)

    def _into_slots(
        self, slots: tuple[n.Var, ...], values: tuple[n.Expr, ...], suffix: str, span: n.Span
    ) -> tuple[n.Expr, ...]:
        """``values`` where the variables ``slots`` are kept; what lies elsewhere is copied, all of it at once."""
        handed: list[n.Expr] = []
        moves: dict[int, Move] = {}
        for slot, value in zip(slots, values, strict=False):
            if not self.aliases.in_slot(value, slot):
                moves[len(handed)] = Move(self.expr(value), self.placed(slot), f"{slot.name}_{suffix}")
            handed.append(self.expr(value))
        parallel_moves(list(moves.values()), self.scratch, self.emit, span)
        for index, move in moves.items():
            assert move.made is not None
            handed[index] = move.made
        return tuple(handed)


def _span_bytes(type_: TileType, place: Place) -> int:
    """Bytes from the first to the last cell; whole blocks for what fills its buffer."""
    if place.strides == packed(type_):
        return buffer_bytes(type_)
    rows, cols = extents(type_)
    return element_bytes(type_, (rows - 1) * place.strides[0] + (cols - 1) * place.strides[1] + 1)
