"""Descriptions of values that are the same in every process, and different for every value of every type."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping
from typing import Any

import torch

from pipeline.errors import NoIdentity
from pipeline.tensors import dtype_name


def describe_argument(value: Any, *, kernel: str, argument: str) -> str:
    """A tensor by shape and dtype, everything else by type and value; `NoIdentity` when there is no stable way."""
    try:
        return _describe(value)
    except TypeError:
        raise NoIdentity(kernel=kernel, argument=argument, kind=type(value).__name__) from None


def _describe(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return f"{dtype_name(value.dtype)}[{','.join(map(str, value.shape))}]"
    kind = type(value)
    if value is None or kind in (bool, int, str, bytes):
        return f"{kind.__name__}={value!r}"
    if kind is float:
        return f"float={value!r}"
    if isinstance(value, enum.Enum):
        return f"{kind.__qualname__}.{value.name}"
    if isinstance(value, torch.dtype):
        return f"dtype={dtype_name(value)}"
    if kind in (tuple, list):
        return f"{kind.__name__}({','.join(map(_describe, value))})"
    if kind in (set, frozenset):
        return f"{kind.__name__}({','.join(sorted(map(_describe, value)))})"
    if isinstance(value, Mapping):
        return f"{kind.__name__}({','.join(f'{_describe(k)}:{_describe(v)}' for k, v in value.items())})"
    if dataclasses.is_dataclass(value):
        fields = (f"{field.name}={_describe(getattr(value, field.name))}" for field in dataclasses.fields(value))
        return f"{kind.__module__}.{kind.__qualname__}({','.join(fields)})"
    raise TypeError(kind)
