"""Rules about types: values that meet agree, conditions and bounds are scalars, calls fit their callee."""

from __future__ import annotations

from collections.abc import Iterator

from pypto.ir import nodes as n
from pypto.ir.rules.rule import Finding, Property, Rule, last, statements
from pypto.ir.types import ScalarType, ShapedType, TileType, TupleType, Type
from pypto.ir.visit import bodies, walk
from pypto.ops.dtypes import BOOL, INDEX, DataType


def carried_kind(function: n.Function, program: n.Program) -> Iterator[Finding]:
    """Values that meet in control flow, and arguments and their parameters, are of one kind."""
    for expected, value, span, what in _meetings(function, program):
        if not _same_kind(expected, value.type):
            yield Finding(f"{what} is {_words(value.type)}, expected {_words(expected)}", value.span or span)


def carried_dtype(function: n.Function, program: n.Program) -> Iterator[Finding]:
    """Values that meet are of one dtype."""
    for expected, value, span, what in _meetings(function, program):
        have, want = getattr(value.type, "dtype", None), getattr(expected, "dtype", None)
        if _same_kind(expected, value.type) and not _same_dtype(have, want, isinstance(expected, ScalarType)):
            yield Finding(f"{what} has dtype {have!r}, expected {want!r}", span, "cast it first")


def carried_rank(function: n.Function, program: n.Program) -> Iterator[Finding]:
    """Values that meet are of one rank."""
    for expected, value, span, what in _meetings(function, program):
        if isinstance(expected, ShapedType) and isinstance(value.type, ShapedType) and expected.rank != value.type.rank:
            yield Finding(f"{what} has rank {value.type.rank}, expected {expected.rank}", span)


def carried_dims(function: n.Function, program: n.Program) -> Iterator[Finding]:
    """Dimensions of values that meet agree where both are known."""
    for expected, value, span, what in _meetings(function, program):
        if isinstance(expected, ShapedType) and isinstance(value.type, ShapedType):
            for axis, (want, have) in enumerate(zip(expected.shape, value.type.shape, strict=False)):
                if isinstance(want, int) and isinstance(have, int) and want != have:
                    yield Finding(f"{what} has {have} cells along axis {axis}, expected {want}", span)


def return_count(function: n.Function, program: n.Program) -> Iterator[Finding]:
    """A return hands back as many values as the function declares."""
    for stmt in statements(function):
        if isinstance(stmt, n.Return) and len(stmt.values) != len(function.return_types):
            declared = len(function.return_types)
            yield Finding(f"a return hands back {len(stmt.values)} values, the function declares {declared}", stmt.span)


def condition_is_bool(function: n.Function, program: n.Program) -> Iterator[Finding]:
    """Conditions are BOOL scalars."""
    for stmt in statements(function):
        if isinstance(stmt, n.If | n.While) and stmt.condition.type != ScalarType(BOOL):
            yield Finding(
                f"a condition is {_words(stmt.condition.type)}, expected a scalar of BOOL",
                stmt.condition.span,
                "compare it with a number",
            )


def bounds_are_integers(function: n.Function, program: n.Program) -> Iterator[Finding]:
    """The bounds of a loop are integer scalars and its variable is an INDEX."""
    for stmt in statements(function):
        if isinstance(stmt, n.For):
            for name in ("start", "stop", "step"):
                type_ = getattr(stmt, name).type
                if not (isinstance(type_, ScalarType) and type_.dtype.is_integer):
                    yield Finding(f"the {name} of a loop is {_words(type_)}, expected an integer scalar", stmt.span)
            if stmt.var.type != ScalarType(INDEX):
                yield Finding(f"a loop variable is {_words(stmt.var.type)}, expected a scalar of INDEX", stmt.span)


def step_is_not_zero(function: n.Function, program: n.Program) -> Iterator[Finding]:
    """A constant step is not zero."""
    for stmt in statements(function):
        if isinstance(stmt, n.For) and isinstance(stmt.step, n.Const) and stmt.step.value == 0:
            yield Finding("the step of a loop is zero", stmt.span)


def callee_exists(function: n.Function, program: n.Program) -> Iterator[Finding]:
    """A called function is part of the program."""
    names = [other.name for other in program.functions]
    for call in _calls(function):
        if call.callee not in names:
            yield Finding(f"'{call.callee}' is called, the program has {', '.join(names)}", call.span)


def argument_count(function: n.Function, program: n.Program) -> Iterator[Finding]:
    """A call gives one argument per parameter."""
    for call, callee in _callees(function, program):
        if len(call.args) != len(callee.params):
            expected = f"{callee.name} takes {len(callee.params)}"
            yield Finding(f"a call gives {len(call.args)} arguments, {expected}", call.span)


def directions_count(function: n.Function, program: n.Program) -> Iterator[Finding]:
    """Every parameter has a direction."""
    if len(function.directions) != len(function.params):
        yield Finding(f"{len(function.params)} parameters have {len(function.directions)} directions", function.span)


def _calls(function: n.Function) -> Iterator[n.FunctionCall]:
    return (node for node in walk(function.body) if isinstance(node, n.FunctionCall))


def _callees(function: n.Function, program: n.Program) -> Iterator[tuple[n.FunctionCall, n.Function]]:
    found = {other.name: other for other in program.functions}
    return ((call, found[call.callee]) for call in _calls(function) if call.callee in found)


def _meetings(function: n.Function, program: n.Program) -> Iterator[tuple[Type, n.Expr, n.Span, str]]:
    """Where a value must fit a declared type: that type, the value, the place and what the value is."""
    for stmt in statements(function):
        if isinstance(stmt, n.For | n.While):
            for arg in stmt.iter_args:
                yield arg.type, arg.init, stmt.span, f"the initial value of '{arg.name}'"
            for carried, result in zip(stmt.iter_args, stmt.results, strict=False):
                yield result.type, carried, stmt.span, f"the carried value '{carried.name}'"
        if isinstance(stmt, n.For | n.While | n.If):
            for body in bodies(stmt):
                end = last(body)
                if isinstance(end, n.Yield):
                    for result, value in zip(stmt.results, end.values, strict=False):
                        yield result.type, value, end.span, f"the yielded value of '{result.name}'"
        if isinstance(stmt, n.Return):
            for index, (type_, value) in enumerate(zip(function.return_types, stmt.values, strict=False)):
                yield type_, value, stmt.span, f"returned value {index}"
    for call, callee in _callees(function, program):
        for param, given in zip(callee.params, call.args, strict=False):
            yield param.type, given, call.span, f"the argument for '{param.name}' of {callee.name}"


def _same_kind(a: Type, b: Type) -> bool:
    if isinstance(a, TupleType) and isinstance(b, TupleType):
        return len(a.items) == len(b.items) and all(map(_same_kind, a.items, b.items))
    if isinstance(a, TileType) and isinstance(b, TileType):
        return a.space is None or b.space is None or a.space == b.space
    return type(a) is type(b)


def _same_dtype(a: DataType | None, b: DataType | None, scalar: bool) -> bool:
    """Whether dtypes agree; integer scalars of any width meet freely, they all travel in 64 bits."""
    return a == b or (scalar and a is not None and b is not None and a.is_integer and b.is_integer)


def _words(type_: Type) -> str:
    kind = type(type_).__name__.removesuffix("Type").lower()
    if isinstance(type_, TileType) and type_.space is not None:
        return f"a tile in {type_.space.name}"
    return f"a {kind} of {type_.dtype.name}" if isinstance(type_, ScalarType) else f"a {kind}"


RULES = (
    Rule(101, Property.TypeChecked, carried_kind),
    Rule(102, Property.TypeChecked, carried_dtype),
    Rule(103, Property.TypeChecked, carried_rank),
    Rule(104, Property.TypeChecked, carried_dims),
    Rule(105, Property.TypeChecked, return_count),
    Rule(106, Property.TypeChecked, condition_is_bool),
    Rule(107, Property.TypeChecked, bounds_are_integers),
    Rule(108, Property.TypeChecked, step_is_not_zero),
    Rule(109, Property.TypeChecked, callee_exists),
    Rule(110, Property.TypeChecked, argument_count),
    Rule(111, Property.TypeChecked, directions_count),
)
