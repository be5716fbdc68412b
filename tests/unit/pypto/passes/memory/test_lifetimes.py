"""The points at which tiles are live, along the structure of the function."""

from __future__ import annotations

from typing import Any

from pypto import ir
from pypto.ops.dtypes import FP16, INT32
from pypto.passes.memory.lifetimes import first_point, lifetimes, points


def live(k: Any) -> dict[str, int]:
    """The points of each variable by its name."""
    return {var.name: found for var, found in lifetimes(k.program().functions[0]).live.items()}


def test_a_set_of_points_has_both_ends() -> None:
    assert points(2, 4) == 0b11100 and points(3, 3) == 0b1000 and points(4, 2) == 0
    assert first_point(points(5, 9)) == 5


def test_a_value_lives_from_its_writing_to_its_last_reading(kernel: Any) -> None:
    k = kernel()
    a = k.load(as_="a")  # statement 1: reads at 2, writes at 3
    k("exp", a, as_="b")  # statement 2
    k.store(a)  # statement 3
    found = live(k)
    assert found["a"] == points(3, 7) and found["b"] == points(5, 5)


def test_an_operand_dies_before_an_elementwise_result_is_written(kernel: Any) -> None:
    k = kernel()
    a = k.load(as_="a")
    k.store(k("exp", a, as_="b"))
    found = live(k)
    assert not found["a"] & found["b"]


def test_an_operand_outlives_the_writing_where_cells_are_not_visited_in_step(kernel: Any) -> None:
    k = kernel()
    square, wide = k.load((16, 16), as_="square"), k.load((16, 64), as_="wide")
    row, whole = k.load((1, 64), as_="row"), k.load((16, 64), as_="whole")
    half = k("slice", whole, [16, 32], [0, 0], as_="half")
    ints = k("cast", k.load((16, 64), as_="narrowed"), INT32, as_="same_width")
    k("transpose", square, 0, 1, as_="turned")
    k("col_expand_add", wide, row, as_="broadcast")
    k("exp", half, as_="gaps")
    k("cast", ints, FP16, as_="narrow")
    found = live(k)
    assert found["square"] & found["turned"]
    assert found["row"] & found["broadcast"] and not found["wide"] & found["broadcast"]
    assert found["half"] & found["gaps"]
    assert not found["narrowed"] & found["same_width"] and found["same_width"] & found["narrow"]


def test_scratch_outlives_the_writing(kernel: Any) -> None:
    k = kernel()
    a, b = k.load(as_="a"), k.load(as_="b")
    a, b = k("cast", a, INT32, as_="a"), k("cast", b, INT32, as_="b")
    k("xor", a, b, k("create_tile", [16, 64], INT32, as_="tmp"), as_="r")
    found = live(k)
    assert found["tmp"] & found["r"]


def test_a_value_that_one_branch_reads_is_dead_in_the_other(kernel: Any) -> None:
    k = kernel()
    x = k.load(as_="x")
    k.branch(lambda: [k.load(as_="fresh")], lambda: [k("exp", x, as_="from_x")])
    found = live(k)
    assert not found["x"] & found["fresh"]


def test_a_value_from_outside_lives_as_long_as_the_loop_that_reads_it(kernel: Any) -> None:
    k = kernel()
    x, start = k.load(as_="x"), k.load(as_="start")

    def body(carried: ir.Var) -> list[ir.Var]:
        first = k("add", carried, x, as_="first")
        return [k("exp", first, as_="second")]

    k.loop([start], body)
    found = live(k)
    for name in ("start_in", "first", "second", "start_out"):
        assert found["x"] & found[name], name


def test_a_carried_value_is_dead_between_its_last_reading_and_the_next_one(kernel: Any) -> None:
    k = kernel()
    start = k.load(as_="start")

    def body(carried: ir.Var) -> list[ir.Var]:
        k.store(carried)
        k.store(k.load(as_="between"))
        return [k.load(as_="next")]

    k.loop([start], body)
    found = live(k)
    assert not found["start_in"] & found["between"] and not found["start_in"] & found["next"]
