"""What stands on the left of an assignment: a name, a tuple of names, a subscript."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from pypto.errors import ParserSyntaxError
from pypto.frontend.assign import bind_name
from pypto.frontend.subscripts import write
from pypto.ir.build import describe
from pypto.ir.nodes import Expr, TupleItem, Var
from pypto.ir.types import TupleType
from pypto.ir.visit import walk

if TYPE_CHECKING:
    from pypto.frontend.parser import Parser


def assign_target(p: Parser, target: ast.expr, value: Any, stmt: ast.stmt) -> None:
    """``target = value``."""
    if isinstance(target, ast.Name):
        bind_name(p, target.id, value, target, stmt)
    elif isinstance(target, ast.Tuple | ast.List):
        _unpack(p, target, value, stmt)
    elif isinstance(target, ast.Subscript):
        write(p, target, value, stmt)
    else:
        raise p.error(
            ParserSyntaxError,
            "only names, tuples of names and subscripts can be assigned",
            target,
            "assign to a name",
            "E002",
        )


def _unpack(p: Parser, target: ast.Tuple | ast.List, value: Any, stmt: ast.stmt) -> None:
    for item in target.elts:
        if not isinstance(item, ast.Name | ast.Tuple | ast.List):
            raise p.error(
                ParserSyntaxError, "a tuple target holds plain names", item, "assign the item by itself", "E006"
            )
    if isinstance(value, Expr) and isinstance(value.type, TupleType):
        whole = value if isinstance(value, Var) else p.hoist(value, stmt)
        value = tuple(TupleItem(t, whole, i, span=p.span(stmt)) for i, t in enumerate(whole.type.items))  # type: ignore[attr-defined]
    if not isinstance(value, tuple | list):
        what = describe(value) if isinstance(value, Expr) else repr(value)
        raise p.error(ParserSyntaxError, f"{what} cannot be unpacked", stmt, "assign it to one name", "E006")
    if len(value) != len(target.elts):
        raise p.error(
            ParserSyntaxError,
            f"{len(target.elts)} names for {len(value)} values",
            target,
            f"write {len(value)} names",
            "E006",
        )
    for item, part in zip(target.elts, _separated(p, target, value, stmt), strict=True):
        assign_target(p, item, part, stmt)


def _separated(p: Parser, target: ast.Tuple | ast.List, values: Any, stmt: ast.stmt) -> list[Any]:
    """``values`` so that binding one name changes none of the others: ``a, b = b, a`` swaps."""
    bound = {item.id for item in ast.walk(target) if isinstance(item, ast.Name)}
    own = {var for name in bound for var in p.variables.get(name, ())}
    return [p.hoist(v, stmt) if isinstance(v, Expr) and own & set(_reads(v)) else v for v in values]


def _reads(expr: Expr) -> list[Var]:
    return [node for node in walk(expr) if isinstance(node, Var)]
