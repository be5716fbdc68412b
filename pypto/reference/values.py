"""What variables hold while a program is executed: arrays with a concrete type, and Python numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, TypeAlias

import torch

from pypto.errors import OpValueError
from pypto.ir.types import TensorType, TileType
from pypto.ops.dtypes import BOOL, DataType

Number: TypeAlias = "int | float | bool"
POISON = 0x7FC1  # a 16-bit word that is NaN in FP16 and BF16, and doubled in FP32


def storage(dtype: DataType) -> torch.dtype:
    """The torch dtype that holds ``dtype``; INT64 for those that torch has no arithmetic for."""
    return getattr(torch, dtype.torch) if dtype.torch else torch.int64


def wrapped(value: Any, dtype: DataType) -> Any:
    """An integer, or a tensor of INT64, reduced to the low bits of ``dtype``."""
    if dtype.bits >= 64 or dtype is BOOL:
        return value
    low = value & ((1 << dtype.bits) - 1)
    if not dtype.is_signed:
        return low
    half = 1 << (dtype.bits - 1)
    return (low ^ half) - half


def rounded(value: Number, dtype: DataType) -> Number:
    """A scalar as ``dtype`` holds it."""
    if dtype.is_float:
        return float(torch.tensor(float(value), dtype=storage(dtype)))
    return bool(value) if dtype is BOOL else int(wrapped(int(value), dtype))


def stored(cells: torch.Tensor, dtype: DataType) -> torch.Tensor:
    """``cells`` in the storage of ``dtype``: floats round to nearest even, integers wrap."""
    if not dtype.is_float:
        cells = wrapped(cells.to(torch.int64), dtype)
    return cells.to(storage(dtype))


def computable(cells: torch.Tensor, dtype: DataType) -> torch.Tensor:
    """``cells`` in a torch dtype that computes as ``dtype`` does: integers as INT64, 8-bit floats as FP32."""
    if not dtype.is_float:
        return cells.to(torch.int64)
    return cells.to(torch.float32) if dtype.bits < 16 else cells.to(storage(dtype))


def poison(shape: Sequence[int], dtype: DataType) -> torch.Tensor:
    """Undefined memory: NaN, or a pattern in integers."""
    if dtype.is_float:
        return torch.full(tuple(shape), float("nan")).to(storage(dtype))
    pattern = sum(POISON << shift for shift in range(0, max(dtype.bits, 16), 16))
    return stored(torch.full(tuple(shape), wrapped(pattern, dtype), dtype=torch.int64), dtype)


@dataclass(frozen=True, eq=False)
class Array:
    """A tensor or tile: the cells of its whole shape, and its type with every dimension known.

    ``in_memory`` says that it is global memory, or a window of it: writing changes it in place. Everything else is a
    value, and writing gives a new one.
    """

    data: torch.Tensor
    type: TensorType | TileType
    in_memory: bool = False

    @property
    def dtype(self) -> DataType:
        """The element type."""
        return self.type.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The whole shape."""
        return tuple(self.data.shape)

    @property
    def valid(self) -> tuple[int, ...]:
        """The extents of the valid region."""
        return concrete(self.type.valid_shape)

    @property
    def cells(self) -> torch.Tensor:
        """The valid cells."""
        return self.data[box((0,) * len(self.valid), self.valid)]


def concrete(shape: Sequence[Any]) -> tuple[int, ...]:
    """A shape that has no run-time dimension."""
    assert all(isinstance(dim, int) for dim in shape), shape
    return tuple(shape)


def box(offset: Sequence[int], extent: Sequence[int]) -> tuple[slice, ...]:
    """The index of a window."""
    return tuple(slice(start, start + size) for start, size in zip(offset, extent, strict=True))


def filled(cells: torch.Tensor, type_: TensorType | TileType) -> Array:
    """A value whose valid region is ``cells``; poison around it."""
    shape, dtype = concrete(type_.shape), type_.dtype
    if tuple(cells.shape) == shape:
        return Array(stored(cells, dtype), type_)
    data = poison(shape, dtype)
    data[box((0,) * cells.dim(), cells.shape)] = stored(cells, dtype)
    return Array(data, type_)


def flattened(array: Array, rank: int) -> Array:
    """``array`` with its leading dimensions folded into rows, when its rank is not ``rank`` yet."""
    if array.type.rank == rank:
        return array
    shape, valid = ((prod(dims[:-1]), dims[-1]) for dims in (array.shape, array.valid))
    fresh = array.type.fresh(shape, valid=valid)
    if isinstance(fresh, TileType) and isinstance(array.type, TileType):
        fresh = replace(fresh, space=array.type.space)
    return Array(array.data.reshape(shape), fresh)


def check_inside(who: str, offset: Sequence[int], extent: Sequence[int], limit: Sequence[int]) -> None:
    """Refuse a window that leaves ``limit``."""
    if any(start < 0 or start + size > end for start, size, end in zip(offset, extent, limit, strict=True) if size):
        raise OpValueError(
            f"{who}: a window of {list(extent)} at {list(offset)} is outside a shape {list(limit)}",
            hint="give clamp=True or a smaller valid_shape",
        )
