"""Conversions between all element types."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import torch

from pypto.ops.dtypes import BF16, FP8E4M3FN, FP8E5M2, FP16, FP32, INT8, INT16, INT32, INT64, UINT8, DataType

NONE, RINT, ROUND, FLOOR, CEIL, TRUNC, ODD = range(7)
INTEGERS = [INT8, INT16, INT32, INT64, UINT8]
FLOATS = [FP32, FP16, BF16, FP8E4M3FN, FP8E5M2]
inf, nan = float("inf"), float("nan")


def torch_dtype(dtype: DataType) -> torch.dtype:
    return getattr(torch, dtype.torch)  # type: ignore[no-any-return]


def cast(sim: Any, tile: Any, x: torch.Tensor, source: DataType, target: DataType, mode: int = RINT) -> torch.Tensor:
    return sim("TCVT", [tile(*x.shape, target), tile(*x.shape, source)], [x], mode)


def same(found: torch.Tensor, expected: torch.Tensor) -> torch.Tensor:
    """Bit-equal, or NaN on both sides."""
    kinds = {1: torch.int8, 2: torch.int16, 4: torch.int32}
    raw = kinds[found.element_size()]
    return (found.view(raw) == expected.view(raw)) | (found.float().isnan() & expected.float().isnan())


@pytest.mark.parametrize("source", [FP16, BF16], ids=lambda d: d.name)
@pytest.mark.parametrize("target", FLOATS, ids=lambda d: d.name)
def test_every_narrow_float_becomes_every_float(sim: Any, tile: Any, source: DataType, target: DataType) -> None:
    every = torch.arange(-(2**15), 2**15).to(torch.int16).view(torch_dtype(source)).reshape(4, 128, 128)
    for x in every:
        assert same(cast(sim, tile, x, source, target), x.float().to(torch_dtype(target))).all()


@pytest.mark.parametrize("source", [FP8E4M3FN, FP8E5M2], ids=lambda d: d.name)
def test_every_float8_widens_exactly(sim: Any, tile: Any, source: DataType) -> None:
    x = torch.arange(256).to(torch.uint8).view(torch_dtype(source)).reshape(8, 32)
    for target in (FP32, FP16, BF16):
        assert same(cast(sim, tile, x, source, target), x.float().to(torch_dtype(target))).all()


@pytest.mark.parametrize("target", FLOATS[1:], ids=lambda d: d.name)
def test_float32_rounds_to_nearest_even_whatever_the_mode(sim: Any, tile: Any, target: DataType) -> None:
    generator = torch.Generator().manual_seed(0)
    bits = torch.randint(-(2**31), 2**31, (128, 128), generator=generator).to(torch.int32).view(torch.float32)
    near = torch.randn(128, 128, generator=generator).to(torch_dtype(target)).float()
    ties = torch.cat([near * (1 + 2**-8), near * (1 + 2**-11), near * (1 + 2**-4), near * 2**-14])[:128]
    edges = torch.tensor(
        [
            [
                65519.996,
                65520.0,
                65504.0,
                448.0,
                464.0,
                464.1,
                57344.0,
                61440.0,
                61439.0,
                -1e-8,
                inf,
                -inf,
                nan,
                -0.0,
                3.4e38,
            ]
        ]
    )
    for x in (bits, ties, edges):
        for mode in (NONE, RINT, ROUND, FLOOR, CEIL, TRUNC, ODD):
            assert same(cast(sim, tile, x, FP32, target, mode), x.to(torch_dtype(target))).all()


def test_modes_from_float_to_integer(sim: Any, tile: Any) -> None:
    x = torch.tensor([[-2.5, -1.5, -0.5, -0.4, 0.4, 0.5, 1.4, 1.5, 2.5, 0.49999997, 8388609.0, -3.0]])
    expected = {
        NONE: [-2, -1, 0, 0, 0, 0, 1, 1, 2, 0, 8388609, -3],
        RINT: [-2, -2, 0, 0, 0, 0, 1, 2, 2, 0, 8388609, -3],
        ROUND: [-3, -2, -1, 0, 0, 1, 1, 2, 3, 0, 8388609, -3],
        FLOOR: [-3, -2, -1, -1, 0, 0, 1, 1, 2, 0, 8388609, -3],
        CEIL: [-2, -1, 0, 0, 1, 1, 2, 2, 3, 1, 8388609, -3],
        TRUNC: [-2, -1, 0, 0, 0, 0, 1, 1, 2, 0, 8388609, -3],
        ODD: [-3, -1, -1, -1, 1, 1, 1, 1, 3, 1, 8388609, -3],
    }
    for mode, values in expected.items():
        assert cast(sim, tile, x, FP32, INT32, mode)[0].tolist() == values, mode


@pytest.mark.parametrize("source", [FP32, FP16, BF16], ids=lambda d: d.name)
@pytest.mark.parametrize("target", INTEGERS, ids=lambda d: d.name)
def test_float_to_integer_saturates(sim: Any, tile: Any, source: DataType, target: DataType) -> None:
    limits = torch.iinfo(torch_dtype(target))
    x = torch.tensor([[inf, -inf, nan, 3e38, -3e38, float(limits.max), float(limits.min), 127.0, -1.0, 0.0]])
    x = x.to(torch_dtype(source))
    found = cast(sim, tile, x, source, target)[0].tolist()
    exact = [
        0 if v != v else max(limits.min, min(limits.max, int(v) if abs(v) != inf else (1 if v > 0 else -1) << 70))
        for v in x[0].tolist()
    ]
    assert found == exact


@pytest.mark.parametrize("source", [INT8, INT16, INT32, INT64, UINT8], ids=lambda d: d.name)
def test_integers_to_floats_round_once(sim: Any, tile: Any, source: DataType) -> None:
    kind, limits = torch_dtype(source), torch.iinfo(torch_dtype(source))
    generator = torch.Generator().manual_seed(1)
    values = torch.randint(limits.min, limits.max, (63, 32), generator=generator, dtype=torch.int64)
    values = values >> torch.randint(0, source.bits - 1, (63, 32), generator=generator)
    edges = [limits.min, limits.max, 0, 1, 2049, 2051, 65519, 65520, 16777217, 33554433, 2**40 + 1, 2**53 + 1]
    first = torch.tensor([[*(v for v in edges if limits.min <= v <= limits.max), *[0] * 32][:32]])
    x = torch.cat([first, values]).to(kind)
    for target in (FP32, FP16, BF16):
        found = cast(sim, tile, x, source, target)
        for value, result in zip(x.flatten().tolist(), found.flatten().tolist(), strict=True):
            assert result == nearest(value, target), (value, target)


def nearest(value: int, target: DataType) -> float:
    """A whole number as the nearest float of a type, computed with whole numbers."""
    digits = {"FP32": 24, "FP16": 11, "BF16": 8}[target.name]
    magnitude, shift = abs(value), max(0, abs(value).bit_length() - digits)
    kept, rest = magnitude >> shift, magnitude & ((1 << shift) - 1)
    half = 1 << shift >> 1
    kept += rest > half or (rest == half and rest > 0 and kept % 2 == 1)
    magnitude = kept << shift
    number = float(magnitude) if target.name != "FP16" or magnitude < 65520 else inf
    return -number if value < 0 else number


def test_integers_to_integers_keep_the_low_bits(sim: Any, tile: Any) -> None:
    generator = torch.Generator().manual_seed(2)
    for source, target in itertools.product(INTEGERS, INTEGERS):
        if source is target:
            continue
        limits = torch.iinfo(torch_dtype(source))
        x = torch.randint(limits.min, limits.max, (9, 33), generator=generator, dtype=torch.int64).to(
            torch_dtype(source)
        )
        assert torch.equal(cast(sim, tile, x, source, target), x.to(torch_dtype(target))), (source, target)


def test_partly_valid_and_strided_tiles(sim: Any, tile: Any, poisoned: Any) -> None:
    x = torch.randn(12, 40)
    result = sim("TCVT", [tile(12, 40, FP16, valid=(5, 33)), tile(12, 40, FP32, upright=True, pitch=16)], [x], RINT)
    assert torch.equal(result[:5, :33], x[:5, :33].half())
    assert poisoned(result[5:]) and poisoned(result[:, 33:])
