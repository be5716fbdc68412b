"""Dimension variables: sizes that are known when the program runs."""

from __future__ import annotations

import keyword
from typing import Any

from pypto.ir.build import as_expr, binary, negate
from pypto.ir.nodes import BinaryKind, Expr, Var
from pypto.ir.types import ScalarType
from pypto.ops.dtypes import INDEX


class DynExpr:
    """A dimension computed from dimension variables, as in ``pl.Tensor[[n * 2, 64], pl.FP32]``."""

    def __init__(self, expr: Expr) -> None:
        self.expr = expr

    def __add__(self, other: Any) -> DynExpr:
        return _combine(BinaryKind.Add, self, other)

    def __radd__(self, other: Any) -> DynExpr:
        return _combine(BinaryKind.Add, other, self)

    def __sub__(self, other: Any) -> DynExpr:
        return _combine(BinaryKind.Sub, self, other)

    def __rsub__(self, other: Any) -> DynExpr:
        return _combine(BinaryKind.Sub, other, self)

    def __mul__(self, other: Any) -> DynExpr:
        return _combine(BinaryKind.Mul, self, other)

    def __rmul__(self, other: Any) -> DynExpr:
        return _combine(BinaryKind.Mul, other, self)

    def __floordiv__(self, other: Any) -> DynExpr:
        return _combine(BinaryKind.FloorDiv, self, other)

    def __mod__(self, other: Any) -> DynExpr:
        return _combine(BinaryKind.FloorMod, self, other)

    def __neg__(self) -> DynExpr:
        return DynExpr(negate(self.expr))


class DynVar(DynExpr):
    """A dimension variable. Identity, not the name, decides equality."""

    def __init__(self, name: str) -> None:
        if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):
            raise ValueError(f"pl.dynamic: {name!r} is no identifier; write pl.dynamic('rows')")
        self.name = name
        self.var = Var(ScalarType(INDEX), name)
        super().__init__(self.var)

    def __repr__(self) -> str:
        return f"pl.dynamic({self.name!r})"


def dynamic(name: str) -> DynVar:
    """A dimension variable called ``name``, to be used in annotations at module level."""
    return DynVar(name)


def _combine(kind: BinaryKind, left: Any, right: Any) -> DynExpr:
    a, b = (value.expr if isinstance(value, DynExpr) else as_expr(value) for value in (left, right))
    return DynExpr(binary(kind, a, b))
