"""Comparing and subtracting dimensions symbolically, as far as sums with constant factors go."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pypto.ir.build import as_dim, as_expr, binary, constant
from pypto.ir.nodes import Binary, BinaryKind, Const, Expr, Unary, Var
from pypto.ir.types import Dim, Shape, TensorType, TileType, Type

Affine = dict[Any, int]  # coefficient by term; the constant term has key None


def affine(dim: Dim) -> Affine:
    """``dim`` as a sum of terms with constant coefficients."""
    if isinstance(dim, int):
        return {None: dim}
    if isinstance(dim, Const) and isinstance(dim.value, int):
        return {None: int(dim.value)}
    if isinstance(dim, Binary):
        if dim.kind in (BinaryKind.Add, BinaryKind.Sub):
            return _sum(affine(dim.left), affine(dim.right), 1 if dim.kind is BinaryKind.Add else -1)
        if dim.kind is BinaryKind.Mul:
            left, right = affine(dim.left), affine(dim.right)
            for scale, terms in ((left, right), (right, left)):
                if set(scale) <= {None}:
                    return {term: value * scale.get(None, 0) for term, value in terms.items()}
    return {_term(dim): 1}


def _sum(a: Affine, b: Affine, sign: int) -> Affine:
    total = dict(a)
    for term, value in b.items():
        total[term] = total.get(term, 0) + sign * value
    return {term: value for term, value in total.items() if value or term is None}


def _term(expr: Expr) -> Any:
    """What makes two terms the same: identity for variables, structure for operations."""
    if isinstance(expr, Var):
        return expr
    if isinstance(expr, Const):
        return (type(expr.value), expr.value)
    if isinstance(expr, Binary):
        return (expr.kind, _term(expr.left), _term(expr.right))
    if isinstance(expr, Unary):
        return (expr.kind, expr.type, _term(expr.operand))
    return expr


def difference(stop: Dim, start: Dim) -> Dim:
    """``stop - start``, an int wherever the run-time terms cancel."""
    terms = _sum(affine(stop), affine(start), -1)
    if set(terms) <= {None}:
        return terms.get(None, 0)
    if isinstance(start, int) and start == 0:
        return stop
    return as_dim(binary(BinaryKind.Sub, _index(stop), _index(start)))


def _index(dim: Dim) -> Expr:
    return constant(dim) if isinstance(dim, int) else as_expr(dim)


def same_dim(a: Dim | None, b: Dim | None) -> bool:
    """Whether two dimensions are provably equal."""
    if a is b:
        return True
    if a is None or b is None:
        return False
    if isinstance(a, int) and isinstance(b, int):
        return a == b
    return not any(_sum(affine(a), affine(b), -1).values())


def same_dims(a: Shape | None, b: Shape | None) -> bool:
    """Whether two shapes are provably equal."""
    if a is None or b is None:
        return a is b
    return len(a) == len(b) and all(map(same_dim, a, b))


def same_base(a: Type, b: Type) -> bool:
    """Whether two types agree in kind, shape and dtype; views and memory may differ."""
    if isinstance(a, TensorType | TileType) and type(a) is type(b):
        return a.dtype == b.dtype and same_dims(a.shape, b.shape)
    return a == b


def same_type(a: Type, b: Type) -> bool:
    """Whether a variable of type ``a`` may hold a value of type ``b``."""
    if a is b or a == b:
        return True
    if not same_base(a, b):
        return False
    if isinstance(a, TileType) and isinstance(b, TileType):
        spaces = a.space == b.space or a.space is None or b.space is None
        return spaces and a.memref == b.memref and _same_view(a, b)
    return isinstance(a, TensorType) and isinstance(b, TensorType) and _same_view(a, b)


def joined(a: Type, b: Type) -> Type:
    """The type of a value that comes from two places: ``a``, in the memory space that one of the two knows."""
    if isinstance(a, TileType) and isinstance(b, TileType) and a.space is None:
        return replace(a, space=b.space)
    return a


def _same_view(a: TensorType | TileType, b: TensorType | TileType) -> bool:
    if a.view is None and b.view is None:
        return True
    if not same_dims(a.valid_shape, b.valid_shape):
        return False
    if a.view is None or b.view is None:
        view = a.view or b.view
        assert view is not None
        default = type(view)()
        return all(getattr(view, name) == getattr(default, name) for name in view.__slots__ if name != "valid_shape")
    return all(
        _same_field(getattr(a.view, name), getattr(b.view, name)) for name in a.view.__slots__ if name != "valid_shape"
    )


def _same_field(a: Any, b: Any) -> bool:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return same_dims(a, b)
    return same_dim(a, b) if isinstance(a, Expr) and isinstance(b, Expr) else a == b
