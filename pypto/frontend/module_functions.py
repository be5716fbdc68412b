"""Functions parsed at module level, which programs take in when they call them by name."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pypto.errors import ParserError
from pypto.frontend.session import Specialized
from pypto.frontend.typed_calls import TypedParam, call_function
from pypto.ir.nodes import Function

if TYPE_CHECKING:
    from pypto.frontend.parser import Parser

# By identity: the parameters of a parsed function, and all functions that it needs, itself included.
MODULE_FUNCTIONS: dict[Function, tuple[list[TypedParam], Mapping[str, Specialized]]] = {}


def call_module_function(p: Parser, node: ast.Call, function: Function) -> Any:
    """A call of a module-level function by name; the program takes it and what it calls."""
    known = MODULE_FUNCTIONS.get(function)
    if known is None:
        raise p.error(ParserError, f"'{function.name}' was not made by @pl.function", node, "decorate it", "E301")
    params, needed = known
    for name, made in needed.items():
        other = p.session.functions.setdefault(name, made)
        if other is not made:
            raise p.error(
                ParserError, f"two different functions are called '{name}'", node, "rename one of them", "E301"
            )
    return call_function(p, node, function.name, params, needed[function.name])
