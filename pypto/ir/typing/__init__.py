"""The type of every operation's result: one rule per kind of operation, called by ``ir.build.call``."""

from pypto.ir.typing import elementwise, matmul, movement, reductions, shape
from pypto.ir.typing.check_tile import check_tile
from pypto.ir.typing.elementwise import broadcast_kind
from pypto.ir.typing.rules import RULES

FAMILIES = (elementwise, matmul, movement, reductions, shape)  # importing them registers their rules

__all__ = ["FAMILIES", "RULES", "broadcast_kind", "check_tile"]
