"""Making values and moving them between memories."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from pypto.ops.dtypes import ALL, FLOATS, INT64, INTS, dtypes
from pypto.ops.enums import AtomicType, MemorySpace, PadValue, TensorLayout, TileLayout
from pypto.ops.row import Kind, Op, Param, Trait, register

Text = Callable[..., str]
ANY = dtypes(ALL)
DEVICE = FLOATS | INTS | dtypes(INT64)
TILE_ONLY, TENSOR_ONLY = frozenset({"pl", "tile"}), frozenset({"pl", "tensor"})
VEC = MemorySpace.Vec
SHAPE, DTYPE = Param("shape", Kind.TUPLE), Param("dtype", Kind.DTYPE)
ATOMIC = Param("atomic", Kind.ENUM, AtomicType.None_, AtomicType)
PAD = Param("pad_value", Kind.ENUM, PadValue.zero, PadValue)
TARGET_MEMORY = Param("target_memory", Kind.SPACE, VEC, MemorySpace)


def _load(text: Text, call: Any, dst: str) -> str:
    """TLOAD(dst, src, offsets[, shapes, valid_shape]);"""
    source, offsets, shapes, valid = call.args
    if source.type.rank <= 2:
        return f"TLOAD({dst}, {text(source)}, {text(offsets)});"
    extents = text(valid) if valid is not None else _valid_window(text, shapes, call.type, dst)
    return f"TLOAD({dst}, {text(source)}, {text(offsets)}, {text(shapes)}, {extents});"


def _valid_window(text: Text, shapes: Any, tile: Any, name: str) -> str:
    """The valid extents over a window whose leading dimensions the tile called ``name`` holds folded into rows.

    Only the first leading dimension that is not 1 can be partly valid, so the valid rows tell its extent.
    """
    if tile.valid_shape == tile.shape:
        return text(shapes)
    *leading, _ = (item.value for item in shapes.items)
    extents = [str(size) for size in leading]
    if leading:
        first = next((axis for axis, size in enumerate(leading) if size != 1), len(leading) - 1)
        inner = prod(leading[first + 1 :])
        extents[first] = f"{name}.valid_rows" if inner == 1 else f"{name}.valid_rows / {inner}"
    return f"Index{{{', '.join([*extents, f'{name}.valid_cols'])}}}"


def _store(text: Text, call: Any, dst: str) -> str:
    """TSTORE(dst, offsets, tile[, shapes, valid extents]); TSTORE_ADD for an atomic Add."""
    tile, offsets, target, shapes = call.args
    name = "TSTORE_ADD" if call.kwargs.get("atomic") is AtomicType.Add else "TSTORE"
    window = "" if shapes is None else f", {text(shapes)}, {_valid_window(text, shapes, tile.type, text(tile))}"
    return f"{name}({text(target)}, {text(offsets)}, {text(tile)}{window});"


def _assemble(text: Text, call: Any, dst: str) -> str:
    """TASSEMBLE(dst, source, row, column);"""
    _, source, offset = call.args
    row, col = ("0", *(text(item) for item in offset.items))[-2:]
    return f"TASSEMBLE({dst}, {text(source)}, {row}, {col});"


def _fill_pad(text: Text, call: Any, dst: str) -> str:
    """TFILLPAD(dst, x, PAD_ZERO);"""
    pad = call.kwargs.get("pad_value", PadValue.zero)
    return f"TFILLPAD({dst}, {text(call.args[0])}, PAD_{pad.name.upper()});"


def _read(text: Text, call: Any, dst: str) -> str:
    """read_float(src, indices), or read_int of integers"""
    source, indices = call.args
    return f"read_{'float' if source.type.dtype.is_float else 'int'}({_element(text, source, indices)})"


def _write(text: Text, call: Any, dst: str) -> str:
    """write_element(dst, indices, value);"""
    target, indices, value = call.args
    kind = "double" if target.type.dtype.is_float else "int64_t"
    return f"write_element({_element(text, target, indices)}, static_cast<{kind}>({text(value)}));"


def _dim(text: Text, call: Any, dst: str) -> str:
    """x.shape[axis]"""
    return f"{text(call.args[0])}.shape[{call.kwargs['axis'] % call.args[0].type.rank}]"


def _element(text: Text, container: Any, indices: Any) -> str:
    """The container and the place of an element: an Index for a tensor, row and column for a tile."""
    if hasattr(container.type, "space"):
        return ", ".join((text(container), *("0", *(text(item) for item in indices.items))[-2:]))
    return f"{text(container)}, {text(indices)}"


def row(name: str, doc: str, params: tuple[Param, ...], **facets: Any) -> Op:
    """A row of this family; its typing rule is called like the op unless said otherwise."""
    return register(Op(name, doc, params, **{"typing": name, "family": "movement", "dtypes": DEVICE, **facets}))


row(
    "load",
    "A tile with the window of a tensor at offsets; what lies outside the valid region is undefined.",
    (
        Param("src", Kind.TENSOR),
        Param("offsets", Kind.TUPLE),
        Param("shapes", Kind.TUPLE),
        Param("valid_shape", Kind.TUPLE, None),
        TARGET_MEMORY,
        Param("clamp", Kind.FLAG, False),
    ),
    emit=_load,
    dtypes=ANY,
    reach=TILE_ONLY,
    spaces={"": ("Vec", "Mat")},
    notes="clamp cuts the valid region at the edge of the source; without it a window beyond the edge is an error.",
)
row(
    "store",
    "Write the valid region of a tile into a tensor at offsets; the result is that tensor.",
    (
        Param("tile", Kind.TILE),
        Param("offsets", Kind.TUPLE),
        Param("dst", Kind.TENSOR),
        Param("shapes", Kind.TUPLE, None),
        ATOMIC,
    ),
    emit=_store,
    dtypes=ANY,
    traits=frozenset({Trait.EFFECT}),
    reach=TILE_ONLY,
    spaces={"tile": ("Vec", "Acc")},
    notes="An accumulator converts on its way out: FP32 to FP16 or BF16. The compiler gives shapes, the window over a "
    "tensor of rank > 2.",
)
row(
    "move",
    "A copy of a tile in another memory space; the only way into Left, Right and Bias.",
    (
        Param("tile", Kind.TILE),
        Param("target_memory", Kind.SPACE, choices=MemorySpace),
        Param("blayout", Kind.ENUM, None, TileLayout),
        Param("slayout", Kind.ENUM, None, TileLayout),
    ),
    emit="TMOV({dst}, {tile});",
    dtypes=ANY,
    traits=frozenset({Trait.NOT_IN_PLACE}),
    reach=TILE_ONLY,
)
row(
    "create_tile",
    "An uninitialised tile.",
    (
        SHAPE,
        DTYPE,
        TARGET_MEMORY,
        Param("transpose", Kind.FLAG, None),
        Param("flat_layout", Kind.FLAG, None),
    ),
    emit="TPOISON({dst});",
    dtypes=ANY,
    reach=TILE_ONLY,
    aliases=("tile.create",),
)
row(
    "create_tensor",
    "A new tensor: global memory in an orchestration, an on-chip value in a core's code. Undefined without init_value.",
    (
        SHAPE,
        DTYPE,
        Param("layout", Kind.ENUM, TensorLayout.ND, TensorLayout),
        Param("manual_dep", Kind.FLAG, False),
        Param("init_value", Kind.NUMBER, None),
    ),
    dtypes=ANY,
    reach=TENSOR_ONLY,
    aliases=("tensor.create",),
)
row(
    "full",
    "A tensor-level value with one number in every cell.",
    (SHAPE, DTYPE, Param("value", Kind.SCALAR)),
    typing="full_tensor",
    reach=TENSOR_ONLY,
)
row(
    "tile.full",
    "A tile with one number in every cell.",
    (SHAPE, DTYPE, Param("value", Kind.SCALAR)),
    typing="full_tile",
    emit="TFILL({dst}, {value});",
    reach=frozenset({"tile"}),
    spaces={"": ("Vec",)},
)
row(
    "slice",
    "A window of a tensor or tile: a view, nothing moves. drop_dims names unit axes to leave out.",
    (
        Param("x", Kind.VALUE),
        SHAPE,
        Param("offset", Kind.TUPLE),
        Param("valid_shape", Kind.TUPLE, None),
        Param("drop_dims", Kind.TUPLE, None),
        Param("pad_value", Kind.ENUM, None, PadValue),
        Param("clamp", Kind.FLAG, False),
    ),
    dtypes=ANY,
    traits=frozenset({Trait.VIEW}),
    notes="pad_value declares how a later fillpad fills; it writes nothing. clamp is for tensors.",
)
row(
    "assemble",
    "target with the valid region of source written at offset; target itself is gone. The valid region of a tile grows "
    "to cover both.",
    (Param("target", Kind.VALUE), Param("source", Kind.VALUE), Param("offset", Kind.TUPLE), ATOMIC),
    emit=_assemble,
    dtypes=ANY,
    traits=frozenset({Trait.IN_PLACE}),
)
row(
    "read",
    "One element.",
    (Param("src", Kind.VALUE), Param("indices", Kind.TUPLE)),
    emit=_read,
    spaces={"src": ("Vec",)},
)
row(
    "write",
    "Write one element in place.",
    (Param("dst", Kind.VALUE), Param("indices", Kind.TUPLE), Param("value", Kind.SCALAR)),
    typing="write",
    emit=_write,
    traits=frozenset({Trait.EFFECT}),
    spaces={"dst": ("Vec",)},
)
row(
    "dim",
    "The size of a dimension as an INT64 scalar.",
    (Param("x", Kind.TENSOR), Param("axis", Kind.INT)),
    emit=_dim,
    dtypes=ANY,
    reach=TENSOR_ONLY,
)
row(
    "fillpad",
    "x with every cell outside its valid region filled; fully valid. max and min are infinities for floats.",
    (Param("x", Kind.VALUE), PAD),
    emit=_fill_pad,
    spaces={"": ("Vec",), "x": ("Vec",)},
)
row(
    "fillpad_expand",
    "A larger value with the valid region of x in its first rows and columns and the pad everywhere else; fully valid.",
    (Param("x", Kind.VALUE), SHAPE, PAD),
    emit=_fill_pad,
    traits=frozenset({Trait.NOT_IN_PLACE}),
    spaces={"": ("Vec",), "x": ("Vec",)},
)
row(
    "fillpad_inplace",
    "As fillpad, in the buffer of the tile, which is gone.",
    (Param("tile", Kind.TILE), PAD),
    typing="fillpad",
    emit=_fill_pad,
    traits=frozenset({Trait.IN_PLACE}),
    reach=frozenset({"tile"}),
    spaces={"": ("Vec",), "tile": ("Vec",)},
)
row(
    "set_validshape",
    "x with another valid region; nothing moves.",
    (Param("x", Kind.VALUE), Param("valid_rows", Kind.SCALAR), Param("valid_cols", Kind.SCALAR)),
    dtypes=ANY,
    traits=frozenset({Trait.VIEW}),
)
