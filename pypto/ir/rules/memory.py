"""Rules about on-chip memory: spaces, buffers, addresses."""

from __future__ import annotations

from collections.abc import Iterator

from pypto.ir import nodes as n
from pypto.ir.rules.rule import Finding, Property, Rule, last, statements
from pypto.ir.types import MemRef, TileType
from pypto.ir.visit import bodies, definitions
from pypto.ops.enums import FunctionType

_IN_CORE = (FunctionType.InCore, FunctionType.AIC, FunctionType.AIV)


def tiles_have_spaces(function: n.Function, program: n.Program) -> Iterator[Finding]:
    """Every tile variable has a memory space."""
    for var, type_, span in _tiles(function):
        if type_.space is None:
            yield Finding(f"the tile '{var.name}' has no memory space", span)


def tiles_have_memory(function: n.Function, program: n.Program) -> Iterator[Finding]:
    """Every tile variable has a piece of a buffer."""
    for var, type_, span in _tiles(function):
        if type_.memref is None:
            yield Finding(f"the tile '{var.name}' has no buffer", span)


def tiles_are_handed_on_in_place(function: n.Function, program: n.Program) -> Iterator[Finding]:
    """What a loop carries or a branch hands on lies where its successor lies."""
    for stmt in statements(function):
        pairs: list[tuple[n.Var, n.Expr]] = []
        if isinstance(stmt, n.For | n.While):
            pairs += [(arg, arg.init) for arg in stmt.iter_args]
            pairs += zip(stmt.results, stmt.iter_args, strict=False)
        if isinstance(stmt, n.For | n.While | n.If):
            for body in bodies(stmt):
                end = last(body)
                if isinstance(end, n.Yield):
                    pairs += zip(stmt.results, end.values, strict=False)
        for slot, value in pairs:
            if _memory(slot) != _memory(value):
                yield Finding(f"'{slot.name}' lies elsewhere than the value that it takes over", stmt.span)


def tiles_have_addresses(function: n.Function, program: n.Program) -> Iterator[Finding]:
    """Every tile variable has an address."""
    for var, type_, span in _tiles(function):
        if type_.memref is None or type_.memref.address is None:
            yield Finding(f"the tile '{var.name}' has no address", span)


def _tiles(function: n.Function) -> Iterator[tuple[n.Var, TileType, n.Span]]:
    if function.kind in _IN_CORE:
        for stmt in statements(function):
            for var in definitions(stmt):
                if isinstance(var.type, TileType):
                    yield var, var.type, stmt.span


def _memory(expr: n.Expr) -> MemRef | None:
    return expr.type.memref if isinstance(expr.type, TileType) else None


RULES = (
    Rule(203, Property.TileMemoryInferred, tiles_have_spaces),
    Rule(204, Property.HasMemRefs, tiles_have_memory),
    Rule(205, Property.HasMemRefs, tiles_are_handed_on_in_place),
    Rule(206, Property.AllocatedMemoryAddr, tiles_have_addresses),
)
