"""Buffers that are never in use together become one, and only those."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pypto import ir
from pypto.ops.enums import MemorySpace
from pypto.passes.memory import InitMemRef, MemoryReuse
from pypto.passes.memory.buffers import Buffer, buffers
from pypto.passes.memory.check import check_program
from pypto.passes.memory.memory_reuse import shared
from pypto.platforms import MemoryPlanner

VEC, MAT = MemorySpace.Vec, MemorySpace.Mat


def reused(k: Any, context: Any) -> list[Buffer]:
    """The buffers of the kernel after the pass."""
    program = k.program()
    after = MemoryReuse()(InitMemRef()(program, context), context)
    check_program(after, program)
    return buffers(after.functions[0])


def test_a_chain_of_elementwise_operations_stays_in_one_buffer(kernel: Any, context: Any) -> None:
    k = kernel()
    tile = k.load()
    for _ in range(5):
        tile = k("exp", tile)
    k.store(tile)
    assert len(reused(k, context)) == 1


def test_operations_that_cannot_run_in_place_alternate_between_two(kernel: Any, context: Any) -> None:
    k = kernel()
    tile = k.load((16, 16))
    for _ in range(5):
        tile = k("transpose", tile, 0, 1)
    k.store(tile)
    assert len(reused(k, context)) == 2


def test_a_value_merged_from_branches_keeps_its_buffer_while_it_is_needed(kernel: Any, context: Any) -> None:
    k = kernel()
    x = k.load(as_="x")
    (r,) = k.branch(lambda: [k("add", x, x)], lambda: [k("mul", x, x)])
    e = k("add", x, x, as_="e")
    k.store(k("add", x, k("add", r, e), as_="out"))
    assert len(reused(k, context)) == 3


def test_a_smaller_tile_moves_into_a_larger_buffer(kernel: Any, context: Any) -> None:
    k = kernel()
    k.store(k.load((16, 64)))
    k.store(k.load((8, 16)))
    (buffer,) = reused(k, context)
    assert buffer.size == 16 * 64 * 4 and len(buffer.tiles) == 2


def test_spaces_are_never_mixed(kernel: Any, context: Any) -> None:
    k = kernel()
    k.store(k.load((16, 64)))
    k("move", k.load((16, 64), space=MAT), MemorySpace.Left)
    assert sorted(buffer.space.name for buffer in reused(k, context)) == ["Left", "Mat", "Vec"]


def test_other_planners_do_not_share(kernel: Any, context: Any) -> None:
    k = kernel()
    k.store(k.load())
    k.store(k.load())
    program = InitMemRef()(k.program(), context)
    assert MemoryReuse()(program, replace(context, planner=MemoryPlanner.DSA_RP)) is program


@pytest.mark.parametrize(
    ("lives", "hosts"),
    [
        ([0b0011, 0b1100], 1),
        ([0b0011, 0b0110], 2),
        ([0b0011, 0b0110, 0b1100], 2),
        ([0b1001, 0b0110], 1),  # a gap in a lifetime is free
    ],
)
def test_buffers_join_where_lifetimes_are_apart(lives: list[int], hosts: int) -> None:
    found = [Buffer(f"b{index}", VEC, 64, live) for index, live in enumerate(lives)]
    assert len(set(shared(found).values())) == hosts


def test_the_largest_buffer_is_the_host() -> None:
    found = [Buffer("small", VEC, 64, 0b0011), Buffer("large", VEC, 4096, 0b1100), Buffer("other", MAT, 1, 0b1100)]
    assert shared(found) == {"small": "large", "large": "large", "other": "other"}


def test_the_text_after_reuse(kernel: Any, context: Any, golden: Any) -> None:
    k = kernel()
    x = k.load((16, 64), as_="x")
    peak = k("row_max", x, as_="peak")
    weight = k("exp", k("row_expand_sub", x, peak, as_="centred"), as_="weight")
    total = k("row_sum", weight, as_="total")
    k.store(k("row_expand_div", weight, total, as_="softmax"))
    golden(ir.as_python(MemoryReuse()(InitMemRef()(k.program(), context), context)), suffix=".py.txt")
