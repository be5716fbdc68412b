"""Describing Python values completely: equal descriptions, in any process, mean values that behave alike.

Functions are described by `pipeline.fingerprint.functions`, each as a component of its own; what cannot be described
is a reason to distrust the fingerprint, never a guess.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import hashlib
import inspect
import re
import types
from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePath
from typing import Any

import torch

from pipeline.fingerprint.components import Collector
from pipeline.fingerprint.functions import FunctionWalk
from pipeline.fingerprint.libraries import Origin, hidden_input, origin, reads_environment, reads_files, version
from pipeline.tensors import tensor_digest

_DEEPEST = 64
_LONG = 200  # characters of a description that are kept as they are


class Describer:
    """Describes values; the functions and libraries that they lead to become components of the collector.

    ``files`` and ``environment`` say that whoever declared the callable names what it reads of these kinds.
    """

    def __init__(self, collector: Collector, *, files: bool = False, environment: bool = False) -> None:
        self.collector = collector
        self.files, self.environment = files, environment
        self._functions: dict[int, str] = {}
        self._kept: list[Any] = []  # what was looked at stays alive, so that no id is used twice
        self._path: list[int] = []
        self._classes: dict[type, str] = {}

    def describe(self, value: Any, name: str) -> str:
        """The description of a value that the messages call ``name``."""
        simple = _simple(value)
        if simple is not None:
            return simple
        if id(value) in self._path:
            return f"cycle {len(self._path) - self._path.index(id(value))}"
        if len(self._path) > _DEEPEST:
            self.collector.distrust(f"{name}: nested deeper than {_DEEPEST} values")
            return "deep"
        self._path.append(id(value))
        self._kept.append(value)
        try:
            text = self._compound(value, name)
        finally:
            self._path.pop()
        return text if len(text) <= _LONG else hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def function(self, function: types.FunctionType, role: str) -> str:
        """A reference to a function, which becomes a component with all that it leads to."""
        known = self._functions.get(id(function))
        if known is None:
            known = self._functions[id(function)] = f"function {len(self._functions)}"
            self._kept.append(function)
            FunctionWalk(self, function, role).run()
        return known

    def resolved(self, module: str, name: str, value: Any, shown: str) -> str:
        """What ``module.name`` stands for, where the module is no user's own."""
        if reads_environment(module, name):
            self._needs(self.environment, f"{shown} reads the environment; declare the variables with env=[...]")
            return "environment"
        return self.describe(value, shown)

    def library(self, module: str, shown: str) -> str:
        """A reference to something of a library, which counts by its version."""
        kind = origin(module)
        if kind is Origin.IMPURE and not (self.files and module.partition(".")[0] in ("os", "pathlib", "io", "pickle")):
            self.collector.distrust(f"{shown}: module {module} may read what no fingerprint sees")
        top = module.partition(".")[0]
        if kind in (Origin.LIBRARY, Origin.PYPTO):
            name = f"library {top}"
            if name not in self.collector.found:
                self.collector.add(name, version(top))
        return f"of {top}"

    def _needs(self, declared: bool, problem: str) -> None:
        if not declared:
            self.collector.distrust(problem)

    # By kind

    def _compound(self, value: Any, name: str) -> str:
        for kinds, describe in _KINDS:
            if isinstance(value, kinds):
                return describe(self, value, name)
        return self._instance(value, name)

    def _items(self, value: Iterable[Any], name: str) -> str:
        return f"{_kind(value)}({', '.join(self.describe(item, f'{name}[...]') for item in value)})"

    def _sequence(self, value: Iterable[Any], name: str) -> str:
        if type(value) not in (list, tuple):
            return self._instance(value, name, self._items(value, name))
        return self._items(value, name)

    def _set(self, value: Iterable[Any], name: str) -> str:
        return f"{_kind(value)}({', '.join(sorted(self.describe(item, f'{name}[...]') for item in value))})"

    def _mapping(self, value: Mapping[Any, Any], name: str) -> str:
        pairs = (
            f"{self.describe(key, f'a key of {name}')}: {self.describe(item, f'{name}[{key!r:.40}]')}"
            for key, item in value.items()
        )
        text = f"{_kind(value)}({', '.join(pairs)})"
        return text if type(value) in (dict, types.MappingProxyType) else self._instance(value, name, text)

    def _tensor(self, value: torch.Tensor, name: str) -> str:
        if type(value) is not torch.Tensor and not isinstance(value, torch.nn.Parameter):
            return self._instance(value, name)
        return f"tensor {tensor_digest(value.detach().cpu())} {value.requires_grad}"

    def _enum(self, value: enum.Enum, name: str) -> str:
        return f"{_kind(value)}.{value.name}={self.describe(value.value, name)}"

    def _function(self, value: types.FunctionType, name: str) -> str:
        kind = origin(value.__module__ or "__main__")
        if kind is Origin.USER:
            return self.function(value, f"helper `{value.__qualname__}`")
        return f"{value.__module__}.{value.__qualname__} {self.library(value.__module__, name)}"

    def _builtin(self, value: Any, name: str) -> str:
        owner = getattr(value, "__self__", None)
        module = getattr(value, "__module__", None) or _kind(owner).rpartition(".")[0]
        text = f"builtin {module}.{value.__qualname__} {self.library(module, name)}"
        self.resolved_name(module, value.__name__, name)
        bound = owner is not None and not isinstance(owner, types.ModuleType | type)
        return f"{text} of {self.describe(owner, name)}" if bound else text

    def resolved_name(self, module: str, attribute: str, shown: str) -> None:
        """Distrust ``module.attribute`` if it brings in what no fingerprint sees."""
        if reads_files(module, attribute):
            self._needs(self.files, f"{shown} reads files; declare them with files=[...]")
        elif hidden_input(module, attribute):
            self.collector.distrust(f"{shown}: its result follows from more than its arguments")

    def _method(self, value: types.MethodType, name: str) -> str:
        return f"method({self.describe(value.__func__, name)}, {self.describe(value.__self__, name)})"

    def _wrapper(self, value: Any, name: str) -> str:
        return f"{_kind(value)}({self.describe(value.__wrapped__, name)})"

    def _descriptor(self, value: Any, name: str) -> str:
        return f"{_kind(value)}({self.describe(value.__func__, name)})"

    def _property(self, value: property, name: str) -> str:
        return f"property({self.describe((value.fget, value.fset, value.fdel), name)})"

    def _partial(self, value: functools.partial[Any], name: str) -> str:
        return f"partial({self.describe((value.func, value.args, value.keywords), name)})"

    def _module(self, value: types.ModuleType, name: str) -> str:
        if origin(value.__name__) is Origin.USER:
            self.collector.distrust(
                f"{name}: the module {value.__name__} is used as a value, any of its names may count"
            )
        return f"module {value.__name__} {self.library(value.__name__, name)}"

    def _class(self, value: type, name: str) -> str:
        known = self._classes.get(value)
        if known is not None:
            return known
        self._classes[value] = text = f"class {value.__module__}.{value.__qualname__}"
        if origin(value.__module__) is not Origin.USER:
            self.resolved_name(value.__module__, value.__name__, name)
            return f"{text} {self.library(value.__module__, name)}"
        members = {
            key: item
            for key, item in vars(value).items()
            if key not in _CLASS_BOOKKEEPING and not _is_generated(value, item)
        }
        bases = ", ".join(self.describe(base, base.__qualname__) for base in value.__bases__)
        content = f"({bases}) {self.describe(members, value.__qualname__)}"
        self.collector.add(f"class `{value.__qualname__}`", content, f"module {value.__module__}")
        return text

    def _instance(self, value: Any, name: str, extra: str = "") -> str:
        """An object by its class and its state."""
        kind = type(value)
        state = dict(getattr(value, "__dict__", {}))
        for owner in kind.__mro__:
            slots = owner.__dict__.get("__slots__", ())
            names = (slots,) if isinstance(slots, str) else slots
            state |= {slot: getattr(value, slot) for slot in names if hasattr(value, slot)}
        state = {key: item for key, item in state.items() if not _is_bookkeeping(kind, key)}
        if not state and not extra:
            reduced = self._reduced(value, name)
            if reduced is not None:
                return reduced
        return f"{extra}{self.describe(kind, kind.__qualname__)} {self.describe(state, name)}"

    def _reduced(self, value: Any, name: str) -> str | None:
        """An object without visible state by what pickle would keep of it; None where that is its class alone."""
        try:
            reduced = value.__reduce_ex__(4)
        except Exception:
            self.collector.distrust(f"{name}: a {type(value).__qualname__} cannot be described")
            return "unknown"
        if isinstance(reduced, str):
            return f"{_kind(value)} {reduced}"
        made, arguments, *rest = reduced
        if made is _NEWOBJ and arguments == (type(value),) and not any(item is not None for item in rest):
            return None
        parts = tuple(list(item) if hasattr(item, "__next__") else item for item in (arguments, *rest))
        return f"{_kind(value)} {self.describe(parts, name)}"


_NEWOBJ = object().__reduce_ex__(4)[0]
_CLASS_BOOKKEEPING = frozenset(
    "__module__ __qualname__ __doc__ __dict__ __weakref__ __annotations__ __firstlineno__ __static_attributes__ "
    "__abstractmethods__ _abc_impl __parameters__ __orig_bases__ __match_args__ __dataclass_params__".split()
)


def _is_bookkeeping(kind: type, name: str) -> bool:
    """Whether an attribute holds no state of its own; a cached property is there or not, as chance will have it."""
    return name in ("__weakref__", "__dict__") or isinstance(getattr(kind, name, None), functools.cached_property)


def _is_generated(owner: type, member: Any) -> bool:
    """Whether a method follows from the fields of a dataclass, which are described themselves."""
    code = getattr(inspect.unwrap(member), "__code__", None) if callable(member) else None
    return code is not None and dataclasses.is_dataclass(owner) and code.co_filename == "<string>"


def _kind(value: Any) -> str:
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _simple(value: Any) -> str | None:
    """Plain values by type and value; None for all others."""
    kind = type(value)
    if value is None or value is Ellipsis or value is NotImplemented or kind in (bool, int, str, bytes):
        return f"{kind.__name__} {value!r}"
    if kind is float:
        return f"float {value.hex()}"
    if kind is complex:
        return f"complex {value.real.hex()} {value.imag.hex()}"
    if kind in (torch.dtype, torch.device, torch.layout, torch.memory_format, torch.Size, range, slice):
        return f"{kind.__name__} {value!r}"
    return None


Describe = Callable[[Describer, Any, str], str]
_KINDS: tuple[tuple[Any, Describe], ...] = (
    (torch.Tensor, Describer._tensor),
    (enum.Enum, Describer._enum),
    (type, Describer._class),
    (types.FunctionType, Describer._function),
    (types.MethodType, Describer._method),
    ((types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType), Describer._builtin),
    (functools._lru_cache_wrapper, Describer._wrapper),
    ((staticmethod, classmethod), Describer._descriptor),
    (property, Describer._property),
    (functools.partial, Describer._partial),
    (types.ModuleType, Describer._module),
    (re.Pattern, lambda self, value, name: f"pattern {value.pattern!r} {value.flags}"),
    (PurePath, lambda self, value, name: f"path {str(value)!r}"),
    ((list, tuple), Describer._sequence),
    ((set, frozenset), Describer._set),
    (Mapping, Describer._mapping),
)
