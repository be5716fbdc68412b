"""Proof by execution that a placement is right: whatever a function reads is the value that was meant.

The function runs abstractly along its paths: every byte of memory holds a tag that says which byte of which value was
written there last, and every variable knows the tags it should have. Loops run twice, or not at all where that can be.
Nothing here knows how the passes decide; tests run it on what they decided. Given the function as it was before, its
run without any memory must store the same values.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from math import prod
from typing import Any

from pypto.errors import VerificationError
from pypto.ir import nodes as n
from pypto.ir.types import TileType
from pypto.ir.visit import walk
from pypto.ops.row import Kind, Param, Trait
from pypto.passes.memory.init_mem_ref import IN_CORE

CODE = "V301"
Tags = list[int]
UNDEFINED = 0


def check_program(program: n.Program, original: n.Program | None = None, limit: int = 32) -> None:
    """``check_placement`` for every in-core function."""
    for function in program.functions:
        if function.kind in IN_CORE:
            check_placement(function, None if original is None else original[function.name], limit)


def check_placement(function: n.Function, original: n.Function | None = None, limit: int = 32) -> None:
    """VerificationError when along one of up to ``limit`` paths (and as many random ones) a tile is read that is gone.

    Works on MemRefs with addresses, and before there are any on bases and offsets. ``original`` is the function before
    it had memory: what it stores and reads element by element must be the same.
    """
    for choose in _paths(limit):
        decisions: list[int] = []
        run = _Run(function.name, _recording(choose, decisions))
        run.function(function)
        if original is not None:
            replayed = iter(decisions)
            meant = _Run(function.name, lambda ways, replayed=replayed: next(replayed), placed=False)  # type: ignore[misc]
            meant.function(original)
            if meant.observed != run.observed:
                run.fail("stores other values than before it had memory", function.span)


def _recording(choose: Callable[[int], int], decisions: list[int]) -> Callable[[int], int]:
    def recorded(ways: int) -> int:
        decisions.append(choose(ways))
        return decisions[-1]

    return recorded


# Paths


def _paths(limit: int) -> Iterator[Callable[[int], int]]:
    """Oracles that each decide differently: all decisions one after the other, random ones when there are more."""
    made: list[tuple[int, int]] = []  # (decision, number of ways) of the last run
    for _ in range(limit):
        prefix = [decision for decision, _ in made]
        made = []

        def choose(ways: int, prefix: list[int] = prefix, made: list[tuple[int, int]] = made) -> int:
            made.append((prefix[len(made)] if len(made) < len(prefix) else 0, ways))
            return made[-1][0]

        yield choose
        while made and made[-1][0] + 1 == made[-1][1]:
            made.pop()
        if not made:
            return
        made[-1] = (made[-1][0] + 1, made[-1][1])
    generator = random.Random(0)
    for _ in range(limit):
        yield generator.randrange


# Where cells lie


def _extents(tile: TileType) -> tuple[int, int]:
    shape: Any = tile.shape
    return prod(shape[:-1]), shape[-1]


@lru_cache(maxsize=4096)
def _bytes(tile: TileType) -> tuple[Any, Tags]:
    """The memory a tile lies in and, for each of its bytes in row-major order, where it is there."""
    memref = tile.memref
    assert memref is not None, "every tile has a MemRef"
    rows, cols = _extents(tile)
    stride: Any = (cols, 1) if tile.view is None or tile.view.stride is None else tile.view.stride
    size = tile.dtype.size
    start = memref.offset if memref.address is None else memref.address
    cells = (start + (row * stride[0] + col * stride[1]) * size for row in range(rows) for col in range(cols))
    where = [cell + byte for cell in cells for byte in range(size)]
    return (memref.base if memref.address is None else tile.space), where


@lru_cache(maxsize=4096)
def _window(source: TileType, result: TileType, offset: n.Expr | None) -> Tags:
    """For each byte of ``result`` the byte of ``source`` that it shows; a run-time offset counts as zero."""
    assert isinstance(offset, n.MakeTuple)
    row, col = ([0, *(int(item.value) if isinstance(item, n.Const) else 0 for item in offset.items)])[-2:]
    cols, size = _extents(source)[1], source.dtype.size
    cells = (
        ((row + r) * cols + col + c) * size for r in range(_extents(result)[0]) for c in range(_extents(result)[1])
    )
    return [cell + byte for cell in cells for byte in range(size)]


@lru_cache(maxsize=4096)
def _transposed(tile: TileType) -> Tags:
    """For each byte of the transposed tile its byte in ``tile``."""
    rows, cols = _extents(tile)
    size = tile.dtype.size
    return [(row * cols + col) * size + byte for col in range(cols) for row in range(rows) for byte in range(size)]


@dataclass
class _Run:
    """One run along one path."""

    name: str
    choose: Callable[[int], int]
    placed: bool = True
    observed: list[Tags] = field(default_factory=list)  # what leaves the core, in order
    memory: dict[Any, dict[int, int]] = field(default_factory=dict)
    content: dict[n.Var, Tags] = field(default_factory=dict)
    values: list[tuple[int, str]] = field(default_factory=list)  # first tag and name of each value made
    next_tag: int = 1

    def function(self, function: n.Function) -> None:
        for param in function.params:
            if isinstance(param.type, TileType):
                self.write(param, self.fresh(param))
        self.body(function.body)

    # Values

    def fresh(self, var: n.Var) -> Tags:
        """The tags of a new value."""
        assert isinstance(var.type, TileType)
        count = prod(_extents(var.type)) * var.type.dtype.size
        self.values.append((self.next_tag, var.name))
        tags = list(range(self.next_tag, self.next_tag + count))
        self.next_tag += count
        return tags

    def write(self, var: n.Var, tags: Tags) -> None:
        """``var`` has the value ``tags``, and its bytes now hold it."""
        assert isinstance(var.type, TileType)
        self.content[var] = tags
        if self.placed:
            where, places = _bytes(var.type)
            self.memory.setdefault(where, {}).update(zip(places, tags, strict=True))

    def read(self, var: n.Expr, span: n.Span) -> Tags:
        """The value of ``var``, after the check that its bytes hold it."""
        assert isinstance(var, n.Var) and isinstance(var.type, TileType)
        tags = self.content[var]
        if not self.placed:
            return tags
        where, places = _bytes(var.type)
        memory = self.memory.get(where, {})
        if list(map(memory.get, places)) == tags:
            return tags
        for index, (place, tag) in enumerate(zip(places, tags, strict=True)):
            if memory.get(place) != tag:
                found = self._owner(memory.get(place))
                self.fail(f"'{var.name}' is read, but its byte {index} at {place} of {where} holds {found}", span)
        return tags

    def _owner(self, tag: int | None) -> str:
        if tag is None:
            return "nothing"
        names = [name for first, name in self.values if first <= tag]
        return f"a part of '{names[-1]}'" if names else "an uninitialised tile"

    def fail(self, message: str, span: n.Span) -> None:
        raise VerificationError(f"{self.name}: {message}", span, code=CODE)

    # Statements

    def body(self, body: n.Body) -> tuple[n.Expr, ...]:
        """Run ``body``; the values of its yield."""
        for stmt in body:
            if isinstance(stmt, n.Assign):
                self.assign(stmt)
            elif isinstance(stmt, n.For | n.While):
                self.loop(stmt)
            elif isinstance(stmt, n.If):
                taken = stmt.orelse if self.choose(2) else stmt.then
                values = self.body(taken)
                self.hand_on(stmt.results, [self._take(value, stmt.span) for value in values], values, stmt.span)
            elif isinstance(stmt, n.Scope):
                self.body(stmt.body)
            elif isinstance(stmt, n.Yield):
                return stmt.values
            else:
                self.effect(stmt)
        return ()

    def _take(self, value: n.Expr, span: n.Span) -> Tags | None:
        return self.read(value, span) if isinstance(value.type, TileType) else None

    def hand_on(self, slots: Any, tags: list[Tags | None], values: tuple[n.Expr, ...], span: n.Span) -> None:
        """The variables ``slots`` take the values over where they lie; nothing moves."""
        for slot, tag, value in zip(slots, tags, values, strict=True):
            if tag is not None:
                if self.placed and _bytes(slot.type) != _bytes(value.type):
                    self.fail(f"'{slot.name}' is kept elsewhere than the value that it takes over", span)
                self.content[slot] = tag
                self.read(slot, span)

    def loop(self, stmt: n.For | n.While) -> None:
        inits = tuple(arg.init for arg in stmt.iter_args)
        tags = [self._take(init, stmt.span) for init in inits]
        values: tuple[n.Expr, ...] = inits
        for _ in range(self._trips(stmt)):
            self.hand_on(stmt.iter_args, tags, values, stmt.span)
            values = self.body(stmt.body)
            tags = [self._take(value, stmt.span) for value in values]
        self.hand_on(stmt.results, tags, values, stmt.span)

    def _trips(self, stmt: n.For | n.While) -> int:
        if isinstance(stmt, n.For):
            bounds = [bound.value for bound in (stmt.start, stmt.stop, stmt.step) if isinstance(bound, n.Const)]
            if len(bounds) == 3:
                return min(2, len(range(*map(int, bounds))))
        return (2, 0, 1)[self.choose(3)]

    def effect(self, stmt: n.Stmt) -> None:
        for node in walk(stmt):
            if isinstance(node, n.Var) and isinstance(node.type, TileType):
                self.observed.append(self.read(node, stmt.span))
            if isinstance(node, n.Call) and node.op.name == "write":
                target = node.args[0]
                if isinstance(target, n.Var) and isinstance(target.type, TileType):
                    self.write(target, self.fresh(target))

    def assign(self, stmt: n.Assign) -> None:
        var, value = stmt.var, stmt.value
        if not isinstance(var.type, TileType):
            self.effect(n.Eval(value, span=stmt.span))
        elif isinstance(value, n.Var):
            self.content[var] = self.read(value, stmt.span)
            self.read(var, stmt.span)
        elif isinstance(value, n.Call) and Trait.VIEW in value.op.traits:
            self.content[var] = self._seen(value, var.type, stmt.span)
            self.read(var, stmt.span)
        elif isinstance(value, n.Call):
            self.compute(stmt, value, var.type)

    def _seen(self, call: n.Call, result: TileType, span: n.Span) -> Tags:
        """What a view shows of its operand."""
        source = call.args[0]
        assert source is not None and isinstance(source.type, TileType)
        tags = self.read(source, span)
        if call.op.name == "slice":
            return [tags[index] for index in _window(source.type, result, call.args[2])]
        if call.op.name == "transpose_view":
            return [tags[index] for index in _transposed(source.type)]
        return tags

    def compute(self, stmt: n.Assign, call: n.Call, result: TileType) -> None:
        given = [
            (param, arg, self.read(arg, stmt.span))
            for param, arg in zip(call.op.operands, call.args, strict=True)
            if arg is not None and isinstance(arg.type, TileType)
        ]
        if self.placed:
            self._check_overlaps(stmt, call, result, [(param, arg) for param, arg, _ in given])
        for param, arg, _ in given:
            if param.name == "tmp":  # scratch: its content is gone
                assert isinstance(arg, n.Var)
                self.write(arg, self.fresh(arg))
        self.write(stmt.var, self._made(call, stmt.var, [tags for _, _, tags in given]))

    def _check_overlaps(
        self, stmt: n.Assign, call: n.Call, result: TileType, given: list[tuple[Param, n.Expr]]
    ) -> None:
        """The result lies over an operand only where the operation allows that."""
        for index, (param, arg) in enumerate(given):
            if Trait.IN_PLACE in call.op.traits and index == 0:
                if _bytes(arg.type) != _bytes(result):
                    self.fail(f"the result of {call.op.name} is not in the place of '{_name(arg)}'", stmt.span)
            elif _overlap(arg.type, result) and not _may_overwrite(call, param, arg.type, result):
                self.fail(f"{call.op.name} writes '{stmt.var.name}' over '{_name(arg)}' while it reads that", stmt.span)

    def _made(self, call: n.Call, var: n.Var, operands: list[Tags]) -> Tags:
        """The value of an operation: a copy where it copies, a new one otherwise."""
        target, source = call.args[0], call.args[1] if len(call.args) > 1 else None
        if call.op.name == "move":
            return operands[0]
        if call.op.name == "create_tile":  # any of them is as good as another
            assert isinstance(var.type, TileType)
            return [UNDEFINED] * (prod(_extents(var.type)) * var.type.dtype.size)
        if call.op.name == "assemble" and target is not None and source is not None:
            tags = list(operands[0])
            window = _window(target.type, source.type, call.args[2])
            for index, tag in zip(window, operands[1], strict=True):
                tags[index] = tag
            return tags
        return self.fresh(var)


def _name(expr: n.Expr) -> str:
    return getattr(expr, "name", "its operand")


def _overlap(a: Any, b: TileType) -> bool:
    (where, mine), (other, theirs) = _bytes(a), _bytes(b)
    return bool(where == other and max(mine) >= min(theirs) and not set(mine).isdisjoint(theirs))


def _may_overwrite(call: n.Call, param: Param, operand: Any, result: TileType) -> bool:
    """Whether an operation that goes cell by cell may write ``result`` over ``operand``: each cell over itself."""
    cell_by_cell = Trait.ELEMENTWISE in call.op.traits and Trait.NOT_IN_PLACE not in call.op.traits
    values = param.kind in (Kind.VALUE, Kind.VALUE_OR_SCALAR)
    return cell_by_cell and values and operand.dtype.size == result.dtype.size and _bytes(operand) == _bytes(result)
