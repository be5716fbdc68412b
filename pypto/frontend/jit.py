"""``@pl.jit`` and its kin: functions that are specialised, compiled and run by calling them."""

from __future__ import annotations

import ast
import hashlib
import inspect
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, update_wrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pypto.errors import ParserTypeError
from pypto.frontend.annotations import AnnotationError, ParamSpec, annotated_type, param_spec
from pypto.frontend.binding import check_axes, dynamic_axes
from pypto.frontend.captures import Capture, Surroundings, digest
from pypto.frontend.dynamic import DynVar
from pypto.frontend.helpers import call_helper
from pypto.frontend.session import InProgress, Session
from pypto.frontend.signature import (
    EMPTY,
    OMITTED,
    RUNTIME,
    Argument,
    ConstantArg,
    Parameter,
    ScalarArg,
    argument,
    bind,
    declared_argument,
    exact_scalar,
    is_tensor,
    key,
)  # fmt: skip
from pypto.frontend.source import FunctionSource, Module
from pypto.frontend.specialize import Param, Request, make
from pypto.ir.nodes import Program
from pypto.ir.types import ScalarType, TensorType
from pypto.ops.enums import FunctionType, Level

if TYPE_CHECKING:
    from pypto.frontend.parser import Parser

LANGUAGE_VERSION = 1  # part of every cache key; raised when the meaning of a source changes


@dataclass(frozen=True)
class CacheKey:
    """What a compiled program depends on: sources, captured values, arguments, and how it is compiled."""

    sources: tuple[tuple[str, str], ...]
    captured: tuple[tuple[str, Any], ...]
    arguments: tuple[Any, ...]
    options: tuple[tuple[str, Any], ...]
    language: int = LANGUAGE_VERSION

    def digest(self) -> str:
        """A text that stands for this key, the same in every process."""
        return digest((self.sources, self.captured, self.arguments, self.options, self.language))


@dataclass(frozen=True)
class _Known:
    """What the last specialisation for some arguments read: enough to make its key again without parsing."""

    sources: tuple[tuple[str, str], ...]
    captures: tuple[Capture, ...]


class JITFunction:
    """A kernel. Calling it specialises it for the arguments, compiles it once for each signature, and runs it."""

    def __init__(
        self, function: Callable[..., Any], kind: FunctionType, options: Mapping[str, Any] | None = None
    ) -> None:
        if not inspect.isfunction(inspect.unwrap(function)):
            raise TypeError(f"@pl.jit decorates a function, got {function!r}")
        update_wrapper(self, function)
        self.__name__: str
        self.__qualname__: str
        self.kind = kind
        self.options = dict(options or {})
        self.source = FunctionSource.of(function)
        self._function = inspect.unwrap(function)
        self._annotations = _resolved_annotations(self._function)
        self._cache: dict[CacheKey, Any] = {}
        self._known: dict[Any, _Known] = {}

    def __repr__(self) -> str:
        return f"<kernel {self.__qualname__}>"

    def __pypto_call__(self, p: Parser, node: ast.Call) -> Any:
        """A call inside another kernel."""
        return call_helper(p, node, self)

    def __pypto_digest__(self) -> str:
        """What the source of this function is, as a short text."""
        return self.source_digest()

    # The definition

    def node(self) -> ast.FunctionDef:
        """The definition in its source."""
        return self._node

    @cached_property
    def _node(self) -> ast.FunctionDef:
        return self.source.node()

    @property
    def module(self) -> Module:
        """The module the definition is in."""
        return self.source.module

    @property
    def is_external(self) -> bool:
        """Whether the kernel is written by hand in a C++ file."""
        return "external_source" in self.options

    def attrs(self) -> tuple[tuple[str, Any], ...]:
        """What the decorator says about the function in the program."""
        return tuple((name, value) for name, value in self.options.items() if name in _ATTRS)

    def argument_nodes(self) -> list[ast.arg]:
        """The parameters in the source."""
        args = self._node.args
        return [*args.posonlyargs, *args.args, *args.kwonlyargs]

    def surroundings(self) -> Surroundings:
        """A fresh view of the function's closure and globals."""
        return Surroundings.of(self._function)

    @cached_property
    def params(self) -> tuple[Parameter, ...]:
        """The declared parameters."""
        found = []
        for name, parameter in inspect.signature(self._function).parameters.items():
            default = EMPTY if parameter.default is parameter.empty else parameter.default
            found.append(Parameter(name, self._spec(name), default))
        return tuple(found)

    def _spec(self, name: str) -> ParamSpec:
        annotation = self._annotations.get(name)
        try:
            if isinstance(annotation, str):
                raise AnnotationError(f"'{annotation}' cannot be evaluated here", "write a type of the language")
            spec = param_spec(annotation)
            if spec.declared not in (None, int, float, bool) and not spec.is_bare_tensor:
                annotated_type(spec.declared)
            return spec
        except AnnotationError as error:
            node = next(arg for arg in self.argument_nodes() if arg.arg == name)
            place = self.module.span(node.annotation or node)
            raise ParserTypeError(error.message, place, error.hint, error.code) from None

    def dynamic_axes(self) -> Mapping[str, Mapping[int, DynVar]]:
        """By parameter, the axes that ``x.bind_dynamic(axis, n)`` declares as known at run time only."""
        return self._dynamic_axes

    @cached_property
    def _dynamic_axes(self) -> dict[str, dict[int, DynVar]]:
        return dynamic_axes(self)

    @cached_property
    def _digest(self) -> str:
        hasher = hashlib.sha256(self.module.segment(self._node).encode())
        hasher.update(repr((self.kind.name, sorted(self.options.items(), key=lambda item: item[0]))).encode())
        for file in self.options.get("external_files", ()):
            hasher.update(Path(file).read_bytes())
        return hasher.hexdigest()[:32]

    def source_digest(self) -> str:
        """A digest of the definition, and of the C++ file of an external kernel as it is now."""
        if not self.is_external:
            return self._digest
        content = b"".join(Path(file).read_bytes() for file in self.options["external_files"])
        return hashlib.sha256(self._digest.encode() + content).hexdigest()[:32]

    # What users call

    @property
    def param_names(self) -> list[str]:
        """The parameter names in declared order."""
        return [param.name for param in self.params]

    @property
    def output_param_names(self) -> list[str]:
        """The names of the ``pl.Out`` and ``pl.InOut`` parameters, in declared order."""
        return [param.name for param in self.params if param.is_output]

    def __call__(self, *args: Any, config: Any = None, **kwargs: Any) -> Any:
        """Run the kernel: in place when all outputs are passed, else outputs are allocated and returned."""
        values = self._bind(args, kwargs)
        compiled = self._compiled(values, config)
        passed = []
        for param, value in zip(self.params, values, strict=True):
            dtype = param.spec.scalar_dtype
            if dtype is not None:
                passed.append(exact_scalar(param.name, value, dtype))
            elif is_tensor(value):
                passed.append(value)
        if any(value is OMITTED for value in values):
            return compiled(*passed, config=config)
        compiled(*passed, config=config)
        return None

    def compile(self, *args: Any, config: Any = None, **kwargs: Any) -> Any:
        """The compiled program for the arguments, from the cache when there is one.

        Without tensors the annotations supply shapes and dtypes, and scalars are given by keyword.
        """
        if any(map(is_tensor, (*args, *kwargs.values()))):
            return self._compiled(self._bind(args, kwargs), config)
        arguments = self._declared(args, kwargs)
        return self._cached(arguments, tuple(map(_argument_key, arguments)), config)

    def specialize(self, *args: Any, **kwargs: Any) -> Program:
        """The program for the arguments, this function and all it calls, before any pass."""
        if "config" in kwargs:
            raise TypeError("specialize() takes no 'config': no pass runs here; use lower(..., config=...)")
        if any(map(is_tensor, (*args, *kwargs.values()))):
            return self._specialize(self._arguments(self._bind(args, kwargs)))[0]
        return self._specialize(self._declared(args, kwargs))[0]

    def lower(self, *args: Any, config: Any = None, **kwargs: Any) -> Program:
        """The program for the arguments after all passes; nothing is written or cached."""
        from pypto.compiler import lower

        program = self.specialize(*args, **kwargs)
        options = dict(_options(config))
        return lower(program, platform_id=options["platform"], memory_planner=options["memory_planner"])

    def cache_key(self, *args: Any, config: Any = None, **kwargs: Any) -> CacheKey:
        """What the compiled program for these arguments depends on."""
        arguments = self._arguments(self._bind(args, kwargs))
        return self._key(arguments, tuple(map(_argument_key, arguments)), config)[0]

    def cache_id(self, *args: Any, config: Any = None, **kwargs: Any) -> str:
        """``cache_key`` as a text that is the same in every process."""
        return self.cache_key(*args, config=config, **kwargs).digest()

    # How it is done

    def _bind(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[Any]:
        values = bind(self.__name__, self.params, args, kwargs)
        for param, value in zip(self.params, values, strict=True):
            if value is RUNTIME:
                raise TypeError(f"'{param.name}' is pl.RUNTIME, which is for compile() without tensors; pass its value")
        return values

    def _arguments(self, values: list[Any]) -> list[Argument | None]:
        axes = self._dynamic_axes
        found: list[Argument | None] = []
        for param, value in zip(self.params, values, strict=True):
            dynamic = axes.get(param.name, {})
            if value is OMITTED:
                bare = param.spec.is_bare_tensor
                found.append(None if bare else declared_argument(param, EMPTY, dynamic))
            else:
                found.append(argument(param, value, dynamic))
            if dynamic and isinstance(found[-1], TensorType):
                check_axes(self, param.name, found[-1].rank)
        _check_dynamic(self.params, values, found)
        return found

    def _declared(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[Argument | None]:
        if args:
            raise TypeError(f"{self.__name__}: without tensors, scalars are given by keyword")
        names = {param.name for param in self.params}
        for name in kwargs:
            if name not in names:
                raise TypeError(f"{self.__name__}() has no parameter '{name}'; it has {', '.join(self.param_names)}")
        return [
            declared_argument(param, kwargs.get(param.name, param.default), self._dynamic_axes.get(param.name, {}))
            for param in self.params
        ]

    def _specialize(self, arguments: list[Argument | None]) -> tuple[Program, Session]:
        session = Session()
        surroundings = self.surroundings()
        session.surroundings.append(surroundings)
        session.sources[f"{self.__module__}.{self.__qualname__}"] = self.source_digest()
        params = [
            _param(param, node, arg)
            for param, node, arg in zip(self.params, self.argument_nodes(), arguments, strict=True)
        ]
        session.enter(None, InProgress(self, self.__name__, self.__name__), None)
        request = Request(
            self.__name__, self._node, self.module, surroundings, self.kind, params, entry=True, attrs=self.attrs()
        )
        session.functions[self.__name__] = make(session, request)
        session.leave()
        return session.program(self.__name__), session

    def _compiled(self, values: list[Any], config: Any) -> Any:
        arguments = self._arguments(values)
        return self._cached(arguments, tuple(map(_argument_key, arguments)), config)

    def _cached(self, arguments: list[Argument | None], signature: tuple[Any, ...], config: Any) -> Any:
        known, program = self._key(arguments, signature, config)
        compiled = self._cache.get(known)
        if compiled is None:
            from pypto.compiler import compile

            if program is None:
                program = self._specialize(arguments)[0]
            compiled = compile(program, **_compile_options(config))
            self._cache[known] = compiled
        return compiled

    def _key(
        self, arguments: list[Argument | None], signature: tuple[Any, ...], config: Any
    ) -> tuple[CacheKey, Program | None]:
        """The key for some arguments; with the program where it had to be parsed to find out."""
        known = self._known.get(signature)
        options = _options(config)
        if known is not None:
            captured = tuple((capture.name, capture.current()) for capture in known.captures)
            cache_key = CacheKey(known.sources, captured, signature, options)
            if cache_key in self._cache:
                return cache_key, None
        program, session = self._specialize(arguments)
        captures = tuple(capture for s in session.surroundings for capture in s.captures.values())
        known = self._known[signature] = _Known(tuple(sorted(session.sources.items())), captures)
        captured = tuple((capture.name, capture.frozen) for capture in captures)
        return CacheKey(known.sources, captured, signature, options), program


class InlineFunction(JITFunction):
    """``@pl.inline``: a function whose statements are put where it is called. Its parameters take what is passed."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function, FunctionType.Inline)

    def __call__(self, *args: Any, config: Any = None, **kwargs: Any) -> Any:
        """Refuse: an inline function has no life of its own."""
        raise TypeError(f"'{self.__name__}' is an inline function; call it from a kernel")


_ATTRS = ("external_source", "core_type", "include_dirs", "dual_aiv_dispatch", "aic_source", "aiv_source")


def _param(param: Parameter, node: ast.arg, arg: Argument | None) -> Param:
    direction = param.spec.direction
    if arg is None:
        return Param(param.name, node, direction)
    if isinstance(arg, ConstantArg):
        return Param(param.name, node, direction, constant=arg.value)
    if isinstance(arg, ScalarArg):
        return Param(param.name, node, direction, ScalarType(arg.dtype))
    return Param(param.name, node, direction, arg)


def _argument_key(arg: Argument | None) -> Any:
    if arg is None:
        return None
    if isinstance(arg, ConstantArg):
        return key(arg.value)
    if isinstance(arg, ScalarArg):
        return ("scalar", arg.dtype.name)
    layout = "" if arg.view is None else repr(arg.view)
    return (tuple(dim if isinstance(dim, int) else None for dim in arg.shape), arg.dtype.name, layout)


def _check_dynamic(params: tuple[Parameter, ...], values: list[Any], arguments: list[Argument | None]) -> None:
    """One dimension variable has one size in a call."""
    sizes: dict[Any, tuple[int, str]] = {}
    for param, value, arg in zip(params, values, arguments, strict=True):
        if not hasattr(arg, "shape") or value is OMITTED:
            continue
        for axis, dim in enumerate(arg.shape):  # type: ignore[union-attr]
            if isinstance(dim, int):
                continue
            size = value.shape[axis]
            first = sizes.setdefault(dim, (size, f"axis {axis} of '{param.name}'"))
            if first[0] != size:
                name = getattr(dim, "name", "a dimension")
                here = f"axis {axis} of '{param.name}'"
                raise ValueError(
                    f"'{name}' is {first[0]} on {first[1]} and {size} on {here}; it has one size in a call"
                )


def _options(config: Any) -> tuple[tuple[str, Any], ...]:
    """The compile options of a RunConfig that change what is built."""
    names = (
        "platform",
        "memory_planner",
        "strategy",
        "dump_passes",
        "save_kernels",
        "save_kernels_dir",
        "codegen_only",
    )
    defaults = {"platform": "a2a3sim"}
    return tuple((name, getattr(config, name, defaults.get(name))) for name in names)


def _compile_options(config: Any) -> dict[str, Any]:
    options = dict(_options(config))
    chosen = {"platform": options["platform"], "memory_planner": options["memory_planner"]}
    if config is not None:
        chosen["dump_passes"] = bool(options["dump_passes"])
        if options["save_kernels_dir"]:
            chosen["output_dir"] = os.fspath(options["save_kernels_dir"])
    return chosen


def _resolved_annotations(function: Any) -> dict[str, Any]:
    """The annotations as objects; texts (postponed evaluation) are evaluated where the function was defined."""
    found = dict(getattr(function, "__annotations__", {}))
    if any(isinstance(value, str) for value in found.values()):
        names = {**function.__globals__, **_locals_of_definition(), **_closure(function)}
        for name, value in found.items():
            if isinstance(value, str):
                try:
                    found[name] = eval(value, names)
                except Exception:
                    continue  # reported with its place when the function is used
    return found


def _locals_of_definition() -> dict[str, Any]:
    """The local names at the decorator, outside this package."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("pypto."):
        frame = frame.f_back
    return dict(frame.f_locals)


def _closure(function: Any) -> dict[str, Any]:
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:
            continue
    return found


class Jit:
    """``pl.jit`` and the decorators of its helpers."""

    def __call__(self, function: Any = None, *, auto_scope: bool = True) -> Any:
        """An entry: an orchestration that launches regions and helpers as tasks."""
        return _decorated(FunctionType.Orchestration, function, {"auto_scope": auto_scope})

    def incore(self, function: Any = None, *, level: Level | None = None) -> Any:
        """A helper that runs on a core, launched as one task."""
        return _decorated(FunctionType.InCore, function, {"level": level})

    def inline(self, function: Any = None, *, auto_scope: bool = True) -> Any:
        """A helper whose statements are put where it is called."""
        return _decorated(FunctionType.Inline, function, {"auto_scope": auto_scope})

    def opaque(self, function: Any = None) -> Any:
        """A helper with regions of its own."""
        return _decorated(FunctionType.Opaque, function, {})

    def host(self, function: Any = None, **options: Any) -> Any:
        """A host orchestrator; not built yet."""
        if "level" in options:
            raise TypeError("@pl.jit.host takes no 'level': it is always pl.Level.HOST")
        raise NotImplementedError("@pl.jit.host is not built yet: programs of several chips come later")

    def extern(
        self,
        function: Any = None,
        *,
        source: str | os.PathLike[str] = "",
        core_type: str = "aiv",
        include_dirs: tuple[str, ...] = (),
    ) -> Any:
        """A kernel written by hand in a C++ file, with ``...`` as its body."""
        if core_type not in ("aiv", "aic"):
            raise NotImplementedError(f"core_type {core_type!r}: only 'aiv' and 'aic' are built yet")
        if not source:
            raise TypeError("@pl.jit.extern needs source='kernel.cpp'")

        def decorate(function: Any) -> JITFunction:
            base = Path(inspect.unwrap(function).__code__.co_filename).parent
            path = (base / os.fspath(source)).resolve()
            if not path.is_file():
                raise FileNotFoundError(
                    f"@pl.jit.extern: {path} does not exist; paths are relative to the kernel's file"
                )
            options: dict[str, Any] = {
                "external_source": str(path),
                "core_type": core_type,
                "external_files": (str(path),),
            }
            if include_dirs:
                options["include_dirs"] = tuple(str((base / item).resolve()) for item in include_dirs)
            return JITFunction(function, FunctionType.InCore, options)

        return decorate if function is None else decorate(function)


def _decorated(kind: FunctionType, function: Any, options: Mapping[str, Any]) -> Any:
    if function is not None:
        return JITFunction(function, kind, options)
    return lambda function: JITFunction(function, kind, options)
