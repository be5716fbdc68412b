"""Functions of one value, cell by cell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pypto.ops.dtypes import FLOATS, FP8E4M3FN, FP8E5M2, FP32, INT16, INT64, INTS, SIGNED, UINT16, DataType, dtypes
from pypto.ops.enums import CastMode
from pypto.ops.row import Kind, Op, Param, Trait, register, vector

ELEMENTWISE, NOT_IN_PLACE = Trait.ELEMENTWISE, Trait.NOT_IN_PLACE
HIGH_PRECISION = Param("high_precision", Kind.FLAG, False)
TMP = Param("tmp", Kind.TILE, None, scratch=True)


def unary(
    name: str,
    doc: str,
    *,
    emit: str,
    scalar: str,
    reference: Callable[..., Any],
    dtypes: frozenset[DataType] = FLOATS,
    typing: str = "float_unary",
    trait: Trait = ELEMENTWISE,
    extra: tuple[Param, ...] = (),
    **facets: Any,
) -> Op:
    """A row for a function of ``x``; ``extra`` parameters follow. ``float_unary`` gives FP32 for an integer tensor."""
    params = (Param("x", Kind.VALUE), *extra)
    return register(
        Op(
            name,
            doc,
            params,
            typing=typing,
            emit=emit,
            scalar=scalar,
            reference=reference,
            dtypes=dtypes,
            traits=frozenset({trait}),
            family="unary",
            spaces=vector(params),
            **facets,
        )
    )


ROUNDING = "Both sides approximate in double precision and round once, so the last bit may differ in rare cases."


def precise(function: Callable[[Any], Any], x: Any) -> Any:
    """``function(x)`` computed in double precision and rounded to the dtype of ``x``."""
    return function(x.double()).to(x.dtype)


unary("exp", "e to the power of x.",
      emit="TEXP({dst}, {x});", scalar="exp(a)", reference=lambda xp, x: precise(xp.exp, x), ulp=1,
      notes=ROUNDING)  # fmt: skip
unary("log", "The natural logarithm; NaN below zero.",
      emit="TLOG({dst}, {x});", scalar="log(a)", reference=lambda xp, x: precise(xp.log, x), ulp=1,
      notes=ROUNDING, extra=(HIGH_PRECISION,))  # fmt: skip
unary("sqrt", "The square root; NaN below zero.",
      emit="TSQRT({dst}, {x});", scalar="sqrt(a)", reference=lambda xp, x: precise(xp.sqrt, x))  # fmt: skip
unary("rsqrt", "1 / sqrt(x).",
      emit="TRSQRT({dst}, {x});", scalar="rsqrt(a)", reference=lambda xp, x: precise(xp.rsqrt, x), ulp=1,
      notes=ROUNDING, extra=(HIGH_PRECISION, TMP))  # fmt: skip
unary("recip", "1 / x.",
      emit="TRECIP({dst}, {x});", scalar="1 / a", reference=lambda xp, x: xp.reciprocal(x),
      trait=NOT_IN_PLACE, extra=(HIGH_PRECISION,))  # fmt: skip
unary("sin", "The sine of x in radians.",
      emit="TSIN({dst}, {x});", scalar="sin(a)", reference=lambda xp, x: precise(xp.sin, x), dtypes=dtypes(FP32), ulp=1,
      notes=ROUNDING)  # fmt: skip
unary("cos", "The cosine of x in radians.",
      emit="TCOS({dst}, {x});", scalar="cos(a)", reference=lambda xp, x: precise(xp.cos, x), dtypes=dtypes(FP32), ulp=1,
      notes=ROUNDING)  # fmt: skip
unary("neg", "The negative; integers wrap.",
      emit="TNEG({dst}, {x});", scalar="-a", reference=lambda xp, x: -x,
      dtypes=FLOATS | INTS, typing="unary")  # fmt: skip
unary("abs", "The absolute value; the least integer stays as it is.",
      emit="TABS({dst}, {x});", scalar="a > 0 ? a : 0 - a", reference=lambda xp, x: xp.abs(x),
      dtypes=FLOATS | INTS, typing="unary")  # fmt: skip
unary("relu", "0 where x is negative, else x; NaN stays.",
      emit="TRELU({dst}, {x});", scalar="a < 0 ? 0 : a", reference=lambda xp, x: xp.where(x < 0, 0, x),
      dtypes=FLOATS | SIGNED, typing="unary")  # fmt: skip
unary("lrelu", "x where it is positive, else slope * x.",
      emit="TLRELU({dst}, {x}, {slope});", scalar="a > 0 ? a : a * s",
      reference=lambda xp, x, slope: xp.where(x > 0, x, x * slope), typing="unary",
      extra=(Param("slope", Kind.SCALAR),))  # fmt: skip
unary("not_", "The complement of every bit.",
      emit="TNOT({dst}, {x});", scalar="~a", reference=lambda xp, x: ~x, dtypes=dtypes(INT16, UINT16),
      typing="unary")  # fmt: skip


def _round(xp: Any, x: Any, mode: CastMode) -> Any:
    """``x`` as a whole number, rounded as ``mode`` says."""
    if mode is CastMode.round:
        return xp.where((x - xp.trunc(x)).abs() >= 0.5, xp.trunc(x) + xp.sign(x), xp.trunc(x))
    if mode is CastMode.odd:
        whole = xp.floor(x)
        return xp.where((whole != x) & (whole % 2 == 0), whole + 1, whole)
    return {
        CastMode.none: xp.trunc, CastMode.trunc: xp.trunc, CastMode.rint: xp.round,
        CastMode.floor: xp.floor, CastMode.ceil: xp.ceil,
    }[mode](x)  # fmt: skip


def _cast(xp: Any, x: Any, target_type: DataType, mode: CastMode) -> Any:
    if target_type.is_float:
        return x.to(getattr(xp, target_type.torch))
    if not x.is_floating_point():
        return x
    low = -(1 << (target_type.bits - 1)) if target_type.is_signed else 0
    high = (1 << (target_type.bits - target_type.is_signed)) - 1
    whole = xp.nan_to_num(_round(xp, x.to(xp.float64), mode), nan=0.0)
    inside = whole.clamp(low, high).to(xp.int64) if target_type.bits < 64 else whole.to(xp.int64)
    return xp.where(whole >= high, high, xp.where(whole <= low, low, inside))


def _emit_cast(text: Callable[..., str], call: Any, dst: str) -> str:
    """TCVT(dst, x, ROUND);"""
    return f"TCVT({dst}, {text(call.args[0])}, {call.kwargs.get('mode', CastMode.round).name.upper()});"


register(
    Op(
        "cast",
        "x as another dtype. A float becomes an integer as mode says and saturates, NaN gives 0; anything else rounds "
        "to nearest even or, between integers, wraps.",
        (
            Param("x", Kind.VALUE),
            Param("target_type", Kind.DTYPE),
            Param("mode", Kind.ENUM, CastMode.round, CastMode),
        ),
        typing="cast",
        emit=_emit_cast,
        reference=_cast,
        dtypes=FLOATS | INTS | dtypes(INT64, FP8E4M3FN, FP8E5M2),
        traits=frozenset({ELEMENTWISE}),
        family="unary",
        spaces={"": ("Vec",), "x": ("Vec",)},
        notes="What is too large for FP8E4M3FN, which has no infinity, becomes 448.",
    )
)
