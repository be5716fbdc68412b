"""The executor on whole functions: statements, memory, calls, valid regions, errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import torch

from pypto.errors import OpTypeError, OpValueError
from pypto.ir import nodes as n
from pypto.ir.build import binary, call, constant
from pypto.ir.nodes import BinaryKind as B
from pypto.ir.types import Dim, ScalarType, TensorType, TupleType, Type
from pypto.ops.dtypes import BOOL, FP16, FP32, INDEX, INT32, DataType
from pypto.ops.enums import FunctionType, ParamDirection
from pypto.reference import execute

IN, OUT, INOUT = ParamDirection.In, ParamDirection.Out, ParamDirection.InOut


def tensor(name: str, *shape: Dim, dtype: DataType = FP32) -> n.Var:
    return n.Var(TensorType(shape, dtype), name)


def index(name: str) -> n.Var:
    return n.Var(ScalarType(INDEX), name)


def let(name: str, value: n.Expr) -> n.Assign:
    return n.Assign(n.Var(value.type, name), value)


def function(
    params: Sequence[tuple[n.Var, ParamDirection]],
    body: Sequence[n.Stmt],
    name: str = "main",
    kind: FunctionType = FunctionType.Opaque,
    returns: tuple[Type, ...] = (),
) -> n.Function:
    variables, directions = zip(*params, strict=True)
    return n.Function(name, variables, directions, returns, tuple(body), kind)


def test_tile_level_function() -> None:
    x, y, out = tensor("x", 32, 64), tensor("y", 32, 64), tensor("out", 32, 64)
    i = index("i")
    a = let("a", call("load", x, [i, 0], [16, 64]))
    b = let("b", call("load", y, [i, 0], [16, 64]))
    c = let("c", call("add", a.var, b.var))
    loop = n.For(i, constant(0), constant(32), constant(16), (a, b, c, n.Eval(call("store", c.var, [i, 0], out))))
    first, second = torch.randn(32, 64), torch.randn(32, 64)
    found = execute(function([(x, IN), (y, IN), (out, OUT)], [loop]), {"x": first, "y": second})
    assert list(found) == ["out"]
    assert torch.equal(found["out"], first + second)


def test_tensor_level_scope_with_a_rebound_name() -> None:
    x, out = tensor("x", 16, 64), tensor("out", 16, 64)
    t = n.Var(x.type, "t")
    body = (
        n.Assign(t, call("mul", x, 2.0)),
        n.Assign(t, call("exp", t)),
        n.Assign(out, call("assemble", out, t, [0, 0])),
    )
    given = torch.randn(16, 64)
    found = execute(function([(x, IN), (out, OUT)], [n.InCoreScope(body)]), {"x": given})["out"]
    assert torch.allclose(found, (given * 2).exp(), rtol=1e-6)


def test_arguments_stay_as_they_are_and_untouched_cells_keep_the_callers_values() -> None:
    out = tensor("out", 8, 8)
    body = [n.Assign(out, call("assemble", out, call("full", [2, 8], FP32, 1.0), [3, 0]))]
    given = torch.zeros(8, 8)
    found = execute(function([(out, OUT)], body), {"out": given})["out"]
    assert given.eq(0).all()
    assert found.sum() == 16 and found[3:5].eq(1).all()
    assert execute(function([(out, OUT)], body), {})["out"].isnan().sum() == 48


def test_loop_carried_values_swap_in_parallel() -> None:
    out = tensor("out", 1, 8)
    a, b = (n.IterArg(ScalarType(FP32), name, constant(value)) for name, value in (("a", 1.0), ("b", 2.0)))
    ra, rb = n.Var(a.type, "ra"), n.Var(b.type, "rb")
    loop = n.For(index("i"), constant(0), constant(3), constant(1), (n.Yield((b, a)),), (a, b), (ra, rb))
    fill = n.Assign(out, call("assemble", out, call("mul", call("full", [1, 8], FP32, 1.0), ra), [0, 0]))
    assert execute(function([(out, OUT)], [loop, fill]), {})["out"].eq(2).all()


def test_carried_tiles_do_not_change_what_they_started_from() -> None:
    out, zero = tensor("out", 2, 8), let("zero", call("tile.full", [1, 8], FP32, 0.0))
    acc = n.IterArg(zero.var.type, "acc", zero.var)
    total = n.Var(acc.type, "total")
    step = let("step", call("assemble", acc, call("tile.full", [1, 8], FP32, 5.0), [0, 0]))
    loop = n.For(index("i"), constant(0), constant(2), constant(1), (step, n.Yield((step.var,))), (acc,), (total,))
    stores = [n.Eval(call("store", total, [0, 0], out)), n.Eval(call("store", zero.var, [1, 0], out))]
    found = execute(function([(out, OUT)], [zero, loop, *stores]), {})["out"]
    assert found[0].eq(5).all() and found[1].eq(0).all()


def test_break_continue_while_and_branches() -> None:
    """total = 1 + 3 + 5, leaving at 7: odd numbers only."""
    out, i, total = tensor("out", 1, 1, dtype=INT32), index("i"), index("total")
    even = binary(B.Eq, binary(B.FloorMod, i, 2), 0)
    loop = n.While(
        constant(True),
        (
            n.Assign(i, binary(B.Add, i, 1)),
            n.If(even, (n.Continue(),)),
            n.If(binary(B.Ge, i, 7), (n.Break(),)),
            n.Assign(total, binary(B.Add, total, i)),
        ),
    )
    write = n.Eval(call("write", out, [0, 0], n.Unary(ScalarType(INT32), n.UnaryKind.Cast, total)))
    body = [n.Assign(i, constant(0)), n.Assign(total, constant(0)), loop, write]
    assert execute(function([(out, OUT)], body), {})["out"].item() == 9


def test_if_yields_its_results() -> None:
    out, flag = tensor("out", 1, 8), n.Var(ScalarType(BOOL), "flag")
    picked = n.Var(ScalarType(FP32), "picked")
    branch = n.If(flag, (n.Yield((constant(1.0),)),), (n.Yield((constant(2.0),)),), (picked,))
    fill = n.Assign(out, call("assemble", out, call("full", [1, 8], FP32, picked), [0, 0]))
    for given, expected in ((True, 1), (False, 2)):
        found = execute(function([(flag, IN), (out, OUT)], [branch, fill]), {"flag": given})
        assert found["out"].eq(expected).all()


def program() -> n.Program:
    """main(x, out): tmp = create; twice(x, tmp); twice(tmp, out)."""
    a, b = tensor("a", 16, 16), tensor("b", 16, 16)
    loaded = let("t", call("load", a, [0, 0], [16, 16]))
    doubled = let("d", call("mul", loaded.var, 2.0))
    stored = let("b1", call("store", doubled.var, [0, 0], b))
    twice = function(
        [(a, IN), (b, OUT)], [loaded, doubled, stored, n.Return((stored.var,))], "twice", FunctionType.InCore, (b.type,)
    )
    x, out = tensor("x", 16, 16), tensor("out", 16, 16)
    tmp = let("tmp", call("create_tensor", [16, 16], FP32))
    first = let("r", n.FunctionCall(b.type, "twice", (x, tmp.var)))
    second = n.Eval(n.FunctionCall(b.type, "twice", (tmp.var, out)))
    main = function([(x, IN), (out, OUT)], [tmp, first, second], "main", FunctionType.Orchestration)
    return n.Program("p", (main, twice))


def test_tasks_write_their_tensors_in_place() -> None:
    given = torch.randn(16, 16)
    assert torch.equal(execute(program(), {"x": given})["out"], given * 4)
    assert torch.equal(execute(program(), {"a": given}, entry="twice")["b"], given * 2)


def test_returned_tensors_that_are_no_parameters_are_named() -> None:
    x = tensor("x", 4, 8)
    y = let("y", call("add", x, 1.0))
    found = execute(function([(x, IN)], [y, n.Return((y.var,))], returns=(x.type,)), {"x": torch.zeros(4, 8)})
    assert found["return_0"].eq(1).all()


def test_tuple_results() -> None:
    x = tensor("x", 4, 8)
    pair = TupleType((x.type, x.type))
    plus, minus = let("p", call("add", x, 1.0)), let("m", call("sub", x, 1.0))
    inner = function([(x, IN)], [plus, minus, n.Return((plus.var, minus.var))], "inner", FunctionType.Inline)
    y = tensor("y", 4, 8)
    both = let("both", n.FunctionCall(pair, "inner", (y,)))
    out = n.Return((n.TupleItem(x.type, both.var, 1),))
    found = execute(n.Program("p", (inner, function([(y, IN)], [both, out]))), {"y": torch.zeros(4, 8)})
    assert found["return_0"].eq(-1).all()


def test_run_time_dimensions_come_from_the_arguments() -> None:
    rows, i = index("rows"), index("i")
    x, out = tensor("x", rows, 8), tensor("out", rows, 8)
    left = binary(B.Sub, rows, i)
    valid = binary(B.Min, left, 4)
    part = let("part", call("load", x, [i, 0], [4, 8], [valid, 8]))
    done = let("done", call("neg", part.var))
    loop = n.For(i, constant(0), rows, constant(4), (part, done, n.Eval(call("store", done.var, [i, 0], out))))
    given = torch.randn(10, 8)
    assert torch.equal(execute(function([(x, IN), (out, OUT)], [loop]), {"x": given})["out"], -given)


def test_cells_outside_the_valid_region_are_undefined_until_padded() -> None:
    x, out = tensor("x", 16, 16), tensor("out", 16, 16)
    part = let("part", call("load", x, [0, 0], [16, 16], [3, 5]))
    total = let("total", call("row_sum", part.var))
    whole = let("whole", call("set_validshape", part.var, 16, 16))
    padded = let("padded", call("fillpad", part.var, "max"))
    given = torch.randn(16, 16)

    def stored(value: n.Expr) -> torch.Tensor:
        body = [part, total, whole, padded, n.Eval(call("store", value, [0, 0], out))]
        return execute(function([(x, IN), (out, OUT)], body), {"x": given, "out": torch.full((16, 16), 7.0)})["out"]

    assert stored(total.var)[:3, 0].allclose(given[:3, :5].sum(1), rtol=1e-6)
    assert stored(total.var)[3:].eq(7).all()
    assert stored(whole.var)[3:].isnan().all()
    assert stored(padded.var)[3:].isposinf().all() and torch.equal(stored(padded.var)[:3, :5], given[:3, :5])


def test_windows_of_memory_write_through() -> None:
    out = tensor("out", 4, 8)
    window = let("window", call("slice", out, [1, 8], [2, 0], None, [0]))
    body = [window, n.Eval(call("assemble", window.var, call("full", [8], FP32, 3.0), [0]))]
    found = execute(function([(out, INOUT)], body), {"out": torch.zeros(4, 8)})["out"]
    assert found[2].eq(3).all() and found.sum() == 24


def test_atomic_store_adds() -> None:
    out, t = tensor("out", 4, 8), let("t", call("tile.full", [4, 8], FP32, 2.0))
    store = n.Eval(call("store", t.var, [0, 0], out, atomic="Add"))
    assert execute(function([(out, INOUT)], [t, store, store]), {"out": torch.ones(4, 8)})["out"].eq(5).all()


def test_windows_of_higher_rank_are_stored_from_flat_tiles() -> None:
    out, t = tensor("out", 2, 4, 8), let("t", call("tile.full", [8, 8], FP32, 2.0))
    store = n.Eval(call("store", t.var, [0, 0, 0], out, [2, 4, 8]))
    assert execute(function([(out, OUT)], [t, store]), {})["out"].eq(2).all()


def test_scalar_parameters_and_reads() -> None:
    x, out, s = tensor("x", 4, 8, dtype=INT32), tensor("out", 1, 8, dtype=INT32), n.Var(ScalarType(INT32), "s")
    value = let("value", call("read", x, [1, 2]))
    total = binary(B.Add, value.var, s)
    body = [value, n.Assign(out, call("assemble", out, call("full", [1, 8], INT32, total), [0, 0]))]
    given = torch.arange(32, dtype=torch.int32).reshape(4, 8)
    assert execute(function([(x, IN), (s, IN), (out, OUT)], body), {"x": given, "s": 5})["out"].eq(15).all()


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ({}, "'x' is missing"),
        ({"x": torch.zeros(4, 8, dtype=torch.float16)}, "torch.float16, expected torch.float32"),
        ({"x": torch.zeros(4)}, "rank 1, expected 2"),
        ({"x": torch.zeros(4, 9)}, "shape [4, 9], expected (4, 8)"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(arguments: dict[str, Any], part: str) -> None:
    x = tensor("x", 4, 8)
    with pytest.raises(OpTypeError) as found:
        execute(function([(x, IN)], []), arguments)
    assert part in str(found.value)


def test_accesses_outside_a_tensor_are_refused() -> None:
    x, i = tensor("x", 16, 8), index("i")
    body = [n.Eval(call("load", x, [i, 0], [8, 8]))]
    run = function([(x, IN), (i, IN)], body)
    execute(run, {"x": torch.zeros(16, 8), "i": 8})
    for place in (9, -1):
        with pytest.raises(OpValueError, match="axis 0"):
            execute(run, {"x": torch.zeros(16, 8), "i": place})


def test_reading_before_a_value_and_division_by_zero_are_refused() -> None:
    i, j = index("i"), index("j")
    with pytest.raises(OpValueError, match="'j' is read before"):
        execute(function([(i, IN)], [n.Assign(i, j)]), {"i": 1})
    with pytest.raises(OpValueError, match="division by zero"):
        execute(function([(i, IN)], [n.Assign(i, binary(B.FloorDiv, i, i))]), {"i": 0})


def test_several_possible_entries_are_refused() -> None:
    one, two = (function([(index("i"), IN)], [], name) for name in ("one", "two"))
    with pytest.raises(OpTypeError, match=r"name the entry.*one.*two"):
        execute(n.Program("p", (one, two)), {"i": 1})


def test_half_precision_scalars_are_rounded_first() -> None:
    x = tensor("x", 1, 16, dtype=FP16)
    y = let("y", call("add", x, 0.1))
    given = torch.full((1, 16), 256.0, dtype=torch.float16)
    found = execute(function([(x, IN)], [y, n.Return((y.var,))]), {"x": given})["return_0"]
    assert torch.equal(found, given + torch.tensor(0.1, dtype=torch.float16))


def test_scalar_arithmetic_wraps_and_floors() -> None:
    found = n.Var(ScalarType(INT32), "found")
    out = tensor("out", 1, 3, dtype=INT32)
    big = n.Var(ScalarType(INT32), "big")
    body = [
        n.Eval(call("write", out, [0, 0], binary(B.Add, big, big))),
        n.Eval(call("write", out, [0, 1], binary(B.FloorDiv, found, constant(2, INT32)))),
        n.Eval(call("write", out, [0, 2], binary(B.FloorMod, found, constant(4, INT32)))),
    ]
    result = execute(function([(found, IN), (big, IN), (out, OUT)], body), {"found": -7, "big": 2**31 - 1})["out"]
    assert result.tolist() == [[-2, -4, 1]]
