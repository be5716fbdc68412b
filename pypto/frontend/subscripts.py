"""Reading ``x[a:b, i]`` and writing ``x[a:b, i] = v``."""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pypto.errors import ParserSyntaxError, ParserTypeError, UnsupportedFeatureError
from pypto.frontend import buffers
from pypto.frontend.assign import bind_name
from pypto.frontend.operators import is_shaped
from pypto.frontend.shapes import difference, same_dim
from pypto.ir.build import as_dim, call, describe
from pypto.ir.nodes import Expr
from pypto.ir.types import ArrayType, Dim, ScalarType, ShapedType, TensorType, TileType

if TYPE_CHECKING:
    from pypto.frontend.parser import Parser


@dataclass(frozen=True)
class _Axis:
    """One dimension of a subscript: where the window starts, its extent, and whether one element was picked."""

    start: Dim
    extent: Dim
    picked: bool
    node: ast.AST


def read(p: Parser, node: ast.Subscript, base: Expr) -> Expr:
    """``base[...]``: the element, the window, or ``base`` itself where all of it is taken."""
    shaped = base.type
    assert isinstance(shaped, ShapedType)
    axes = _axes(p, node, base)
    span = p.span(node)
    with p.operation(node):
        if all(axis.picked for axis in axes):
            return call("read", base, [axis.start for axis in axes], span=span)
        if all(_whole(axis, dim) for axis, dim in zip(axes, shaped.shape, strict=True)):
            return base
        _check_static(p, base, axes)
        dropped = [index for index, axis in enumerate(axes) if axis.picked]
        if dropped and isinstance(shaped, TileType):
            message = "a tile keeps its two dimensions; the index leaves one of size 1"
            warnings.warn_explicit(message, UserWarning, span.file, span.line)
            dropped = []
        extra = {"drop_dims": dropped} if dropped else {}
        shape, offset = [axis.extent for axis in axes], [axis.start for axis in axes]
        return call("slice", base, shape, offset, span=span, **extra)


def _whole(axis: _Axis, dim: Dim) -> bool:
    return not axis.picked and same_dim(axis.start, 0) and same_dim(axis.extent, dim)


def _check_static(p: Parser, base: Expr, axes: list[_Axis]) -> None:
    """In core code windows have a static extent; windows of tiles also start at a static place."""
    is_tile = isinstance(base.type, TileType)
    for axis in axes:
        if not isinstance(axis.extent, int) and (is_tile or p.in_core):
            raise p.error(
                UnsupportedFeatureError, "the extent of this slice is only known at run time", axis.node,
                "use pl.slice(x, [rows, columns], [row, column], valid_shape=[n, columns]) with a static shape",
            )  # fmt: skip
        if is_tile and not isinstance(axis.start, int) and not axis.picked:
            raise p.error(
                UnsupportedFeatureError, "a tile subscript starts at a constant", axis.node,
                "use pl.slice(tile, [rows, columns], [row, column]) for a run-time offset",
            )  # fmt: skip


def _axes(p: Parser, node: ast.Subscript, base: Expr) -> list[_Axis]:
    shaped = base.type
    assert isinstance(shaped, ShapedType)
    parts = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
    if not isinstance(node.slice, ast.Tuple | ast.Slice):
        value = p.value(node.slice)
        if isinstance(value, tuple | list):  # x[index], with index a tuple
            return [_picked(p, item, node.slice, dim) for item, dim in zip(value, shaped.shape, strict=False)]
    if len(parts) > shaped.rank:
        raise p.error(
            ParserTypeError, f"{len(parts)} indices for {describe(base)}", node.slice, f"use at most {shaped.rank}"
        )
    axes = [_axis(p, part, dim) for part, dim in zip(parts, shaped.shape, strict=False)]
    return axes + [_Axis(0, dim, False, node) for dim in shaped.shape[len(parts) :]]


def _axis(p: Parser, node: ast.expr, dim: Dim) -> _Axis:
    if not isinstance(node, ast.Slice):
        if isinstance(node, ast.Constant) and (node.value is None or node.value is Ellipsis):
            raise p.error(
                ParserTypeError, f"'{'...' if node.value is Ellipsis else None}' in a subscript", node,
                "write one index or slice per dimension",
            )  # fmt: skip
        return _picked(p, p.value(node), node, dim)
    if node.step is not None:
        step = p.value(node.step)
        if step != 1:
            raise p.error(UnsupportedFeatureError, "a slice with a step", node.step, "gather the rows in a loop")
    start = 0 if node.lower is None else _bound(p, node.lower)
    if node.upper is None:
        extent = difference(dim, start) if isinstance(start, int) else dim
    else:
        extent = difference(_bound(p, node.upper), start)
    if isinstance(extent, int) and extent <= 0:
        raise p.error(
            ParserTypeError, f"the slice has {extent} elements", node, "the end must be larger than the start"
        )
    if isinstance(start, int) and isinstance(extent, int) and isinstance(dim, int) and start + extent > dim:
        raise p.error(
            ParserTypeError,
            f"the slice ends at {start + extent}, the dimension at {dim}",
            node,
            "stay inside the dimension",
        )
    return _Axis(start, extent, False, node)


def _picked(p: Parser, value: Any, node: ast.AST, dim: Dim) -> _Axis:
    start = _integer(p, value, node)
    if isinstance(start, int) and isinstance(dim, int) and start >= dim:
        raise p.error(ParserTypeError, f"index {start} is outside a dimension of {dim}", node, f"use 0 to {dim - 1}")
    return _Axis(start, 1, True, node)


def _bound(p: Parser, node: ast.expr) -> Dim:
    return _integer(p, p.value(node), node)


def _integer(p: Parser, value: Any, node: ast.AST) -> Dim:
    """An index: a constant that is not negative, or an integer scalar."""
    if not isinstance(value, Expr):
        if type(value) is not int:
            raise p.error(ParserTypeError, f"{value!r} is no index", node, "use an integer")
        if value < 0:
            raise p.error(ParserTypeError, f"a negative index ({value})", node, "count from the start")
        return value
    if not isinstance(value.type, ScalarType) or not value.type.dtype.is_integer:
        raise p.error(ParserTypeError, f"{describe(value)} is no index", node, "use an integer scalar")
    return as_dim(value)


def write(p: Parser, target: ast.Subscript, value: Any, stmt: ast.stmt) -> None:
    """``name[...] = value``: the name stands for the tensor after the write."""
    if not isinstance(target.value, ast.Name):
        raise p.error(
            ParserSyntaxError, "only a name can be written by subscript", target.value,
            "combine the indices: x[a:b, c:d] = v", "E002",
        )  # fmt: skip
    if p.strict_ssa:
        raise p.error(
            ParserSyntaxError,
            "a subscript write rebinds the name, which strict_ssa forbids",
            target,
            "use pl.assemble",
            "E201",
        )
    name = target.value.id
    unresolved = p.unresolved.get(name)
    if unresolved is not None:
        unresolved.resolve(p, target, value)
    base = p.value(target.value)
    if not is_shaped(base):
        what = describe(base) if isinstance(base, Expr) else repr(base)
        raise p.error(
            ParserTypeError, f"'{name}' is {what} and cannot be written by subscript", target, "write into a tensor"
        )
    axes = _axes(p, target, base)
    if all(axis.picked for axis in axes):
        raise p.error(
            UnsupportedFeatureError, "writing one element by subscript", target,
            f"use pl.write({name}, [{', '.join('i' for _ in axes)}], value)",
        )  # fmt: skip
    source = _fitted(p, value, axes, stmt, name)
    with p.operation(stmt):
        offset = [axis.start for axis in axes]
        if isinstance(source.type, TileType) and isinstance(base.type, TensorType):
            result = call("store", source, offset, base, span=p.span(stmt))
        else:
            result = call("assemble", base, source, offset, span=p.span(stmt))
    buffers.check_writable(p, base, target)
    bind_name(p, name, result, target.value, stmt)


def _fitted(p: Parser, value: Any, axes: list[_Axis], stmt: ast.stmt, name: str) -> Expr:
    """``value`` in the rank of the target, its valid region checked against the window."""
    node = getattr(stmt, "value", stmt)
    expr = p.as_expr(value, node)
    shaped = expr.type
    if not isinstance(shaped, ShapedType):
        raise p.error(
            ParserTypeError, f"a window of '{name}' is written with a tensor or tile, not with {describe(expr)}", node,
            "use pl.full for a constant, pl.write for one element",
        )  # fmt: skip
    window = [axis.extent for axis in axes]
    kept = [axis.extent for axis in axes if not axis.picked]
    if shaped.rank == len(kept) != len(axes):
        _check_fit(p, expr, kept, node)
        with p.operation(node):
            return call("reshape", expr, window, span=p.span(node))
    if shaped.rank != len(axes):
        raise p.error(
            ParserTypeError, f"{describe(expr)} for a window of {len(kept)} dimensions", node, "reshape it first"
        )
    _check_fit(p, expr, window, node)
    return expr


def _check_fit(p: Parser, expr: Expr, window: list[Dim], node: ast.AST) -> None:
    shaped = expr.type
    assert isinstance(shaped, ShapedType)
    for extent, valid in zip(window, shaped.valid_shape, strict=True):
        if isinstance(extent, int) and isinstance(valid, int) and extent != valid:
            raise p.error(
                ParserTypeError, f"{describe(expr)} does not fill a window of {_text(window)}", node,
                "both need the same extents; only the valid region of the value counts",
            )  # fmt: skip


def _text(dims: list[Dim]) -> str:
    return f"[{', '.join(str(dim) if isinstance(dim, int) else '?' for dim in dims)}]"


def read_array(p: Parser, node: ast.Subscript, base: Expr) -> Expr:
    """``array[i]``."""
    if not isinstance(base.type, ArrayType):
        raise p.error(ParserTypeError, f"{describe(base)} has no elements", node, "index a tensor or tile")
    raise p.error(UnsupportedFeatureError, "arrays on a core are not built yet", node, "use a tile and pl.read")
