"""Which names statements bind, found ahead of parsing them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator


def assigned(nodes: Iterable[ast.stmt]) -> Counter[str]:
    """How many statements bind each name, those of nested blocks included."""
    found: Counter[str] = Counter()
    for node in nodes:
        _collect(node, found)
    return found


def _collect(node: ast.stmt, found: Counter[str]) -> None:
    for target in _targets(node):
        found.update(_names(target))
    for body in _bodies(node):
        for child in body:
            _collect(child, found)


def _targets(node: ast.stmt) -> Iterator[ast.expr]:
    if isinstance(node, ast.Assign):
        yield from node.targets
    elif isinstance(node, ast.AugAssign | ast.AnnAssign | ast.For):
        yield node.target
    elif isinstance(node, ast.With):
        yield from (item.optional_vars for item in node.items if item.optional_vars is not None)


def _names(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Tuple | ast.List):
        for item in target.elts:
            yield from _names(item)
    elif isinstance(target, ast.Subscript | ast.Starred):
        yield from _names(target.value)


def _bodies(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        yield from filter(None, [getattr(node, name, None)])


def rebound_by_call(nodes: Iterable[ast.stmt]) -> set[str]:
    """The names that calls standing alone may rebind, as ``pl.store(tile, [0, 0], out)`` does with ``out``."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            given = [*node.value.args, *(keyword.value for keyword in node.value.keywords)]
            found.update(arg.id for arg in given if isinstance(arg, ast.Name))
        for body in _bodies(node):
            found |= rebound_by_call(body)
    return found


def jumps(nodes: Iterable[ast.stmt]) -> bool:
    """Whether ``break`` or ``continue`` of the loop around ``nodes`` is among them."""
    return _holds(nodes, (ast.Break, ast.Continue))


def breaks(nodes: Iterable[ast.stmt]) -> bool:
    """Whether ``break`` of the loop around ``nodes`` is among them."""
    return _holds(nodes, (ast.Break,))


def _holds(nodes: Iterable[ast.stmt], kinds: tuple[type, ...]) -> bool:
    for node in nodes:
        if isinstance(node, kinds):
            return True
        if not isinstance(node, ast.For | ast.While) and any(_holds(body, kinds) for body in _bodies(node)):
            return True
    return False


def returns(nodes: Iterable[ast.stmt]) -> list[ast.Return]:
    """The return statements among ``nodes`` and in their branches and scopes; those in loops are left out."""
    found = []
    for node in nodes:
        if isinstance(node, ast.Return):
            found.append(node)
        elif not isinstance(node, ast.For | ast.While):
            for body in _bodies(node):
                found += returns(body)
    return found
