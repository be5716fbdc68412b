"""Kernels through the whole pipeline: legal after every pass, and the meaning of the source kept to the end.

Each kernel comes with what plain Python makes of it; the executor of the IR runs the program before the passes and
after them.
"""

import pytest
import torch

import pypto.language as pl
from pypto.ir import as_python, verify
from pypto.passes import PIPELINE, PassContext, run_passes
from pypto.platforms import PLATFORMS
from pypto.reference import execute

SHAPE = (16, 64)


@pl.jit
def break_leaves_loop(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        acc = pl.load(x, [0, 0], [16, 64])
        for i in pl.range(10):
            if i == 3:
                break
            acc = pl.add(acc, 1.0)
        pl.store(acc, [0, 0], out)


@pl.jit
def continue_skips_rest(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        acc = pl.load(x, [0, 0], [16, 64])
        for i in pl.range(6):
            if i % 2 == 0:
                continue
            acc = pl.add(acc, 1.0)
        pl.store(acc, [0, 0], out)


@pl.jit
def break_in_nested_loop(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        acc = pl.load(x, [0, 0], [16, 64])
        for i in pl.range(3):
            for j in pl.range(5):
                if j > i:
                    break
                acc = pl.add(acc, 1.0)
            acc = pl.mul(acc, 2.0)
        pl.store(acc, [0, 0], out)


@pl.jit
def while_carries_tile(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        acc = pl.load(x, [0, 0], [16, 64])
        i = 0
        while i < 4:
            acc = pl.add(acc, acc)
            i = i + 1
        pl.store(acc, [0, 0], out)


@pl.jit
def carried_values_swap(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        a = pl.load(x, [0, 0], [16, 64])
        b = pl.mul(a, 10.0)
        for _ in pl.range(3):
            t = a
            a = b
            b = t
        pl.store(pl.sub(a, b), [0, 0], out)


@pl.jit
def two_carries_from_one_value(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        start = pl.load(x, [0, 0], [16, 64])
        a = start
        b = start
        for _ in pl.range(3):
            a = pl.add(a, 1.0)
            b = pl.mul(b, 2.0)
        pl.store(pl.sub(a, b), [0, 0], out)


@pl.jit
def fibonacci_scalars(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        a = 0
        b = 1
        for _ in pl.range(10):
            c = a + b
            a = b
            b = c
        pl.store(pl.add(pl.load(x, [0, 0], [16, 64]), pl.cast(a, pl.FP32)), [0, 0], out)


@pl.jit
def branches_merge(x: pl.Tensor, n: pl.Scalar[pl.INT32], out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.load(x, [0, 0], [16, 64])
        if n > 2:
            y = pl.add(t, 1.0)
        else:
            y = pl.mul(t, 3.0)
        pl.store(pl.add(y, t), [0, 0], out)


@pl.jit
def explicit_carry(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        start = pl.load(x, [0, 0], [16, 64])
        for _i, (acc,) in pl.range(0, 5, init_values=(start,)):
            nxt = pl.add(acc, 2.0)
            total = pl.yield_(nxt)
        pl.store(total, [0, 0], out)


@pl.jit
def floor_division_of_negatives(x: pl.Tensor, n: pl.Scalar[pl.INT32], out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        q = (0 - n) // 2
        r = (0 - n) % 4
        t = pl.add(pl.load(x, [0, 0], [16, 64]), pl.cast(q, pl.FP32))
        pl.store(pl.add(t, pl.cast(r, pl.FP32)), [0, 0], out)


@pl.jit
def unrolled(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        acc = pl.load(x, [0, 0], [16, 64])
        for i in pl.unroll(4):
            acc = pl.add(acc, pl.mul(acc, pl.cast(i, pl.FP32)))
        pl.store(acc, [0, 0], out)


@pl.jit
def regions_hand_on_tensor(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        doubled = pl.mul(x, 2.0)
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = pl.add(doubled, x)


@pl.jit
def rows_updated_in_place(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = x
        for row in pl.range(0, 16, 8):
            out[row : row + 8, :] = pl.add(out[row : row + 8, :], 1.0)


def _compound(x):
    for i in range(3):
        for j in range(5):
            if j > i:
                break
            x = x + 1
        x = x * 2
    return x


def _unrolled(x):
    for i in range(4):
        x = x + x * i
    return x


CASES = [
    (break_leaves_loop, (), lambda x: x + 3),
    (continue_skips_rest, (), lambda x: x + 3),
    (break_in_nested_loop, (), _compound),
    (while_carries_tile, (), lambda x: x * 16),
    (carried_values_swap, (), lambda x: x * 10 - x),
    (two_carries_from_one_value, (), lambda x: (x + 3) - x * 8),
    (fibonacci_scalars, (), lambda x: x + 55),
    (branches_merge, (3,), lambda x: (x + 1) + x),
    (branches_merge, (1,), lambda x: x * 3 + x),
    (explicit_carry, (), lambda x: x + 10),
    (floor_division_of_negatives, (7,), lambda x: x + (-7 // 2) + (-7 % 4)),
    (unrolled, (), _unrolled),
    (regions_hand_on_tensor, (), lambda x: x * 2 + x),
    (rows_updated_in_place, (), lambda x: x + 1),
]


def _id(value):
    return getattr(value, "__name__", "") or None


@pytest.fixture
def x():
    return torch.randint(-8, 8, SHAPE).float()


@pytest.mark.parametrize(("kernel", "scalars", "meaning"), CASES, ids=_id)
@pytest.mark.parametrize("platform", ["a2a3sim", "a5sim"])
def test_meaning_is_kept_by_passes(kernel, scalars, meaning, platform, x):
    program = kernel.specialize(x, *scalars, torch.zeros(SHAPE))
    lowered = run_passes(program, PassContext(PLATFORMS[platform]), lambda number, name, after: verify(after))
    arguments = dict(zip(kernel.param_names, (x, *scalars, torch.full(SHAPE, torch.nan)), strict=True))
    for stage, form in (("source", program), ("lowered", lowered)):
        got = execute(form, arguments)["out"]
        assert torch.equal(got, meaning(x)), f"{stage}:\n{as_python(form)}"


@pytest.mark.parametrize(("kernel", "scalars", "meaning"), CASES, ids=_id)
def test_simulator_agrees_with_python(kernel, scalars, meaning, x):
    out = torch.full(SHAPE, torch.nan)
    kernel(x, *scalars, out)
    assert torch.equal(out, meaning(x))


def test_every_pass_has_a_name_of_its_own_class():
    assert [step.name for step in PIPELINE] == [type(step).__name__ for step in PIPELINE]
