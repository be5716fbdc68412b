"""The record of a compiled program: what it keeps, and what it finds out about returned values."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

import pypto.language as pl
from pypto.ops.dtypes import BF16, FP32, INT32
from pypto.ops.enums import FunctionType, ParamDirection
from pypto.runtime.metadata import Metadata, ParamInfo, parameters, returned

X = torch.zeros(16, 64)


@pl.jit.incore
def two(x: pl.Tensor, y: pl.Out[pl.Tensor], z: pl.Out[pl.Tensor]):
    t = pl.load(x, [0, 0], [16, 64])
    z = pl.store(pl.mul(t, 2.0), [0, 0], z)
    y = pl.store(pl.add(t, 1.0), [0, 0], y)
    return z, y


@pl.jit.incore
def one(x: pl.Tensor, y: pl.Out[pl.Tensor]):
    y = pl.store(pl.load(x, [0, 0], [16, 64]), [0, 0], y)
    return y


@pl.jit
def unpacked(x: pl.Tensor, y: pl.Out[pl.Tensor], z: pl.Out[pl.Tensor]):
    a, b = two(x, y, z)
    return b, a


@pl.jit
def passed_on(x: pl.Tensor, y: pl.Out[pl.Tensor], z: pl.Out[pl.Tensor]):
    return two(x, y, z)


@pl.jit
def chained(x: pl.Tensor, y: pl.Out[pl.Tensor], z: pl.Out[pl.Tensor]):
    a = one(x, z)
    b = one(a, y)
    return b, a


@pl.jit
def looped(x: pl.Tensor, y: pl.Out[pl.Tensor], z: pl.InOut[pl.Tensor]):
    for _i in pl.range(0, 3):
        z = one(x, z)
    with pl.at(level=pl.Level.CORE_GROUP):
        y[:] = pl.add(x[:], 1.0)
    return y, z, x


@pl.jit
def silent(x: pl.Tensor, y: pl.Out[pl.Tensor], z: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        y[:] = pl.add(x[:], 1.0)
        z[:] = pl.add(x[:], 2.0)


@pytest.mark.parametrize(
    ("function", "expected"),
    [(unpacked, (1, 2)), (passed_on, (2, 1)), (chained, (1, 2)), (looped, (1, 2, 0)), (silent, ())],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_returned_values_are_traced_to_their_parameters(function: pl.JITFunction, expected: tuple[int, ...]) -> None:
    lowered = function.lower(X, X.clone(), X.clone())
    functions = {each.name: each for each in lowered.functions}
    entry = next(each for each in lowered.functions if each.kind is FunctionType.Orchestration)
    assert returned(entry, functions) == expected


def test_results_come_in_the_order_of_the_return_statement() -> None:
    x, y, z = torch.randn(16, 64), torch.zeros(16, 64), torch.zeros(16, 64)
    compiled = passed_on.compile(x, y, z)
    first, second = compiled(x)
    assert torch.equal(first, x * 2) and torch.equal(second, x + 1)


def test_parameters_keep_dynamic_dimensions_apart_and_shared_ones_together() -> None:
    rows, cols = pl.dynamic("rows"), pl.dynamic("cols")

    @pl.jit
    def copy(x: pl.Tensor[[rows, 64], pl.FP32], n: pl.Scalar[pl.INT32], y: pl.Out[pl.Tensor[[rows, cols], pl.FP32]]):
        for row in pl.range(0, rows, 16):
            with pl.at(level=pl.Level.CORE_GROUP):
                t = pl.load(x, [row, 0], [16, 64])
                y = pl.store(t, [row, 0], y)
        return y

    entry = next(each for each in copy.lower().functions if each.kind is FunctionType.Orchestration)
    x, n, y = parameters(entry)
    assert (x.shape, n.shape, y.shape) == (("rows", 64), None, ("rows", "cols"))
    assert (x.direction, y.direction, n.dtype) == (ParamDirection.In, ParamDirection.Out, INT32)


def test_a_record_reads_as_it_was_written(tmp_path: Path) -> None:
    params = (
        ParamInfo("x", FP32, ParamDirection.In, ("rows", None, 4)),
        ParamInfo("n", INT32),
        ParamInfo("y", BF16, ParamDirection.InOut, (1,)),
    )
    metadata = Metadata("name", "a5sim", "DSA_RP", params, (2,))
    metadata.save(tmp_path / "new")
    assert Metadata.load(tmp_path / "new") == metadata
