"""Walking and rewriting: order, variable sets, sharing of what did not change."""

from __future__ import annotations

import pytest

import pypto.ops  # noqa: F401  fills the op table
from pypto import ir
from pypto.ops.dtypes import BOOL, FP32, INDEX
from pypto.ops.enums import FunctionType, ParamDirection
from pypto.ops.row import TABLE

SCALAR = ir.ScalarType(INDEX)


def tensor(name: str, *shape: ir.Dim) -> ir.Var:
    return ir.Var(ir.TensorType(shape, FP32), name)


def scalar(name: str) -> ir.Var:
    return ir.Var(SCALAR, name)


@pytest.fixture
def rows() -> ir.Var:
    return scalar("rows")


@pytest.fixture
def function(rows: ir.Var) -> ir.Function:
    """A loop over a tensor with a run-time number of rows that carries the sum of what it read."""
    x, out = tensor("x", rows, 64), tensor("out", rows, 64)
    first = ir.Var(ir.call("load", x, [0, 0], [16, 64]).type, "first")
    carried, total = ir.IterArg(first.type, "carried", first), ir.Var(first.type, "total")
    i = scalar("i")
    left = ir.Var(SCALAR, "left")
    tile = ir.call("load", x, [i, 0], [16, 64], valid_shape=[left, 64])
    t = ir.Var(tile.type, "t")
    added = ir.Var(first.type, "added")
    body = (
        ir.Assign(left, ir.binary(ir.BinaryKind.Min, ir.binary(ir.BinaryKind.Sub, rows, i), 16)),
        ir.Assign(t, tile),
        ir.Assign(added, ir.call("add", carried, t)),
        ir.Yield((added,)),
    )
    statements = (
        ir.Assign(first, ir.call("load", x, [0, 0], [16, 64])),
        ir.For(i, ir.constant(0), rows, ir.constant(16), body, (carried,), (total,)),
        ir.Eval(ir.call("store", total, [0, 0], out)),
    )
    directions = (ParamDirection.In, ParamDirection.Out)
    return ir.Function("k", (x, out), directions, (), statements, kind=FunctionType.InCore)


def names(found: tuple[ir.Var, ...]) -> list[str]:
    return [var.name for var in found]


def test_walk_yields_a_node_before_its_parts_in_the_order_of_evaluation(function: ir.Function) -> None:
    bound = [node.name for node in ir.walk(function.body[1].body) if isinstance(node, ir.Var)]
    assert bound == ["rows", "i", "left", "x", "i", "left", "t", "carried", "t", "added", "added"]


def test_walk_reaches_every_class_of_node(function: ir.Function) -> None:
    flag = ir.Var(ir.ScalarType(BOOL), "flag")
    pair = ir.as_expr([1, 2])
    extra = (
        ir.If(flag, (ir.Break(),), (ir.Continue(),)),
        ir.While(flag, (ir.InCoreScope((ir.HierarchyScope((ir.Return((ir.TupleItem(SCALAR, pair, 0),)),)),)),)),
        ir.Eval(ir.FunctionCall(ir.UNKNOWN, "other", (ir.Unary(SCALAR, ir.UnaryKind.Neg, scalar("n")),))),
    )
    program = ir.Program("p", (function, ir.Function("other", (), (), (), extra)))
    seen = {type(node) for node in ir.walk(program)}
    abstract = {ir.Node, ir.Expr, ir.Stmt, ir.Scope}
    every = {value for value in vars(ir).values() if isinstance(value, type) and issubclass(value, ir.Node)}
    assert every - abstract - seen == set()


def test_free_vars_are_what_is_read_and_not_bound(function: ir.Function) -> None:
    assert names(ir.free_vars(function)) == ["rows"]
    assert names(ir.free_vars(function.body[1:])) == ["rows", "first", "x", "out"]


def test_free_vars_sees_branches_apart(rows: ir.Var) -> None:
    flag, a = ir.Var(ir.ScalarType(BOOL), "flag"), scalar("a")
    bind, read = ir.Assign(a, ir.constant(1)), ir.Eval(a)
    assert names(ir.free_vars((ir.If(flag, (bind,), (read,)),))) == ["flag", "a"]
    assert names(ir.free_vars((ir.If(flag, (bind,), (bind,)), read))) == ["flag"]


def test_used_vars_include_those_that_only_types_mention(rows: ir.Var) -> None:
    narrowed = ir.Var(ir.TensorType((rows, 64), FP32), "narrowed")
    assert names(ir.used_vars((ir.Assign(narrowed, ir.constant(1)),))) == ["rows"]


def test_defined_vars_lists_bindings_in_order(function: ir.Function) -> None:
    assert names(ir.defined_vars(function.body)) == ["first", "i", "carried", "left", "t", "added", "total"]


def test_a_rewrite_that_changes_nothing_returns_the_same_objects(function: ir.Function) -> None:
    program = ir.Program("p", (function,))
    assert ir.Rewriter({scalar("elsewhere"): ir.constant(1)}).program(program) is program


def test_substitute_reaches_types_and_everything_that_depends_on_them(function: ir.Function, rows: ir.Var) -> None:
    replaced = ir.substitute(function, {rows: ir.constant(64)})
    assert [param.type.shape for param in replaced.params] == [(64, 64), (64, 64)]
    assert rows not in set(ir.walk(replaced)) and ir.free_vars(replaced) == ()
    assert replaced.body[0].value.args[0] is replaced.params[0]


def test_substitute_drops_a_valid_region_that_became_the_shape(rows: ir.Var) -> None:
    narrow = ir.TileType((16, 64), FP32).with_view(valid_shape=(rows, 64))
    var = ir.Var(narrow, "t")
    (stmt,) = ir.substitute((ir.Assign(var, ir.constant(1)),), {rows: ir.constant(16)})
    assert stmt.var.type == ir.TileType((16, 64), FP32)


def test_a_new_definition_follows_a_renaming(function: ir.Function) -> None:
    first, renamed = function.body[0].var, ir.Var(function.body[0].var.type, "renamed")
    body = ir.substitute(function.body, {first: renamed})
    assert body[0].var is renamed and body[1].iter_args[0].init is renamed


def test_a_statement_may_become_several_or_none(function: ir.Function) -> None:
    class Twice(ir.Rewriter):
        def rewrite_eval(self, stmt: ir.Eval) -> ir.Rewritten:
            return (stmt, stmt)

        def rewrite_for(self, stmt: ir.For) -> ir.Rewritten:
            return ()

    kinds = [type(stmt) for stmt in Twice().function(function).body]
    assert kinds == [ir.Assign, ir.Eval, ir.Eval]


def test_emit_puts_a_statement_in_front_in_the_body_at_hand(function: ir.Function) -> None:
    class Announce(ir.Rewriter):
        def rewrite_call(self, call: ir.Call) -> ir.Expr:
            if call.op is TABLE["add"]:
                self.emit(ir.Eval(ir.constant(7)))
            return super().rewrite_call(call)

    rewritten = Announce().function(function)
    assert [type(stmt) for stmt in rewritten.body] == [ir.Assign, ir.For, ir.Eval]
    assert [type(stmt) for stmt in rewritten.body[1].body] == [ir.Assign, ir.Assign, ir.Eval, ir.Assign, ir.Yield]


def test_an_element_of_a_tuple_that_is_spelled_out_is_the_element() -> None:
    pair = ir.Var(ir.TupleType((SCALAR, SCALAR)), "pair")
    item = ir.TupleItem(SCALAR, pair, 1)
    assert ir.substitute(item, {pair: ir.as_expr([3, 4])}).value == 4
