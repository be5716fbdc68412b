"""``rows_program``: a program that applies every row of the op table, with its inputs and the places of its results.

One in-core function per op applies it to every dtype it takes, on a whole tile, on a single row and on a partly valid
tile. The first two operands together hold every pair of edge values. Results land in slots of one output per dtype.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest
import torch

from pypto.ir import nodes as n
from pypto.ir.build import call
from pypto.ir.types import TensorType, UnknownType
from pypto.ops import TABLE, Kind, Op
from pypto.ops import dtypes as d
from pypto.ops.dtypes import DataType
from pypto.ops.enums import CastMode, FunctionType, MemorySpace, PadValue, ParamDirection

ROWS, COLS = 32, 64
CAPACITY = 500 * ROWS
VARIANTS = {
    "whole": (ROWS, ROWS, COLS),
    "one row": (1, 1, COLS),
    "odd valid region": (ROWS, 21, 37),
}  # rows, then valid
CARRIERS = {d.UINT16: d.INT16, d.UINT32: d.INT32}  # no tensor at the call boundary has these; they are cast on the way
DATA = d.FLOATS | d.INTS


def carrier(dtype: DataType) -> DataType:
    """The dtype of the tensors that bring ``dtype`` in and out."""
    return CARRIERS.get(dtype, dtype)


def in_order(dtypes: frozenset[DataType]) -> Iterator[DataType]:
    """Dtypes in the order of their declaration."""
    return (dtype for dtype in d.ALL if dtype in dtypes)


# Inputs


def edges(dtype: DataType) -> list[float]:
    """Values where arithmetic is special."""
    if not dtype.is_float:
        low = -(1 << (dtype.bits - 1)) if dtype.is_signed else 0
        high = (1 << (dtype.bits - dtype.is_signed)) - 1
        return [low, low + 1, high, high - 1, 0, 1, 2, 3, 7, -1 if low else 5, -2 if low else 6, high // 2]
    limits = torch.finfo(getattr(torch, dtype.torch))
    tiny = limits.smallest_normal
    zeros_and_ones = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1 + limits.eps]
    return [*zeros_and_ones, math.inf, -math.inf, math.nan, limits.max, limits.min, tiny, -tiny / 4, tiny / 8]


def crossed(dtype: DataType, second: bool, generator: torch.Generator) -> torch.Tensor:
    """A whole tile of values: one side of every pair of edge values, then random ones."""
    pairs = list(itertools.product(edges(dtype), repeat=2))
    values = [pair[second] for pair in pairs]
    rest = ROWS * COLS - len(values)
    if dtype.is_float:
        scale = torch.exp2(torch.randint(-8, 9, (rest,), generator=generator))
        random = (torch.randn(rest, generator=generator) * scale).double()
        return torch.cat([torch.tensor(values, dtype=torch.float64), random]).reshape(ROWS, COLS)
    random = torch.randint(int(min(values)), int(max(values)), (rest,), generator=generator)
    return torch.cat([torch.tensor(values, dtype=torch.int64), random]).reshape(ROWS, COLS)


def harmless(values: torch.Tensor) -> torch.Tensor:
    """Divisors of integers: neither zero nor -1, which a simulator stops at."""
    return torch.where((values == 0) | (values == -1), 3, values)


@cache
def inputs(dtype: DataType) -> dict[str, torch.Tensor]:
    """Tensors by role, in a dtype that crosses the call boundary."""
    generator = torch.Generator().manual_seed(dtype.code)
    a, b = (crossed(dtype, second, generator) for second in (False, True))
    row, col = b[:, COLS - 1 :].clone(), b[ROWS - 1 :, :].clone()
    small = torch.randint(-8 if dtype.is_signed else 0, 9, (ROWS, COLS), generator=generator)
    if dtype.is_float:
        special = torch.tensor([math.nan, math.inf, -0.0, 0.0], dtype=torch.float64)
        row[:4, 0], col[0, :4] = special, special
    roles = {
        "a": a, "b": b, "divisor": b if dtype.is_float else harmless(b),
        "row": row if dtype.is_float else harmless(row), "col": col if dtype.is_float else harmless(col),
        "lhs": small, "rhs": small.reshape(COLS, ROWS).flip(0), "bias": small[:1, :ROWS],
    }  # fmt: skip
    return {role: values.to(getattr(torch, carrier(dtype).torch)) for role, values in roles.items()}


# The program


@dataclass(frozen=True)
class Slot:
    """Where a result lands: ROWS rows of an output from ``start`` on."""

    op: Op
    label: str
    output: str
    start: int


@dataclass
class Kernel:
    """An in-core function in the making."""

    name: str
    program: RowsProgram
    params: dict[str, n.Var] = field(default_factory=dict)
    body: list[n.Stmt] = field(default_factory=list)

    def call(self, op: str, *args: Any, **kwargs: Any) -> Any:
        """The result of an op, or None of one with an effect only."""
        value = call(op, *args, **kwargs)
        if isinstance(value.type, UnknownType):
            self.body.append(n.Eval(value))
            return None
        var = n.Var(value.type, f"v{len(self.body)}")
        self.body.append(n.Assign(var, value))
        return var

    def input(self, role: str, dtype: DataType) -> n.Var:
        """The parameter with the values of a role."""
        name = f"{role}_{dtype.name}"
        shape = tuple(inputs(dtype)[role].shape)
        return self.params.setdefault(name, n.Var(TensorType(shape, carrier(dtype)), name))

    def load(self, role: str, dtype: DataType, shape: tuple[int, int], valid: tuple[int, int] | None = None) -> Any:
        """A vector tile with the values of a role."""
        tile = self.call("load", self.input(role, dtype), [0, 0], list(shape), list(valid or shape))
        return tile if carrier(dtype) is dtype else self.call("cast", tile, dtype)

    def whole(self, role: str, dtype: DataType) -> Any:
        """A whole, fully valid tile with the values of a role."""
        return self.load(role, dtype, (ROWS, COLS))

    def store(self, op: Op, label: str, tile: Any) -> None:
        """Write a result into a slot of its own."""
        if carrier(tile.type.dtype) is not tile.type.dtype:
            tile = self.call("cast", tile, carrier(tile.type.dtype))
        output, start = self.output(op, label, tile.type.dtype)
        self.body.append(n.Eval(call("store", tile, [start, 0], output)))

    def output(self, op: Op, label: str, dtype: DataType) -> tuple[n.Var, int]:
        """A new slot: its tensor and its first row."""
        slot = self.program.slot(op, label, dtype)
        return self.params.setdefault(slot.output, n.Var(TensorType((CAPACITY, COLS), dtype), slot.output)), slot.start

    def function(self) -> n.Function:
        """The finished function."""
        params = tuple(self.params.values())
        return n.Function(self.name, params, self.directions(), (), tuple(self.body), FunctionType.InCore)

    def directions(self) -> tuple[ParamDirection, ...]:
        """Outputs are InOut, so that slots that a kernel leaves alone keep their content."""
        return tuple(ParamDirection.InOut if name.startswith("out_") else ParamDirection.In for name in self.params)


class RowsProgram:
    """The program that holds every op: slots of results, kernels, the IR and its arguments."""

    def __init__(self) -> None:
        self.slots: list[Slot] = []
        self.used: dict[str, int] = {}
        self.kernels: list[Kernel] = []
        for op in TABLE.values():
            build = BUILDERS.get(op.name, cell_by_cell if op.scalar else None)
            if build is not None:
                self.kernels.append(Kernel("row_" + op.name.replace(".", "_").rstrip("_"), self))
                build(self.kernels[-1], op)

    def slot(self, op: Op, label: str, dtype: DataType) -> Slot:
        """A free slot of the output of a dtype."""
        name = f"out_{dtype.name}"
        start = self.used.get(name, 0)
        self.used[name] = start + ROWS
        assert self.used[name] <= CAPACITY, "raise CAPACITY"
        self.slots.append(Slot(op, label, name, start))
        return self.slots[-1]

    def names(self) -> list[str]:
        """The parameters of the orchestration."""
        return sorted({name for kernel in self.kernels for name in kernel.params})

    def ir(self) -> n.Program:
        """The in-core functions and the orchestration that calls each once."""
        main = Kernel("rows", self)
        main.params = {name: self._param(name) for name in self.names()}
        for kernel in self.kernels:
            arguments = tuple(main.params[name] for name in kernel.params)
            main.body.append(n.Eval(n.FunctionCall(UnknownType(), kernel.name, arguments)))
        entry = n.Function(
            "rows", tuple(main.params.values()), main.directions(), (), tuple(main.body), FunctionType.Orchestration
        )
        return n.Program("rows", (entry, *(kernel.function() for kernel in self.kernels)))

    def _param(self, name: str) -> n.Var:
        found = next(kernel.params[name] for kernel in self.kernels if name in kernel.params)
        return n.Var(found.type, name)

    def arguments(self) -> dict[str, torch.Tensor]:
        """A tensor per parameter of the orchestration; outputs hold zeros."""
        found: dict[str, torch.Tensor] = {}
        for name in self.names():
            role, _, dtype = name.partition("_")
            kind = d.BY_NAME[dtype]
            zeros = torch.zeros((CAPACITY, COLS), dtype=getattr(torch, kind.torch)) if role == "out" else None
            found[name] = inputs(kind)[role] if zeros is None else zeros
        return found


@pytest.fixture(scope="session")
def rows_program() -> RowsProgram:
    return RowsProgram()


# How each op is applied

Builder = Callable[[Kernel, Op], None]
BUILDERS: dict[str, Builder] = {}


def builder(*names: str) -> Callable[[Builder], Builder]:
    """The decorated function applies the ops called ``names``."""

    def register(function: Builder) -> Builder:
        BUILDERS.update(dict.fromkeys(names, function))
        return function

    return register


def cell_by_cell(kernel: Kernel, op: Op) -> None:
    """Ops whose operands follow from their parameters."""
    for dtype in in_order(op.dtypes):
        for variant, (rows, *valid) in VARIANTS.items():
            for form, operands in forms(kernel, op, dtype, (rows, COLS), (valid[0], valid[1])):
                kernel.store(op, f"{dtype.name}, {variant}{form}", kernel.call(op.name, *operands))


def forms(
    kernel: Kernel, op: Op, dtype: DataType, shape: tuple[int, int], valid: tuple[int, int]
) -> Iterator[tuple[str, list[Any]]]:
    """The operands of an op, with a name for each form it has."""
    first = kernel.load("a", dtype, shape, valid)
    second = [param for param in op.operands[1:] if not param.scratch]
    literal: Any = 0.3 if dtype.is_float else 3
    if not second:
        yield "", [first]
    elif len(second) == 2:  # a third tile
        middle = literal if second[0].kind is Kind.SCALAR else kernel.load("b", dtype, shape, valid)
        yield "", [first, middle, kernel.load("b", dtype, shape, valid)]
    elif second[0].kind is Kind.SCALAR:
        yield "", [first, literal]
    elif second[0].name == "row_vec":
        if shape[0] == ROWS:  # one row has one number, and a tile of one number is no whole block
            yield "", [first, kernel.load("row", dtype, (ROWS, 1), (valid[0], 1))]
    elif second[0].name == "col_vec":
        yield "", [first, kernel.load("col", dtype, (1, COLS), (1, valid[1]))]
    else:
        yield "", [first, kernel.load("divisor" if op.typing == "division" else "b", dtype, shape, valid)]
        if second[0].kind is Kind.VALUE_OR_SCALAR:
            yield ", literal", [first, literal]
        if second[0].kind is Kind.VALUE_OR_SCALAR and dtype.is_signed and op.typing != "shift":
            yield ", negative literal", [first, -7]


@builder("cast")
def casts(kernel: Kernel, op: Op) -> None:
    """Every pair of dtypes; a float becomes an integer in every mode."""
    for source, target in itertools.permutations(in_order(op.dtypes), 2):
        rounds = source.is_float and not target.is_float
        for mode in CastMode if rounds else (CastMode.round,):
            tile = kernel.call("cast", kernel.load("a", source, (ROWS, COLS), (ROWS, COLS)), target, mode)
            kernel.store(op, f"{source.name} to {target.name}, {mode.name}", tile)


@builder("load", "store")
def windows(kernel: Kernel, op: Op) -> None:
    """A window within the tensor, a partly valid one, and one cut at the edge."""
    for dtype in in_order(DATA):
        source = kernel.input("a", dtype)
        for label, valid, options in (
            ("window", [8, 32], {}),
            ("partly valid", [3, 5], {}),
            ("clamped", None, {"clamp": True}),
        ):
            offset = [28, 32] if options else [9, 32]
            tile = kernel.call("load", source, offset, [8, 32], valid, **options)
            kernel.store(op, f"{dtype.name}, {label}", tile)


@builder("create_tile", "assemble")
def assembled(kernel: Kernel, op: Op) -> None:
    """Parts written into a new tile, and into one with values."""
    for dtype in in_order(DATA):
        made = kernel.call("create_tile", [ROWS, COLS], dtype)
        part = kernel.load("b", dtype, (8, 32))
        corner = kernel.load("b", dtype, (8, 32), (3, 5))
        filled = kernel.call("set_validshape", made, 0, 0)
        kernel.store(op, f"{dtype.name}, new", kernel.call("assemble", filled, part, [0, 0]))
        kernel.store(op, f"{dtype.name}, over", kernel.call("assemble", kernel.whole("a", dtype), part, [16, 32]))
        kernel.store(op, f"{dtype.name}, corner", kernel.call("assemble", kernel.whole("a", dtype), corner, [29, 59]))


@builder("tile.full")
def constants(kernel: Kernel, op: Op) -> None:
    """A number of each sign."""
    for dtype in in_order(op.dtypes):
        for value in (3, -7) if dtype.is_signed else (3,):
            kernel.store(op, f"{dtype.name}, {value}", kernel.call("tile.full", [ROWS, COLS], dtype, value))


@builder("slice")
def slices(kernel: Kernel, op: Op) -> None:
    """A window of a whole tile and of a partly valid one, through an op that reads it."""
    for dtype in in_order(DATA):
        for label, valid in (("whole", (ROWS, COLS)), ("partly valid", (21, 37))):
            window = kernel.call("slice", kernel.load("a", dtype, (ROWS, COLS), valid), [16, 32], [8, 32])
            kernel.store(op, f"{dtype.name}, {label}", kernel.call("add", window, 0))


@builder("reshape")
def reshapes(kernel: Kernel, op: Op) -> None:
    """Rows cut in two."""
    for dtype in in_order(DATA):
        tile = kernel.call("reshape", kernel.load("a", dtype, (16, COLS)), [32, 32])
        kernel.store(op, dtype.name, kernel.call("add", tile, 0))


@builder("transpose")
def transposes(kernel: Kernel, op: Op) -> None:
    """A square, a rectangle, and a partly valid one."""
    for dtype in in_order(DATA):
        for label, shape, valid in (("square", (32, 32), (32, 32)), ("odd", (32, 32), (21, 7))):
            tile = kernel.load("a", dtype, shape, valid)
            kernel.store(op, f"{dtype.name}, {label}", kernel.call("transpose", tile, 0, 1))


@builder("fillpad", "fillpad_expand", "fillpad_inplace")
def pads(kernel: Kernel, op: Op) -> None:
    """Every pad around an odd valid region."""
    for dtype in in_order(DATA):
        for pad in (PadValue.zero, PadValue.max, PadValue.min):
            tile = kernel.load("a", dtype, (24, 32), (21, 7))
            larger = [[ROWS, COLS]] if op.name == "fillpad_expand" else []
            kernel.store(op, f"{dtype.name}, {pad.name}", kernel.call(op.name, tile, *larger, pad))


@builder("concat")
def joined(kernel: Kernel, op: Op) -> None:
    """Two halves, the second partly valid."""
    for dtype in in_order(DATA):
        for label, valid in (("whole", (ROWS, 32)), ("odd", (ROWS, 7))):
            left, right = kernel.load("a", dtype, (ROWS, 32)), kernel.load("b", dtype, (ROWS, 32), valid)
            kernel.store(op, f"{dtype.name}, {label}", kernel.call("concat", left, right))


@builder("set_validshape")
def narrowed(kernel: Kernel, op: Op) -> None:
    """Only the named cells are stored."""
    for dtype in in_order(DATA):
        kernel.store(op, dtype.name, kernel.call("set_validshape", kernel.whole("a", dtype), 5, 7))


@builder("read", "write")
def elements(kernel: Kernel, op: Op) -> None:
    """An element of a tensor and one of a tile, each written into a tensor and into a tile."""
    for dtype in in_order(DATA - set(CARRIERS)):
        source, tile = kernel.input("a", dtype), kernel.whole("b", dtype)
        output, start = kernel.output(op, f"{dtype.name}, tensor", dtype)
        kernel.call("write", output, [start, 1], kernel.call("read", source, [1, 2]))
        kernel.call("write", output, [start + 1, 0], kernel.call("read", tile, [3, 4]))
        kernel.call("write", tile, [5, 6], kernel.call("read", source, [31, 63]))
        kernel.store(op, f"{dtype.name}, tile", tile)


@builder("matmul", "matmul_acc", "matmul_bias", "move", "transpose_view")
def products(kernel: Kernel, op: Op) -> None:
    """Products of small whole numbers, which no order of accumulation rounds."""
    for dtype in in_order(TABLE["matmul"].dtypes):
        wide = d.FP32 if dtype.is_float else d.INT32
        left = kernel.call("move", mat(kernel, "lhs", dtype), MemorySpace.Left)
        factor = mat(kernel, "rhs", dtype)
        if op.name == "transpose_view":
            factor = kernel.call("transpose_view", mat(kernel, "lhs", dtype))
        right = kernel.call("move", factor, MemorySpace.Right)
        if op.name == "matmul_bias":
            bias = kernel.call("move", mat(kernel, "bias", wide), MemorySpace.Bias)
            product = kernel.call("matmul_bias", left, right, bias)
        else:
            product = kernel.call("matmul", left, right)
        if op.name == "matmul_acc":
            product = kernel.call("matmul_acc", product, left, right)
        kernel.store(op, dtype.name, product)


def mat(kernel: Kernel, role: str, dtype: DataType) -> Any:
    """The values of a role as a tile for the cube core."""
    tensor = kernel.input(role, dtype)
    return kernel.call("load", tensor, [0, 0], list(inputs(dtype)[role].shape), target_memory=MemorySpace.Mat)
