"""What a rule of legality is, and what rules look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from pypto.ir import nodes as n
from pypto.ir.visit import walk


class Property(Enum):
    """What passes establish and rules check."""

    SSAForm = "SSAForm"
    UseAfterDef = "UseAfterDef"
    TypeChecked = "TypeChecked"
    StructuredCtrlFlow = "StructuredCtrlFlow"
    NoNestedCalls = "NoNestedCalls"
    TileMemoryInferred = "TileMemoryInferred"
    HasMemRefs = "HasMemRefs"
    AllocatedMemoryAddr = "AllocatedMemoryAddr"


@dataclass(frozen=True)
class Finding:
    """Something that breaks a rule, and where."""

    message: str
    span: n.Span
    hint: str = ""


@dataclass(frozen=True)
class Rule:
    """One rule: ``check(function, program)`` yields findings. Codes below 200 are those of the language's verifier."""

    code: int
    about: Property
    check: Callable[[n.Function, n.Program], Iterable[Finding]]

    @property
    def name(self) -> str:
        """The name of the rule: that of its function."""
        return self.check.__name__


def statements(function: n.Function) -> Iterator[n.Stmt]:
    """Every statement of ``function``, nested ones included."""
    return (node for node in walk(function.body) if isinstance(node, n.Stmt))


def last(body: n.Body) -> n.Stmt | None:
    """The last statement of ``body``, if any."""
    return body[-1] if body else None
