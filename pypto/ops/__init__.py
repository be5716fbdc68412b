"""The operations of the language: one row each, in the file of its family. Importing this fills the table."""

from pypto.ops import bitwise, elementwise, expand, matmul, movement, query, reduction, shape, unary
from pypto.ops.row import SPELLINGS, TABLE, Kind, Op, Param, Trait, find

FAMILIES = (movement, elementwise, unary, bitwise, reduction, expand, shape, matmul, query)

__all__ = ["FAMILIES", "SPELLINGS", "TABLE", "Kind", "Op", "Param", "Trait", "find"]
