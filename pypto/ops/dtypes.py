"""Element types of the language: one value per dtype, with its width, code and kind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DataType:
    """An element type.

    ``bits`` is the storage width (BOOL is stored in one byte), ``code`` the number that stands for the dtype in
    descriptors and manifests, ``kind`` one of ``int``, ``uint``, ``float``, ``bool``, ``task``, and ``torch`` the name
    of the torch dtype that crosses the call boundary, empty where torch has none.
    """

    name: str
    bits: int
    code: int
    kind: str
    torch: str = ""

    @property
    def size(self) -> int:
        """Bytes of one element, at least 1."""
        return max(1, (self.bits + 7) // 8)

    def get_byte(self) -> int:
        """Bytes of one element, at least 1."""
        return self.size

    def get_bit(self) -> int:
        """Bits of one element."""
        return self.bits

    @property
    def is_float(self) -> bool:
        """Whether values are floating point."""
        return self.kind == "float"

    @property
    def is_integer(self) -> bool:
        """Whether values are integers, INDEX included, BOOL not."""
        return self.kind in ("int", "uint")

    @property
    def is_signed(self) -> bool:
        """Whether negative values exist."""
        return self.kind in ("int", "float")

    def __repr__(self) -> str:
        return f"pl.{self.name}"


BOOL = DataType("BOOL", 1, 0x00, "bool", "bool")
INT4 = DataType("INT4", 4, 0x10, "int")
INT8 = DataType("INT8", 8, 0x11, "int", "int8")
INT16 = DataType("INT16", 16, 0x12, "int", "int16")
INT32 = DataType("INT32", 32, 0x13, "int", "int32")
INT64 = DataType("INT64", 64, 0x14, "int", "int64")
INDEX = DataType("INDEX", 64, 0x15, "int")
UINT4 = DataType("UINT4", 4, 0x20, "uint")
UINT8 = DataType("UINT8", 8, 0x21, "uint", "uint8")
UINT16 = DataType("UINT16", 16, 0x22, "uint")
UINT32 = DataType("UINT32", 32, 0x23, "uint")
UINT64 = DataType("UINT64", 64, 0x24, "uint")
FP4 = DataType("FP4", 4, 0x30, "float", "float4_e2m1fn_x2")
FP8E4M3FN = DataType("FP8E4M3FN", 8, 0x31, "float", "float8_e4m3fn")
FP8E5M2 = DataType("FP8E5M2", 8, 0x32, "float", "float8_e5m2")
FP16 = DataType("FP16", 16, 0x33, "float", "float16")
FP32 = DataType("FP32", 32, 0x34, "float", "float32")
FP8E8M0 = DataType("FP8E8M0", 8, 0x36, "float", "float8_e8m0fnu")
BF16 = DataType("BF16", 16, 0x40, "float", "bfloat16")
HF4 = DataType("HF4", 4, 0x41, "float")
HF8 = DataType("HF8", 8, 0x42, "float")
TASK_ID = DataType("TASK_ID", 64, 0x50, "task")

ALL = (
    BOOL, INT4, INT8, INT16, INT32, INT64, INDEX, UINT4, UINT8, UINT16, UINT32, UINT64, FP4, FP8E4M3FN, FP8E5M2,
    FP16, FP32, FP8E8M0, BF16, HF4, HF8, TASK_ID,
)  # fmt: skip
BY_NAME = {dtype.name: dtype for dtype in ALL}


def dtypes(*members: DataType | Iterable[DataType]) -> frozenset[DataType]:
    """A set of dtypes from single ones and sets of them."""
    found: set[DataType] = set()
    for member in members:
        found |= {member} if isinstance(member, DataType) else set(member)
    return frozenset(found)


FLOATS = dtypes(FP16, FP32, BF16)
SIGNED = dtypes(INT8, INT16, INT32)
UNSIGNED = dtypes(UINT8, UINT16, UINT32)
INTS = SIGNED | UNSIGNED


def promote(a: DataType, b: DataType) -> DataType:
    """The dtype of an operation on ``a`` and ``b``: float over integer, then wider, then signed."""
    if a == b:
        return a
    if a.is_float != b.is_float:
        return a if a.is_float else b
    if a.bits != b.bits:
        return a if a.bits > b.bits else b
    return a if a.is_signed else b
