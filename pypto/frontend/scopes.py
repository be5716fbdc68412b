"""Regions marked by ``with``: what runs on a core group, or at another level of the machine."""

from __future__ import annotations

import ast
import keyword as python_keywords
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pypto.errors import ParserSyntaxError, ParserTypeError, UnsupportedFeatureError
from pypto.frontend.markers import Marker
from pypto.ir.nodes import HierarchyScope, InCoreScope, Return, Scope
from pypto.ops.enums import Level, Role

if TYPE_CHECKING:
    from pypto.frontend.parser import Parser

_LATER = {"deps", "optimizations", "no_dep_args", "dumps", "allow_early_resolve", "windowize"}


def with_(p: Parser, node: ast.With) -> None:
    """A ``with`` statement."""
    if len(node.items) != 1:
        raise p.error(ParserSyntaxError, "one scope per 'with'", node, "nest the statements")
    call = node.items[0].context_expr
    marker = p.value(call.func) if isinstance(call, ast.Call) else p.value(call)
    if not isinstance(call, ast.Call) or not isinstance(marker, Marker):
        raise p.error(
            UnsupportedFeatureError, "'with' opens scopes of the language only", call, "write with pl.at(...)"
        )
    if marker.todo:
        raise p.error(UnsupportedFeatureError, marker.todo, call, "leave it out for now")
    if marker.name != "at":
        raise p.error(ParserSyntaxError, f"pl.{marker.name} is no scope", call, "write with pl.at(...)")
    if node.items[0].optional_vars is not None:
        message, hint = "task ids ('as') are not built yet", "leave it out; dependencies follow from the tensors"
        raise p.error(UnsupportedFeatureError, message, node.items[0].optional_vars, hint)
    _at(p, node, call)


def _at(p: Parser, node: ast.With, call: ast.Call) -> None:
    options = _options(p, call)
    level, role, hint = options.get("level"), options.get("role"), options.get("name_hint", "")
    if not isinstance(level, Level):
        raise p.error(ParserTypeError, "pl.at needs a level", call, "write pl.at(level=pl.Level.CORE_GROUP)")
    if level is Level.CORE_GROUP:
        if role is not None:
            raise p.error(ParserSyntaxError, "a core group region takes no role", call, "leave the role out")
        if p.in_core:  # already on a core: the region is the code it is in
            p.statements(node.body)
            return
        p.in_core = True
        try:
            body = p.body(node.body)
        finally:
            p.in_core = False
        _emit(p, InCoreScope(body, hint, span=p.span(node)))
        return
    if role is not None and not isinstance(role, Role):
        raise p.error(ParserTypeError, "role is a pl.Role", call, "write role=pl.Role.Orchestrator")
    if p.in_core:
        raise p.error(ParserSyntaxError, f"a {level.name} region inside core code", call, "open it outside pl.at")
    _emit(p, HierarchyScope(p.body(node.body), hint, level=level, role=role, span=p.span(node)))


def _emit(p: Parser, scope: Scope) -> None:
    """Write the region; a return at its end is one of the function, after it."""
    last = scope.body[-1] if scope.body else None
    if not isinstance(last, Return):
        p.emit(scope)
        return
    p.emit(replace(scope, body=scope.body[:-1]))
    p.emit(last)


def _options(p: Parser, call: ast.Call) -> dict[str, Any]:
    names = ("level", "role")
    if len(call.args) > 2:
        raise p.error(
            ParserSyntaxError, "pl.at takes a level and a role by position", call, "use keywords for the rest"
        )
    options = dict(zip(names, map(p.value, call.args), strict=False))
    for keyword in call.keywords:
        name = keyword.arg or "**"
        if name in _LATER:
            raise p.error(
                UnsupportedFeatureError, f"pl.at: '{name}' is not built yet", keyword.value, "leave it out for now"
            )
        if name not in ("level", "role", "name_hint") or name in options:
            raise p.error(ParserSyntaxError, f"pl.at takes no '{name}'", keyword.value, "use level and name_hint")
        options[name] = _name_hint(p, keyword.value) if name == "name_hint" else p.value(keyword.value)
    return options


def _name_hint(p: Parser, node: ast.expr) -> str:
    value = node.value if isinstance(node, ast.Constant) else None
    if not isinstance(value, str) or (value and (not value.isidentifier() or python_keywords.iskeyword(value))):
        raise p.error(
            ParserSyntaxError, "name_hint is a string literal that can name a function", node, "use letters and _"
        )
    return value
