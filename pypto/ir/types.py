"""Types of IR values. Dimensions are Python ints where known at compile time and INDEX expressions otherwise."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from pypto.ops.dtypes import DataType
from pypto.ops.enums import MemorySpace, PadValue, TensorLayout, TileLayout

if TYPE_CHECKING:
    from pypto.ir.nodes import Expr

Dim: TypeAlias = "int | Expr"
Shape: TypeAlias = "tuple[Dim, ...]"


@dataclass(frozen=True, slots=True)
class MemRef:
    """A piece of an allocation: ``size`` bytes at ``offset`` of the buffer called ``base``.

    ``address`` is the byte address of the piece in its memory space, known once addresses are allocated.
    """

    base: str
    offset: int
    size: int
    address: int | None = None


@dataclass(frozen=True, slots=True)
class TensorView:
    """How a tensor reads its memory: strides in elements, layout, valid extents, pad mode. None is the default."""

    stride: Shape | None = None
    layout: TensorLayout = TensorLayout.ND
    valid_shape: Shape | None = None
    pad: PadValue = PadValue.null


@dataclass(frozen=True, slots=True)
class TileView:
    """How a tile reads its buffer: valid extents, strides and start in elements, block layouts, pad mode."""

    valid_shape: Shape | None = None
    stride: Shape | None = None
    start_offset: Dim | None = None
    blayout: TileLayout | None = None
    slayout: TileLayout | None = None
    fractal: int | None = None
    pad: PadValue = PadValue.null


class Type:
    """What every type shares."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class ScalarType(Type):
    """A run-time scalar of one dtype."""

    dtype: DataType


@dataclass(frozen=True, slots=True)
class ShapedType(Type):
    """What tensors and tiles share: a shape, a dtype, a valid region."""

    shape: Shape
    dtype: DataType

    @property
    def rank(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    @property
    def valid_shape(self) -> Shape:
        """Extents of the valid region, anchored at the origin; the shape itself where nothing narrower is known."""
        view: Any = getattr(self, "view", None)
        return self.shape if view is None or view.valid_shape is None else view.valid_shape

    @property
    def pad(self) -> PadValue:
        """The declared pad mode."""
        view: Any = getattr(self, "view", None)
        return PadValue.null if view is None else view.pad

    @property
    def is_static(self) -> bool:
        """Whether every dimension is known at compile time."""
        return all(isinstance(dim, int) for dim in self.shape)


@dataclass(frozen=True, slots=True)
class TensorType(ShapedType):
    """A tensor in global memory, or a tensor-level value that becomes a tile."""

    view: TensorView | None = None

    def fresh(
        self, shape: Shape | None = None, dtype: DataType | None = None, valid: Shape | None = None
    ) -> TensorType:
        """A new packed tensor type of this kind; ``valid`` is dropped where it equals the shape."""
        shape = self.shape if shape is None else shape
        view = None if valid is None or valid == shape else TensorView(valid_shape=valid)
        return TensorType(shape, dtype or self.dtype, view)

    def with_view(self, **changes: Any) -> TensorType:
        """This type with other view fields; a view equal to the default is dropped."""
        view = replace(self.view or TensorView(), **changes)
        if view.valid_shape == self.shape:
            view = replace(view, valid_shape=None)
        return replace(self, view=None if view == TensorView() else view)


@dataclass(frozen=True, slots=True)
class TileType(ShapedType):
    """An on-chip buffer of at most two dimensions in a memory space (None until one is inferred)."""

    view: TileView | None = None
    space: MemorySpace | None = None
    memref: MemRef | None = None

    def fresh(self, shape: Shape | None = None, dtype: DataType | None = None, valid: Shape | None = None) -> TileType:
        """A new packed tile type; space and memory are not inherited, ``valid`` is dropped where it is the shape."""
        shape = self.shape if shape is None else shape
        view = None if valid is None or valid == shape else TileView(valid_shape=valid)
        return TileType(shape, dtype or self.dtype, view)

    def with_view(self, **changes: Any) -> TileType:
        """This type with other view fields; a view equal to the default is dropped."""
        view = replace(self.view or TileView(), **changes)
        if view.valid_shape == self.shape:
            view = replace(view, valid_shape=None)
        return replace(self, view=None if view == TileView() else view)


@dataclass(frozen=True, slots=True)
class ArrayType(Type):
    """A fixed-length array held by a core."""

    extent: int
    dtype: DataType


@dataclass(frozen=True, slots=True)
class TupleType(Type):
    """Several values."""

    items: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class UnknownType(Type):
    """The type of an operation that only has an effect."""
