"""Operations of a value [M, N] with one number per row ([M, 1]) or per column ([1, N]), and plain repetition."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pypto.ops.dtypes import FLOATS, INTS, DataType
from pypto.ops.row import EITHER_ZERO, Kind, Op, Param, Trait, register, vector
from pypto.ops.unary import ROUNDING, precise


def expand(
    name: str,
    doc: str,
    *,
    scalar: str,
    reference: Callable[..., Any],
    dtypes: frozenset[DataType] = FLOATS | INTS,
    **facets: Any,
) -> None:
    """Two rows: row_expand_NAME(x, row_vec) and col_expand_NAME(x, col_vec); ``doc`` calls the vector's number v."""
    for kind, vec, whose in (("row", "row_vec", "row"), ("col", "col_vec", "column")):
        params = (Param("x", Kind.VALUE), Param(vec, Kind.VALUE))
        register(
            Op(
                f"{kind}_expand_{name}",
                f"{doc} v is the number of the {whose}.",
                params,
                typing=f"{kind}_expand",
                emit=f"T{kind.upper()}EXPAND{name.upper()}({{dst}}, {{x}}, {{{vec}}});",
                scalar=scalar,
                reference=reference,
                dtypes=dtypes,
                traits=frozenset({Trait.ELEMENTWISE}),
                family="expand",
                spaces=vector(params),
                **facets,
            )
        )


def _divide(xp: Any, x: Any, v: Any) -> Any:
    return x / v if x.is_floating_point() else xp.div(x, v, rounding_mode="trunc")


expand("add", "x + v.", scalar="a + b", reference=lambda xp, x, v: x + v)
expand("sub", "x - v.", scalar="a - b", reference=lambda xp, x, v: x - v)
expand("mul", "x * v.", scalar="a * b", reference=lambda xp, x, v: x * v)
expand("div", "x / v.", scalar="divide(a, b)", reference=_divide,
       notes="A zero divisor of an integer, and minimum / -1, stop the case with a message.")  # fmt: skip
expand("max", "The larger of x and v.", scalar="b > a || b != b ? b : a", reference=lambda xp, x, v: xp.maximum(x, v),
       notes=EITHER_ZERO)  # fmt: skip
expand("min", "The smaller of x and v.", scalar="b < a || b != b ? b : a", reference=lambda xp, x, v: xp.minimum(x, v),
       notes=EITHER_ZERO)  # fmt: skip
expand("expdif", "exp(x - v).", scalar="exp(narrow(a - b))", reference=lambda xp, x, v: precise(xp.exp, x - v),
       dtypes=FLOATS, ulp=1,
       notes=f"The difference is rounded first. {ROUNDING}")  # fmt: skip

for _kind, _vec in (("row", "row_vec"), ("col", "col_vec")):
    _params = (Param("target", Kind.VALUE), Param(_vec, Kind.VALUE))
    register(
        Op(
            f"{_kind}_expand",
            f"{_vec} repeated to the shape of target; the values of target are not read.",
            _params,
            typing=f"{_kind}_expand",
            emit=f"T{_kind.upper()}EXPAND({{dst}}, {{{_vec}}});",
            scalar="b",
            reference=lambda xp, target, v: xp.broadcast_to(v, target.shape),
            dtypes=FLOATS | INTS,
            traits=frozenset({Trait.ELEMENTWISE}),
            family="expand",
            spaces=vector(_params),
        )
    )

_params = (Param("target", Kind.VALUE), Param("value", Kind.SCALAR))
register(
    Op(
        "expands",
        "A scalar repeated to the shape of target; the values of target are not read.",
        _params,
        typing="unary",
        emit="TEXPANDS({dst}, {value});",
        scalar="s",
        reference=lambda xp, target, value: xp.full_like(target, value),
        dtypes=FLOATS | INTS,
        traits=frozenset({Trait.ELEMENTWISE}),
        family="expand",
        spaces=vector(_params),
    )
)
