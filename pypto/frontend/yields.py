"""``result = pl.yield_(value)``: values that a loop body or a branch hands on explicitly."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pypto.errors import ParserSyntaxError, ParserTypeError
from pypto.frontend import buffers
from pypto.frontend.declared import declared_type
from pypto.frontend.markers import Marker
from pypto.frontend.names import Binding
from pypto.frontend.shapes import joined, same_type
from pypto.ir.build import describe
from pypto.ir.nodes import Body, Expr, If, Var, Yield
from pypto.ir.types import Type

if TYPE_CHECKING:
    from pypto.frontend.parser import Parser


@dataclass(frozen=True)
class Yielding:
    """What a yield hands on, and the names its left side gives to the results."""

    values: tuple[Expr, ...]
    targets: tuple[ast.Name, ...]
    types: tuple[Type, ...]

    def joined(self, others: Iterable[Type]) -> Yielding:
        """This with result types that know what the other sources of the same values know."""
        return replace(self, types=tuple(map(joined, self.types, others)))

    def bind(self, p: Parser) -> tuple[Var, ...]:
        """The results as variables, bound to their names."""
        results = []
        for target, value, type_ in zip(self.targets, self.values, self.types, strict=True):
            span = p.span(target)
            var = p.variable(target.id, type_, span)
            buffers.note(p, var, value)
            p.names.bind(target.id, Binding(var, span, frame=p.names.frame))
            results.append(var)
        return tuple(results)


def is_yield(p: Parser, node: ast.stmt) -> bool:
    """Whether ``node`` hands on values; also a bare ``pl.yield_``, which is then refused."""
    value = getattr(node, "value", None) if isinstance(node, ast.Assign | ast.AnnAssign | ast.Expr) else None
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute | ast.Name):
        return False
    name = value.func.attr if isinstance(value.func, ast.Attribute) else value.func.id
    if name != "yield_":
        return False
    marker = p.value(value.func)
    return isinstance(marker, Marker) and marker.name == "yield_"


def loop_yield(p: Parser, node: ast.stmt) -> Yielding:
    """The yield at the end of a body; its values are written there."""
    yielding = _read(p, node)
    p.emit(Yield(yielding.values, span=p.span(node)))
    return yielding


def _read(p: Parser, node: ast.stmt) -> Yielding:
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target, declared = node.targets[0], None
    elif isinstance(node, ast.AnnAssign):
        target, declared = node.target, declared_type(p, node.annotation)
    else:
        raise p.error(
            ParserSyntaxError, "pl.yield_ assigns: the names on its left are the values after the loop or branch", node,
            "write result = pl.yield_(value)",
        )  # fmt: skip
    targets = target.elts if isinstance(target, ast.Tuple) else [target]
    names = tuple(item for item in targets if isinstance(item, ast.Name))
    call = node.value
    assert isinstance(call, ast.Call)
    if len(names) != len(targets) or call.keywords:
        raise p.error(
            ParserSyntaxError, "pl.yield_ assigns to plain names", node, "write a, b = pl.yield_(x, y)", "E006"
        )
    values = tuple(p.expr(arg) for arg in call.args)
    if len(values) != len(names):
        raise p.error(
            ParserSyntaxError,
            f"{len(names)} names for {len(values)} yielded values",
            node,
            "give one name to each",
            "E007",
        )
    types = tuple(value.type for value in values)
    if declared is not None and len(types) == 1:
        types = (declared,)
    return Yielding(values, names, types)


def yielded_if(p: Parser, node: ast.If, condition: Expr) -> None:
    """An ``if`` whose branches both end with a yield."""
    if not node.orelse:
        raise p.error(ParserSyntaxError, "a branch with pl.yield_ needs an else with one", node, "add the else", "E007")
    then, first = _branch(p, node.body, node)
    orelse, second = _branch(p, node.orelse, node)
    if len(first.values) != len(second.values):
        message = f"the branches yield {len(first.values)} and {len(second.values)} values"
        raise p.error(ParserSyntaxError, message, node.orelse[-1], "yield as many in both", "E007")
    for name, a, b in zip(second.targets, first.values, second.values, strict=True):
        if not same_type(a.type, b.type):
            raise p.error(
                ParserTypeError, f"'{name.id}' is {describe(a)} in one branch and {describe(b)} in the other", b.span,
                "yield values of one type", "E007",
            )  # fmt: skip
    if [t.id for t in first.targets] != [t.id for t in second.targets]:
        raise p.error(
            ParserSyntaxError,
            "the branches yield under different names",
            node.orelse[-1],
            "use the same names in both",
            "E007",
        )
    results = first.joined([value.type for value in second.values]).bind(p)
    p.emit(If(condition, then, orelse, results, span=p.span(node)))


def _branch(p: Parser, nodes: list[ast.stmt], node: ast.If) -> tuple[Body, Yielding]:
    if len(nodes) == 1 and isinstance(nodes[0], ast.If):  # elif: its own yields are handed on
        inner = nodes[0]
        p.names.push()
        with p.block() as out:
            p.statements([inner])
            names = _yielded_names(p, inner)
            values = tuple(p.expr(name) for name in names)
            p.emit(Yield(values, span=p.span(inner)))
        p.names.pop()
        return tuple(out), Yielding(values, names, tuple(value.type for value in values))
    if not nodes or not is_yield(p, nodes[-1]):
        raise p.error(
            ParserSyntaxError, "both branches end with pl.yield_", nodes[-1] if nodes else node, "add it", "E007"
        )
    p.names.push()
    with p.block() as out:
        p.statements(nodes[:-1])
        yielding = loop_yield(p, nodes[-1])
    p.names.pop()
    return tuple(out), yielding


def _yielded_names(p: Parser, node: ast.If) -> tuple[ast.Name, ...]:
    last = node.body[-1]
    if not is_yield(p, last) or not isinstance(last, ast.Assign):
        raise p.error(ParserSyntaxError, "both branches end with pl.yield_", last, "add it", "E007")
    targets = last.targets[0].elts if isinstance(last.targets[0], ast.Tuple) else [last.targets[0]]
    found = tuple(ast.copy_location(ast.Name(t.id, ast.Load()), t) for t in targets if isinstance(t, ast.Name))
    return found
