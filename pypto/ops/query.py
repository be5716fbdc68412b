"""Where a kernel runs."""

from __future__ import annotations

from pypto.ops.row import Op, register

register(
    Op(
        "get_block_idx",
        "The index of this block in a launch on many blocks; 0 in a plain task.",
        (),
        typing="index",
        emit="block_idx",
        dtypes=frozenset(),
        family="query",
    )
)
register(
    Op(
        "get_block_num",
        "How many blocks the launch has.",
        (),
        typing="index",
        emit="block_num",
        dtypes=frozenset(),
        family="query",
    )
)
