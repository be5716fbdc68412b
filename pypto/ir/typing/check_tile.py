"""The one rule about the extent of a vector tile that both backends share."""

from __future__ import annotations

from pypto.errors import OpValueError
from pypto.ir.nodes import NO_SPAN, Span
from pypto.ir.types import TileType
from pypto.ops.enums import MemorySpace

BLOCK = 32  # bytes that the vector core addresses at once


def check_tile(tile: TileType, who: str = "tile", span: Span = NO_SPAN) -> TileType:
    """``tile`` itself; OpValueError when a row of it, or the column of an [N, 1], is no multiple of 32 bytes.

    Only tiles in Vec, or in no space yet, have this rule. ``who`` begins the message.
    """
    if tile.space not in (None, MemorySpace.Vec) or not tile.shape:
        return tile
    column = tile.rank >= 2 and tile.shape[-1] == 1
    extent = tile.shape[-2] if column else tile.shape[-1]
    assert isinstance(extent, int), "tiles have constant shapes"
    if extent * tile.dtype.size % BLOCK == 0:
        return tile
    step = BLOCK // tile.dtype.size
    line = "the column" if column else "a row"
    raise OpValueError(
        f"{who}: {line} of a tile {list(tile.shape)} of {tile.dtype.name} is {extent * tile.dtype.size} bytes, "
        f"expected a multiple of {BLOCK}",
        span,
        f"make the extent a multiple of {step}, here {-(-extent // step) * step}, and narrow it with valid_shape",
    )
