"""The op table: what a row says about an operation, and the registry that every part of the compiler walks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from pypto.ops.dtypes import FLOATS, DataType


class Trait(Enum):
    """What passes may ask about an operation."""

    COMMUTATIVE = auto()
    ASSOCIATIVE = auto()
    ELEMENTWISE = auto()  # reads and writes cell by cell; the result may overwrite an operand of the same size
    NOT_IN_PLACE = auto()  # the result never shares a buffer with an operand
    IN_PLACE = auto()  # the result is the buffer of its first operand
    VIEW = auto()  # the result looks at the buffer of its first operand; nothing moves
    REDUCTION = auto()
    MATMUL = auto()  # runs on the cube core
    EFFECT = auto()  # must not be removed although its result is unused


class Kind(Enum):
    """What a parameter of an operation takes."""

    VALUE = auto()  # a tensor or tile
    TENSOR = auto()  # a tensor in global memory
    TILE = auto()  # a tile
    SCALAR = auto()  # a scalar expression or literal
    VALUE_OR_SCALAR = auto()
    TUPLE = auto()  # a tuple of integer scalars: offsets, shapes, valid extents
    DTYPE = auto()  # static from here on
    SPACE = auto()
    ENUM = auto()
    INT = auto()
    NUMBER = auto()
    FLAG = auto()
    TEXT = auto()

    @property
    def is_operand(self) -> bool:
        """Whether arguments are expressions; the other kinds are static values."""
        return self in _OPERANDS


_OPERANDS = {Kind.VALUE, Kind.TENSOR, Kind.TILE, Kind.SCALAR, Kind.VALUE_OR_SCALAR, Kind.TUPLE}
REQUIRED: Any = object()


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter of an operation. ``choices`` is the enum class of an ENUM parameter."""

    name: str
    kind: Kind
    default: Any = REQUIRED
    choices: type | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Op:
    """One operation: its surface, its meaning twice (C++ and reference), and what passes may assume.

    ``emit`` writes the C++ statement of the tile form: a template over ``{dst}`` and the parameter names, or a function
    ``emit(codegen, call, dst) -> str`` for an irregular op. ``scalar`` is the simulator's loop body over ``a``, ``b``,
    ``c`` (elements) and ``s`` (scalar); where it is empty the simulator has a hand-written function. ``reference`` says
    what the op means, with torch or numpy as ``xp``. ``typing`` names the rule of ``ir/typing.py`` that gives the result type.
    ``reach`` says which namespaces offer it: any of ``pl``, ``tensor``, ``tile``.
    """

    name: str
    doc: str
    params: tuple[Param, ...]
    typing: str
    emit: str | Callable[..., str] = ""
    scalar: str = ""
    reference: Callable[..., Any] | None = None
    dtypes: frozenset[DataType] = FLOATS
    traits: frozenset[Trait] = frozenset()
    reach: frozenset[str] = frozenset({"pl", "tensor", "tile"})
    family: str = ""
    spaces: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # legal memory spaces by parameter, "" = result
    aliases: tuple[str, ...] = ()
    notes: str = ""  # shown in docs/ops.md: where the sides differ and why

    @property
    def operands(self) -> tuple[Param, ...]:
        """The parameters that take expressions, in order."""
        return tuple(param for param in self.params if param.kind.is_operand)

    @property
    def statics(self) -> tuple[Param, ...]:
        """The parameters that take static values, in order."""
        return tuple(param for param in self.params if not param.kind.is_operand)

    def __repr__(self) -> str:
        return f"<op {self.name}>"


TABLE: dict[str, Op] = {}


def register(op: Op) -> Op:
    """Put ``op`` into the table; two rows of one name are an error."""
    if op.name in TABLE:
        raise ValueError(f"op {op.name}: declared twice; each operation is one row")
    TABLE[op.name] = op
    return op
