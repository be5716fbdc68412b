"""The IR of typical kernels, as text, under review; and printed IR parses back to itself."""

from __future__ import annotations

import pytest
import torch

import pypto.language as pl
from pypto.ir.equal import assert_structural_equal
from pypto.ir.print import as_python
from pypto.passes import PassContext, run_passes
from pypto.platforms import MemoryPlanner, platform

X, I = torch.zeros(32, 64), torch.zeros(4, dtype=torch.int32)  # noqa: E741
rows = pl.dynamic("rows")
SCALE = 3.0
SHAPE = [16, 64]


@pl.jit.incore
def work(a: pl.Tensor, b: pl.Out[pl.Tensor], k: float = 3.0):
    t = pl.load(a, [0, 0], a.shape)
    pl.store(pl.mul(t, k), [0, 0], b)


@pl.jit.inline
def both(a):
    return pl.add(a, 1.0), pl.mul(a, 2.0)


@pl.jit
def elementwise(x: pl.Tensor, y: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="body"):
        y[:] = -x * SCALE + 1.0 - 2.0 * x


@pl.jit
def tiles(x: pl.Tensor, y: pl.Out[pl.Tensor]):
    M, N = x.shape
    with pl.at(level=pl.Level.CORE_GROUP):
        for r in pl.range(0, M, 16):
            t = pl.load(x, [r, 0], SHAPE)
            t = pl.cast(t, pl.FP16)
            pl.store(pl.cast(t, x.dtype), [r, 0], y)
        u = pl.load(x, [M - 1, 0], [1, N])
        pl.store(u, [0, 0], y)
    return y


@pl.jit
def subscripts(x: pl.Tensor, i: pl.Tensor, y: pl.Out[pl.Tensor]):
    k = i[2]
    for r in pl.range(0, 32, 8):
        with pl.at(level=pl.Level.CORE_GROUP):
            y[r : r + 8, 0:32] = x[r : r + 8, 32:]
            y[k, :] = x[k]
            y[r + 1, 0:16] = pl.mul(x[3:4, 16:32], 2.0)


@pl.jit
def helpers(x: pl.Tensor, y: pl.Out[pl.Tensor]):
    z = pl.create_tensor(x.shape, dtype=x.dtype)
    work(x[0:16, :], z[0:16, :], k=2.0)
    work(b=z[16:32, :], a=x[16:32, :])
    work(x, y)
    with pl.at(level=pl.Level.CORE_GROUP):
        p, q = both(both(z)[0])
        y[:] = p - q
    return y


@pl.jit
def control(x: pl.Tensor, i: pl.Tensor, y: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        n = pl.read(i, [0])
        acc, count = pl.load(x, [0, 0], [8, 64]), 0
        for r in pl.range(1, n):
            if r % 2 == 0:
                continue
            elif r > 7:
                break
            acc = pl.add(acc, pl.load(x, [r * 8, 0], [8, 64]))
            count += 1
        while count < 3:
            acc = pl.mul(acc, 2.0)
            count = count + 1
        a, b = count, n
        a, b = pl.cast(b, pl.INDEX), pl.cast(a, pl.INT32)
        pl.store(acc, [a, 0], y)


@pl.jit
def explicit(x: pl.Tensor, i: pl.Tensor, y: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.load(x, [0, 0], [8, 64])
        for r, (acc, n) in pl.range(1, 4, init_values=(t, 0)):
            if r > 2:
                v = pl.yield_(pl.add(acc, 1.0))
            else:
                v = pl.yield_(acc)
            out, m = pl.yield_(v, n + 1)
        for j, u in pl.while_(init_values=(m, out)):
            pl.cond(j < 9)
            k, w = pl.yield_(j + 1, pl.mul(u, 2.0))
        pl.store(w, [k, 0], y)


@pl.jit
def dynamic(x: pl.Tensor, y: pl.Out[pl.Tensor]):
    x.bind_dynamic(0, rows)
    y.bind_dynamic(0, rows)
    with pl.at(level=pl.Level.CORE_GROUP):
        for r in pl.range(0, rows, 8):
            k = pl.min(rows - r, 8)
            t = pl.load(x, [r, 0], [8, 64], valid_shape=[k, 64])
            y = pl.store(pl.add(t, 1.0), [r, 0], y)
    return y


@pl.jit
def early(x: pl.Tensor, i: pl.Tensor, y: pl.Out[pl.Tensor]):
    n = i[0]
    if n > 3:
        with pl.at(level=pl.Level.CORE_GROUP):
            y[:] = pl.add(x, 1.0)
        return y
    with pl.at(level=pl.Level.CORE_GROUP):
        y[:] = pl.add(x, 2.0)
    return y


@pl.jit
def runtime_scalars(x: pl.Tensor, f: pl.Scalar[pl.FP32], n: pl.Scalar[pl.INT32], y: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        if n > 1 and not (f < 0.5):
            y[:] = pl.mul(x, f)


KERNELS = {
    "elementwise": (elementwise, (X, X)), "tiles": (tiles, (X, X)), "subscripts": (subscripts, (X, I, X)),
    "helpers": (helpers, (X, X)), "control": (control, (X, I, X)), "explicit": (explicit, (X, I, X)),
    "dynamic": (dynamic, (X, X)), "early": (early, (X, I, X)), "runtime_scalars": (runtime_scalars, (X, 0.5, 2, X)),
}  # fmt: skip


@pytest.mark.parametrize("name", KERNELS)
def test_program_before_any_pass(name, golden):
    kernel, args = KERNELS[name]
    golden(as_python(kernel.specialize(*args)))


@pytest.mark.parametrize("name", KERNELS)
def test_printed_program_parses_back_after_every_pass(name):
    kernel, args = KERNELS[name]
    seen = []

    def check(number, step, program):
        again = pl.parse(as_python(program), f"<{name} {number}>")
        assert_structural_equal(program, again, enable_auto_mapping=True)
        seen.append(step)

    run_passes(kernel.specialize(*args), PassContext(platform("a2a3sim"), MemoryPlanner.PYPTO), check)
    assert len(seen) > 10
