"""A small builder for in-core functions, so that tests say in a few lines what a kernel does with its tiles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

import pypto.ops  # noqa: F401  fills the op table
from pypto import ir
from pypto.ops.dtypes import BOOL, FP32, INDEX, DataType
from pypto.ops.enums import FunctionType, MemorySpace, ParamDirection
from pypto.passes.context import PassContext
from pypto.passes.memory import AllocateMemoryAddr, InitMemRef, MemoryReuse
from pypto.platforms import platform

AFTER = frozenset(ir.Property)
BEFORE = AFTER - {ir.Property.HasMemRefs, ir.Property.AllocatedMemoryAddr}
ACC_OPS = {"matmul", "matmul_acc"}


class Kernel:
    """Builds one function statement by statement; line k of ``kernel.py`` is its k-th statement."""

    def __init__(self, name: str = "k", dims: tuple[int, int] = (64, 64), dtype: DataType = FP32) -> None:
        self.name = name
        tensor = ir.TensorType(dims, dtype)
        self.source, self.target = ir.Var(tensor, "x"), ir.Var(tensor, "out")
        self.flag = ir.Var(ir.ScalarType(BOOL), "flag")
        self.count = ir.Var(ir.ScalarType(INDEX), "count")
        self._bodies: list[list[ir.Stmt]] = [[]]
        self._line = 0

    def _span(self) -> ir.Span:
        self._line += 1
        return ir.Span("kernel.py", self._line)

    def __call__(self, op: str, *args: Any, as_: str = "t", **kwargs: Any) -> ir.Var:
        """Assign a call of ``op``; tiles go to Acc for products, to the space of an operand for views, else to Vec."""
        span = self._span()
        call = ir.call(op, *args, span=span, **kwargs)
        if isinstance(call.type, ir.TileType) and call.type.space is None:
            space = MemorySpace.Acc if op in ACC_OPS else args[0].type.space
            call = replace(call, type=replace(call.type, space=space))
        var = ir.Var(call.type, as_, span=span)
        self._bodies[-1].append(ir.Assign(var, call, span=span))
        return var

    def load(self, shape: Sequence[int] = (16, 64), as_: str = "t", space: MemorySpace = MemorySpace.Vec) -> ir.Var:
        return self("load", self.source, [0, 0], list(shape), target_memory=space, as_=as_)

    def store(self, tile: ir.Var) -> None:
        span = self._span()
        self._bodies[-1].append(ir.Eval(ir.call("store", tile, [0, 0], self.target, span=span), span=span))

    def write(self, tile: ir.Var) -> None:
        span = self._span()
        value = ir.constant(1.0)
        self._bodies[-1].append(ir.Eval(ir.call("write", tile, [0, 0], value, span=span), span=span))

    def _nested(self, build: Callable[[], Sequence[ir.Var]]) -> ir.Body:
        self._bodies.append([])
        values = build()
        if values:
            self._bodies[-1].append(ir.Yield(tuple(values), span=self._span()))
        return tuple(self._bodies.pop())

    def loop(
        self, inits: Sequence[ir.Var], build: Callable[..., Sequence[ir.Var]], trips: Any = 4
    ) -> tuple[ir.Var, ...]:
        """A loop that carries ``inits``; ``build`` gets the carried variables and returns what is yielded."""
        span = self._span()
        args = tuple(ir.IterArg(init.type, f"{init.name}_in", init, span=span) for init in inits)
        body = self._nested(lambda: build(*args))
        results = tuple(ir.Var(init.type, f"{init.name}_out", span=span) for init in inits)
        index = ir.Var(ir.ScalarType(INDEX), "i", span=span)
        stop = trips if isinstance(trips, ir.Expr) else ir.constant(trips)
        start, step = ir.constant(0), ir.constant(1)
        self._bodies[-1].append(ir.For(index, start, stop, step, body, args, results, span=span))
        return results

    def branch(
        self, then: Callable[[], Sequence[ir.Var]], orelse: Callable[[], Sequence[ir.Var]], as_: str = "r"
    ) -> tuple[ir.Var, ...]:
        """An If on the flag parameter; both functions return what their branch yields."""
        span = self._span()
        bodies = self._nested(then), self._nested(orelse)
        last = bodies[0][-1] if bodies[0] else None
        values = last.values if isinstance(last, ir.Yield) else ()
        results = tuple(ir.Var(value.type, as_, span=span) for value in values)
        self._bodies[-1].append(ir.If(self.flag, *bodies, results, span=span))
        return results

    def program(self) -> ir.Program:
        """The finished program, checked to be legal SSA."""
        directions = (ParamDirection.In, ParamDirection.Out, ParamDirection.In, ParamDirection.In)
        params = (self.source, self.target, self.flag, self.count)
        body = tuple(self._bodies[0])
        function = ir.Function(self.name, params, directions, (), body, kind=FunctionType.InCore)
        program = ir.Program("program", (function,))
        return ir.verify(program, BEFORE)


CONTEXT = PassContext(platform("a2a3sim"))


def _planned(program: ir.Program) -> list[ir.Program]:
    """The program after each of the three memory passes."""
    stages = []
    for step in (InitMemRef(), MemoryReuse(), AllocateMemoryAddr()):
        program = step(program, CONTEXT)
        stages.append(program)
    ir.verify(stages[0], AFTER - {ir.Property.AllocatedMemoryAddr})
    ir.verify(program, AFTER)
    return stages


@pytest.fixture
def kernel() -> type[Kernel]:
    """The builder's class: ``k = kernel()``."""
    return Kernel


@pytest.fixture
def planned() -> Callable[[ir.Program], list[ir.Program]]:
    """Runs the memory passes and gives the program after each."""
    return _planned


@pytest.fixture
def context() -> PassContext:
    """The context the passes run under."""
    return CONTEXT
