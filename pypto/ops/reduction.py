"""Reductions of rows and columns; the reduced axis stays with extent 1. Only valid cells count."""

from __future__ import annotations

from collections.abc import Callable, Set
from functools import reduce
from typing import Any

from pypto.ops.dtypes import FLOATS, INTS, DataType
from pypto.ops.row import EITHER_ZERO, Kind, Op, Param, Trait, register, vector

ROW, COLUMN = -1, -2


def reduction(
    name: str,
    doc: str,
    *,
    emit: str,
    scalar: str,
    reference: Callable[..., Any],
    traits: Set[Trait] = frozenset(),
    dtypes: frozenset[DataType] = FLOATS | INTS,
    **facets: Any,
) -> Op:
    """A row for a reduction of ``x``: over the columns of each row when the name begins with row_, else over the rows.

    ``tmp`` is scratch that hardware needs; the simulator does not.
    """
    params = (Param("x", Kind.VALUE), Param("tmp", Kind.TILE, None, scratch=True))
    kind = "row" if name.startswith("row_") else "column"
    return register(
        Op(
            name,
            doc,
            params,
            typing=f"{kind}_reduction",
            emit=emit,
            scalar=scalar,
            reference=reference,
            dtypes=dtypes,
            traits=frozenset(traits | {Trait.REDUCTION, Trait.NOT_IN_PLACE}),
            family="reduction",
            spaces=vector(params),
            **facets,
        )
    )


def fold(step: Callable[[Any, Any], Any], x: Any, axis: int) -> Any:
    """``x`` reduced along ``axis`` in index order, one running value that rounds at every step."""
    return reduce(step, x.unbind(axis)).unsqueeze(axis)


def _row_sum(xp: Any, x: Any) -> Any:
    wide = x.to(xp.float32) if x.dtype in (xp.float16, xp.bfloat16) else x
    return fold(xp.add, wide, ROW).to(x.dtype)


ORDER = "In index order, rounded at every step."

reduction("row_sum", "The sum of each row.",
          emit="TROWSUM({dst}, {x});", scalar="a + b", reference=_row_sum, traits={Trait.WIDE_SUM},
          notes="In index order; FP16 and BF16 accumulate in FP32 and round once.")  # fmt: skip
reduction("row_max", "The largest value of each row.",
          emit="TROWMAX({dst}, {x});", scalar="b > a || b != b ? b : a",
          reference=lambda xp, x: xp.amax(x, ROW, True), notes=EITHER_ZERO)  # fmt: skip
reduction("row_min", "The least value of each row.",
          emit="TROWMIN({dst}, {x});", scalar="b < a || b != b ? b : a",
          reference=lambda xp, x: xp.amin(x, ROW, True), notes=EITHER_ZERO)  # fmt: skip
reduction("row_prod", "The product of each row.",
          emit="TROWPROD({dst}, {x});", scalar="a * b",
          reference=lambda xp, x: fold(xp.mul, x, ROW), notes=ORDER)  # fmt: skip
reduction("col_sum", "The sum of each column.",
          emit="TCOLSUM({dst}, {x});", scalar="a + b",
          reference=lambda xp, x: fold(xp.add, x, COLUMN), notes=ORDER)  # fmt: skip
reduction("col_max", "The largest value of each column.",
          emit="TCOLMAX({dst}, {x});", scalar="b > a || b != b ? b : a",
          reference=lambda xp, x: xp.amax(x, COLUMN, True), notes=EITHER_ZERO)  # fmt: skip
reduction("col_min", "The least value of each column.",
          emit="TCOLMIN({dst}, {x});", scalar="b < a || b != b ? b : a",
          reference=lambda xp, x: xp.amin(x, COLUMN, True), notes=EITHER_ZERO)  # fmt: skip
reduction("col_prod", "The product of each column.",
          emit="TCOLPROD({dst}, {x});", scalar="a * b",
          reference=lambda xp, x: fold(xp.mul, x, COLUMN), notes=ORDER)  # fmt: skip
