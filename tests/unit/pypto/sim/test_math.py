"""Functions of one float against double precision: correctly rounded but for ties that double precision cannot tell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from pypto.ops.dtypes import BF16, FP16, DataType

FUNCTIONS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "TEXP_tt": torch.exp,
    "TLOG_tt": torch.log,
    "TSQRT_tt": torch.sqrt,
    "TSIN_tt": torch.sin,
    "TCOS_tt": torch.cos,
}
SHAPE = (128, 128)


def distance(found: torch.Tensor, expected: torch.Tensor) -> torch.Tensor:
    """Units in the last place between two float32 tensors, 0 where both are NaN."""
    places = [
        torch.where(x.view(torch.int32) < 0, -(x.view(torch.int32) & 0x7FFFFFFF), x.view(torch.int32))
        for x in (found, expected)
    ]
    apart = (places[0].long() - places[1].long()).abs()
    apart[found.isnan() & expected.isnan()] = 0
    return apart


def patterns(seed: int) -> torch.Tensor:
    """Floats of every magnitude: random bits, so inf and NaN and subnormals too."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(-(2**31), 2**31, SHAPE, generator=generator).to(torch.int32).view(torch.float32)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("scale", [None, 1.0, 20.0, 1e4], ids=["all bits", "1", "20", "1e4"])
def test_float32_is_rounded_correctly(sim: Any, tile: Any, name: str, scale: float | None) -> None:
    wrong = total = 0
    for seed in range(4):
        x = (
            patterns(seed)
            if scale is None
            else torch.randn(SHAPE, generator=torch.Generator().manual_seed(seed)) * scale
        )
        expected = FUNCTIONS[name](x.double()).float()
        apart = distance(sim(name, [tile(*SHAPE), tile(*SHAPE)], [x]), expected)
        assert apart.max() <= 1
        wrong += int((apart > 0).sum())
        total += apart.numel()
    assert wrong <= total / 20_000


def test_edges(sim: Any, tile: Any) -> None:
    inf, nan = float("inf"), float("nan")
    x = torch.tensor(
        [
            [
                0.0,
                -0.0,
                inf,
                -inf,
                nan,
                1e-45,
                -1e-45,
                88.72283,
                88.72284,
                -103.97,
                -103.98,
                1.0,
                3.4e38,
                -1.0,
                2**-126,
                1e22,
            ]
        ]
    )
    for name, function in FUNCTIONS.items():
        found = sim(name, [tile(*x.shape), tile(*x.shape)], [x])
        expected = function(x.double()).float()
        assert torch.equal(found.view(torch.int32)[~expected.isnan()], expected.view(torch.int32)[~expected.isnan()]), (
            name
        )
        assert torch.equal(found.isnan(), expected.isnan()), name
    root = sim("TRSQRT_tt", [tile(*x.shape), tile(*x.shape)], [x])
    assert root[0, :3].tolist() == [inf, -inf, 0.0] and root[0, 3:5].isnan().all()


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("dtype", [FP16, BF16], ids=lambda d: d.name)
def test_narrow_floats_round_once(sim: Any, tile: Any, name: str, dtype: DataType) -> None:
    kind = getattr(torch, dtype.torch)
    every = torch.arange(-(2**15), 2**15).to(torch.int16).view(kind).reshape(4, 128, 128)
    for x in every:
        expected = FUNCTIONS[name](x.double()).float().to(kind)
        found = sim(name, [tile(*SHAPE, dtype), tile(*SHAPE, dtype)], [x])
        same = (found.view(torch.int16) == expected.view(torch.int16)) | (found.isnan() & expected.isnan())
        assert same.all()
