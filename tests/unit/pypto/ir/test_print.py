"""The text of the IR: what a person reviews in a dump, and what must not be lost in it."""

from __future__ import annotations

import ast
from typing import Any

import pytest

import pypto.ops  # noqa: F401  fills the op table
from pypto import ir
from pypto.ops import dtypes as d
from pypto.ops.enums import (
    ForKind,
    FunctionType,
    Level,
    MemorySpace,
    PadValue,
    ParamDirection,
    Role,
    TensorLayout,
)

INDEX = ir.ScalarType(d.INDEX)
BOOL = ir.ScalarType(d.BOOL)
K = ir.BinaryKind


def var(name: str, type_: Any = INDEX) -> ir.Var:
    return ir.Var(type_, name)


def text(expr: ir.Expr) -> str:
    return ir.as_python(expr)


def assign(name: str, value: ir.Expr) -> ir.Assign:
    return ir.Assign(ir.Var(value.type, name), value)


@pytest.mark.parametrize(
    ("value", "dtype", "expected"),
    [
        (7, d.INDEX, "7"),
        (-7, d.INDEX, "-7"),
        (7, d.INT64, "pl.const(7, pl.INT64)"),
        (-128, d.INT8, "pl.const(-128, pl.INT8)"),
        (1.0, d.FP32, "1.0"),
        (0.1, d.FP32, "0.1"),
        (1e-38, d.FP32, "1e-38"),
        (0.1, d.FP16, "pl.const(0.1, pl.FP16)"),
        (3.0, d.BF16, "pl.const(3.0, pl.BF16)"),
        (True, d.BOOL, "True"),
        (float("inf"), d.FP32, 'pl.const(float("inf"), pl.FP32)'),
        (float("-inf"), d.FP16, 'pl.const(float("-inf"), pl.FP16)'),
    ],
)
def test_a_constant_keeps_value_and_dtype(value: Any, dtype: d.DataType, expected: str) -> None:
    assert text(ir.constant(value, dtype)) == expected


def test_parentheses_stand_where_python_needs_them() -> None:
    a, b, c = var("a"), var("b"), var("c")
    mul, sub = ir.binary(K.Mul, a, b), ir.binary(K.Sub, a, b)
    assert text(ir.binary(K.Add, mul, c)) == "a * b + c"
    assert text(ir.binary(K.Mul, sub, c)) == "(a - b) * c"
    assert text(ir.binary(K.Sub, c, sub)) == "c - (a - b)"
    assert text(ir.binary(K.Sub, sub, c)) == "a - b - c"
    less = ir.binary(K.Lt, a, b)
    assert text(ir.Binary(BOOL, K.Eq, less, less)) == "(a < b) == (a < b)"
    assert text(ir.build.logical_not(ir.binary(K.And, less, less))) == "not (a < b and a < b)"
    assert text(ir.binary(K.Add, ir.constant(-5), a)) == "-5 + a"
    assert text(ir.binary(K.Min, sub, 16)) == "pl.min(a - b, 16)"
    assert text(ir.cast_scalar(a, d.INT32)) == "pl.cast(a, pl.INT32)"
    assert text(ir.Unary(INDEX, ir.UnaryKind.Neg, sub)) == "-(a - b)"


@pytest.mark.parametrize("kind", [kind for kind in K if kind not in (K.Min, K.Max)])
def test_the_text_of_an_operation_means_the_operation(kind: ir.BinaryKind) -> None:
    """Python groups ``(a op b) op (c op d)`` and ``a op (b op c)`` as the IR does."""
    a, b, c, e = (var(name, BOOL if kind.is_logical else INDEX) for name in "abce")
    type_ = BOOL if kind.is_logical or kind.is_comparison else INDEX
    pairs = [ir.Binary(type_, kind, a, b), ir.Binary(type_, kind, c, e)]
    tree = ir.Binary(type_, kind, *pairs)
    full = f"((a {kind.value} b) {kind.value} (c {kind.value} e))"
    assert ast.dump(ast.parse(text(tree))) == ast.dump(ast.parse(full)) or kind.is_logical
    assert eval(text(tree), {"a": 7, "b": 4, "c": 9, "e": 5}) == eval(full, {"a": 7, "b": 4, "c": 9, "e": 5})


def test_types_show_all_they_hold() -> None:
    rows = var("rows")
    narrow = ir.TensorType((rows, 64), d.FP32).with_view(valid_shape=(ir.binary(K.Sub, rows, 1), 64))
    memref = ir.MemRef("mem_vec_0", 128, 4096, 640)
    tile = ir.TileType((16, 64), d.BF16, None, MemorySpace.Vec, memref).with_view(pad=PadValue.zero)
    layout = ir.TensorType((4, 4), d.FP8E8M0, ir.TensorView(layout=TensorLayout.MX_A_ZZ))
    program = ir.Function(
        "f",
        (
            var("a", narrow),
            var("b", tile),
            var("c", layout),
            var("d", ir.ArrayType(4, d.INT32)),
            var("s", ir.ScalarType(d.FP32)),
        ),
        (ParamDirection.In, ParamDirection.Out, ParamDirection.InOut, ParamDirection.In, ParamDirection.In),
        (ir.TupleType((INDEX, INDEX)), narrow),
        (),
    )
    header = ir.as_python(program)
    for expected in (
        "a: pl.Tensor[[rows, 64], pl.FP32, pl.TensorView(valid_shape=[rows - 1, 64])]",
        'b: pl.Out[pl.Tile[[16, 64], pl.BF16, pl.MemRef("mem_vec_0", 128, 4096, address=640), pl.Mem.Vec, '
        "pl.TileView(pad=pl.PadValue.zero)]]",
        "c: pl.InOut[pl.Tensor[[4, 4], pl.FP8E8M0, pl.MX_A_ZZ]]",
        "d: pl.Array[4, pl.INT32]",
        "s: pl.Scalar[pl.FP32]",
        "-> pl.Tuple[pl.Tuple[pl.Scalar[pl.INDEX], pl.Scalar[pl.INDEX]], pl.Tensor[",
        'rows = pl.dynamic("rows")',
    ):
        assert expected in header
    assert "    pass" in header


def test_calls_give_required_arguments_in_order_and_others_by_keyword() -> None:
    x = var("x", ir.TensorType((64, 64), d.FP32))
    tile = ir.call("load", x, [16, 0], [16, 64], target_memory=MemorySpace.Mat)
    assert text(tile) == "pl.load(x, [16, 0], [16, 64], target_memory=pl.Mem.Mat)"
    narrow = ir.call("load", x, [0, 0], [16, 64], valid_shape=[5, 64])
    assert text(narrow) == "pl.load(x, [0, 0], [16, 64], valid_shape=[5, 64])"
    assert text(ir.call("cast", x, d.BF16)) == "pl.cast(x, pl.BF16)"
    assert text(ir.call("tile.full", [16, 64], d.FP32, 0.5)) == "pl.tile.full([16, 64], pl.FP32, 0.5)"
    view = ir.call("transpose_view", var("t", tile.type))
    assert text(view) == "pl.tile.transpose_view(t)"
    attrs = {"arg_directions": ["in", 1, True, None]}
    assert (
        text(ir.FunctionCall(INDEX, "kern", (x,), attrs))
        == 'self.kern(x, attrs={"arg_directions": ["in", 1, True, None]})'
    )


def test_names_are_unique_identifiers() -> None:
    names = ["a", "a", "a_1", "a", "class", "2x", "t.1", "", "self", "pl"]
    stmts = tuple(assign(name, ir.constant(index)) for index, name in enumerate(names))
    printed = ir.as_python(ir.Function("f", (), (), (), stmts), concise=True)
    bound = [line.split(" = ")[0].strip() for line in printed.splitlines() if " = " in line]
    assert bound == ["a", "a_1", "a_1_1", "a_2", "_class", "_2x", "t_1", "v", "self_1", "pl_1"]
    assert all(name.isidentifier() for name in bound)


def control_flow() -> ir.Program:
    """One statement of every kind, dynamic dimensions, two functions."""
    rows = var("rows")
    x, out = var("x", ir.TensorType((rows, 64), d.FP32)), var("out", ir.TensorType((rows, 64), d.FP32))
    first = assign("acc", ir.call("load", x, [0, 0], [16, 64]))
    acc = ir.IterArg(first.var.type, "acc", first.var)
    one, i = ir.constant(1), var("i")
    count = ir.IterArg(INDEX, "count", ir.constant(0))
    left = assign("left", ir.binary(K.Min, ir.binary(K.Sub, rows, i), 16))
    tile = assign("t", ir.call("load", x, [i, 0], [16, 64], valid_shape=[left.var, 64]))
    added = assign("t", ir.call("add", acc, tile.var))
    chosen = ir.Var(first.var.type, "chosen")
    pick = ir.If(ir.binary(K.Gt, left.var, 8), (ir.Yield((added.var,)),), (ir.Yield((acc,)),), (chosen,))
    more = assign("count", ir.binary(K.Add, count, one))
    body = (left, tile, added, pick, more, ir.Yield((chosen, more.var)))
    total, trips = ir.Var(acc.type, "total"), var("trips")
    loop = ir.For(
        i, ir.constant(0), rows, ir.constant(16), body, (acc, count), (total, trips), ForKind.Pipeline, {"stage": 2}
    )
    until = ir.IterArg(INDEX, "until", trips)
    less = assign("less", ir.binary(K.Sub, until, one))
    drained = ir.While(ir.binary(K.Gt, until, 0), (less, ir.Yield((less.var,))), (until,), (var("rest"),))
    stored = assign("out", ir.call("store", total, [0, 0], out))
    kern = ir.Function(
        "kern", (x, out), (ParamDirection.In, ParamDirection.Out), (out.type,),
        (first, loop, drained, stored, ir.Return((stored.var,))), kind=FunctionType.InCore,
        attrs={"memory_used": {"Vec": 4096}},
    )  # fmt: skip
    flag, j = var("flag", BOOL), var("j")
    y = var("y", ir.TensorType((rows, 64), d.FP32))
    nested = ir.If(flag, (ir.Break(),), (ir.If(flag, (ir.Continue(),), (ir.Eval(ir.call("write", y, [0, 0], 1.0)),)),))
    region = ir.InCoreScope((assign("z", ir.call("add", y, 1.0)),), name_hint="region")
    higher = ir.HierarchyScope((ir.While(flag, (ir.Break(),)),), level=Level.HOST, role=Role.Orchestrator)
    called = ir.Eval(ir.FunctionCall(y.type, "kern", (y, y)))
    main = ir.Function(
        "main", (y, flag), (ParamDirection.InOut, ParamDirection.In), (),
        (ir.For(j, ir.constant(2), rows, one, (nested,), kind=ForKind.Parallel), region, higher, called, ir.Return()),
        kind=FunctionType.Orchestration, level=Level.CHIP, role=Role.Orchestrator,
    )  # fmt: skip
    return ir.Program("Everything", (main, kern))


def test_a_program_with_every_statement(golden: Any) -> None:
    golden(ir.as_python(control_flow()), suffix=".py.txt")


def test_a_concise_program(golden: Any) -> None:
    golden(ir.as_python(control_flow(), prefix="ptl", concise=True), suffix=".py.txt")


def test_the_text_is_valid_python() -> None:
    ast.parse(ir.as_python(control_flow()))
    ast.parse(ir.as_python(ir.Program("Empty", ())))


def test_printing_twice_gives_the_same_text() -> None:
    program = control_flow()
    assert ir.as_python(program) == ir.as_python(program) == ir.as_python(control_flow())


def test_a_node_prints_itself() -> None:
    program = control_flow()
    assert str(program) == program.as_python() == ir.as_python(program)
    assert program.as_python("ptl", concise=True) == ir.as_python(program, "ptl", concise=True)
    assert str(ir.binary(K.Mul, var("a"), 2)) == "a * 2"


def test_something_else_than_a_node_is_refused() -> None:
    with pytest.raises(TypeError, match="expected a node of the IR, got 3"):
        ir.as_python(3)  # type: ignore[arg-type]
