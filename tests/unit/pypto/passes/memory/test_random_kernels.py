"""Random kernels keep every value: straight lines, loops that swap and keep, branches, views, in-place operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from pypto import ir
from pypto.ops.dtypes import FP16, FP32
from pypto.passes.memory.check import check_program

FULL, HALF, TALL, SQUARE, COLUMN, WIDE = (8, 16), (4, 16), (16, 8), (8, 8), (8, 1), (8, 32)
RECENT = 5  # drawing from the latest tiles makes chains and lets old tiles die


class Writer:
    """Writes random statements; ``pool`` holds the tiles in scope."""

    def __init__(self, kernel: Any, data: st.DataObject) -> None:
        self.kernel = kernel
        self.draw = data.draw
        self.budget = 30
        self.pool: list[ir.Var] = [kernel.load(FULL, as_="a"), kernel.load(FULL, as_="b")]

    def one(self, shape: tuple[int, int] = FULL, dtype: Any = FP32, or_load: bool = True) -> ir.Var:
        """A tile of the pool, a new one when there is none."""
        fitting = [var for var in self.pool if var.type.shape == shape and var.type.dtype is dtype]
        if not fitting:
            made = (
                self.kernel.load(shape, as_="n")
                if dtype is FP32
                else self.kernel("cast", self.one(shape), dtype, as_="n")
            )
            self.pool.append(made)
            return made
        return self.draw(st.sampled_from(fitting[-RECENT:]))

    def body(self, depth: int) -> None:
        for _ in range(self.draw(st.integers(1, 6))):
            if self.budget <= 0:
                return
            self.budget -= 1
            kinds = SIMPLE if depth >= 2 else SIMPLE + NESTED
            self.pool += self.draw(st.sampled_from(kinds))(self, depth)

    def scoped(self, depth: int, extra: Sequence[ir.Var], count: int) -> list[ir.Var]:
        """A nested body; returns ``count`` tiles to hand on, any that are in scope there."""
        outer, self.pool = self.pool, [*self.pool, *extra]
        self.body(depth + 1)
        values = [self.one() for _ in range(count)]
        self.pool = outer
        return values


def _op(name: str, *shapes: Any, **kwargs: Any) -> Callable[[Writer, int], list[ir.Var]]:
    def add(writer: Writer, depth: int) -> list[ir.Var]:
        args = [writer.one(shape) if isinstance(shape, tuple) else shape for shape in shapes]
        return [writer.kernel(name, *args, as_="v", **kwargs)]

    return add


def _store(writer: Writer, depth: int) -> list[ir.Var]:
    writer.kernel.store(writer.one())
    return []


def _narrow(writer: Writer, depth: int) -> list[ir.Var]:
    return [writer.kernel("cast", writer.one(FULL, FP16), FP32, as_="w")]


def _loop(writer: Writer, depth: int) -> list[ir.Var]:
    inits = [writer.one() for _ in range(writer.draw(st.integers(1, 3)))]
    trips = writer.draw(st.sampled_from([4, writer.kernel.count]))
    return list(writer.kernel.loop(inits, lambda *args: writer.scoped(depth, args, len(inits)), trips))


def _branch(writer: Writer, depth: int) -> list[ir.Var]:
    count = writer.draw(st.integers(1, 2))
    side = lambda: writer.scoped(depth, (), count)  # noqa: E731
    return list(writer.kernel.branch(side, side))


SIMPLE = [
    _op("add", FULL, FULL),
    _op("exp", FULL),
    _op("row_expand_mul", FULL, COLUMN),
    _op("row_sum", FULL),
    _op("transpose", FULL, 0, 1),
    _op("transpose", TALL, 0, 1),
    _op("transpose_view", TALL),
    _op("slice", FULL, [4, 16], [4, 0]),
    _op("slice", FULL, [8, 8], [0, 8]),
    _op("slice", WIDE, [8, 16], [0, 16]),
    _op("slice", WIDE, [8, 16], [0, 0]),
    _op("reshape", FULL, [16, 8]),
    _op("reshape", SQUARE, [4, 16]),
    _op("reshape", TALL, [8, 16]),
    _op("assemble", FULL, HALF, [0, 0]),
    _op("assemble", FULL, HALF, [4, 0]),
    _op("assemble", FULL, SQUARE, [0, 8]),
    _op("fillpad", FULL),
    _narrow,
    _store,
    _store,
]
NESTED = [_loop, _loop, _branch]


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_a_random_kernel_stores_the_values_that_were_meant(kernel: Any, planned: Any, data: st.DataObject) -> None:
    k = kernel()
    writer = Writer(k, data)
    writer.body(0)
    for var in writer.pool:
        if var.type.shape == FULL and var.type.dtype is FP32:
            k.store(var)
    program = k.program()
    note(ir.as_python(program, concise=True))
    for after in planned(program)[::2]:
        note(ir.as_python(after))
        check_program(after, program, limit=5)
