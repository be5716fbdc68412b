"""The same elements in another order or under another shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pypto.ops.dtypes import ALL, FLOATS, INT64, INTS, dtypes
from pypto.ops.row import Kind, Op, Param, Trait, register

ANY = dtypes(ALL)


def _concat(text: Callable[..., str], call: Any, dst: str) -> str:
    """TASSEMBLE(dst, src0, 0, 0); TASSEMBLE(dst, src1, 0, columns of src0);"""
    left, right = call.args
    return f"TASSEMBLE({dst}, {text(left)}, 0, 0);\nTASSEMBLE({dst}, {text(right)}, 0, {left.type.shape[-1]});"


register(
    Op(
        "reshape",
        "The elements in row-major order under another shape of the same size: a view, nothing moves.",
        (Param("x", Kind.VALUE), Param("shape", Kind.TUPLE)),
        typing="reshape",
        dtypes=ANY,
        traits=frozenset({Trait.VIEW}),
        family="shape",
    )
)
register(
    Op(
        "transpose",
        "x with two axes exchanged; a tile moves its data, a tensor in global memory becomes a strided view.",
        (Param("x", Kind.VALUE), Param("axis1", Kind.INT), Param("axis2", Kind.INT)),
        typing="transpose",
        emit="TTRANS({dst}, {x});",
        reference=lambda xp, x, axis1, axis2: xp.transpose(x, axis1, axis2),
        dtypes=ANY,
        traits=frozenset({Trait.NOT_IN_PLACE}),
        family="shape",
        spaces={"": ("Vec",), "x": ("Vec",)},
    )
)
register(
    Op(
        "transpose_view",
        "A tile with its last two axes exchanged: a view, nothing moves.",
        (Param("tile", Kind.TILE),),
        typing="transpose_view",
        dtypes=ANY,
        traits=frozenset({Trait.VIEW}),
        reach=frozenset({"tile"}),
        family="shape",
    )
)
register(
    Op(
        "concat",
        "The columns of src0 followed by those of src1.",
        (Param("src0", Kind.VALUE), Param("src1", Kind.VALUE)),
        typing="concat",
        emit=_concat,
        reference=lambda xp, a, b: xp.cat([a, b], -1),
        dtypes=FLOATS | INTS | dtypes(INT64),
        traits=frozenset({Trait.NOT_IN_PLACE}),
        family="shape",
        spaces={"": ("Vec",), "src0": ("Vec",), "src1": ("Vec",)},
    )
)
