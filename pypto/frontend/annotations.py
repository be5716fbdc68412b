"""Annotations of the language, and the IR types they stand for.

The classes are what ``pl.Tensor`` and its like are. They accept anything when Python evaluates an annotation; mistakes
are reported when a kernel is parsed, with the place of the annotation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pypto.frontend.dynamic import DynExpr
from pypto.ir.build import as_dim
from pypto.ir.nodes import Expr
from pypto.ir.types import (
    ArrayType,
    Dim,
    MemRef,
    ScalarType,
    Shape,
    TensorType,
    TensorView,
    TileType,
    TileView,
    TupleType,
    Type,
)  # fmt: skip
from pypto.ops.dtypes import TASK_ID, DataType
from pypto.ops.enums import MemorySpace, PadValue, ParamDirection, TensorLayout, TileLayout


class AnnotationError(Exception):
    """What is wrong with an annotation; the parser adds the place."""

    def __init__(self, message: str, hint: str = "", code: str = "E101") -> None:
        self.message, self.hint, self.code = message, hint, code
        super().__init__(message)


@dataclass(frozen=True)
class Annotation:
    """``kind[args]``: an annotation that Python has evaluated and nobody has checked yet."""

    kind: type
    args: tuple[Any, ...]


class _Annotated(type):
    """Classes that are subscripted (or, in the older spelling, called) to make an annotation."""

    def __getitem__(cls, args: Any) -> Annotation:
        return Annotation(cls, args if isinstance(args, tuple) else (args,))

    def __call__(cls, *args: Any) -> Annotation:
        return Annotation(cls, args)

    def __repr__(cls) -> str:
        return f"pl.{cls.__name__}"


class Tensor(metaclass=_Annotated):
    """``pl.Tensor[[rows, columns], dtype]``: a tensor in global memory; bare, it takes the type of its argument."""


class Tile(metaclass=_Annotated):
    """``pl.Tile[[rows, columns], dtype]``: a buffer on the chip."""


class Scalar(metaclass=_Annotated):
    """``pl.Scalar[dtype]``: a scalar that is known when the program runs."""


class Array(metaclass=_Annotated):
    """``pl.Array[length, dtype]``: a small array held by a core."""


class Tuple(metaclass=_Annotated):
    """``pl.Tuple[...]``: several results."""


class Out(metaclass=_Annotated):
    """``pl.Out[T]``: a parameter that the kernel writes."""


class InOut(metaclass=_Annotated):
    """``pl.InOut[T]``: a parameter that the kernel reads and writes."""


class Ptr(metaclass=_Annotated):
    """``pl.Ptr``: an allocation of on-chip memory."""


TaskId = Annotation(Scalar, (TASK_ID,))
_DIRECTIONS = {Out: ParamDirection.Out, InOut: ParamDirection.InOut}
_USAGE = "write pl.Tensor[[rows, columns], pl.FP32]"


@dataclass(frozen=True)
class ParamSpec:
    """A declared parameter: its direction and what its annotation says about its type."""

    direction: ParamDirection
    declared: Any  # an Annotation, a bare class such as pl.Tensor, a dtype, a Python type, or None when there is none

    @property
    def is_bare_tensor(self) -> bool:
        """Whether the argument decides the whole type."""
        return self.declared is Tensor

    @property
    def is_tensor(self) -> bool:
        """Whether the annotation says that the argument is a tensor."""
        return self.declared is Tensor or (isinstance(self.declared, Annotation) and self.declared.kind is Tensor)

    @property
    def scalar_dtype(self) -> DataType | None:
        """The dtype of a run-time scalar parameter, None for anything else."""
        declared = self.declared
        if isinstance(declared, Annotation) and declared.kind is Scalar and len(declared.args) == 1:
            declared = declared.args[0]
        return declared if isinstance(declared, DataType) else None

    @property
    def is_constant(self) -> bool:
        """Whether the argument is a compile-time constant when it is a number."""
        return self.declared is None or self.declared in (int, float, bool)


def param_spec(annotation: Any) -> ParamSpec:
    """Direction and type of a parameter as annotated."""
    if isinstance(annotation, Annotation) and annotation.kind in _DIRECTIONS:
        direction = _DIRECTIONS[annotation.kind]
        if len(annotation.args) != 1:
            raise AnnotationError(f"pl.{annotation.kind.__name__} takes one type", "write pl.Out[pl.Tensor]")
        spec = ParamSpec(direction, annotation.args[0])
        if direction is ParamDirection.InOut and (spec.scalar_dtype or spec.is_constant):
            raise AnnotationError("pl.InOut of a scalar: scalars are passed by value", "pass a tensor of one element")
        return spec
    if annotation in (Out, InOut):
        raise AnnotationError(f"{annotation!r} names no type", f"write {annotation!r}[pl.Tensor]", "E103")
    return ParamSpec(ParamDirection.In, annotation)


def annotated_type(annotation: Any) -> Type:
    """The type an annotation stands for; AnnotationError when it is none or incomplete."""
    if isinstance(annotation, DataType):
        return ScalarType(annotation)
    if annotation in (Tensor, Tile, Scalar, Array):
        raise AnnotationError(f"{annotation!r} does not say which one", f"{_USAGE} or the like", "E103")
    if not isinstance(annotation, Annotation):
        if hasattr(annotation, "__origin__") and annotation.__origin__ is tuple:  # tuple[...]
            return TupleType(tuple(map(annotated_type, annotation.__args__)))
        raise AnnotationError(
            f"{_name(annotation)} is no type of the language", f"{_USAGE} or pl.Scalar[pl.INT32]", "E102"
        )
    build = _TYPES.get(annotation.kind)
    if build is None:
        raise AnnotationError(
            f"pl.{annotation.kind.__name__} cannot stand here", "annotate the value's own type", "E102"
        )
    return build(annotation.args)


def _tensor(args: tuple[Any, ...]) -> Type:
    shape, dtype, rest = _shaped("Tensor", args)
    view, memref = None, None
    for item in rest:
        if isinstance(item, TensorLayout):
            if item is TensorLayout.DN:
                raise AnnotationError(
                    "layout DN cannot be declared", "transpose the tensor in the kernel instead", "E104"
                )
            if item is TensorLayout.NZ:
                raise AnnotationError("layout NZ is one of tiles, not of tensors", "use pl.ND or leave it out", "E104")
            view = None if item is TensorLayout.ND else TensorView(layout=item)
        elif isinstance(item, TensorView):
            view = item
        elif isinstance(item, MemRef):
            memref = item
        else:
            raise AnnotationError(
                f"pl.Tensor: {_name(item)} is no layout, view or memory", "use pl.ND or pl.TensorView", "E104"
            )
    if memref is not None:
        raise AnnotationError("pl.Tensor: an on-chip allocation belongs to a pl.Tile", "leave the MemRef out", "E104")
    return TensorType(shape, dtype).with_view(**_fields(view)) if view else TensorType(shape, dtype)


def _tile(args: tuple[Any, ...]) -> Type:
    shape, dtype, rest = _shaped("Tile", args)
    space, memref, view = None, None, None
    for item in rest:
        if isinstance(item, MemorySpace):
            space = item
        elif isinstance(item, MemRef):
            memref = item
        elif isinstance(item, TileView):
            view = item
        else:
            raise AnnotationError(
                f"pl.Tile: {_name(item)} is no memory space, view or allocation", "use pl.Mem.Vec", "E101"
            )
    if memref is not None and space is None:
        raise AnnotationError("pl.Tile: an allocation needs its memory space", "add pl.Mem.Vec", "E103")
    tile = TileType(shape, dtype, None, space, memref)
    return tile.with_view(**_fields(view)) if view else tile


def _fields(view: TensorView | TileView) -> dict[str, Any]:
    return {name: getattr(view, name) for name in view.__slots__}


def _scalar(args: tuple[Any, ...]) -> Type:
    if len(args) != 1 or not isinstance(args[0], DataType):
        raise AnnotationError("pl.Scalar takes one dtype", "write pl.Scalar[pl.INT32]", "E105")
    return ScalarType(args[0])


def _array(args: tuple[Any, ...]) -> Type:
    if len(args) != 2 or type(args[0]) is not int or args[0] < 1 or not isinstance(args[1], DataType):
        raise AnnotationError("pl.Array takes a constant length and a dtype", "write pl.Array[4, pl.INT32]")
    return ArrayType(args[0], args[1])


_TYPES: dict[type, Any] = {
    Tensor: _tensor,
    Tile: _tile,
    Scalar: _scalar,
    Array: _array,
    Tuple: lambda args: TupleType(tuple(map(annotated_type, args))),
}


def _shaped(kind: str, args: tuple[Any, ...]) -> tuple[Shape, DataType, tuple[Any, ...]]:
    if len(args) < 2:
        raise AnnotationError(f"pl.{kind} needs a shape and a dtype", f"write pl.{kind}[[32, 64], pl.FP32]", "E103")
    shape, dtype, *rest = args
    if not isinstance(shape, list | tuple):
        raise AnnotationError(
            f"pl.{kind}: the shape must be a list, got {_name(shape)}", f"write pl.{kind}[[32, 64], ...]"
        )
    if not isinstance(dtype, DataType):
        raise AnnotationError(f"pl.{kind}: {_name(dtype)} is no dtype", f"write pl.{kind}[[32, 64], pl.FP32]", "E105")
    return dims(shape, kind), dtype, tuple(rest)


def dims(shape: Any, kind: str = "Tensor") -> Shape:
    """The dimensions of an annotation."""
    return tuple(_dim(dim, kind) for dim in shape)


def _dim(dim: Any, kind: str) -> Dim:
    if isinstance(dim, DynExpr):
        return dim.expr
    if isinstance(dim, Expr):
        return as_dim(dim)
    if type(dim) is not int:
        raise AnnotationError(f"pl.{kind}: {_name(dim)} is no dimension", "use an int or pl.dynamic('n')")
    if dim < 1:
        raise AnnotationError(f"pl.{kind}: dimension {dim} is not positive", "use pl.dynamic('n') for a run-time size")
    return dim


def tensor_view(
    stride: Any = None, layout: TensorLayout = TensorLayout.ND, valid_shape: Any = None, pad: PadValue = PadValue.null
) -> TensorView:
    """``pl.TensorView(...)``: how a tensor reads its memory."""
    return TensorView(_optional(stride), layout, _optional(valid_shape), pad)


def tile_view(
    valid_shape: Any = None,
    stride: Any = None,
    start_offset: Any = None,
    blayout: TileLayout | None = None,
    slayout: TileLayout | None = None,
    fractal: int | None = None,
    pad: PadValue = PadValue.null,
) -> TileView:
    """``pl.TileView(...)``: how a tile reads its buffer."""
    start = start_offset.expr if isinstance(start_offset, DynExpr) else start_offset
    return TileView(_optional(valid_shape), _optional(stride), start, blayout, slayout, fractal, pad)


def _optional(values: Any) -> Shape | None:
    if values is None:
        return None
    return tuple(v.expr if isinstance(v, DynExpr) else as_dim(v) if isinstance(v, Expr) else v for v in values)


def mem_ref(base: str = "", offset: int = 0, size: int = 0, address: int | None = None) -> MemRef:
    """``pl.MemRef(...)``: a piece of an on-chip allocation."""
    return MemRef(base, offset, size, address)


def _name(value: Any) -> str:
    return repr(value) if not isinstance(value, type) else value.__name__
