"""Returns inside branches: what follows the branch becomes part of it, and one return ends the function."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pypto.errors import ParserTypeError
from pypto.frontend.assign import bind_name, read_binding
from pypto.frontend.bound_names import returns
from pypto.frontend.conditions import condition_of
from pypto.frontend.statements import branch, returned_values, statement
from pypto.ir.nodes import Expr, Return

if TYPE_CHECKING:
    from pypto.frontend.parser import Parser


def function_body(p: Parser, nodes: list[ast.stmt]) -> None:
    """Parse the body of a function."""
    if not any(isinstance(node, ast.If) and returns([node]) for node in nodes):
        p.statements(nodes)
        return
    found = returns(nodes)
    same = _same_names(found)
    count = _tail(p, nodes, same)
    values = [_result(p, index, found[-1], same) for index in range(count)]
    p.emit(Return(tuple(values), span=p.span(found[-1])))
    p.returned = tuple(value.type for value in values)
    p.names.end()


def _result(p: Parser, index: int, node: ast.Return, same: list[ast.Name] | None) -> Expr:
    if same is not None:
        return p.expr(same[index])
    binding = p.names.get(_name(index))
    assert binding is not None
    return p.as_expr(read_binding(p, node, binding), node)


def _same_names(found: list[ast.Return]) -> list[ast.Name] | None:
    """The names that every one of the returns hands out, when they all hand out the same."""
    value = found[-1].value
    names = value.elts if isinstance(value, ast.Tuple) else [value]
    same = len({ast.dump(node.value) if node.value else "" for node in found}) == 1
    return names if same and all(isinstance(name, ast.Name) for name in names) else None  # type: ignore[return-value]


def _tail(p: Parser, nodes: list[ast.stmt], same: list[ast.Name] | None) -> int:
    """Parse statements that the function ends with; gives how many values they return."""
    for position, node in enumerate(nodes):
        if isinstance(node, ast.Return):
            return _results(p, node, same)
        if isinstance(node, ast.If) and returns([node]):
            return _branches(p, node, nodes[position + 1 :], same)
        statement(p, node)
    return 0


def _results(p: Parser, node: ast.Return, same: list[ast.Name] | None) -> int:
    values = returned_values(p, node)
    if same is None:
        for index, value in enumerate(values):
            p.assigned[_name(index)] = 2
            bind_name(p, _name(index), value, node, node)
    return len(values)


def _branches(p: Parser, node: ast.If, rest: list[ast.stmt], same: list[ast.Name] | None) -> int:
    condition = condition_of(p, node.test, "if")
    counts = []

    def side(nodes: list[ast.stmt]) -> None:
        ends = any(isinstance(item, ast.Return) for item in nodes)
        counts.append(_tail(p, nodes if ends else [*nodes, *rest], same))

    branch(p, node, condition, lambda: side(node.body), lambda: side(node.orelse))
    if counts[0] != counts[1]:
        raise p.error(
            ParserTypeError,
            f"the function returns {counts[0]} values on one path and {counts[1]} on the other",
            node,
            "return as many on every path",
        )
    return counts[0]


def _name(index: int) -> str:
    return f"return {index}"  # no name that a kernel can have
