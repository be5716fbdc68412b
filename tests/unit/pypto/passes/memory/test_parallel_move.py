"""Copies that happen at once, written one after the other."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import pypto.ops  # noqa: F401  fills the op table
from pypto import ir
from pypto.ops.dtypes import FP32
from pypto.ops.enums import MemorySpace
from pypto.passes.memory.parallel_move import Move, parallel_moves


def tile(base: str) -> ir.TileType:
    return ir.TileType((8, 8), FP32, None, MemorySpace.Vec, ir.MemRef(base, 0, 256))


def run(sources: list[int]) -> tuple[dict[str, Any], int, list[Move]]:
    """Copy buffer ``sources[i]`` into buffer i for every i; memory afterwards, and how many copies it took."""
    values = [ir.Var(tile(f"b{source}"), f"v{source}") for source in sources]
    moves = [Move(value, tile(f"b{index}"), "m") for index, value in enumerate(values)]
    emitted: list[ir.Assign] = []
    parallel_moves(moves, lambda type_: tile(f"scratch{len(emitted)}"), emitted.append, ir.NO_SPAN)
    memory = {f"b{index}": index for index in range(10)}
    for stmt in emitted:
        memory[stmt.var.type.memref.base] = memory[stmt.value.args[0].type.memref.base]
    return memory, len(emitted), moves


@given(st.lists(st.integers(0, 7), min_size=1, max_size=6))
def test_every_buffer_gets_the_old_content_of_its_source(sources: list[int]) -> None:
    memory, _, moves = run(sources)
    assert [memory[f"b{index}"] for index in range(len(sources))] == sources
    assert all(memory[move.made.type.memref.base] == source for move, source in zip(moves, sources, strict=True))


def test_a_chain_needs_no_scratch() -> None:
    assert run([1, 2, 3])[1] == 3


def test_a_swap_takes_one_scratch_buffer() -> None:
    assert run([1, 0])[1] == 3


def test_two_circles_take_one_each() -> None:
    assert run([1, 0, 3, 4, 2])[1] == 7
