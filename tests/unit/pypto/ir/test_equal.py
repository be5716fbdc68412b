"""Structural equality, hash and digest: what counts and what does not."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pypto.ops  # noqa: F401  fills the op table
from pypto import ir
from pypto.ops import dtypes as d
from pypto.ops.enums import ForKind, FunctionType, MemorySpace, ParamDirection, TileLayout

INDEX = ir.ScalarType(d.INDEX)
ROWS = ir.Var(INDEX, "rows")


def function(name: str = "k", hint: str = "", line: int = 0, **changes: Any) -> ir.Function:
    """A loop that carries tiles. ``hint`` goes into local names, ``line`` into spans; the rest changes the meaning."""
    made: dict[str, Any] = {
        "rows": ROWS, "start": 0, "dtype": d.FP32, "op": "add", "kind": ForKind.Sequential, "space": MemorySpace.Vec,
        "direction": ParamDirection.Out, "valid": 64, "attrs": {}, "swap": False, "scale": 1.0, **changes,
    }  # fmt: skip
    span = ir.Span("a.py", line)
    tensor = ir.TensorType((made["rows"], 64), made["dtype"])
    x, out = ir.Var(tensor, changes.get("param", "x")), ir.Var(tensor, "out")
    first = ir.call(
        "load", x, [0, 0], [16, 64], valid_shape=[16, made["valid"]], target_memory=made["space"], span=span
    )
    a = ir.Var(first.type, "a" + hint, span=span)
    carried, total = ir.IterArg(a.type, "carried" + hint, a), ir.Var(a.type, "total" + hint)
    other, last = ir.IterArg(a.type, "other" + hint, a), ir.Var(a.type, "last" + hint)
    left, right = (other, carried) if made["swap"] else (carried, other)
    value = ir.call(made["op"], left, made["scale"], span=span)
    b, i = ir.Var(value.type, "b" + hint), ir.Var(INDEX, "i" + hint)
    body = (ir.Assign(b, value, span=span), ir.Yield((b, right)))
    loop = ir.For(
        i, ir.constant(made["start"]), ROWS, ir.constant(16), body, (carried, other), (total, last), made["kind"],
        {"stage": 2, **made["attrs"]},
    )  # fmt: skip
    end = ir.Eval(ir.FunctionCall(ir.UNKNOWN, "use", (total, out)))
    directions = (ParamDirection.In, made["direction"])
    return ir.Function(
        name, (x, out), directions, (), (ir.Assign(a, first), loop, end), kind=FunctionType.InCore, span=span
    )


def program(**changes: Any) -> ir.Program:
    return ir.Program(changes.pop("program_name", "p"), (function(**changes),))


DIFFERENCES: list[dict[str, Any]] = [
    {"name": "other"}, {"start": 1}, {"start": 0.0}, {"dtype": d.BF16}, {"op": "mul"}, {"kind": ForKind.Parallel},
    {"space": MemorySpace.Mat}, {"direction": ParamDirection.InOut}, {"valid": 5}, {"attrs": {"unroll": 4}},
    {"swap": True}, {"scale": 2.0}, {"scale": -1.0}, {"rows": 64},
]  # fmt: skip


def test_places_and_local_names_do_not_count() -> None:
    a, b = program(), program(hint="_x", line=7, program_name="q")
    assert ir.structural_equal(a, b) and ir.structural_hash(a) == ir.structural_hash(b) and ir.digest(a) == ir.digest(b)
    ir.assert_structural_equal(a, b)


@pytest.mark.parametrize("change", DIFFERENCES, ids=str)
def test_everything_that_has_a_meaning_counts(change: dict[str, Any]) -> None:
    a, b = program(), program(**change)
    assert not ir.structural_equal(a, b) and ir.digest(a) != ir.digest(b)
    with pytest.raises(AssertionError, match="structures differ at functions"):
        ir.assert_structural_equal(a, b)


@given(st.sampled_from(DIFFERENCES), st.sampled_from(DIFFERENCES))
def test_equal_programs_have_equal_hashes_and_digests(one: dict[str, Any], other: dict[str, Any]) -> None:
    a, b = program(**one), program(**other)
    equal = ir.structural_equal(a, b)
    assert equal == (one == other)
    assert (ir.structural_hash(a) == ir.structural_hash(b)) == equal == (ir.digest(a) == ir.digest(b))


def test_the_first_difference_is_named_by_its_path() -> None:
    with pytest.raises(AssertionError) as error:
        ir.assert_structural_equal(program(), program(scale=2.0))
    assert str(error.value) == "structures differ at functions['k'].body[1].body[0].value.args[1].value: 1 against 2"


def test_names_that_a_caller_sees_count_in_the_digest_alone() -> None:
    a, b = program(), program(param="y")
    assert ir.structural_equal(a, b) and ir.digest(a) != ir.digest(b)
    hinted = [ir.Program("p", (ir.Function("f", (), (), (), (ir.InCoreScope((), hint),)),)) for hint in ("a", "b")]
    assert ir.structural_equal(*hinted) and ir.digest(hinted[0]) != ir.digest(hinted[1])


def test_free_variables_are_equal_when_identical_or_mapped() -> None:
    n, m = ir.Var(INDEX, "n"), ir.Var(INDEX, "n")
    one, other = ir.binary(ir.BinaryKind.Add, n, 1), ir.binary(ir.BinaryKind.Add, m, 1)
    assert ir.structural_equal(one, ir.binary(ir.BinaryKind.Add, n, 1))
    assert not ir.structural_equal(one, other)
    assert ir.structural_equal(one, other, enable_auto_mapping=True)
    assert ir.structural_hash(one, True) == ir.structural_hash(other, True)


def test_the_mapping_of_free_variables_is_one_to_one_both_ways() -> None:
    n, m = ir.Var(INDEX, "n"), ir.Var(INDEX, "m")
    same, different = ir.binary(ir.BinaryKind.Add, n, n), ir.binary(ir.BinaryKind.Add, n, m)
    assert not ir.structural_equal(same, different, True) and not ir.structural_equal(different, same, True)


def test_a_variable_of_another_type_is_another_variable() -> None:
    one, other = (ir.Eval(ir.Var(ir.ScalarType(dtype), "n")) for dtype in (d.INT32, d.INT64))
    assert not ir.structural_equal(one, other, enable_auto_mapping=True)


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [
        (ir.constant(1, d.FP32), ir.constant(1.0, d.FP32), True),
        (ir.constant(1, d.INT32), ir.constant(1, d.INT64), False),
        (ir.constant(0.0), ir.constant(-0.0), False),
        (ir.constant(float("nan")), ir.constant(float("nan")), True),
        (ir.constant(True), ir.constant(1), False),
    ],
)
def test_constants_compare_by_value_and_dtype(a: ir.Const, b: ir.Const, equal: bool) -> None:
    assert ir.structural_equal(a, b) is equal


def test_attributes_compare_irrespective_of_their_order() -> None:
    calls = [ir.FunctionCall(ir.UNKNOWN, "k", (), attrs) for attrs in ({"a": 1, "b": [2]}, {"b": [2], "a": 1})]
    assert ir.structural_equal(*calls) and ir.structural_hash(calls[0]) == ir.structural_hash(calls[1])


def tile(view: ir.TileView | None, space: MemorySpace | None = MemorySpace.Vec, memref: Any = None) -> ir.Var:
    return ir.Var(ir.TileType((16, 64), d.FP32, view, space, memref), "t")


@pytest.mark.parametrize(
    ("view", "equal"),
    [
        (ir.TileView(valid_shape=(16, 64)), True),
        (ir.TileView(blayout=TileLayout.row_major, slayout=TileLayout.none_box, fractal=512), True),
        (ir.TileView(blayout=TileLayout.col_major), False),
        (ir.TileView(stride=(128, 1)), False),
        (ir.TileView(start_offset=64), False),
    ],
)
def test_a_view_that_says_what_is_usual_is_no_view(view: ir.TileView, equal: bool) -> None:
    assert ir.structural_equal(tile(None), tile(view), enable_auto_mapping=True) is equal


def test_memory_compares_by_place_and_not_by_the_name_of_the_buffer() -> None:
    def two(*bases: str, offset: int = 0) -> ir.MakeTuple:
        return ir.as_expr([tile(None, memref=ir.MemRef(base, offset, 4096)) for base in bases])

    def equal(a: ir.Expr, b: ir.Expr) -> bool:
        return ir.structural_equal(a, b, enable_auto_mapping=True)

    assert equal(two("a", "b"), two("x", "y")) and not equal(two("a", "b"), two("x", "x"))
    assert not equal(two("a"), two("a", offset=64))


def test_a_variable_bound_many_times_keeps_its_identity() -> None:
    """Before SSA form one variable stands for a Python name."""

    def body(second: Callable[[ir.Var, ir.Var], ir.Var]) -> ir.Function:
        x, y = ir.Var(INDEX, "x"), ir.Var(INDEX, "y")
        one, two = ir.constant(1), ir.constant(2)
        return ir.Function("f", (), (), (), (ir.Assign(x, one), ir.Assign(second(x, y), two), ir.Return((x,))))

    same, other = body(lambda x, y: x), body(lambda x, y: y)
    assert ir.structural_equal(same, body(lambda x, y: x)) and not ir.structural_equal(same, other)


def test_a_digest_is_the_same_in_every_process() -> None:
    load = f"runpy.run_path({__file__!r})"
    code = f"import runpy; found = {load}; print(found['ir'].digest(found['program']()))"
    seeds = ("1", "2")
    found = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True,
            check=True,
        ).stdout.strip()
        for seed in seeds
    }  # fmt: skip
    assert found == {ir.digest(program())}


def test_a_program_is_equal_to_itself_without_looking() -> None:
    broken = replace(program(), functions=(function(),))
    assert ir.structural_equal(broken, broken)
    ir.assert_structural_equal(broken, broken)
