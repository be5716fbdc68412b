"""What a kernel takes from the Python around it: looked up once while parsing, compared again before each reuse."""

from __future__ import annotations

import builtins
import dataclasses
import hashlib
import struct
import types
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from pypto.frontend.dynamic import DynExpr
from pypto.ops.dtypes import DataType

MISSING: Any = ("missing",)
_SIMPLE = (int, float, bool, str, bytes, type(None), Enum, DataType, type, types.ModuleType, types.BuiltinFunctionType)


def freeze(value: Any, seen: tuple[int, ...] = ()) -> Any:
    """``value`` as something hashable that is equal only for equal values, in any process and under any hash seed."""
    kind = type(value)
    if kind is float:
        return ("float", struct.pack("<d", value).hex())
    if kind in (int, bool, str, bytes) or value is None:
        return (kind.__name__, value)
    if isinstance(value, Enum):
        return ("enum", kind.__qualname__, value.name)
    if isinstance(value, DataType):
        return ("dtype", value.name)
    if isinstance(value, types.ModuleType):
        return ("module", value.__name__)
    if isinstance(value, type):
        return ("class", value.__module__, value.__qualname__)
    if id(value) in seen:
        return ("cycle", seen.index(id(value)))
    seen = (*seen, id(value))
    if hasattr(value, "__pypto_digest__"):
        return ("kernel", value.__pypto_digest__())
    if isinstance(value, DynExpr):
        return ("dynamic", repr(value))
    if isinstance(value, tuple | list):
        return (kind.__name__, *(freeze(item, seen) for item in value))
    if isinstance(value, set | frozenset):
        return ("set", *sorted((freeze(item, seen) for item in value), key=repr))
    if isinstance(value, Mapping):
        return ("dict", *((freeze(key, seen), freeze(item, seen)) for key, item in value.items()))
    if isinstance(value, types.FunctionType):
        return _freeze_function(value, seen)
    if dataclasses.is_dataclass(value):
        fields = ((f.name, freeze(getattr(value, f.name, None), seen)) for f in dataclasses.fields(value))
        return ("dataclass", kind.__qualname__, *fields)
    state = getattr(value, "__dict__", None)
    if state:
        return ("object", kind.__module__, kind.__qualname__, *((k, freeze(v, seen)) for k, v in sorted(state.items())))
    text = repr(value)
    return ("object", kind.__module__, kind.__qualname__, text if " at 0x" not in text else id(value))


def _freeze_function(function: types.FunctionType, seen: tuple[int, ...]) -> Any:
    """A plain Python function: its code, its defaults and cells, and the globals its code names."""
    code = function.__code__
    cells = tuple(freeze(_cell(cell), seen) for cell in function.__closure__ or ())
    names = tuple((n, freeze(function.__globals__[n], seen)) for n in code.co_names if n in function.__globals__)
    constants = tuple(c.co_code if isinstance(c, types.CodeType) else repr(c) for c in code.co_consts)
    return ("function", code.co_code, constants, code.co_names, freeze(function.__defaults__, seen), cells, names)


def _cell(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return MISSING


class Capture:
    """A name that a kernel looked up outside itself, with the attributes that followed and the value that was found."""

    __slots__ = ("_lookup", "_path", "_simple", "_value", "frozen", "name")

    def __init__(self, name: str, lookup: Callable[[], Any], path: tuple[str, ...], value: Any) -> None:
        self.name = ".".join((name, *path))
        self._lookup, self._path, self._value = lookup, path, value
        kernel = hasattr(value, "__pypto_digest__") and not getattr(value, "is_external", False)
        self._simple = isinstance(value, _SIMPLE) or kernel
        self.frozen = freeze(value)

    def current(self) -> Any:
        """What the name stands for now, frozen."""
        try:
            value = self._lookup()
            for attribute in self._path:
                value = getattr(value, attribute)
        except (LookupError, AttributeError, ValueError):
            return MISSING
        return self.frozen if value is self._value and self._simple else freeze(value)

    def unchanged(self) -> bool:
        """Whether the name stands for what it stood for."""
        current = self.current()
        return current is self.frozen or bool(current == self.frozen)


class Surroundings:
    """The closure, module globals and builtins of a function; remembers what was looked up."""

    def __init__(self, globals_: Mapping[str, Any], closure: Mapping[str, Any]) -> None:
        self._globals, self._closure = globals_, closure
        self.captures: dict[tuple[str, tuple[str, ...]], Capture] = {}

    @staticmethod
    def of(function: Any) -> Surroundings:
        """The surroundings of ``function``."""
        names = function.__code__.co_freevars
        return Surroundings(function.__globals__, dict(zip(names, function.__closure__ or (), strict=True)))

    def find(self, name: str) -> Any:
        """What ``name`` stands for outside the function; KeyError when nothing does."""
        return self._finder(name)()

    def record(self, name: str, path: tuple[str, ...], value: Any) -> None:
        """Remember that ``name`` followed by ``path`` gave ``value``."""
        key = (name, path)
        if key not in self.captures and name not in _BUILTINS:
            self.captures[key] = Capture(name, self._finder(name), path, value)

    def _finder(self, name: str) -> Callable[[], Any]:
        cell = self._closure.get(name)
        if cell is not None:
            return lambda: _contents(cell)
        globals_ = self._globals
        return lambda: globals_[name] if name in globals_ else _BUILTINS[name]


_BUILTINS = vars(builtins)


def _contents(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        raise KeyError("the closure variable has no value yet") from None


def digest(value: Any) -> str:
    """A short text that stands for a frozen value."""
    return hashlib.sha256(repr(value).encode()).hexdigest()[:32]
