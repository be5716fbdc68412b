"""Every rule of legality passes what is legal and finds what breaks it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import pypto.ops  # noqa: F401  fills the op table
from pypto import ir
from pypto.errors import VerificationError
from pypto.ops import dtypes as d
from pypto.ops.enums import FunctionType, MemorySpace, ParamDirection

INDEX, BOOL = ir.ScalarType(d.INDEX), ir.ScalarType(d.BOOL)
SPAN = ir.Span("kernel.py", 9, 4, 9, 10)
EVERY = frozenset(ir.Property)
X = ir.Var(ir.TensorType((64, 64), d.FP32), "x")
FLAG = ir.Var(BOOL, "flag")
ONE, TEN = ir.constant(1), ir.constant(10)


def var(name: str, type_: ir.Type = INDEX) -> ir.Var:
    return ir.Var(type_, name)


def program(
    *body: ir.Stmt, returns: tuple[ir.Type, ...] = (), directions: Any = (ParamDirection.In,) * 2
) -> ir.Program:
    """A program of one function with the tensor x and the BOOL flag as parameters, and an empty one to call."""
    tensor = ir.Var(ir.TensorType((64, 64), d.FP32), "t")
    callee = ir.Function("callee", (tensor,), (ParamDirection.In,), (), (), kind=FunctionType.InCore)
    made = ir.Function("f", (X, FLAG), directions, (), body, kind=FunctionType.InCore)
    return ir.Program("p", (made, callee))


def assign(target: ir.Var, value: ir.Expr = ONE) -> ir.Assign:
    return ir.Assign(target, value, span=SPAN)


def loop(*body: ir.Stmt, carry: int = 0, **changes: Any) -> ir.For:
    """A loop that carries that many INDEX scalars, each starting from 1."""
    made: dict[str, Any] = {
        "var": var("i"), "start": ir.constant(0), "stop": TEN, "step": ONE,
        "iter_args": tuple(ir.IterArg(INDEX, f"c{index}", ONE) for index in range(carry)),
        "results": tuple(var(f"r{index}") for index in range(carry)), **changes,
    }  # fmt: skip
    return ir.For(body=body, span=SPAN, **made)


def hand_on(*values: ir.Expr) -> ir.Yield:
    return ir.Yield(values, span=SPAN)


def branch(then: ir.Body, orelse: ir.Body = (), results: tuple[ir.Var, ...] = (), condition: ir.Expr = FLAG) -> ir.If:
    return ir.If(condition, then, orelse, results, span=SPAN)


def twice() -> ir.Program:
    a = var("a")
    return program(assign(a), assign(a))


def more_results() -> ir.Program:
    return program(loop(hand_on(ONE, ONE), carry=1, results=(var("r"), var("q"))))


def after_yield() -> ir.Program:
    return program(loop(hand_on(ONE), assign(var("a")), carry=1))


def same_carry() -> ir.Program:
    arg = ir.IterArg(INDEX, "c", ONE)
    return program(loop(hand_on(ONE, ONE), iter_args=(arg, arg), results=(var("r"), var("q"))))


def out_of_loop() -> ir.Program:
    a = var("a")
    return program(loop(assign(a)), assign(var("b"), a))


def out_of_branch() -> ir.Program:
    a = var("a")
    return program(branch((assign(a),)), assign(var("b"), a))


def too_early() -> ir.Program:
    a = var("a")
    return program(assign(var("b"), a), assign(a))


def tensor_value(*shape: int, dtype: d.DataType = d.FP32) -> ir.Var:
    return var("v", ir.TensorType(shape, dtype))


def tile(space: MemorySpace | None = MemorySpace.Vec, memref: ir.MemRef | None = None) -> ir.Var:
    return var("v", ir.TileType((16, 16), d.FP32, None, space, memref))


def carried(init: ir.Expr, value: Callable[[ir.IterArg], ir.Expr] = lambda arg: arg) -> ir.Program:
    """A loop that starts from ``init`` a value of the type of x."""
    arg = ir.IterArg(X.type, "c", init)
    return program(assign(init) if isinstance(init, ir.Var) and init is not X else assign(var("n")),
                   loop(hand_on(value(arg)), iter_args=(arg,), results=(var("r", X.type),)))  # fmt: skip


def yielded(value: ir.Var) -> ir.Program:
    return program(branch((hand_on(X),), (assign(value), hand_on(value)), (var("r", X.type),)))


def call(name: str, *args: ir.Expr) -> ir.Eval:
    return ir.Eval(ir.FunctionCall(ir.UNKNOWN, name, args, span=SPAN), span=SPAN)


def nested_call() -> ir.Program:
    return program(assign(var("v", X.type), ir.call("add", ir.call("exp", X, span=SPAN), X)))


BROKEN: dict[str, tuple[str, Callable[[], ir.Program]]] = {
    "bound twice": ("V001", twice),
    "a parameter bound again": ("V001", lambda: program(assign(FLAG, ir.constant(True)))),
    "one carried variable listed twice": ("V002", same_carry),
    "a branch without a yield": ("V003", lambda: program(branch((hand_on(ONE),), (), (var("r"),)))),
    "a loop without a yield": ("V003", lambda: program(loop(carry=1))),
    "more results than carried values": ("V004", more_results),
    "a yield of too many": ("V005", lambda: program(loop(hand_on(ONE, ONE), carry=1))),
    "a yield of too few": ("V005", lambda: program(branch((hand_on(),), (hand_on(ONE),), (var("r"),)))),
    "used outside its loop": ("V006", out_of_loop),
    "used outside its branch": ("V006", out_of_branch),
    "used before it is bound": ("V006", too_early),
    "used and never bound": ("V006", lambda: program(assign(var("b"), var("ghost")))),
    "a statement after the yield": ("V007", after_yield),
    "a yield at the top": ("V007", lambda: program(hand_on(ONE))),
    "starts from another kind": ("V101", lambda: carried(var("n"))),
    "an argument of another kind": ("V101", lambda: program(call("callee", ONE))),
    "a tile that changes its space": ("V101", lambda: program(branch(
        (hand_on(tile()),), (), (tile(MemorySpace.Mat),)))),
    "starts from another dtype": ("V102", lambda: carried(tensor_value(64, 64, dtype=d.BF16))),
    "yields another dtype": ("V102", lambda: yielded(tensor_value(64, 64, dtype=d.BF16))),
    "a float for an integer": ("V102", lambda: program(loop(hand_on(ir.constant(1.0)), carry=1))),
    "yields another rank": ("V103", lambda: yielded(tensor_value(64))),
    "yields another extent": ("V104", lambda: yielded(tensor_value(64, 32))),
    "an argument of another extent": ("V104", lambda: program(assign(v := tensor_value(64, 32)), call("callee", v))),
    "returns too many": ("V105", lambda: program(ir.Return((ONE,), span=SPAN))),
    "an integer as condition": ("V106", lambda: program(branch((), condition=ONE))),
    "an integer as condition of a while": ("V106", lambda: program(ir.While(ONE, (), span=SPAN))),
    "a float as bound": ("V107", lambda: program(loop(stop=ir.constant(1.0)))),
    "a loop variable that is no INDEX": ("V107", lambda: program(loop(var=var("i", ir.ScalarType(d.INT32))))),
    "a step of zero": ("V108", lambda: program(loop(step=ir.constant(0)))),
    "a callee that is missing": ("V109", lambda: program(call("nobody"))),
    "too few arguments": ("V110", lambda: program(call("callee"))),
    "a parameter without direction": ("V111", lambda: program(directions=(ParamDirection.In,))),
    "a break that is left": ("V201", lambda: program(loop(ir.Break(span=SPAN)))),
    "a return in the middle": ("V201", lambda: program(branch((ir.Return(span=SPAN),)))),
    "a call in a call": ("V202", nested_call),
    "a tile in no space": ("V203", lambda: program(assign(tile(None)))),
    "a tile without a buffer": ("V204", lambda: program(assign(tile()))),
    "a branch that hands on from elsewhere": ("V205", lambda: program(branch(
        (hand_on(tile(memref=ir.MemRef("a", 0, 1024))),), (), (tile(memref=ir.MemRef("b", 0, 1024)),)))),
    "a tile without an address": ("V206", lambda: program(assign(tile(memref=ir.MemRef("a", 0, 1024))))),
}  # fmt: skip


@pytest.mark.parametrize("what", BROKEN)
def test_a_rule_finds_what_breaks_it(what: str) -> None:
    code, build = BROKEN[what]
    found = {error.error_code for error in ir.violations(build(), EVERY)}
    assert code in found


def test_every_rule_has_a_program_that_breaks_it() -> None:
    assert {f"V{rule.code:03d}" for rule in ir.RULES} == {code for code, _ in BROKEN.values()}


def test_the_error_carries_code_place_function_and_rule() -> None:
    with pytest.raises(VerificationError) as error:
        ir.verify(twice(), {ir.Property.SSAForm})
    assert error.value.error_code == "V001" and error.value.span == SPAN
    assert error.value.message == "f: 'a' is bound again (rule single_assignment)" and error.value.hint


def test_a_rule_is_silent_where_its_property_is_not_asked_for() -> None:
    assert ir.verify(twice(), {ir.Property.TypeChecked}).name == "p"


def test_before_ssa_form_names_are_bound_again_and_leak() -> None:
    a = var("a")
    ir.verify(
        program(assign(a), loop(assign(a)), assign(var("b"), a)), {ir.Property.UseAfterDef, ir.Property.TypeChecked}
    )


def legal() -> ir.Program:
    """Values carried, branches merged, a call, a dimension variable, a region whose names stay visible."""
    rows = var("rows")
    y = var("y", ir.TensorType((rows, 64), d.FP32))
    left = var("left")
    arg, total = ir.IterArg(INDEX, "c", ONE), var("total")
    n, chosen = var("n"), var("chosen")
    body = (
        assign(n, ir.binary(ir.BinaryKind.Add, arg, 1)),
        ir.If(ir.binary(ir.BinaryKind.Lt, n, rows), (hand_on(n),), (hand_on(arg),), (chosen,)),
        hand_on(chosen),
    )
    until, rest = ir.IterArg(INDEX, "u", total), var("rest")
    statements = (
        ir.InCoreScope((assign(left, rows),)),
        loop(*body, iter_args=(arg,), results=(total,), stop=left),
        ir.While(ir.binary(ir.BinaryKind.Gt, until, 0), (hand_on(ONE),), (until,), (rest,)),
        call("callee", X),
        ir.Return((rest,)),
    )
    callee = program()["callee"]
    directions = (ParamDirection.In, ParamDirection.InOut)
    return ir.Program("p", (ir.Function("f", (X, y), directions, (INDEX,), statements), callee))


def test_a_legal_program_breaks_nothing() -> None:
    assert list(ir.violations(legal(), EVERY)) == []
    program = legal()
    assert ir.verify(program, EVERY) is program
