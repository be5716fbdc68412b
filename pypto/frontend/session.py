"""One specialisation: the functions made so far, which helper stands for which signature, and what was captured."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pypto.errors import ParserError
from pypto.frontend.captures import Surroundings
from pypto.ir.nodes import Function, Program
from pypto.ir.types import Type
from pypto.ops.enums import ParamDirection

if TYPE_CHECKING:
    from pypto.frontend.parser import Parser

LANGUAGE = "pypto.language"


@dataclass(frozen=True)
class Specialized:
    """A function of the program, and which of its parameters its results are."""

    function: Function
    results: tuple[Type, ...]
    returned: tuple[int | None, ...]  # for each result the parameter whose buffer it is


@dataclass
class Session:
    """Shared by all functions of one program."""

    functions: dict[str, Specialized] = field(default_factory=dict)
    signatures: dict[Any, str] = field(default_factory=dict)
    surroundings: list[Surroundings] = field(default_factory=list)
    sources: set[tuple[str, str]] = field(default_factory=set)  # name and digest of each definition used
    chain: list[Any] = field(default_factory=list)  # the functions being made, outermost first

    def use(self, definition: Any, surroundings: Surroundings) -> None:
        """Note that a kernel's definition and what surrounds it are part of the program."""
        self.surroundings.append(surroundings)
        self.sources.add((f"{definition.__module__}.{definition.__qualname__}", definition.digest()))

    def is_language(self, name: str, surroundings: Surroundings) -> bool:
        """Whether ``name`` is the language module, whose members never change."""
        return getattr(surroundings.find(name), "__name__", "").startswith(LANGUAGE)

    def directions(self, callee: str) -> tuple[ParamDirection, ...]:
        """How a function uses its parameters."""
        return self.functions[callee].function.directions

    def unique_name(self, wanted: str) -> str:
        """``wanted``, with a number behind it when another function has the name."""
        taken = {*self.functions, *(getattr(item, "unique_name", "") for item in self.chain)}
        name, number = wanted, 0
        while name in taken:
            number += 1
            name = f"{wanted}_{number}"
        return name

    def enter(self, p: Parser | None, item: Any, node: ast.AST | None) -> None:
        """Note that ``item`` is being made; ParserError with the chain when it already is."""
        keys = [entry.key for entry in self.chain]
        if item.key in keys:
            names = [entry.label for entry in self.chain[keys.index(item.key) :]] + [item.label]
            assert p is not None and node is not None
            raise p.error(
                ParserError, f"'{item.label}' calls itself: {' -> '.join(names)}", node,
                "kernels cannot recurse; write a loop", "E301",
            )  # fmt: skip
        self.chain.append(item)

    def leave(self) -> None:
        """The innermost function is done."""
        self.chain.pop()

    def program(self, name: str) -> Program:
        """All functions as a program."""
        return Program(name, tuple(item.function for item in self.functions.values()))


@dataclass(frozen=True)
class InProgress:
    """A function on the chain."""

    key: Any
    label: str
    unique_name: str
