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
    WIDE_SUM = auto()  # a reduction that accumulates FP16 and BF16 in FP32 and rounds once, at the end
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
    """A parameter of an operation.

    ``choices`` is the enum class of an ENUM parameter. ``scratch`` marks room that hardware needs and that has no
    meaning: neither ``emit`` nor ``reference`` sees it.
    """

    name: str
    kind: Kind
    default: Any = REQUIRED
    choices: type | None = None
    scratch: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Op:
    """One operation: its surface, its meaning twice (C++ and reference), and what passes may assume.

    ``emit`` writes the C++ statement of the tile form: a template over ``{dst}`` and the parameter names, or a function
    ``emit(text, call, dst) -> str`` for an irregular op, where ``text`` gives the C++ of an operand, and of a tuple of
    dimensions as an Index. Where a VALUE_OR_SCALAR operand is a scalar, codegen appends S to the function name.
    An op with a scalar result emits the expression alone; one that is a VIEW, or exists at tensor level only, emits
    nothing. ``scalar`` is the simulator's loop body over ``a``, ``b``, ``c`` (elements of the operands in order) and
    ``s`` (an operand that is always a scalar); where it is empty the simulator has a hand-written function. A
    reduction's ``a`` is the running value. ``reference(xp, *operands, **statics)`` says what the op means, with torch
    as ``xp``: it sees valid cells only, integers as INT64 (the caller wraps the result) and scalars rounded to the
    dtype of the first operand.
    ``typing`` names the rule of ``ir/typing`` that gives the result type. ``reach`` says which namespaces offer it: any
    of ``pl``, ``tensor``, ``tile``; a name with a dot (``tile.full``) is a row for that namespace alone.
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
    broadcast: str = ""  # what follows row_expand_ and col_expand_ in the ops that do this with a broadcast operand
    ulp: int = 0  # how far simulator and reference may be apart, in units in the last place; notes say why
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


EITHER_ZERO = "Of 0.0 and -0.0 either may be the result."  # a note that also loosens the comparison in tests

TABLE: dict[str, Op] = {}
SPELLINGS: dict[str, Op] = {}  # by name and by alias


def register(op: Op) -> Op:
    """Put ``op`` into the table; a name or alias that is taken is an error."""
    for name in (op.name, *op.aliases):
        if name in SPELLINGS:
            raise ValueError(f"op {name}: declared twice; each operation is one row")
        SPELLINGS[name] = op
    TABLE[op.name] = op
    return op


def find(namespace: str, name: str) -> Op | None:
    """The operation that ``pl.name`` (namespace ``pl``), ``pl.tensor.name`` or ``pl.tile.name`` spells, if any."""
    op = SPELLINGS.get(f"{namespace}.{name}") or SPELLINGS.get(name)
    return op if op is not None and namespace in op.reach else None


def vector(params: tuple[Param, ...]) -> dict[str, tuple[str, ...]]:
    """The ``spaces`` of an operation of the vector core: every operand and the result in Vec."""
    shaped = {Kind.VALUE, Kind.TILE, Kind.VALUE_OR_SCALAR}
    return dict.fromkeys(("", *(param.name for param in params if param.kind in shaped)), ("Vec",))
