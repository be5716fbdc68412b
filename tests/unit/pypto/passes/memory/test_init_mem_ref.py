"""Which tiles share a buffer from the start, and where a copy keeps two values apart."""

from __future__ import annotations

from typing import Any

import pytest

from pypto import ir
from pypto.errors import LoweringError
from pypto.ops.dtypes import FP32
from pypto.ops.enums import MemorySpace
from pypto.passes.memory import InitMemRef
from pypto.passes.memory.check import check_program

MAT, LEFT, RIGHT, ACC = MemorySpace.Mat, MemorySpace.Left, MemorySpace.Right, MemorySpace.Acc


def init(k: Any, context: Any) -> ir.Program:
    """The kernel after the pass, checked to store what it stored before."""
    program = k.program()
    after = InitMemRef()(program, context)
    check_program(after, program)
    return after


def bases(program: ir.Program) -> dict[str, list[str]]:
    """The variables in each buffer, in the order of their definition."""
    found: dict[str, list[str]] = {}
    for var in ir.defined_vars(program):
        if isinstance(var.type, ir.TileType):
            found.setdefault(var.type.memref.base, []).append(var.name)
    return found


def moves(program: ir.Program) -> list[str]:
    """The variables that are made by copying."""
    assigns = [stmt for stmt in ir.walk(program) if isinstance(stmt, ir.Assign) and isinstance(stmt.value, ir.Call)]
    return [stmt.var.name for stmt in assigns if stmt.value.op.name == "move"]


def operands(k: Any) -> tuple[ir.Var, ir.Var]:
    """A left and a right operand of a product of 16 x 16."""
    a, b = k.load((16, 16), as_="a", space=MAT), k.load((16, 16), as_="b", space=MAT)
    return k("move", a, LEFT, as_="left"), k("move", b, RIGHT, as_="right")


def test_a_carried_value_that_is_updated_stays_in_one_buffer(kernel: Any, context: Any) -> None:
    k = kernel()
    total = k.load(as_="total")
    step = k.load(as_="step")
    (result,) = k.loop([total], lambda carried: [k("add", carried, step, as_="next")])
    k.store(result)
    found = bases(init(k, context))
    assert found["mem_vec_0"] == ["total", "total_in", "next", "total_out"]
    assert "mem_vec_2" not in found


def test_values_that_swap_go_through_a_third_buffer(kernel: Any, context: Any, golden: Any) -> None:
    k = kernel()
    a, b = k.load(as_="a"), k.load(as_="b")
    a_out, b_out = k.loop([a, b], lambda a_in, b_in: [b_in, a_in])
    k.store(a_out)
    k.store(b_out)
    golden(ir.as_python(init(k, context)), suffix=".py.txt")


def test_values_that_start_from_one_get_a_buffer_each(kernel: Any, context: Any) -> None:
    k = kernel()
    start = k.load(as_="start")
    first, second = k.loop([start, start], lambda x, y: [k("exp", x, as_="x"), k("add", y, y, as_="y")])
    k.store(first)
    k.store(second)
    after = init(k, context)
    assert len(bases(after)) == 2 and moves(after) == ["start_in_init"]


def test_an_initial_value_that_is_read_later_is_copied(kernel: Any, context: Any) -> None:
    k = kernel()
    start = k.load(as_="start")
    (end,) = k.loop([start], lambda x: [k("exp", x, as_="x")])
    k.store(k("add", end, start))
    assert moves(init(k, context)) == ["start_in_init"]


def test_a_value_from_outside_is_copied_in_each_iteration(kernel: Any, context: Any) -> None:
    k = kernel()
    start, other = k.load(as_="start"), k.load(as_="other")
    (end,) = k.loop([start], lambda x: (k.store(x), [other])[1])
    k.store(end)
    assert moves(init(k, context)) == ["start_in_next"]


def test_a_value_made_before_the_old_one_is_read_last_is_copied(kernel: Any, context: Any) -> None:
    k = kernel()
    start = k.load(as_="start")

    def body(old: ir.Var) -> list[ir.Var]:
        new = k("exp", old, as_="new")
        k.store(old)
        return [new]

    (end,) = k.loop([start], body)
    k.store(end)
    assert moves(init(k, context)) == ["start_in_next"]


def test_an_operation_that_cannot_run_in_place_is_copied_back(kernel: Any, context: Any) -> None:
    k = kernel()
    start = k.load((16, 16), as_="start")
    (end,) = k.loop([start], lambda x: [k("transpose", x, 0, 1, as_="turned")])
    k.store(end)
    assert moves(init(k, context)) == ["start_in_next"]


def test_branches_hand_on_in_one_buffer(kernel: Any, context: Any) -> None:
    k = kernel()
    x = k.load(as_="x")
    (r,) = k.branch(lambda: [k("add", x, x, as_="double")], lambda: [k("mul", x, x, as_="square")])
    e = k("add", x, x, as_="e")
    k.store(k("add", x, k("add", r, e, as_="f"), as_="g"))
    after = init(k, context)
    assert moves(after) == []
    assert ["double", "square", "r"] in bases(after).values()


def test_a_branch_that_hands_on_a_value_needed_later_copies_it(kernel: Any, context: Any, golden: Any) -> None:
    k = kernel()
    x = k.load(as_="x")
    (r,) = k.branch(lambda: [x], lambda: [k("exp", x, as_="y")])
    k.store(k("add", r, x))
    golden(ir.as_python(init(k, context)), suffix=".py.txt")


def test_views_lie_in_the_buffer_they_look_at(kernel: Any, context: Any, golden: Any) -> None:
    k = kernel()
    x = k.load((16, 64), as_="x")
    low = k("slice", x, [8, 64], [8, 0], as_="low")
    k.store(k("exp", k("slice", x, [16, 32], [0, 32], as_="right")))
    k.store(k("exp", k("reshape", low, [16, 32], as_="reshaped")))
    k.store(k("exp", k("slice", x, [8, 32], [k.count, 0], as_="moving")))
    golden(ir.as_python(init(k, context)), suffix=".py.txt")


def test_a_reshape_of_rows_with_gaps_looks_at_a_packed_copy(kernel: Any, context: Any) -> None:
    k = kernel()
    half = k("slice", k.load((16, 64), as_="x"), [16, 32], [0, 32], as_="half")
    k.store(k("exp", k("reshape", half, [8, 64], as_="reshaped")))
    after = init(k, context)
    assert moves(after) == ["half_copy"] and ["half_copy", "reshaped"] in bases(after).values()


def test_an_in_place_operation_takes_the_buffer_of_a_dead_operand(kernel: Any, context: Any) -> None:
    k = kernel()
    target, source = k.load((16, 64), as_="target"), k.load((8, 64), as_="source")
    k.store(k("assemble", target, source, [0, 0], as_="result"))
    assert bases(init(k, context))["mem_vec_0"] == ["target", "result"]


@pytest.mark.parametrize("reader", ["itself", "a view"])
def test_an_in_place_operation_leaves_what_is_read_later(kernel: Any, context: Any, reader: str) -> None:
    k = kernel()
    target, source = k.load((16, 64), as_="target"), k.load((8, 64), as_="source")
    later = target if reader == "itself" else k("slice", target, [8, 64], [0, 0], as_="view")
    k.store(k("assemble", target, source, [0, 0], as_="result"))
    k.store(later)
    assert moves(init(k, context)) == ["target_copy"]


def test_an_in_place_operation_leaves_the_view_that_it_reads(kernel: Any, context: Any) -> None:
    k = kernel()
    target = k.load((16, 64), as_="target")
    view = k("slice", target, [8, 64], [4, 0], as_="view")
    k.store(k("assemble", target, view, [0, 0], as_="result"))
    assert moves(init(k, context)) == ["target_copy"]


def test_a_loop_that_changes_a_value_from_outside_in_place_copies_it_each_time(kernel: Any, context: Any) -> None:
    k = kernel()
    target, start = k.load((16, 64), as_="target"), k.load((8, 64), as_="start")

    def body(part: ir.Var) -> list[ir.Var]:
        k.store(k("assemble", target, part, [0, 0], as_="result"))
        return [k("exp", part, as_="part")]

    k.loop([start], body)
    assert moves(init(k, context)) == ["target_copy"]


# The accumulator, which cannot be copied


def test_an_accumulator_started_anew_by_an_inner_loop_needs_no_copy(kernel: Any, context: Any, golden: Any) -> None:
    k = kernel()
    left, right = operands(k)
    acc = k("create_tile", [16, 16], FP32, ACC, as_="acc")

    def outer() -> list[ir.Var]:
        (total,) = k.loop([acc], lambda carried: [k("matmul_acc", carried, left, right, as_="more")])
        k.store(total)
        return []

    k.loop([], outer)
    golden(ir.as_python(init(k, context)), suffix=".py.txt")


def test_an_accumulator_begun_in_one_branch_and_carried_on_in_the_other_stays(kernel: Any, context: Any) -> None:
    k = kernel()
    left, right = operands(k)
    acc = k("create_tile", [16, 16], FP32, ACC, as_="acc")

    def body(carried: ir.Var) -> tuple[ir.Var, ...]:
        begin = lambda: [k("matmul", left, right, as_="begun")]  # noqa: E731
        return k.branch(begin, lambda: [k("matmul_acc", carried, left, right, as_="more")])

    (total,) = k.loop([acc], body)
    k.store(total)
    after = init(k, context)
    assert bases(after)["mem_acc_4"] == ["acc", "acc_in", "begun", "more", "r", "acc_out"]


def test_an_accumulator_that_would_need_a_copy_is_refused_by_name_and_line(kernel: Any, context: Any) -> None:
    k = kernel()
    left, right = operands(k)
    first = k("matmul", left, right, as_="first")
    second = k("matmul_acc", first, left, right, as_="second")
    k.store(first)
    k.store(second)
    with pytest.raises(LoweringError, match="k: 'first' in Acc is changed in place by matmul_acc") as error:
        init(k, context)
    assert error.value.span == ir.Span("kernel.py", 6) and error.value.hint


def test_carried_accumulators_that_swap_are_refused_by_name(kernel: Any, context: Any) -> None:
    k = kernel()
    left, right = operands(k)
    a, b = (k("matmul", left, right, as_=name) for name in "ab")
    a_out, b_out = k.loop([a, b], lambda a_in, b_in: [b_in, a_in])
    k.store(a_out)
    k.store(b_out)
    with pytest.raises(LoweringError, match="'b_in' in Acc has to move where 'a_in' is kept"):
        init(k, context)


def test_a_create_that_something_else_reads_stays_where_it_is(kernel: Any, context: Any) -> None:
    k = kernel()
    scratch = k("create_tile", [16, 64], FP32, as_="scratch")
    k.write(scratch)
    (end,) = k.loop([scratch], lambda x: [k("exp", x, as_="x")])
    k.store(k("add", end, scratch))
    assert moves(init(k, context)) == ["scratch_in_init"]


def test_other_functions_are_left_alone(kernel: Any, context: Any) -> None:
    program = ir.Program("p", (ir.Function("main", (), (), (), (ir.Return(),)),))
    assert InitMemRef()(program, context).functions[0] is program.functions[0]
