"""The registry of typing rules, and what rules share: checks of operands with messages that name the op.

A rule gets the row, the operands in the row's order (None where left out) and all static arguments, and gives the type
of the result. It raises OpTypeError for an operand of the wrong kind or dtype, OpValueError for a shape it refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeAlias

from pypto.errors import OpTypeError, OpValueError
from pypto.ir.build import describe, dims
from pypto.ir.nodes import Const, Expr
from pypto.ir.types import Dim, ScalarType, Shape, ShapedType, TensorType, TileType, Type
from pypto.ops.dtypes import FP32, INDEX, DataType, promote
from pypto.ops.row import Op

Operands: TypeAlias = "tuple[Expr | None, ...]"
Rule: TypeAlias = Callable[[Op, Operands, Mapping[str, Any]], Type]

RULES: dict[str, Rule] = {}


def rule(name: str) -> Callable[[Rule], Rule]:
    """Register the decorated function as the rule called ``name``."""

    def register(function: Rule) -> Rule:
        RULES[name] = function
        return function

    return register


def given(operand: Expr | None) -> Expr:
    """An operand that binding has made sure of."""
    assert operand is not None
    return operand


def shaped(operand: Expr | None) -> TensorType | TileType:
    """The type of an operand that is a tensor or tile."""
    found = given(operand).type
    assert isinstance(found, TensorType | TileType)
    return found


def shape_text(shape: Shape) -> str:
    """A shape as an error message shows it."""
    return "[" + ", ".join(str(dim) if isinstance(dim, int) else "?" for dim in shape) + "]"


def names(dtypes: Collection[DataType]) -> str:
    """Dtypes as an error message lists them."""
    return ", ".join(sorted((dtype.name for dtype in dtypes), key=lambda name: (len(name), name)))


def differ(a: Dim, b: Dim) -> bool:
    """Whether two dimensions are known to be different."""
    return isinstance(a, int) and isinstance(b, int) and a != b


def is_one(dim: Dim) -> bool:
    """Whether a dimension is known to be 1."""
    return isinstance(dim, int) and dim == 1


def check_dtype(op: Op, name: str, operand: Expr, allowed: Collection[DataType] | None = None) -> None:
    """Refuse a tensor or tile whose dtype the op does not take."""
    allowed = op.dtypes if allowed is None else allowed
    dtype = shaped(operand).dtype
    if dtype not in allowed:
        raise OpTypeError(
            f"{op.name}: '{name}' has dtype {dtype.name}, expected one of {names(allowed)}",
            operand.span,
            f"cast it first, e.g. pl.cast({name}, pl.{_example(allowed)})",
        )


def _example(allowed: Collection[DataType]) -> str:
    return FP32.name if FP32 in allowed else names(allowed).split(", ")[0]


def check_same_kind(op: Op, first: tuple[str, Expr], second: tuple[str, Expr]) -> None:
    """Refuse a tensor and a tile in one call."""
    if isinstance(first[1].type, TileType) != isinstance(second[1].type, TileType):
        raise OpTypeError(
            f"{op.name}: '{first[0]}' is {describe(first[1])}, '{second[0]}' is {describe(second[1])}; "
            "expected both of one kind",
            second[1].span,
            "load the tensor into a tile first, or stay with tensors",
        )


def check_same_dtype(op: Op, first: tuple[str, Expr], second: tuple[str, Expr]) -> None:
    """Refuse operands of different dtypes."""
    a, b = shaped(first[1]).dtype, shaped(second[1]).dtype
    if a != b:
        raise OpTypeError(
            f"{op.name}: '{first[0]}' has dtype {a.name}, '{second[0]}' {b.name}; expected the same",
            second[1].span,
            f"cast one of them, e.g. pl.cast({second[0]}, pl.{a.name})",
        )


def common_dtype(op: Op, first: tuple[str, Expr], second: tuple[str, Expr]) -> DataType:
    """The promoted dtype of two tensors. Tiles must agree: no instruction converts one operand on the way."""
    if isinstance(first[1].type, TileType):
        check_same_dtype(op, first, second)
    return promote(shaped(first[1]).dtype, shaped(second[1]).dtype)


def check_scratch(op: Op, like: Expr, tmp: Expr | None, name: str = "tmp") -> None:
    """Refuse scratch on a tensor op, or scratch of another dtype or a smaller shape than ``like``."""
    if tmp is None:
        return
    if isinstance(like.type, TensorType):
        raise OpTypeError(
            f"{op.name}: '{name}' is for tiles; the tensor form makes its own scratch", tmp.span, f"leave '{name}' out"
        )
    space, scratch = shaped(like), shaped(tmp)
    if scratch.dtype != space.dtype or scratch.rank != space.rank:
        raise OpTypeError(
            f"{op.name}: '{name}' is {describe(tmp)}, expected the dtype and rank of {describe(like)}",
            tmp.span,
            f"create it with pl.create_tile({shape_text(space.shape)}, pl.{space.dtype.name})",
        )
    for have, need in zip(scratch.shape, space.shape, strict=True):
        if isinstance(have, int) and isinstance(need, int) and have < need:
            raise OpValueError(
                f"{op.name}: '{name}' has shape {shape_text(scratch.shape)}, expected {shape_text(space.shape)}",
                tmp.span,
            )


def scalar_operand_dtype(op: Op, name: str, value: ShapedType, scalar: Expr) -> DataType:
    """The dtype that a scalar operand next to ``value`` counts as; a bare literal adapts to ``value``.

    Raises OpTypeError for a run-time INDEX or BOOL scalar, and for a float next to a tile of integers.
    """
    assert isinstance(scalar.type, ScalarType)
    dtype, literal = scalar.type.dtype, isinstance(scalar, Const)
    if (literal and dtype is INDEX) or (literal and dtype is FP32 and value.dtype.is_float):
        return value.dtype
    if dtype is INDEX:
        raise OpTypeError(
            f"{op.name}: '{name}' is a run-time scalar of INDEX, expected an element type",
            scalar.span,
            f"cast it first: pl.cast({name}, pl.INT32)",
        )
    if not (dtype.is_float or dtype.is_integer):
        raise OpTypeError(f"{op.name}: '{name}' is a scalar of {dtype.name}, expected a number", scalar.span)
    if isinstance(value, TileType) and dtype.is_float and not value.dtype.is_float:
        raise OpTypeError(
            f"{op.name}: '{name}' is a float, the tile holds {value.dtype.name}, which would cut it to an integer",
            scalar.span,
            "cast the tile to FP32 first, or write an integer",
        )
    return value.dtype if isinstance(value, TileType) else promote(value.dtype, dtype)


def static_shape(op: Op, name: str, operand: Expr | None) -> tuple[int, ...]:
    """A tuple operand whose items are positive constants."""
    found = dims(given(operand)) or ()
    for dim in found:
        if not isinstance(dim, int):
            raise OpValueError(
                f"{op.name}: '{name}' must be constant, got a run-time value",
                given(operand).span,
                "give the largest extent and narrow it with valid_shape",
            )
        if dim <= 0:
            raise OpValueError(f"{op.name}: '{name}' must be positive, got {shape_text(found)}", given(operand).span)
    return tuple(dim for dim in found if isinstance(dim, int))


def check_rank(op: Op, name: str, found: Shape, rank: int, of: str, operand: Expr) -> None:
    """Refuse a tuple operand with another number of entries than ``of`` has dimensions."""
    if len(found) != rank:
        raise OpValueError(
            f"{op.name}: '{name}' has {len(found)} entries, expected {rank}, one per dimension of {of}", operand.span
        )
