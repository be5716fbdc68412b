"""What the operations mean that make, move and reshape values rather than compute; one function per op."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import torch

from pypto.ir.types import TensorType, TileType, Type
from pypto.ops.enums import AtomicType, PadValue
from pypto.reference.values import Array, box, check_inside, computable, concrete, filled, poison, stored

Handler = Callable[..., Any]


def load(result: TileType, src: Array, offsets: Sequence[int], *_: Any, **statics: Any) -> Array:
    """A copy of the window's valid part."""
    valid = concrete(result.valid_shape)
    check_inside("load", offsets, valid, src.shape)
    return filled(src.data[box(offsets, valid)].clone(), result)


def store(
    result: TensorType,
    tile: Array,
    offsets: Sequence[int],
    dst: Array,
    shapes: Sequence[int] | None,
    atomic: AtomicType,
) -> Array:
    """The valid cells written into ``dst``, which is the result."""
    inside = torch.zeros(tile.shape, dtype=torch.bool)
    inside[box((0,) * len(tile.valid), tile.valid)] = True
    rank = len(dst.shape)
    window = tuple(shapes) if shapes is not None else ((1,) * rank + tile.shape)[-rank:]
    places = inside.reshape(window).nonzero() + torch.tensor(list(offsets))
    if len(places):
        low, high = places.amin(0), places.amax(0)
        check_inside("store", low.tolist(), (high - low + 1).tolist(), dst.shape)
    cells = stored(computable(tile.data, tile.dtype), dst.dtype).reshape(window)[inside.reshape(window)]
    _put(dst, tuple(places.unbind(1)), cells, atomic)
    return dst


def _put(dst: Array, place: Any, cells: torch.Tensor, atomic: AtomicType) -> None:
    if atomic is AtomicType.Add:
        cells = stored(computable(dst.data[place], dst.dtype) + computable(cells, dst.dtype), dst.dtype)
    dst.data[place] = cells


def move(result: TileType, tile: Array, **statics: Any) -> Array:
    """A copy."""
    return Array(tile.data.clone(), result)


def create(result: TensorType | TileType, shape: Sequence[int], init_value: Any = None, **statics: Any) -> Array:
    """Poison, or ``init_value`` everywhere."""
    if init_value is None:
        return Array(poison(shape, result.dtype), result)
    return full(result, shape, init_value)


def full(result: TensorType | TileType, shape: Sequence[int], value: Any, **statics: Any) -> Array:
    """One number everywhere."""
    wide = torch.float64 if result.dtype.is_float else torch.int64
    return filled(torch.full(tuple(shape), value, dtype=wide), result)


def slice_(result: Type, x: Array, shape: Sequence[int], offset: Sequence[int], *_: Any, **statics: Any) -> Array:
    """A view of the window; a copy where the window reaches beyond the end."""
    assert isinstance(result, TensorType | TileType)
    if all(start >= 0 and start + size <= end for start, size, end in zip(offset, shape, x.shape, strict=True)):
        return Array(x.data[box(offset, shape)].reshape(concrete(result.shape)), result, x.in_memory)
    inside = tuple(max(0, min(size, end - start)) for start, size, end in zip(offset, shape, x.shape, strict=True))
    check_inside("slice", offset, inside, x.shape)
    data = poison(shape, result.dtype)
    data[box((0,) * len(inside), inside)] = x.data[box(offset, inside)]
    return Array(data.reshape(concrete(result.shape)), result)


def assemble(result: Type, target: Array, source: Array, offset: Sequence[int], atomic: AtomicType) -> Array:
    """``target`` with the valid cells of ``source`` in place: memory changes, any other value is copied first."""
    assert isinstance(result, TensorType | TileType)
    cells = source.cells
    cells = cells.reshape((1,) * (len(target.shape) - cells.dim()) + tuple(cells.shape))
    check_inside("assemble", offset, cells.shape, target.shape)
    changed = target if target.in_memory else Array(target.data.clone(), result)
    _put(changed, box(offset, cells.shape), stored(computable(cells, source.dtype), target.dtype), atomic)
    return changed


def read(result: Type, src: Array, indices: Sequence[int], **statics: Any) -> Any:
    """One element as a Python number."""
    check_inside("read", indices, (1,) * len(indices), src.shape)
    return src.data[tuple(indices)].item()


def write(result: Type, dst: Array, indices: Sequence[int], value: Any, **statics: Any) -> None:
    """One element changed in place."""
    check_inside("write", indices, (1,) * len(indices), dst.shape)
    dst.data[tuple(indices)] = value


def dim(result: Type, x: Array, axis: int, **statics: Any) -> int:
    """The size of an axis."""
    return x.shape[axis]


def reshape(result: Type, x: Array, shape: Sequence[int], **statics: Any) -> Array:
    """The cells in row-major order under another shape; a view where the data allows it."""
    assert isinstance(result, TensorType | TileType) and prod(shape) == x.data.numel()
    return Array(x.data.reshape(tuple(shape)), result, x.in_memory and x.data.is_contiguous())


def transpose_view(result: TileType, tile: Array, **statics: Any) -> Array:
    """The last two axes exchanged."""
    return Array(tile.data.transpose(-1, -2), result)


def fillpad(result: TensorType | TileType, x: Array, *_: Any, pad_value: PadValue) -> Array:
    """The valid cells, with the pad around them."""
    dtype = result.dtype
    if dtype.is_float:
        number: float = {PadValue.zero: 0.0, PadValue.max: float("inf"), PadValue.min: float("-inf")}[pad_value]
    else:
        least = -(1 << (dtype.bits - 1)) if dtype.is_signed else 0
        largest = (1 << (dtype.bits - dtype.is_signed)) - 1
        number = {PadValue.zero: 0, PadValue.max: largest, PadValue.min: least}[pad_value]
    data = full(result, concrete(result.shape), number).data
    data[box((0,) * len(x.valid), x.valid)] = x.cells
    return Array(data, result)


def set_validshape(result: Type, x: Array, *_: Any, **statics: Any) -> Array:
    """The same cells with another valid region."""
    assert isinstance(result, TensorType | TileType)
    return Array(x.data, result, x.in_memory)


HANDLERS: dict[str, Handler] = {
    "load": load, "store": store, "move": move, "create_tile": create, "create_tensor": create, "full": full,
    "tile.full": full, "slice": slice_, "assemble": assemble, "read": read, "write": write, "dim": dim,
    "reshape": reshape, "transpose_view": transpose_view, "fillpad": fillpad,
    "fillpad_expand": fillpad, "fillpad_inplace": fillpad, "set_validshape": set_validshape,
}  # fmt: skip
