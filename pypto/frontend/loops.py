"""Loops: ``pl.range`` and its kin, ``pl.while_`` and Python's ``while``; carried values in both styles."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pypto.errors import ParserSyntaxError, ParserTypeError, UnsupportedFeatureError
from pypto.frontend.assign import bind_name, hide
from pypto.frontend.bound_names import assigned, breaks, jumps, rebound_by_call
from pypto.frontend.conditions import condition_of
from pypto.frontend.markers import Marker
from pypto.frontend.names import Binding
from pypto.frontend.shapes import same_type
from pypto.frontend.yields import Yielding, is_yield, loop_yield
from pypto.ir.build import constant, describe
from pypto.ir.nodes import Assign, Body, Const, Expr, For, IterArg, Var, While
from pypto.ir.types import ScalarType
from pypto.ops.dtypes import INDEX
from pypto.ops.enums import ForKind

if TYPE_CHECKING:
    from pypto.frontend.parser import Parser

_COUNTED = {kind.value: kind for kind in ForKind}
_HIDDEN = "is the variable of a loop that has ended"


@dataclass(frozen=True)
class _Header:
    """What stands between ``in`` and the colon, evaluated."""

    kind: ForKind
    start: Expr
    stop: Expr
    step: Expr
    init: list[Expr] | None
    attrs: dict[str, Any]


def for_(p: Parser, node: ast.For) -> None:
    """A ``for`` statement."""
    _for(p, node)
    _else(p, node)


def _else(p: Parser, node: ast.For | ast.While) -> None:
    """``else`` of a loop runs when the loop ends by itself: always, when there is no break."""
    if not node.orelse:
        return
    if breaks(node.body):
        raise p.error(
            UnsupportedFeatureError,
            "'else' of a loop with break",
            node.orelse[0],
            "use a flag and an if after the loop",
            "E001",
        )
    p.statements(node.orelse)


def _for(p: Parser, node: ast.For) -> None:
    call = node.iter
    marker = p.value(call.func) if isinstance(call, ast.Call) else None
    if isinstance(call, ast.Call) and isinstance(marker, Marker):
        if marker.name == "while_":
            _while_form(p, node, call)
            return
        if marker.name in _COUNTED:
            _counted(p, node, _header(p, call, _COUNTED[marker.name]))
            return
        if marker.todo:
            raise p.error(UnsupportedFeatureError, marker.todo, call, "leave it out for now")
    raise p.error(
        ParserSyntaxError, "a for loop runs over pl.range, pl.parallel, pl.unroll, pl.pipeline or pl.while_", call,
        "write: for i in pl.range(n)", "E005",
    )  # fmt: skip


def _header(p: Parser, call: ast.Call, kind: ForKind) -> _Header:
    name = f"pl.{kind.value}"
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    allowed = {"attrs", "init_values"} | ({"stage"} if kind is ForKind.Pipeline else set())
    if kind is ForKind.Unroll:
        allowed.discard("init_values")
    for keyword, value in keywords.items():
        if keyword not in allowed:
            hint = (
                "only pl.pipeline has stages"
                if keyword == "stage"
                else f"{name} takes {', '.join(sorted(allowed - {'attrs'}))}"
            )
            raise p.error(ParserSyntaxError, f"{name} takes no '{keyword}'", value, hint, "E004")
    if not 1 <= len(call.args) <= 3:
        raise p.error(ParserSyntaxError, f"{name} takes 1 to 3 bounds", call, f"write {name}(stop)", "E004")
    bounds = [_bound(p, arg, name) for arg in call.args]
    start = constant(0) if len(bounds) == 1 else bounds[0]
    stop = bounds[0] if len(bounds) == 1 else bounds[1]
    step = bounds[2] if len(bounds) == 3 else constant(1)
    _check_bounds(p, call, kind, start, stop, step)
    attrs = {} if "attrs" not in keywords else dict(p.value(keywords["attrs"]))
    if kind is ForKind.Pipeline:
        attrs["stage"] = _stage(p, call, keywords.get("stage"))
    init = None if "init_values" not in keywords else _init_values(p, keywords["init_values"])
    return _Header(kind, start, stop, step, init, attrs)


def _bound(p: Parser, node: ast.expr, name: str) -> Expr:
    value = p.value(node)
    expr = p.as_expr(value, node)
    if not isinstance(expr.type, ScalarType) or not expr.type.dtype.is_integer:
        raise p.error(
            ParserTypeError, f"a bound of {name} must be an integer, got {describe(expr)}", node, "use an integer"
        )
    return expr


def _check_bounds(p: Parser, call: ast.Call, kind: ForKind, start: Expr, stop: Expr, step: Expr) -> None:
    if isinstance(step, Const) and step.value == 0:
        raise p.error(
            ParserSyntaxError, f"pl.{kind.value}: step 0 never ends", call.args[-1], "use a step of 1 or more", "E004"
        )
    if kind is ForKind.Unroll and not all(isinstance(bound, Const) for bound in (start, stop, step)):
        raise p.error(ParserSyntaxError, "the bounds of pl.unroll are constants", call, "use pl.range", "E004")
    if p.in_core and isinstance(step, Const) and step.value < 0 and kind is not ForKind.Unroll:
        raise p.error(
            UnsupportedFeatureError, "a descending loop in core code", call.args[-1],
            "count up and compute the index: last - i", "E004",
        )  # fmt: skip


def _stage(p: Parser, call: ast.Call, node: ast.expr | None) -> int:
    if node is None:
        raise p.error(ParserSyntaxError, "pl.pipeline needs its number of stages", call, "write stage=2", "E004")
    stage = p.value(node)
    if isinstance(stage, Const):
        stage = stage.value
    if type(stage) is not int or stage < 1:
        raise p.error(ParserSyntaxError, "stage must be a constant of 1 or more", node, "write stage=2", "E004")
    return stage


def _init_values(p: Parser, node: ast.expr) -> list[Expr]:
    value = p.value(node)
    if not isinstance(value, tuple | list):
        raise p.error(ParserSyntaxError, "init_values is a tuple", node, "write init_values=(value,)", "E007")
    return [p.as_expr(item, node) for item in value]


def _counted(p: Parser, node: ast.For, header: _Header) -> None:
    loop_name, carried = _targets(p, node, header.init)
    certain = _runs(header) and not jumps(node.body)
    p.names.forget(assigned(node.body))
    span = p.span(node)
    var = Var(ScalarType(INDEX), loop_name, span=p.span(node.target))
    with _Loop(p, node.body, header.kind.value) as loop:
        loop.bind(loop_name, var, node.target)
        iter_args = loop.carry(carried, header.init or [], node.body)
        body, yielding = loop.parse(node.body, iter_args)
    p.names.merge_loop(loop.frame, certain)
    _hide(p, loop_name)
    results = _after(p, carried, yielding, node)
    p.emit(
        For(var, header.start, header.stop, header.step, body, iter_args if yielding else (), results, header.kind,
            header.attrs, span=span)
    )  # fmt: skip


def _targets(p: Parser, node: ast.For, init: list[Expr] | None) -> tuple[str, list[ast.Name]]:
    """The loop variable and the names of the carried values."""
    target = node.target
    if init is None:
        if not isinstance(target, ast.Name):
            raise p.error(ParserSyntaxError, "the target of a loop is one name", target, "write: for i in ...", "E003")
        return target.id, []
    good = isinstance(target, ast.Tuple) and len(target.elts) == 2 and isinstance(target.elts[0], ast.Name)
    names = target.elts[1] if good else None  # type: ignore[attr-defined]
    if not isinstance(names, ast.Tuple) or not all(isinstance(item, ast.Name) for item in names.elts):
        raise p.error(
            ParserSyntaxError, "with init_values the target is the loop variable and a tuple of names", target,
            "write: for i, (a,) in pl.range(n, init_values=(a0,))", "E003",
        )  # fmt: skip
    _check_count(p, len(names.elts), len(init), names)
    return target.elts[0].id, list(names.elts)  # type: ignore[attr-defined, arg-type]


def _check_count(p: Parser, names: int, values: int, node: ast.AST) -> None:
    if names != values:
        raise p.error(
            ParserSyntaxError, f"{names} carried names for {values} init_values", node, "give one each", "E007"
        )


def _runs(header: _Header) -> bool:
    """Whether the loop is known to run at least once."""
    start, stop, step = header.start, header.stop, header.step
    if not (isinstance(start, Const) and isinstance(stop, Const) and isinstance(step, Const)):
        return False
    return len(range(int(start.value), int(stop.value), int(step.value))) > 0


class _Loop:
    """The frame and block of a loop body."""

    def __init__(self, p: Parser, nodes: list[ast.stmt], kind: str) -> None:
        self._p, self._kind = p, kind
        self._touched = set(assigned(nodes)) | (set() if p.printed else rebound_by_call(nodes))
        self._before: list[Any] = []
        self.frame: Any = None

    def __enter__(self) -> _Loop:
        self._p.names.push()
        self._p.loops.append(self._kind)
        return self

    def __exit__(self, *exc: object) -> None:
        self.frame = self._p.names.pop()
        self._p.loops.pop()

    def bind(self, name: str, var: Var, node: ast.AST) -> None:
        """Let ``name`` stand for ``var`` in the body; a copy when the body assigns it."""
        span = self._p.span(node)
        if name in self._touched:
            copy = self._p.variable(name, var.type, span)
            self._before.append(Assign(copy, var, span=span))
            var = copy
        self._p.names.bind(name, Binding(var, span, frame=self._p.names.frame))

    def carry(self, names: list[ast.Name], init: list[Expr], body: list[ast.stmt]) -> tuple[IterArg, ...]:
        """Bind the carried names to iter args, or to plain variables where no yield hands on their next values."""
        if body and is_yield(self._p, body[-1]):
            args = []
            for name, value in zip(names, init, strict=True):
                args.append(IterArg(value.type, name.id, value, span=self._p.span(name)))
                self.bind(name.id, args[-1], name)
            return tuple(args)
        for name, value in zip(names, init, strict=True):
            frame = self._p.names.pop()
            bind_name(self._p, name.id, value, name, name)
            self._p.names.restore(frame)
        return ()

    def parse(self, nodes: list[ast.stmt], iter_args: Sequence[IterArg] = ()) -> tuple[Body, Yielding | None]:
        """The statements of the body, and what its yield binds after the loop."""
        p = self._p
        with p.block() as out:
            for stmt in self._before:
                p.emit(stmt)
            yielding = None
            if nodes and is_yield(p, nodes[-1]):
                p.statements(nodes[:-1])
                yielding = _agreed(p, loop_yield(p, nodes[-1]), iter_args, nodes[-1])
            else:
                p.statements(nodes)
        return tuple(out), yielding


def _agreed(p: Parser, yielding: Yielding, iter_args: Sequence[IterArg], node: ast.stmt) -> Yielding:
    """What is yielded agrees with what is carried, in number and types."""
    values = yielding.values
    if len(values) != len(iter_args):
        message = f"{len(values)} values yielded for {len(iter_args)} carried ones"
        raise p.error(ParserSyntaxError, message, node, "yield one for each init value", "E007")
    for value, arg, syntax in zip(values, iter_args, node.value.args, strict=True):  # type: ignore[attr-defined]
        if not same_type(value.type, arg.type):
            message = f"'{arg.name}' starts as {describe(arg)} and goes on as {describe(value)}"
            raise p.error(ParserTypeError, message, syntax, "carry values of one type", "E007")
    return yielding.joined(arg.type for arg in iter_args)


def _after(p: Parser, carried: list[ast.Name], yielding: Yielding | None, node: ast.stmt) -> tuple[Var, ...]:
    """Bind the names on the left of the yield; the carried names end with the loop."""
    if yielding is None:
        return ()
    for name in carried:
        binding = p.names.get(name.id)
        if binding is not None:
            p.names.bind(name.id, hide(binding, "is carried by a loop that has ended; the yield names the result"))
    return yielding.bind(p)


def _hide(p: Parser, name: str) -> None:
    binding = p.names.get(name)
    if binding is not None:
        p.names.bind(name, hide(binding, _HIDDEN))


def while_(p: Parser, node: ast.While) -> None:
    """A Python ``while`` statement."""
    p.names.forget(assigned(node.body))
    condition = _pure(p, lambda: condition_of(p, node.test, "while"))
    with _Loop(p, node.body, "while") as loop:
        body, _ = loop.parse(node.body)
    p.names.merge_loop(loop.frame, False)
    p.emit(While(condition, body, span=p.span(node)))
    _else(p, node)


def _pure(p: Parser, compute: Any) -> Any:
    p.pure = "the condition of a loop"
    try:
        return compute()
    finally:
        p.pure = ""


def _while_form(p: Parser, node: ast.For, call: ast.Call) -> None:
    """``for (a, b) in pl.while_(init_values=(a0, b0)):`` with ``pl.cond`` first."""
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    if call.args or set(keywords) != {"init_values"}:
        raise p.error(
            ParserSyntaxError, "pl.while_ takes init_values", call, "write pl.while_(init_values=(a0,))", "E004"
        )
    init = _init_values(p, keywords["init_values"])
    target = node.target
    if not isinstance(target, ast.Tuple) or not all(isinstance(item, ast.Name) for item in target.elts):
        raise p.error(
            ParserSyntaxError, "the target of pl.while_ is a tuple of names", target, "write: for (a,) in ...", "E003"
        )
    names: list[ast.Name] = list(target.elts)  # type: ignore[arg-type]
    _check_count(p, len(names), len(init), target)
    first = node.body[0]
    condition_node = _cond(p, first)
    if condition_node is None:
        raise p.error(
            ParserSyntaxError, "pl.cond comes first in a pl.while_ loop", first, "write pl.cond(i < n)", "E001"
        )
    rest = node.body[1:]
    p.names.forget(assigned(rest))
    with _Loop(p, rest, "while") as loop:
        yields = bool(rest) and is_yield(p, rest[-1])
        iter_args = loop.carry(names, init, rest)
        if yields:  # the condition reads the carried values themselves, not copies made in the body
            p.names.push()
            for name, arg in zip(names, iter_args, strict=True):
                p.names.bind(name.id, Binding(arg, arg.span, frame=p.names.frame))
        else:
            p.names.push()
            p.names.forget({*assigned(rest), *(name.id for name in names)})
        condition = _pure(p, lambda: condition_of(p, condition_node, "while"))
        p.names.pop()
        body, yielding = loop.parse(rest, iter_args)
    p.names.merge_loop(loop.frame, False)
    results = _after(p, names, yielding, node)
    p.emit(While(condition, body, iter_args, results, span=p.span(node)))


def _cond(p: Parser, node: ast.stmt) -> ast.expr | None:
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return None
    call = node.value
    marker = p.value(call.func)
    if not isinstance(marker, Marker) or marker.name != "cond" or len(call.args) != 1 or call.keywords:
        return None
    return call.args[0]
