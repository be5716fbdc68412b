"""Addresses: aligned, without overlap, within the capacity, and a clear error where that cannot be."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pypto import ir
from pypto.errors import CapacityError, LoweringError
from pypto.ops.dtypes import FP16, FP32, INT8
from pypto.ops.enums import MemorySpace
from pypto.passes.memory import AllocateMemoryAddr, InitMemRef
from pypto.passes.memory.buffers import Buffer
from pypto.passes.memory.planner import LinearPlanner
from pypto.passes.memory.sizes import buffer_bytes
from pypto.platforms import MemoryPlanner, platform

VEC, MAT, ACC = MemorySpace.Vec, MemorySpace.Mat, MemorySpace.Acc


@pytest.mark.parametrize(
    ("tile", "expected"),
    [
        (ir.TileType((16, 64), FP32, None, VEC), 4096),
        (ir.TileType((5, 8), FP32, None, VEC), 160),
        (ir.TileType((16, 1), FP16, None, VEC), 32),
        (ir.TileType((5, 8), FP32, None, MAT), 16 * 32),
        (ir.TileType((17, 20), FP32, None, ACC), 32 * 96),
        (ir.TileType((16, 16), INT8, None, MemorySpace.Left), 16 * 32),
        (ir.TileType((1, 48), FP32, None, MemorySpace.Bias), 192),
    ],
)
def test_a_buffer_holds_whole_blocks_in_the_spaces_of_the_cube_core(tile: ir.TileType, expected: int) -> None:
    assert buffer_bytes(tile) == expected


def test_linear_places_follow_each_other_aligned() -> None:
    found = [Buffer("a", VEC, 100, 1), Buffer("b", VEC, 128, 1), Buffer("c", VEC, 1, 2)]
    assert LinearPlanner().place(found, 1 << 10, 128) == {"a": 0, "b": 128, "c": 256}


def test_every_tile_has_an_address_and_the_function_knows_what_it_uses(kernel: Any, planned: Any, golden: Any) -> None:
    k = kernel()
    a, b = k.load((16, 16), as_="a", space=MAT), k.load((16, 16), as_="b", space=MAT)
    left, right = k("move", a, MemorySpace.Left, as_="left"), k("move", b, MemorySpace.Right, as_="right")
    k.store(k("matmul", left, right, as_="product"))
    after = planned(k.program())[-1]
    golden(ir.as_python(after), suffix=".py.txt")
    assert after.functions[0].attrs["memory_used"] == {"Mat": 2048, "Left": 1024, "Right": 1024, "Acc": 1024}


def test_a_view_has_the_address_of_what_it_shows(kernel: Any, planned: Any) -> None:
    k = kernel()
    k.store(k.load((16, 64)))
    x = k.load((16, 64), as_="x")
    k.store(k("exp", k("slice", x, [8, 64], [8, 0], as_="low")))
    k.store(x)
    tiles = {v.name: v.type for v in ir.walk(planned(k.program())[-1]) if isinstance(v, ir.Var)}
    assert tiles["low"].memref.address == tiles["x"].memref.address + 8 * 64 * 4


@pytest.mark.parametrize(
    ("name", "rows", "fits"), [("a2a3sim", 736, True), ("a2a3sim", 744, False), ("a5sim", 744, True)]
)
def test_the_capacity_is_that_of_the_generation(kernel: Any, context: Any, name: str, rows: int, fits: bool) -> None:
    k = kernel(dims=(1024, 64))
    k.store(k.load((rows, 64)))
    target = replace(context, platform=platform(name))
    program = InitMemRef()(k.program(), target)
    if fits:
        AllocateMemoryAddr()(program, target)
    else:
        with pytest.raises(CapacityError):
            AllocateMemoryAddr()(program, target)


def test_too_much_names_function_space_need_limit_and_the_tiles_in_use(kernel: Any, planned: Any) -> None:
    k = kernel("softmax", dims=(1024, 64))
    small = k.load((64, 64), as_="small")
    k.store(small)
    big, other = k.load((512, 64), as_="big"), k.load((256, 64), as_="other")
    k.store(big)
    k.store(other)
    with pytest.raises(CapacityError) as error:
        planned(k.program())
    assert error.value.message == (
        "softmax: the tiles in Vec need 196,608 bytes, a core of Ascend910B has 188,416; "
        "in use together, 196,608 bytes:\n"
        "    131,072 bytes: big [512, 64] FP32 (kernel.py:3), sharing with 1 other\n"
        "     65,536 bytes: other [256, 64] FP32 (kernel.py:4)"
    )
    assert error.value.span == ir.Span("kernel.py", 3)
    assert "make the tiles smaller" in error.value.hint


def test_a_space_that_the_generation_lacks_is_named(kernel: Any, context: Any) -> None:
    k = kernel()
    k("move", k.load((16, 16), space=MAT), MemorySpace.LeftScale, as_="scale")
    program = InitMemRef()(k.program(), context)
    with pytest.raises(LoweringError, match="the tile 'scale' is in LeftScale, which a core of Ascend910B lacks"):
        AllocateMemoryAddr()(program, context)


def test_a_planner_that_is_missing_is_named(kernel: Any, context: Any) -> None:
    k = kernel()
    k.store(k.load())
    program = InitMemRef()(k.program(), context)
    with pytest.raises(LoweringError, match="planner DSA_RP is not available"):
        AllocateMemoryAddr()(program, replace(context, planner=MemoryPlanner.DSA_RP))


def test_a_tile_without_a_buffer_is_reported(kernel: Any, context: Any) -> None:
    k = kernel()
    k.store(k.load(as_="t"))
    with pytest.raises(LoweringError, match="the tile 't' has no buffer; run InitMemRef first"):
        AllocateMemoryAddr()(k.program(), context)
