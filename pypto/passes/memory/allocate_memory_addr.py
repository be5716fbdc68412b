"""Buffers get byte addresses, within what a core has of each memory space."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import PurePath

from pypto.errors import CapacityError, LoweringError
from pypto.ir import nodes as n
from pypto.ir.types import MemRef, TileType
from pypto.ops.enums import MemorySpace
from pypto.passes.context import PassContext
from pypto.passes.memory.buffers import Buffer, buffers
from pypto.passes.memory.init_mem_ref import in_core
from pypto.passes.memory.planner import PLANNERS
from pypto.passes.memory.retype import Retype
from pypto.platforms import Backend, MemoryPlanner

LISTED = 12  # buffers that an error names


@dataclass(frozen=True)
class AllocateMemoryAddr:
    """Afterwards every MemRef has an address, and each function knows the bytes it uses: attribute ``memory_used``."""

    name: str = "AllocateMemoryAddr"

    def __call__(self, program: n.Program, context: PassContext) -> n.Program:
        """``program`` with addresses; CapacityError when a space is too small for the tiles that are live together."""
        if context.planner is MemoryPlanner.PTOAS:  # the assembler allocates
            return program
        return in_core(program, lambda function: _allocate(function, context))


def _allocate(function: n.Function, context: PassContext) -> n.Function:
    planner = PLANNERS.get(context.planner)
    if planner is None:
        raise LoweringError(
            f"{function.name}: the memory planner {context.planner.value} is not available",
            function.span,
            f"use {', '.join(planner.value for planner in PLANNERS)}",
        )
    addresses: dict[str, int] = {}
    used: dict[str, int] = {}
    found = buffers(function)
    for space in sorted({buffer.space for buffer in found}):
        here = [buffer for buffer in found if buffer.space is space]
        capacity, alignment = _limits(function, context.backend, space, here[0])
        placed = planner.place(here, capacity, alignment)
        need = max(placed[buffer.base] + buffer.size for buffer in here)
        if need > capacity:
            raise _too_large(function, context.backend, space, need, capacity, here)
        addresses |= placed
        used[space.name] = need

    def with_address(memref: MemRef) -> MemRef:
        return replace(memref, address=addresses[memref.base] + memref.offset)

    placed_function = Retype(with_address).function(function)
    return replace(placed_function, attrs={**function.attrs, "memory_used": used})


def _limits(function: n.Function, backend: Backend, space: MemorySpace, first: Buffer) -> tuple[int, int]:
    if space not in backend.capacity:
        tile = next(iter(first.tiles))
        raise LoweringError(
            f"{function.name}: the tile '{tile.name}' is in {space.name}, which a core of {backend.type.value} lacks",
            tile.span,
            f"use {', '.join(space.name for space in backend.capacity)}",
        )
    return backend.capacity[space], backend.alignment.get(space, 32)


def _too_large(
    function: n.Function, backend: Backend, space: MemorySpace, need: int, limit: int, found: list[Buffer]
) -> CapacityError:
    """The error with the buffers in use at the fullest moment, the largest first."""
    peak = max((buffer.start for buffer in found), key=lambda point: sum(_in_use(found, point)))
    live = sorted((buffer for buffer in found if buffer.live >> peak & 1), key=lambda buffer: -buffer.size)
    lines = [f"\n  {buffer.size:>9,} bytes: {_tiles(buffer, peak)}" for buffer in live[:LISTED]]
    if len(live) > LISTED:
        lines.append(f"\n  and {len(live) - LISTED} more")
    total = sum(buffer.size for buffer in live)
    return CapacityError(
        f"{function.name}: the tiles in {space.name} need {need:,} bytes, a core of {backend.type.value} "
        f"has {limit:,}; in use together, {total:,} bytes:{''.join(lines)}",
        _tile_at(live[0], peak).span,
        "make the tiles smaller and loop over them, or end the use of one before the next is made",
    )


def _in_use(found: list[Buffer], point: int) -> Iterable[int]:
    return (buffer.size for buffer in found if buffer.live >> point & 1)


def _tile_at(buffer: Buffer, point: int) -> n.Var:
    return next(tile for tile, live in buffer.tiles.items() if live >> point & 1)


def _tiles(buffer: Buffer, peak: int) -> str:
    """The tile that is in a buffer at a point, with shape, dtype and place, and how many others share the buffer."""
    tile = _tile_at(buffer, peak)
    assert isinstance(tile.type, TileType)
    where = f" ({PurePath(tile.span.file).name}:{tile.span.line})" if tile.span.line else ""
    others = len(buffer.tiles) - 1
    more = f", sharing with {others} other{'s' * (others > 1)}" if others else ""
    return f"{tile.name} {list(tile.type.shape)} {tile.type.dtype.name}{where}{more}"
