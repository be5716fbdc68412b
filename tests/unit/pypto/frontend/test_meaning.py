"""Kernels do what their text says in Python: built and run, compared with the same thing written in torch."""

from __future__ import annotations

import torch

import pypto.language as pl

SHAPE, OFFSET = (8, 64), [0, 0]


def x32() -> torch.Tensor:
    return torch.arange(32 * 64, dtype=torch.float32).reshape(32, 64) / 64


def ints(*values: int) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.int32)


@pl.jit
def swap(x: pl.Tensor, i: pl.Tensor, y: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        n = pl.read(i, [0])
        a, b = pl.load(x, [0, 0], SHAPE), pl.load(x, [8, 0], SHAPE)
        for _ in pl.range(n):
            a, b = b, a
        pl.store(pl.sub(a, pl.mul(b, 2.0)), OFFSET, y)


def test_swapped_carries():
    x = x32()
    for count in range(4):
        y = torch.zeros(8, 64)
        swap(x, ints(count), y)
        a, b = (x[:8], x[8:16]) if count % 2 == 0 else (x[8:16], x[:8])
        assert torch.equal(y, a - b * 2)


@pl.jit
def jumps(x: pl.Tensor, i: pl.Tensor, y: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        stop, skip = pl.read(i, [0]), pl.read(i, [1])
        t = pl.load(x, [0, 0], SHAPE)
        for k in pl.range(6):
            if k == stop:
                break
            if k == skip:
                continue
            t = pl.add(pl.mul(t, 2.0), 1.0)
        pl.store(t, OFFSET, y)


def test_break_and_continue():
    x = x32()
    for stop, skip in ((3, 1), (9, 9), (0, 0), (2, 5)):
        y = torch.zeros(8, 64)
        jumps(x, ints(stop, skip), y)
        t = x[:8]
        for k in range(6):
            if k == stop:
                break
            if k == skip:
                continue
            t = t * 2 + 1
        assert torch.equal(y, t)


@pl.jit
def whiles(x: pl.Tensor, i: pl.Tensor, y: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        n, k = pl.read(i, [0]), 0
        t = pl.load(x, [0, 0], SHAPE)
        while k < n:
            t = pl.add(t, pl.load(x, [k * 8, 0], SHAPE))
            k += 1
        else:
            t = pl.mul(t, 3.0)
        pl.store(t, OFFSET, y)


def test_while_carries_a_tile_and_a_counter():
    x = x32()
    for n in range(4):
        y = torch.zeros(8, 64)
        whiles(x, ints(n), y)
        assert torch.equal(y, (x[:8] + x[: n * 8].reshape(n, 8, 64).sum(0)) * 3)


@pl.jit
def floors(x: pl.Tensor, i: pl.Tensor, y: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        n = pl.read(i, [0])
        row = pl.min(pl.max((n * 3 - 7) // 2 + n % 4, 0), 24)
        pl.store(pl.load(x, [row, 0], SHAPE), OFFSET, y)


def test_integer_division_floors():
    x = x32()
    for n in (-9, -3, 0, 1, 2, 5, 11):
        y = torch.zeros(8, 64)
        floors(x, ints(n), y)
        row = min(max((n * 3 - 7) // 2 + n % 4, 0), 24)
        assert torch.equal(y, x[row : row + 8])


@pl.jit
def branches(x: pl.Tensor, i: pl.Tensor, y: pl.Out[pl.Tensor]):
    n = i[0]
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.load(x, [0, 0], SHAPE)
        if n > 3:
            u, k = pl.add(t, 1.0), 8
        elif n > 1:
            u, k = pl.mul(t, 2.0), 16
        else:
            u, k = t, 24
        pl.store(u, [k, 0], y)


def test_names_of_branches_are_seen_after_them():
    x = x32()
    for n in (0, 2, 5):
        y = torch.zeros(32, 64)
        branches(x, ints(n), y)
        expected = torch.zeros(32, 64)
        k, u = (8, x[:8] + 1) if n > 3 else (16, x[:8] * 2) if n > 1 else (24, x[:8])
        expected[k : k + 8] = u
        assert torch.equal(y, expected)


@pl.jit
def stale(x: pl.Tensor, i: pl.Tensor, y: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        k = pl.read(i, [0])
        t = pl.load(x, [0, 0], SHAPE, valid_shape=[k, 64])
        k = pl.read(i, [1])
        pl.store(pl.add(t, 1.0), OFFSET, y)
        pl.store(pl.load(x, [8, 0], SHAPE, valid_shape=[k, 64]), [8, 0], y)


def test_valid_region_keeps_the_value_a_name_had():
    x, y = x32(), torch.zeros(32, 64)
    stale(x, ints(3, 6), y)
    expected = torch.zeros(32, 64)
    expected[:3], expected[8:14] = x[:3] + 1, x[8:14]
    assert torch.equal(y, expected)


@pl.jit
def operators(x: pl.Tensor, z: pl.Tensor, y: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = 1.0 - x * 2.0
        t += 3.0 / z
        t -= -z
        y[:] = t / 0.5


def test_operators_on_tensors():
    x, z, y = torch.randn(32, 64), torch.rand(32, 64) + 0.5, torch.zeros(32, 64)
    operators(x, z, y)
    assert torch.allclose(y, (1 - x * 2 + 3 / z + z) * 2, rtol=1e-6, atol=1e-5)


@pl.jit
def constants(x: pl.Tensor, y: pl.Out[pl.Tensor]):
    M, N = x.shape
    half = N // 2
    parts = [k * half for k in range(2)]
    width = half if M > 8 else N
    with pl.at(level=pl.Level.CORE_GROUP):
        y[:, parts[0] : parts[0] + width] = x[:, parts[1] :]
        y[:, parts[1] :] = x[:, :half]


def test_constants_are_computed_by_python():
    x, y = x32(), torch.zeros(32, 64)
    constants(x, y)
    assert torch.equal(y, torch.cat([x[:, 32:], x[:, :32]], 1))


@pl.jit.opaque
def stage(a: pl.Tensor, b: pl.Out[pl.Tensor], k: float):
    with pl.at(level=pl.Level.CORE_GROUP):
        b[:] = pl.mul(a, k)
    return b


@pl.jit.inline
def pair(a: pl.Tensor):
    return pl.add(a, 1.0), pl.mul(a, 2.0)


@pl.jit.inline
def accumulate(a: pl.Tensor, b: pl.InOut[pl.Tensor]):
    b[:] = pl.add(b, a)


@pl.jit
def helped(x: pl.Tensor, y: pl.Out[pl.Tensor]):
    z = pl.create_tensor([16, 64], dtype=pl.FP32)
    for r in pl.range(0, 32, 16):
        stage(x[r : r + 16, :], z, k=3.0)
        with pl.at(level=pl.Level.CORE_GROUP):
            p, q = pair(pair(z[:])[0])
            y[r : r + 16, :] = p * q
            accumulate(a=x, b=y)


def test_helpers_of_every_kind():
    x, y = torch.randn(32, 64), torch.zeros(32, 64)
    helped(x, y)
    expected = torch.zeros(32, 64)
    for r in (0, 16):
        z = x[r : r + 16] * 3
        expected[r : r + 16] = (z + 2) * ((z + 1) * 2)
        expected += x
    assert torch.allclose(y, expected, rtol=1e-5, atol=1e-5)


@pl.jit
def early(x: pl.Tensor, i: pl.Tensor, y: pl.Out[pl.Tensor], z: pl.Out[pl.Tensor]):
    n = i[0]
    if n > 3:
        with pl.at(level=pl.Level.CORE_GROUP):
            y[:] = x + 1.0
        return y, z
    if n > 1:
        with pl.at(level=pl.Level.CORE_GROUP):
            y[:] = x + 2.0
            z[:] = x + 5.0
    else:
        with pl.at(level=pl.Level.CORE_GROUP):
            z[:] = x + 3.0
        return y, z
    with pl.at(level=pl.Level.CORE_GROUP):
        z[:] = x + 4.0
    return y, z


def test_returns_in_branches():
    x = x32()
    for n, a, b in ((5, 1.0, None), (2, 2.0, 4.0), (0, None, 3.0)):
        y, z = torch.full((32, 64), 7.0), torch.full((32, 64), 7.0)
        early(x, ints(n), y, z)
        assert torch.equal(y, torch.full_like(x, 7.0) if a is None else x + a)
        assert torch.equal(z, torch.full_like(x, 7.0) if b is None else x + b)


@pl.program
class Scaled:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self, x: pl.Tensor[[32, 64], pl.FP32], s: pl.Scalar[pl.FP32], y: pl.Out[pl.Tensor[[32, 64], pl.FP32]]
    ) -> pl.Tensor[[32, 64], pl.FP32]:
        t = pl.load(x, [0, 0], [32, 64])
        y = pl.store(pl.mul(t, s), [0, 0], y)
        return y

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self, x: pl.Tensor[[32, 64], pl.FP32], s: pl.Scalar[pl.FP32], y: pl.Out[pl.Tensor[[32, 64], pl.FP32]]
    ) -> pl.Tensor[[32, 64], pl.FP32]:
        y = self.kern(s=s, y=y, x=x)
        return y


def test_program_with_keyword_call(tmp_path):
    from pypto.compiler import compile

    x, y = x32(), torch.zeros(32, 64)
    compile(Scaled, tmp_path)(x, 2.5, y)
    assert torch.equal(y, x * 2.5)
