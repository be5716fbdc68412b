"""What makes two compiled programs the same: the key of the cache, and how it is made again without parsing."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from pypto.frontend.captures import Capture, digest
from pypto.frontend.session import Session
from pypto.frontend.signature import Argument, ConstantArg, ScalarArg, constant_key
from pypto.platforms import MemoryPlanner

LANGUAGE_VERSION = 1  # part of every key; raised when the meaning of a source changes
_DEFAULTS: dict[str, Any] = {
    "platform": "a2a3sim", "memory_planner": MemoryPlanner.PYPTO, "strategy": "Default", "dump_passes": False,
    "save_kernels": False, "save_kernels_dir": None, "codegen_only": False, "compile_profiling": False,
    "dump_ptoas_passes": False, "analyze_auto_scopes_for_deps": False,
}  # fmt: skip
Options = tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class CacheKey:
    """What a compiled program depends on: sources, captured values, arguments, and how it is compiled.

    Every part is a tuple of named entries, so that two keys can be compared entry by entry.
    """

    sources: tuple[tuple[str, str], ...]
    captured: tuple[tuple[str, Any], ...]
    arguments: tuple[Any, ...]
    options: Options
    language: int = LANGUAGE_VERSION
    _hash: int = field(init=False, repr=False, compare=False, default=0)

    def __post_init__(self) -> None:
        """Hash once: keys are looked up in every call."""
        object.__setattr__(self, "_hash", hash((self.sources, self.captured, self.arguments, self.options)))

    def __hash__(self) -> int:
        return self._hash

    def digest(self) -> str:
        """A text that stands for this key, the same in every process."""
        options = tuple((name, str(value)) for name, value in self.options)
        return digest((self.sources, self.captured, self.arguments, options, self.language))


@dataclass(frozen=True)
class Inputs:
    """What a specialisation read beside its arguments."""

    sources: tuple[tuple[str, str], ...]
    captures: tuple[Capture, ...]

    @staticmethod
    def of(session: Session) -> Inputs:
        """What ``session`` read."""
        captures = tuple(capture for s in session.surroundings for capture in s.captures.values())
        return Inputs(tuple(sorted(session.sources)), captures)

    def unchanged(self) -> bool:
        """Whether every captured name stands for what it stood for."""
        return all(capture.unchanged() for capture in self.captures)

    def key(self, arguments: tuple[Any, ...], options: Options) -> CacheKey:
        """The key with the captured values as they are now."""
        captured = tuple((capture.name, capture.current()) for capture in self.captures)
        return CacheKey(self.sources, captured, arguments, options)


def arguments_key(arguments: Iterable[Argument | None]) -> tuple[Any, ...]:
    """The arguments as part of a key: tensors by shape, dtype and view, constants by type and value."""
    return tuple(map(_argument_key, arguments))


def _argument_key(arg: Argument | None) -> Any:
    if arg is None:
        return None
    if isinstance(arg, ConstantArg):
        return constant_key(arg.value)
    if isinstance(arg, ScalarArg):
        return ("scalar", arg.dtype.name)
    view = "" if arg.view is None else repr(arg.view)
    return (tuple(dim if isinstance(dim, int) else None for dim in arg.shape), arg.dtype.name, view)


def compile_options(config: Any) -> Options:
    """The settings of a RunConfig (None: its defaults) that change what is built."""
    if config is None:
        return _NONE
    known = config.__dict__.get(_MEMO)  # a RunConfig is frozen, and a warm call asks each time
    if known is None:
        known = config.__dict__[_MEMO] = _compile_options(config)
    return known


def _compile_options(config: Any) -> Options:
    return tuple((name, _plain(getattr(config, name, default), default)) for name, default in _DEFAULTS.items())


_NONE: Options = tuple(_DEFAULTS.items())
_MEMO = "_compile_options"


def _plain(value: Any, default: Any) -> Any:
    """A setting in one form: its default where it is left open, a strategy by its name."""
    return default if value is None else value.name if isinstance(default, str) and isinstance(value, Enum) else value


def compile_arguments(config: Any) -> dict[str, Any]:
    """The keyword arguments of ``pypto.compiler.compile`` for a RunConfig."""
    options = dict(compile_options(config))
    chosen = {name: options[name] for name in ("platform", "memory_planner", "dump_passes", "codegen_only")}
    if options["save_kernels_dir"]:
        chosen["output_dir"] = os.fspath(options["save_kernels_dir"])
    return chosen
