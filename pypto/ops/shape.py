"""The same elements in another order or under another shape."""

from __future__ import annotations

from pypto.ops.dtypes import ALL, dtypes
from pypto.ops.row import Kind, Op, Param, Trait, register

ANY = dtypes(ALL)

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
