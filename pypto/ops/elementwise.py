"""Arithmetic on two values cell by cell. The right operand may be a scalar."""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import Any

from pypto.ops.dtypes import FLOATS, FP16, FP32, INT16, INT32, INTS, DataType, dtypes
from pypto.ops.row import EITHER_ZERO, Kind, Op, Param, Trait, register, vector

COMMUTATIVE, ASSOCIATIVE, NOT_IN_PLACE = Trait.COMMUTATIVE, Trait.ASSOCIATIVE, Trait.NOT_IN_PLACE


def binary(
    name: str,
    doc: str,
    *,
    emit: str,
    scalar: str,
    reference: Callable[..., Any],
    dtypes: frozenset[DataType],
    traits: Set[Trait] = frozenset(),
    extra: tuple[Param, ...] = (),
    typing: str = "binary",
    family: str = "elementwise",
    **facets: Any,
) -> Op:
    """A row for an operation on ``lhs`` and ``rhs``, the latter a value or a scalar; ``extra`` parameters follow."""
    params = (Param("lhs", Kind.VALUE), Param("rhs", Kind.VALUE_OR_SCALAR), *extra)
    sharing = set() if NOT_IN_PLACE in traits else {Trait.ELEMENTWISE}
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
            traits=frozenset(traits | sharing),
            family=family,
            spaces=vector(params),
            **facets,
        )
    )


def _fmod(xp: Any, a: Any, b: Any) -> Any:
    """Floats in double precision, where the remainder is exact: in FP32 torch gives NaN for large quotients."""
    return xp.fmod(a.double(), b.double()).to(a.dtype) if a.is_floating_point() else xp.fmod(a, b)


def _remainder(xp: Any, a: Any, b: Any) -> Any:
    rest = _fmod(xp, a, b)
    return xp.where((rest != 0) & ((b < 0) != (rest < 0)), rest + b, rest)


def _divide(xp: Any, a: Any, b: Any) -> Any:
    return a / b if a.is_floating_point() else xp.div(a, b, rounding_mode="trunc")


TMP = Param("tmp", Kind.TILE, None, scratch=True)
ZERO_DIVISOR = "A zero divisor of an integer, and minimum / -1, stop the case with a message."

binary("add", "The sum; integers wrap.",
       emit="TADD({dst}, {lhs}, {rhs});", scalar="a + b", reference=lambda xp, a, b: a + b,
       dtypes=FLOATS | INTS, traits={COMMUTATIVE}, broadcast="add", aliases=("adds",))  # fmt: skip
binary("sub", "The difference; integers wrap.",
       emit="TSUB({dst}, {lhs}, {rhs});", scalar="a - b", reference=lambda xp, a, b: a - b,
       dtypes=FLOATS | INTS, broadcast="sub", aliases=("subs",))  # fmt: skip
binary("mul", "The product; integers wrap.",
       emit="TMUL({dst}, {lhs}, {rhs});", scalar="a * b", reference=lambda xp, a, b: a * b,
       dtypes=FLOATS | INTS, traits={COMMUTATIVE}, broadcast="mul", aliases=("muls",))  # fmt: skip
binary("div", "The quotient; integers truncate toward zero.",
       emit="TDIV({dst}, {lhs}, {rhs});", scalar="divide(a, b)", reference=_divide,
       dtypes=FLOATS | INTS, broadcast="div", aliases=("divs",),
       extra=(Param("high_precision", Kind.FLAG, False),), notes=ZERO_DIVISOR, typing="division")  # fmt: skip
binary("maximum", "The larger of the two.",
       emit="TMAX({dst}, {lhs}, {rhs});", scalar="b > a || b != b ? b : a", reference=lambda xp, a, b: xp.maximum(a, b),
       dtypes=FLOATS | INTS, traits={COMMUTATIVE, ASSOCIATIVE}, broadcast="max", aliases=("maximums",),
       notes=f"NaN in either operand gives NaN. {EITHER_ZERO}")  # fmt: skip
binary("minimum", "The smaller of the two.",
       emit="TMIN({dst}, {lhs}, {rhs});", scalar="b < a || b != b ? b : a", reference=lambda xp, a, b: xp.minimum(a, b),
       dtypes=FLOATS | INTS, traits={COMMUTATIVE, ASSOCIATIVE}, broadcast="min", aliases=("minimums",),
       notes=f"NaN in either operand gives NaN. {EITHER_ZERO}")  # fmt: skip
binary("fmod", "The remainder with the sign of the dividend.",
       emit="TFMOD({dst}, {lhs}, {rhs});", scalar="modulo(a, b)", reference=_fmod,
       dtypes=dtypes(FP16, FP32, INT16, INT32), traits={NOT_IN_PLACE}, aliases=("fmods",),
       notes=ZERO_DIVISOR, typing="division")  # fmt: skip
binary("rem", "The remainder with the sign of the divisor, as Python's %.",
       emit="TREM({dst}, {lhs}, {rhs});", scalar="remainder(a, b)", reference=_remainder,
       dtypes=dtypes(FP16, FP32, INT16, INT32), traits={NOT_IN_PLACE}, aliases=("rems",), extra=(TMP,),
       notes=ZERO_DIVISOR, typing="division")  # fmt: skip


def tiles(
    name: str,
    doc: str,
    params: tuple[Param, ...],
    *,
    emit: str,
    scalar: str,
    reference: Callable[..., Any],
    dtypes: frozenset[DataType],
) -> Op:
    """A row for an operation on several tiles of one dtype and shape, with scalars where ``params`` say so."""
    return register(
        Op(
            name,
            doc,
            params,
            typing="tiles",
            emit=emit,
            scalar=scalar,
            reference=reference,
            dtypes=dtypes,
            traits=frozenset({Trait.ELEMENTWISE}),
            reach=frozenset({"pl", "tile"}),
            family="elementwise",
            spaces=vector(params),
        )
    )


A, B, C = (Param(name, Kind.TILE) for name in "abc")
S = Param("scalar", Kind.SCALAR)

tiles("addc", "a + b + c, rounded after each addition.", (A, B, C),
      emit="TADDC({dst}, {a}, {b}, {c});", scalar="narrow(a + b) + c",
      reference=lambda xp, a, b, c: a + b + c, dtypes=FLOATS | INTS)  # fmt: skip
tiles("subc", "a - b + c, rounded after each step.", (A, B, C),
      emit="TSUBC({dst}, {a}, {b}, {c});", scalar="narrow(a - b) + c",
      reference=lambda xp, a, b, c: a - b + c, dtypes=FLOATS | INTS)  # fmt: skip
tiles("addsc", "a + scalar + c, rounded after each addition.", (A, S, C),
      emit="TADDSC({dst}, {a}, {scalar}, {c});", scalar="narrow(a + s) + b",
      reference=lambda xp, a, s, c: a + s + c, dtypes=FLOATS | INTS)  # fmt: skip
tiles("subsc", "a - scalar + c, rounded after each step.", (A, S, C),
      emit="TSUBSC({dst}, {a}, {scalar}, {c});", scalar="narrow(a - s) + b",
      reference=lambda xp, a, s, c: a - s + c, dtypes=FLOATS | INTS)  # fmt: skip
tiles("prelu", "x where it is positive, else slope * x, with a slope per cell.",
      (Param("x", Kind.TILE), Param("slope", Kind.TILE), TMP),
      emit="TPRELU({dst}, {x}, {slope});", scalar="a > 0 ? a : a * b",
      reference=lambda xp, x, slope: xp.where(x > 0, x, x * slope), dtypes=FLOATS)  # fmt: skip
