"""From the arguments of a call to what the simulator takes: checks, dynamic sizes, copies where needed."""

from __future__ import annotations

import struct
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

from pypto.runtime.library import MAX_RANK, Name, descriptor
from pypto.runtime.metadata import ParamInfo

if TYPE_CHECKING:
    import torch


@dataclass(slots=True)
class Bound:
    """The arguments of one call, by parameter: slots for C++, the caller's tensors, and packed copies of some."""

    slots: list[bytes | int]
    tensors: list[Any]  # None for a scalar
    copies: dict[int, torch.Tensor]
    written: list[int]  # positions of copies that the program writes

    def bring_back(self) -> None:
        """Copy what was written to packed copies into the caller's tensors."""
        for index in self.written:
            self.tensors[index].copy_(self.copies[index])


class Binder:
    """Checks and binds the arguments of one program. It holds nothing of a call, so threads may share it."""

    def __init__(self, params: Sequence[ParamInfo]) -> None:
        import torch

        self._torch = torch
        self._dense = torch.strided
        self.params = params
        self._plans = [_Plan(param, _torch_dtype(torch, param)) for param in params]
        self._left_out = [param.may_be_left_out for param in params]
        self.inputs = self._left_out.count(False)

    def bind(self, args: Sequence[Any], allocate: bool) -> Bound:
        """Bind one argument per parameter; with ``allocate``, Out parameters are left out of ``args`` and made here."""
        sizes: dict[str, tuple[int, str]] = {}
        bound = Bound([], [], {}, [])
        given = iter(args)
        for plan, left_out in zip(self._plans, self._left_out, strict=True):
            if allocate and left_out:
                bound.slots.append(0)
                bound.tensors.append(None)
            elif plan.is_tensor:
                self._bind_tensor(plan, next(given), sizes, bound)
            else:
                bound.slots.append(scalar_slot(plan.param, next(given)))
                bound.tensors.append(None)
        if allocate:
            self._allocate(sizes, bound)
        if bound.copies:
            _refuse_ambiguous(self.params, bound)
        return bound

    def _bind_tensor(self, plan: _Plan, value: Any, sizes: dict[str, tuple[int, str]], bound: Bound) -> None:
        if not isinstance(value, self._torch.Tensor):
            raise TypeError(f"'{plan.name}' takes a tensor, got {type(value).__name__}")
        shape = value.shape
        if value.dtype is not plan.dtype or shape != plan.shape or not value.is_cpu or value.layout is not self._dense:
            _check_tensor(plan, value, sizes)
        packed = value
        if not value.is_contiguous() or value.is_neg():
            packed = bound.copies[len(bound.tensors)] = _pack(plan, value)
            if plan.param.is_output:
                bound.written.append(len(bound.tensors))
        if shape == plan.shape:  # packed by now, so all but the address is known
            bound.slots.append(packed.data_ptr().to_bytes(8, sys.byteorder) + plan.packed_tail)
        else:
            bound.slots.append(descriptor(packed.data_ptr(), plan.code, shape, packed.stride(), plan.label))
        bound.tensors.append(value)

    def _allocate(self, sizes: dict[str, tuple[int, str]], bound: Bound) -> None:
        from pypto.runtime.library import poison

        for index, plan in enumerate(self._plans):
            if not self._left_out[index]:
                continue
            shape = []
            for axis, dim in enumerate(plan.shape):
                if not isinstance(dim, int) and dim not in sizes:
                    raise TypeError(
                        f"'{plan.name}' cannot be left out: no argument tells the size of axis {axis}; pass the tensor"
                    )
                shape.append(dim if isinstance(dim, int) else sizes[str(dim)][0])
            made = self._torch.empty(shape, dtype=plan.dtype)
            poison(made.data_ptr(), made.numel() * made.element_size())
            bound.tensors[index] = made
            bound.slots[index] = descriptor(made.data_ptr(), plan.code, shape, made.stride(), plan.label)


class _Plan:
    """What is known of a parameter before any call."""

    __slots__ = ("code", "dtype", "is_tensor", "label", "name", "packed_tail", "param", "shape")

    def __init__(self, param: ParamInfo, dtype: Any) -> None:
        self.param = param
        self.name = param.name
        self.is_tensor = param.is_tensor
        self.shape: tuple[int | str | None, ...] = param.shape or ()
        self.dtype = dtype
        self.code = param.dtype.code
        self.label = Name(param.name)
        self.packed_tail = b""  # what follows the address in the descriptor of a packed tensor of a static shape
        sizes = [size for size in self.shape if isinstance(size, int)]
        if self.is_tensor and len(sizes) == len(self.shape) <= MAX_RANK:
            strides = [prod(sizes[axis + 1 :]) for axis in range(len(sizes))]
            self.packed_tail = descriptor(0, self.code, sizes, strides, self.label)[8:]


def _torch_dtype(torch: Any, param: ParamInfo) -> Any:
    if not param.is_tensor:
        return None
    if len(param.shape or ()) not in range(1, MAX_RANK + 1):
        raise TypeError(f"'{param.name}' has rank {len(param.shape or ())}; the simulator takes 1 to {MAX_RANK}")
    dtype = getattr(torch, param.dtype.torch, None) if param.dtype.torch else None
    if dtype is None:
        raise TypeError(f"'{param.name}' has dtype {param.dtype.name}, which torch lacks; no call can pass it")
    return dtype


def _check_tensor(plan: _Plan, value: torch.Tensor, sizes: dict[str, tuple[int, str]]) -> None:
    """Compare a tensor with what its parameter declares; binds the sizes of dynamic dimensions."""
    if value.dtype is not plan.dtype:
        raise TypeError(f"'{plan.name}' has dtype {plan.param.dtype.name} ({plan.dtype}), got {value.dtype}")
    if not value.is_cpu:
        raise ValueError(f"'{plan.name}' must lie in CPU memory, got device {value.device}; pass {plan.name}.cpu()")
    if str(value.layout) != "torch.strided":
        raise ValueError(
            f"'{plan.name}' must be a dense tensor, got layout {value.layout}; pass {plan.name}.to_dense()"
        )
    shape = tuple(value.shape)
    if len(shape) != len(plan.shape):
        raise ValueError(
            f"'{plan.name}' has rank {len(plan.shape)} {_text(plan.shape)}, got rank {len(shape)} {_text(shape)}"
        )
    for axis, (declared, size) in enumerate(zip(plan.shape, shape, strict=True)):
        if isinstance(declared, int) and declared != size:
            raise ValueError(f"'{plan.name}' has shape {_text(plan.shape)}, got {_text(shape)}")
        if isinstance(declared, str):
            first, where = sizes.setdefault(declared, (size, f"axis {axis} of '{plan.name}'"))
            if first != size:
                raise ValueError(
                    f"'{declared}' is {first} on {where} and {size} on axis {axis} of '{plan.name}'; one size a call"
                )


def _text(shape: Sequence[int | str | None]) -> str:
    return "[" + ", ".join("?" if dim is None else str(dim) for dim in shape) + "]"


def _pack(plan: _Plan, value: torch.Tensor) -> torch.Tensor:
    """A packed copy; refuses a written tensor that holds one element in several places."""
    if plan.param.is_output and overlaps_itself(value):
        raise ValueError(
            f"'{plan.name}' is written, and several of its elements share one place in memory (strides "
            f"{tuple(value.stride())}); pass {plan.name}.clone()"
        )
    return value.resolve_neg().contiguous() if value.is_neg() else value.contiguous()


def overlaps_itself(value: torch.Tensor) -> bool:
    """Whether two elements of a tensor may be one place in memory."""
    reach = 0
    for stride, size in sorted(zip(value.stride(), value.shape, strict=True)):
        if size > 1:
            if stride <= reach:
                return True
            reach += stride * (size - 1)
    return False


def _span(value: torch.Tensor) -> tuple[int, int]:
    """The addresses that a tensor reaches, from its first byte to the end of its last element."""
    if value.numel() == 0:
        return (0, 0)
    last = sum(stride * (size - 1) for stride, size in zip(value.stride(), value.shape, strict=True))
    start = value.data_ptr()
    return start, start + (last + 1) * value.element_size()


def _refuse_ambiguous(params: Sequence[ParamInfo], bound: Bound) -> None:
    """Refuse a copied tensor that shares memory with another argument when either is written: which one would win?"""
    spans = [(index, *_span(value)) for index, value in enumerate(bound.tensors) if value is not None]
    for place, (i, start, end) in enumerate(spans):
        for j, other_start, other_end in spans[place + 1 :]:
            shares = start < other_end and other_start < end
            written = params[i].is_output or params[j].is_output
            if shares and written and (i in bound.copies or j in bound.copies):
                raise ValueError(
                    f"'{params[i].name}' and '{params[j].name}' share memory, one of them is written and one is not "
                    f"contiguous, so the result would depend on the order of copies; pass a clone of one"
                )


def scalar_slot(param: ParamInfo, value: Any) -> int:
    """A scalar argument as a 64-bit slot; TypeError where the dtype cannot hold it exactly."""
    if type(value) not in (bool, int, float):
        value = _python_number(param, value)
    dtype = param.dtype
    if dtype.is_float:
        try:
            packed = struct.pack("=f", value)
        except (OverflowError, struct.error):
            raise TypeError(f"'{param.name}': {value!r} is outside the range of {dtype.name}") from None
        if isinstance(value, int) and struct.unpack("=f", packed)[0] != value:
            raise TypeError(f"'{param.name}': {value} has no exact {dtype.name}")
        return int(struct.unpack("=I", packed)[0])
    if dtype.kind == "bool":
        low, high = 0, 1
    else:
        low = -(1 << (dtype.bits - 1)) if dtype.is_signed else 0
        high = (1 << (dtype.bits - 1 if dtype.is_signed else dtype.bits)) - 1
    if isinstance(value, float) and not value.is_integer():
        raise TypeError(f"'{param.name}': {value!r} is no {dtype.name}; it takes integers from {low} to {high}")
    if not low <= value <= high:
        raise TypeError(f"'{param.name}': {value!r} is no {dtype.name}; it takes integers from {low} to {high}")
    number = int(value)
    return number - (1 << 64) if number >= 1 << 63 else number


def _python_number(param: ParamInfo, value: Any) -> bool | int | float:
    """The number in a numpy scalar or a tensor of one element without dimensions."""
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        number = value.item()
        if type(number) in (bool, int, float):
            return number
    raise TypeError(f"'{param.name}' takes a scalar of {param.dtype.name}, got {type(value).__name__} {value!r}")
