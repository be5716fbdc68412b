"""The nodes of the IR: immutable, compared by identity; ``ir.structural_equal`` compares content.

Before ``convert_to_ssa`` one Var may be assigned many times; afterwards each Var is defined exactly once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from pypto.ir.types import Type, UnknownType
from pypto.ops.dtypes import DataType
from pypto.ops.enums import ForKind, FunctionType, Level, ParamDirection, Role
from pypto.ops.row import Op


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a source text; lines count from 1, columns from 0 as in Python's syntax tree."""

    file: str = ""
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0


NO_SPAN = Span()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Node:
    """Anything that came from a place in a source."""

    span: Span = NO_SPAN

    def as_python(self, prefix: str = "pl", concise: bool = False) -> str:
        """This node as text of the language, see ``ir.as_python``."""
        from pypto.ir.print import as_python  # the printer knows the nodes

        return as_python(self, prefix, concise)

    def __str__(self) -> str:
        return self.as_python()


@dataclass(frozen=True, slots=True, eq=False)
class Expr(Node):
    """Anything with a value. Operators build scalar nodes through ``ir.build``; ``==`` stays identity."""

    type: Type


@dataclass(frozen=True, slots=True, eq=False)
class Var(Expr):
    """A variable. Identity is its meaning; the name is a hint for printing."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class IterArg(Var):
    """A loop-carried variable with the value it has before the first iteration."""

    init: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Const(Expr):
    """A scalar constant; its type is a ScalarType."""

    value: int | float | bool

    @property
    def dtype(self) -> DataType:
        """The dtype of the constant."""
        return self.type.dtype  # type: ignore[attr-defined]


class BinaryKind(Enum):
    """Scalar operations on two operands; the value is how the operation prints."""

    Add = "+"
    Sub = "-"
    Mul = "*"
    FloorDiv = "//"
    FloorMod = "%"
    FloatDiv = "/"
    Min = "min"
    Max = "max"
    Eq = "=="
    Ne = "!="
    Lt = "<"
    Le = "<="
    Gt = ">"
    Ge = ">="
    And = "and"
    Or = "or"
    BitAnd = "&"
    BitOr = "|"
    BitXor = "^"
    ShiftLeft = "<<"
    ShiftRight = ">>"

    @property
    def is_comparison(self) -> bool:
        """Whether the result is BOOL because the operation compares."""
        return self.value in ("==", "!=", "<", "<=", ">", ">=")

    @property
    def is_logical(self) -> bool:
        """Whether operands and result are BOOL."""
        return self.value in ("and", "or")


class UnaryKind(Enum):
    """Scalar operations on one operand; the value is how the operation prints."""

    Neg = "-"
    Not = "not"
    BitNot = "~"
    Cast = "cast"


@dataclass(frozen=True, slots=True, eq=False)
class Binary(Expr):
    """A scalar operation on two operands."""

    kind: BinaryKind
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Unary(Expr):
    """A scalar operation on one operand; a Cast converts to the dtype of its type."""

    kind: UnaryKind
    operand: Expr


@dataclass(frozen=True, slots=True, eq=False)
class MakeTuple(Expr):
    """Several values as one; offsets, shapes and valid extents of operations are tuples of scalars."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TupleItem(Expr):
    """One element of a tuple value."""

    tuple: Expr
    index: int


@dataclass(frozen=True, slots=True, eq=False)
class Call(Expr):
    """An operation of the op table.

    ``args`` has one entry per operand parameter of the row, in the row's order, None where an optional one was left
    out; ``kwargs`` holds the static parameters (dtypes, enums, numbers, flags) that differ from their defaults.
    """

    op: Op
    args: tuple[Expr | None, ...]
    kwargs: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class FunctionCall(Expr):
    """A call of another function of the program. ``attrs`` holds what passes derive, e.g. ``arg_directions``."""

    callee: str
    args: tuple[Expr, ...]
    attrs: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Stmt(Node):
    """Anything that is executed."""


Body = tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Assign(Stmt):
    """Bind a value to a variable."""

    var: Var
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Eval(Stmt):
    """Evaluate an expression for its effect."""

    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class For(Stmt):
    """A counted loop. ``results`` are the carried values after the loop, one per iter arg."""

    var: Var
    start: Expr
    stop: Expr
    step: Expr
    body: Body
    iter_args: tuple[IterArg, ...] = ()
    results: tuple[Var, ...] = ()
    kind: ForKind = ForKind.Sequential
    attrs: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class While(Stmt):
    """A loop that runs while its condition, evaluated over the iter args, holds."""

    condition: Expr
    body: Body
    iter_args: tuple[IterArg, ...] = ()
    results: tuple[Var, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class If(Stmt):
    """A branch on a BOOL scalar. With ``results`` both bodies end with a Yield of as many values."""

    condition: Expr
    then: Body
    orelse: Body = ()
    results: tuple[Var, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Yield(Stmt):
    """The values a branch or loop body hands on; the last statement of its body."""

    values: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Return(Stmt):
    """Leave the function with its results."""

    values: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Break(Stmt):
    """Leave the innermost loop."""


@dataclass(frozen=True, slots=True, eq=False)
class Continue(Stmt):
    """Go on with the next iteration of the innermost loop."""


@dataclass(frozen=True, slots=True, eq=False)
class Scope(Stmt):
    """A region marked by ``with``: what it is depends on the class. Names bound inside stay visible after it."""

    body: Body
    name_hint: str = ""
    attrs: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class InCoreScope(Scope):
    """A region that runs on one core group as one task."""


@dataclass(frozen=True, slots=True, eq=False)
class HierarchyScope(Scope):
    """A region at another level of the machine."""

    level: Level = Level.CHIP
    role: Role | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Function(Node):
    """A function of a program. ``attrs`` holds e.g. ``external_source``."""

    name: str
    params: tuple[Var, ...]
    directions: tuple[ParamDirection, ...]
    return_types: tuple[Type, ...]
    body: Body
    kind: FunctionType = FunctionType.Opaque
    level: Level | None = None
    role: Role | None = None
    attrs: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Program(Node):
    """Functions by name, in the order of their names, so that printing is deterministic."""

    name: str
    functions: tuple[Function, ...]

    def __post_init__(self) -> None:
        """Order the functions by name."""
        object.__setattr__(self, "functions", tuple(sorted(self.functions, key=lambda function: function.name)))

    def __getitem__(self, name: str) -> Function:
        """The function called ``name``; KeyError names the ones there are."""
        for function in self.functions:
            if function.name == name:
                return function
        raise KeyError(f"{name}: no such function in {self.name}; it has {[f.name for f in self.functions]}")


UNKNOWN = UnknownType()
