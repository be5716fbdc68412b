"""What ``if`` and ``while`` take."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pypto.errors import ParserTypeError
from pypto.ir.build import constant, describe
from pypto.ir.nodes import Expr
from pypto.ir.types import ScalarType
from pypto.ops.dtypes import BOOL

if TYPE_CHECKING:
    from pypto.frontend.parser import Parser


def condition_of(p: Parser, node: ast.expr, word: str) -> Expr:
    """A condition: a BOOL scalar, never the truth of a number."""
    value = p.value(node)
    if isinstance(value, bool):
        return constant(value, BOOL, p.span(node))
    expr = p.as_expr(value, node)
    if not isinstance(expr.type, ScalarType) or expr.type.dtype is not BOOL:
        raise p.error(
            ParserTypeError, f"the condition of '{word}' must be a BOOL scalar, got {describe(expr)}", node,
            "compare it, as in n != 0",
        )  # fmt: skip
    return expr
