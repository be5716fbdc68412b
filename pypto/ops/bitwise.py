"""Integer operations on bits. The right operand may be a scalar."""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import Any

from pypto.ops.dtypes import INTS
from pypto.ops.elementwise import TMP, binary
from pypto.ops.row import Op, Param, Trait

ANY_ORDER = {Trait.COMMUTATIVE, Trait.ASSOCIATIVE}


def bits(
    name: str,
    doc: str,
    *,
    emit: str,
    scalar: str,
    reference: Callable[..., Any],
    traits: Set[Trait] = frozenset(),
    extra: tuple[Param, ...] = (),
    **facets: Any,
) -> Op:
    """A row for integers; with a scalar on the right it may also be spelled without underscore and with an s."""
    return binary(
        name,
        doc,
        emit=emit,
        scalar=scalar,
        reference=reference,
        dtypes=INTS,
        traits=traits,
        extra=extra,
        family="bitwise",
        aliases=(f"{name.rstrip('_')}s",),
        **facets,
    )


COUNT = "A count outside 0 to width - 1 shifts everything out; a constant one is an error."

bits("and_", "Bitwise and.",
     emit="TAND({dst}, {lhs}, {rhs});", scalar="a & b", reference=lambda xp, a, b: a & b, traits=ANY_ORDER)  # fmt: skip
bits("or_", "Bitwise or.",
     emit="TOR({dst}, {lhs}, {rhs});", scalar="a | b", reference=lambda xp, a, b: a | b, traits=ANY_ORDER)  # fmt: skip
bits("xor", "Bitwise exclusive or.",
     emit="TXOR({dst}, {lhs}, {rhs});", scalar="a ^ b", reference=lambda xp, a, b: a ^ b, traits=ANY_ORDER,
     extra=(TMP,))  # fmt: skip


def _shift_left(xp: Any, a: Any, b: Any) -> Any:
    return xp.where((b >= 0) & (b < 32), a << b.clamp(0, 31), 0)


def _shift_right(xp: Any, a: Any, b: Any) -> Any:
    return a >> xp.where((b >= 0) & (b < 32), b, 32)


bits("shl", "Shift left; the result has the dtype of lhs.",
     emit="TSHL({dst}, {lhs}, {rhs});", scalar="b >= 0 && b < 32 ? a << b : 0",
     reference=_shift_left, typing="shift", notes=COUNT)  # fmt: skip
bits("shr", "Shift right, with the sign for signed integers and with zeros for unsigned.",
     emit="TSHR({dst}, {lhs}, {rhs});", scalar="b >= 0 && b < 32 ? a >> b : a < 0 ? -1 : 0",
     reference=_shift_right, typing="shift", notes=COUNT)  # fmt: skip
