"""Scalar slots, and tensors that share memory with themselves."""

from __future__ import annotations

import struct
from typing import Any

import pytest
import torch

from pypto.ops.dtypes import BF16, BOOL, FP32, INDEX, INT8, INT32, INT64, UINT8, UINT64, DataType
from pypto.runtime.arguments import overlaps_itself, scalar_slot
from pypto.runtime.metadata import ParamInfo


@pytest.mark.parametrize(
    ("dtype", "value", "slot"),
    [
        (INT32, -5, -5),
        (INT32, 7.0, 7),
        (INT8, True, 1),
        (INT64, -(2**63), -(2**63)),
        (UINT64, 2**64 - 1, -1),
        (INDEX, torch.tensor(9), 9),
        (BOOL, 1.0, 1),
        (FP32, 0.5, 0x3F000000),
        (FP32, 0.1, 0x3DCCCCCD),
        (FP32, -3, 0xC0400000),
        (BF16, float("inf"), 0x7F800000),
    ],
)
def test_scalars_that_fit(dtype: DataType, value: Any, slot: int) -> None:
    assert scalar_slot(ParamInfo("s", dtype), value) == slot


def test_nan_is_a_float() -> None:
    slot = scalar_slot(ParamInfo("s", FP32), float("nan"))
    (value,) = struct.unpack("=f", struct.pack("=I", slot))
    assert value != value


@pytest.mark.parametrize(
    ("dtype", "value", "message"),
    [
        (INT32, 1.5, "'s': 1.5 is no INT32; it takes integers from -2147483648 to 2147483647"),
        (INT8, 128, "'s': 128 is no INT8; it takes integers from -128 to 127"),
        (UINT8, -1, "'s': -1 is no UINT8; it takes integers from 0 to 255"),
        (INT64, float("inf"), "'s': inf is no INT64"),
        (INT64, float("nan"), "'s': nan is no INT64"),
        (BOOL, 2, "'s': 2 is no BOOL; it takes integers from 0 to 1"),
        (FP32, 2**60 + 1, "'s': 1152921504606846977 has no exact FP32"),
        (FP32, 16777217, "'s': 16777217 has no exact FP32"),
        (FP32, 1e39, r"'s': 1e\+39 is outside the range of FP32"),
        (FP32, None, "'s' takes a scalar of FP32, got NoneType None"),
        (INT32, "4", "'s' takes a scalar of INT32, got str '4'"),
        (INT32, torch.tensor([4]), "'s' takes a scalar of INT32, got Tensor"),
        (INT32, 4j, "'s' takes a scalar of INT32, got complex 4j"),
    ],
)
def test_scalars_that_do_not_fit(dtype: DataType, value: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        scalar_slot(ParamInfo("s", dtype), value)


def test_tensors_that_share_memory_with_themselves() -> None:
    x = torch.zeros(4, 6)
    for apart in (x, x.T, x[::2, ::3], x[:, :1], x.reshape(4, 1, 6).expand(4, 1, 6), torch.zeros(1).expand(1, 1)):
        assert not overlaps_itself(apart)
    for shared in (
        x[:1].expand(4, 6),
        x[:, :1].expand(4, 6),
        x.as_strided((3, 4), (3, 1)),
        x.as_strided((4, 4), (2, 1)),
    ):
        assert overlaps_itself(shared)
