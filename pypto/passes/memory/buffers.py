"""The buffers of a function: what the planners place."""

from __future__ import annotations

from dataclasses import dataclass, field

from pypto.errors import LoweringError
from pypto.ir import nodes as n
from pypto.ir.types import TileType
from pypto.ops.enums import MemorySpace
from pypto.passes.memory.lifetimes import first_point, lifetimes


@dataclass
class Buffer:
    """Bytes in one memory space, the points at which they are in use, and the tiles in them, each with its points."""

    base: str
    space: MemorySpace
    size: int = 0
    live: int = 0
    tiles: dict[n.Var, int] = field(default_factory=dict)

    @property
    def start(self) -> int:
        """The first point at which the buffer is in use."""
        return first_point(self.live)


def buffers(function: n.Function) -> list[Buffer]:
    """The buffers of the tiles of ``function``, in the order of their first use."""
    found: dict[str, Buffer] = {}
    for var, live in lifetimes(function).live.items():
        type_ = var.type
        assert isinstance(type_, TileType)
        if type_.memref is None or type_.space is None:
            raise LoweringError(f"{function.name}: the tile '{var.name}' has no buffer; run InitMemRef first", var.span)
        buffer = found.setdefault(type_.memref.base, Buffer(type_.memref.base, type_.space))
        buffer.size = max(buffer.size, type_.memref.offset + type_.memref.size)
        buffer.live |= live
        buffer.tiles[var] = live
    return sorted(found.values(), key=lambda buffer: buffer.start)
