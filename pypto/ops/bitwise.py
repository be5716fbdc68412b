"""Integer operations on bits. The right operand may be a scalar."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pypto.ops.dtypes import INTS
from pypto.ops.elementwise import TMP, binary
from pypto.ops.row import Param, Trait

AND_LIKE = {Trait.COMMUTATIVE, Trait.ASSOCIATIVE}


def bits(
    name: str,
    doc: str,
    *,
    emit: str,
    scalar: str,
    reference: Callable[..., Any],
    traits: set[Trait] | None = None,
    extra: tuple[Param, ...] = (),
    **facets: Any,
) -> None:
    """A row whose spelling with a scalar right operand is the name without underscore and an s."""
    binary(name, doc, emit=emit, scalar=scalar, reference=reference, dtypes=INTS, traits=traits or set(), extra=extra,
           family="bitwise", aliases=(f"{name.rstrip('_')}s",), **facets)  # fmt: skip


OUTSIDE = "A count outside 0 to width - 1 is an error when constant."

bits("and_", "Bitwise and.", emit="TAND({dst}, {lhs}, {rhs});", scalar="a & b", reference=lambda xp, a, b: a & b, traits=AND_LIKE)  # fmt: skip
bits("or_", "Bitwise or.", emit="TOR({dst}, {lhs}, {rhs});", scalar="a | b", reference=lambda xp, a, b: a | b, traits=AND_LIKE)  # fmt: skip
bits("xor", "Bitwise exclusive or.", emit="TXOR({dst}, {lhs}, {rhs});", scalar="a ^ b", reference=lambda xp, a, b: a ^ b,
     traits=AND_LIKE, extra=(TMP,))  # fmt: skip
