"""Python functions by what they do: bytecode, constants, defaults, cells, and the globals that their code names.

Line numbers, docstrings, comments and the function's own name do not count: they change no result.
"""

from __future__ import annotations

import builtins
import dis
import functools
import types
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.fingerprint.libraries import Origin, origin

if TYPE_CHECKING:
    from pipeline.fingerprint.values import Describer

_GLOBAL = frozenset({"LOAD_GLOBAL", "LOAD_NAME"})
_CELL = frozenset({"LOAD_DEREF", "LOAD_CLASSDEREF"})
_ATTRIBUTE = frozenset({"LOAD_ATTR", "LOAD_METHOD"})
_RANDOM_METHODS = frozenset("normal_ uniform_ random_ bernoulli_ exponential_ geometric_ log_normal_ cauchy_".split())
_NONE = object()


class FunctionWalk:
    """Takes one function apart; each thing that it leads to becomes a component named after it."""

    def __init__(self, describer: Describer, function: types.FunctionType, role: str) -> None:
        self._describer = describer
        self._function = function
        self._role = role
        self._module = function.__module__ or "__main__"
        self._cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        self._seen: set[str] = set()

    def run(self) -> None:
        """Add the function's code and all that it leads to."""
        function, collector = self._function, self._describer.collector
        code = function.__code__
        if code.co_flags & (0x20 | 0x80 | 0x200):
            collector.distrust(f"{self._role} is a generator or a coroutine")
        collector.add(self._role, code_text(code), place_of(code))
        for index, value in enumerate(function.__defaults__ or ()):
            names = code.co_varnames[: code.co_argcount]
            self._value(f"default `{names[index - len(function.__defaults__ or ())]}`", value)
        for name, value in (function.__kwdefaults__ or {}).items():
            self._value(f"default `{name}`", value)
        for name, cell in self._cells.items():
            try:
                value = cell.cell_contents
            except ValueError:
                continue  # never given a value: using it raises
            if not isinstance(value, types.ModuleType):
                self._value(f"closure `{name}`", value)
        for name, value in vars(function).items():
            self._value(f"attribute `{name}`", value)
        self._globals(code)

    def _value(self, what: str, value: Any) -> None:
        """A value that the function holds or names, as a component unless it is one already."""
        if what in self._seen:
            return
        self._seen.add(what)
        shown = f"{what} of {self._role}"
        text = self._describer.describe(value, shown)
        self._describer.collector.add(shown, text, f"module {self._module}")

    def _globals(self, code: types.CodeType) -> None:
        own_cells = code is self._function.__code__
        for names, is_cell in lookups(code):
            if is_cell and names[0] in self._cells and own_cells:
                self._cell_module(names)
            elif not is_cell:
                self._lookup(names)
        for effect in effects(code, self._cells):
            self._describer.collector.distrust(f"{self._role} {effect}")
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self._globals(constant)

    def _cell_module(self, names: tuple[str, ...]) -> None:
        """A module held in the closure: what follows its name counts."""
        try:
            value = self._cells[names[0]].cell_contents
        except ValueError:
            return
        if isinstance(value, types.ModuleType):
            self._follow(value, names, "closure")

    def _lookup(self, names: tuple[str, ...]) -> None:
        name = names[0]
        value = self._function.__globals__.get(name, _NONE)
        if value is _NONE:
            if name in vars(builtins):
                self._describer.resolved_name("builtins", name, f"{name}() in {self._role}")
            return
        self._follow(value, names, "global")

    def _follow(self, value: Any, names: tuple[str, ...], kind: str) -> None:
        """Through modules to the thing that is meant: ``config.tiles.ROWS`` is the number, not the module."""
        path, module = [names[0]], ""
        for attribute in names[1:]:
            if not isinstance(value, types.ModuleType):
                break
            module, found = value.__name__, getattr(value, attribute, _NONE)
            if found is _NONE:
                self._describer.collector.distrust(f"{'.'.join([*path, attribute])} in {self._role} does not exist")
                return
            value = found
            path.append(attribute)
            if origin(module) is not Origin.USER:
                self._describer.resolved_name(module, attribute, f"{'.'.join(path)} in {self._role}")
        shown = ".".join(path)
        what = f"{kind} `{shown}`"
        if module and origin(module) is not Origin.USER:
            if what not in self._seen:
                self._seen.add(what)
                text = self._describer.resolved(module, path[-1], value, f"{shown} in {self._role}")
                self._describer.collector.add(f"{what} of {self._role}", text)
            return
        self._value(what, value)


@functools.lru_cache(maxsize=1 << 14)
def code_text(code: types.CodeType) -> str:
    """What a code object does: its instructions with the constants they load, so that a docstring is not among them."""
    steps = []
    for step in dis.get_instructions(code):
        loads = step.opcode in dis.hasconst
        steps.append(f"{step.opname} {_constant(step.argval) if loads else step.arg}")
    shape = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return f"{shape} {names} {'; '.join(steps)} {code.co_exceptiontable.hex()}"


def _constant(value: Any) -> str:
    """A constant by type and value: 1, 1.0 and True are three, and the order of a frozenset does not count."""
    if isinstance(value, types.CodeType):
        return f"({code_text(value)})"
    if isinstance(value, tuple):
        return f"({', '.join(map(_constant, value))})"
    if isinstance(value, frozenset):
        return f"frozenset({', '.join(sorted(map(_constant, value)))})"
    return f"{type(value).__name__} {value!r}"


def lookups(code: types.CodeType) -> Iterator[tuple[tuple[str, ...], bool]]:
    """The outer names that code reads, each with the attributes that follow, and whether it is a closure variable."""
    chain: list[str] = []
    is_cell = False
    for instruction in dis.get_instructions(code):
        if instruction.opname in _ATTRIBUTE and chain:
            chain.append(str(instruction.argval))
            continue
        if chain:
            yield tuple(chain), is_cell
            chain = []
        if instruction.opname in _GLOBAL or instruction.opname in _CELL:
            chain, is_cell = [str(instruction.argval)], instruction.opname in _CELL
    if chain:
        yield tuple(chain), is_cell


def effects(code: types.CodeType, cells: dict[str, Any]) -> Iterator[str]:
    """What code does besides computing from what it is given, in words that follow the function's name."""
    for instruction in dis.get_instructions(code):
        name = str(instruction.argval)
        if instruction.opname in ("STORE_GLOBAL", "DELETE_GLOBAL"):
            yield f"writes the global `{name}`: a later call may give another result"
        elif instruction.opname in ("STORE_DEREF", "DELETE_DEREF") and name in cells:
            yield f"writes the closure variable `{name}`: a later call may give another result"
        elif instruction.opname in _ATTRIBUTE and name in _RANDOM_METHODS:
            yield f"calls .{name}(), which draws random numbers; make them an input tensor"
        elif instruction.opname == "IMPORT_NAME" and origin(name) is not Origin.PURE and not _library(name):
            yield f"imports `{name}` while it runs; import it at the top of the module"


def _library(module: str) -> bool:
    return origin(module) is Origin.LIBRARY


def place_of(code: types.CodeType) -> str:
    """File and line of a definition, as a person looks for it."""
    return f"{Path(code.co_filename).name}:{code.co_firstlineno}"
