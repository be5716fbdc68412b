"""Rules of reductions: the reduced axis stays, with extent 1 and valid 1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pypto.errors import OpValueError
from pypto.ir.build import describe
from pypto.ir.types import Type
from pypto.ir.typing.rules import Operands, check_dtype, check_scratch, given, rule, shaped
from pypto.ops.row import Op


def _reduce(op: Op, operands: Operands, axis: int) -> Type:
    x, tmp = given(operands[0]), operands[1]
    check_dtype(op, "x", x)
    check_scratch(op, x, tmp)
    value = shaped(x)
    if value.rank < 2:
        raise OpValueError(
            f"{op.name}: 'x' is {describe(x)}, expected rank 2 or more", x.span, "reshape it to [1, N] or [N, 1]"
        )
    position = value.rank + axis
    shape = (*value.shape[:position], 1, *value.shape[position + 1 :])
    valid = (*value.valid_shape[:position], 1, *value.valid_shape[position + 1 :])
    return value.fresh(shape, valid=valid)


@rule("row_reduction")
def row_reduction(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """[.., M, N] to [.., M, 1]."""
    return _reduce(op, operands, -1)


@rule("column_reduction")
def column_reduction(op: Op, operands: Operands, statics: Mapping[str, Any]) -> Type:
    """[.., M, N] to [.., 1, N]."""
    return _reduce(op, operands, -2)
