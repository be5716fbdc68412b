"""The tensors of a case: what a kernel gets, and which of them it writes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import torch


@dataclass(frozen=True, eq=False)
class TensorSpec:
    """A tensor of a case with the value it starts from; outputs have one too, for a kernel may accumulate into them.

    The value is a copy of the sample, so nothing that happens to the sample later reaches the case.
    """

    name: str
    sample: torch.Tensor = field(repr=False)
    is_output: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "sample", plain(self.sample))

    @property
    def shape(self) -> tuple[int, ...]:
        """Its sizes."""
        return tuple(self.sample.shape)

    @property
    def dtype(self) -> torch.dtype:
        """Its element type."""
        return self.sample.dtype

    @cached_property
    def digest(self) -> str:
        """The digest of dtype, shape and bytes."""
        return tensor_digest(self.sample)

    def fresh(self) -> torch.Tensor:
        """A new tensor with the starting value."""
        return self.sample.clone()

    def __str__(self) -> str:
        return describe(self.sample)


def plain(tensor: torch.Tensor) -> torch.Tensor:
    """A copy with the same values in plain storage: on the CPU, contiguous, without history or aliases."""
    return tensor.detach().resolve_conj().resolve_neg().to("cpu").clone(memory_format=torch.contiguous_format)


def dtype_name(dtype: torch.dtype) -> str:
    """The name of an element type, such as `float32`."""
    return str(dtype).removeprefix("torch.")


def describe(tensor: torch.Tensor) -> str:
    """Shape and dtype in words, such as `[16, 64] float32`."""
    return f"{list(tensor.shape)} {dtype_name(tensor.dtype)}"


def tensor_digest(tensor: torch.Tensor) -> str:
    """The digest of dtype, shape and bytes: equal exactly for tensors that are equal bit by bit."""
    digest = hashlib.sha256(f"{dtype_name(tensor.dtype)}{list(tensor.shape)}:".encode())
    if tensor.numel():
        digest.update(tensor.contiguous().reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()


def digests(tensors: Mapping[str, torch.Tensor]) -> dict[str, str]:
    """The digest of each tensor."""
    return {name: tensor_digest(tensor) for name, tensor in tensors.items()}


def outputs_of(tensors: Iterable[TensorSpec]) -> tuple[TensorSpec, ...]:
    """Those that the kernel writes."""
    return tuple(tensor for tensor in tensors if tensor.is_output)
