"""``pl.Out[pl.Tensor]`` parameters whose tensor the caller left out: the first whole write decides their type."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pypto.errors import ParserTypeError
from pypto.frontend.names import Binding
from pypto.ir.build import describe
from pypto.ir.nodes import Expr, Span, Var
from pypto.ir.types import ShapedType, TensorType
from pypto.ops.enums import ParamDirection

if TYPE_CHECKING:
    from pypto.frontend.parser import Parser


@dataclass(frozen=True)
class Unresolved:
    """An output without a type yet."""

    name: str
    span: Span

    def resolve(self, p: Parser, target: ast.Subscript, value: Any) -> None:
        """``name[:] = value``: from here on the parameter has the shape and dtype of ``value``."""
        whole = isinstance(target.slice, ast.Slice) and target.slice.lower is None and target.slice.upper is None
        shaped = value.type if isinstance(value, Expr) else None
        if not whole or not isinstance(shaped, ShapedType):
            what = describe(value) if isinstance(value, Expr) else repr(value)
            message = f"the shape of the output '{self.name}' is unknown, and writing {what} does not tell it"
            hint = f"pass the tensor, or declare {self.name}: pl.Out[pl.Tensor[[rows, columns], pl.FP32]]"
            raise p.error(ParserTypeError, message, target, hint, "E103")
        self.settle(p, TensorType(shaped.shape, shaped.dtype))

    def settle(self, p: Parser, type_: TensorType) -> Var:
        """Make the parameter one of ``type_``."""
        var = p.variable(self.name, type_, self.span)
        p.params[var] = ParamDirection.Out
        p.names.bind_outermost(self.name, Binding(var, self.span))
        del p.unresolved[self.name]
        return var
