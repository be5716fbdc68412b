"""How many bytes a tile takes and where its cells lie."""

from __future__ import annotations

from math import prod
from typing import Any

from pypto.ir.types import TileType
from pypto.ops.enums import MemorySpace

FRACTAL_ROWS = 16  # the cube core reads its buffers in blocks of 16 rows by 32 bytes
FRACTAL_BYTES = 32
_BLOCKED = {MemorySpace.Mat, MemorySpace.Left, MemorySpace.Right, MemorySpace.Acc}


def extents(tile: TileType) -> tuple[int, int]:
    """Rows and columns of a tile; leading dimensions count as rows."""
    shape: Any = tile.shape
    return prod(shape[:-1]), shape[-1]


def packed(tile: TileType) -> tuple[int, int]:
    """Row and column stride, in elements, of a tile that fills its buffer without gaps."""
    return extents(tile)[1], 1


def strides(tile: TileType) -> tuple[int, int]:
    """Row and column stride of a tile, in elements."""
    stride: Any = None if tile.view is None else tile.view.stride
    return packed(tile) if stride is None else stride


def element_bytes(tile: TileType, elements: int) -> int:
    """Bytes of that many elements; 4-bit elements are packed two per byte."""
    return (elements * 4 + 7) // 8 if tile.dtype.bits == 4 else elements * tile.dtype.size


def buffer_bytes(tile: TileType) -> int:
    """Bytes that a buffer for the tile takes; in the blocked spaces of the cube core whole blocks."""
    rows, cols = extents(tile)
    if tile.space not in _BLOCKED:
        return element_bytes(tile, rows * cols)
    return _up(rows, FRACTAL_ROWS) * _up(element_bytes(tile, cols), FRACTAL_BYTES)


def _up(value: int, step: int) -> int:
    return -(-value // step) * step
