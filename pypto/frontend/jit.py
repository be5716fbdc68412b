"""Kernels: functions that are specialised, compiled and run by calling them."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, update_wrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pypto.errors import ParserTypeError
from pypto.frontend.annotations import AnnotationError, ParamSpec, annotated_type, param_spec
from pypto.frontend.binding import check_axes, dynamic_axes
from pypto.frontend.cache import CacheKey, Inputs, arguments_key, compile_arguments, compile_options
from pypto.frontend.captures import Surroundings, digest, freeze
from pypto.frontend.dynamic import DynVar
from pypto.frontend.helpers import call_helper
from pypto.frontend.session import InProgress, Session
from pypto.frontend.signature import (
    EMPTY,
    OMITTED,
    RUNTIME,
    Argument,
    Parameter,
    argument,
    bind,
    constant_key,
    declared_argument,
    exact_scalar,
    is_tensor,
)  # fmt: skip
from pypto.frontend.source import FunctionSource, Module
from pypto.frontend.specialize import Request, make, specialized_param
from pypto.ir.nodes import Program
from pypto.ir.types import TensorType
from pypto.ops.enums import FunctionType

if TYPE_CHECKING:
    from pypto.frontend.parser import Parser

_ATTRS = ("external_source", "core_type", "include_dirs")  # options that the function of the program carries
_MOST_WARM = 4096  # argument shapes whose key is remembered; beyond, they are made anew


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
        self._inputs: dict[Any, Inputs] = {}
        self._warm: dict[Any, tuple[Inputs, CacheKey]] = {}

    def __repr__(self) -> str:
        return f"<kernel {self.__qualname__}>"

    # The definition

    @cached_property
    def node(self) -> ast.FunctionDef:
        """The definition in its source."""
        return self.source.node()

    @property
    def module(self) -> Module:
        """The module the definition is in."""
        return self.source.module

    @property
    def is_external(self) -> bool:
        """Whether the kernel is written by hand in a C++ file."""
        return "external_source" in self.options

    @property
    def attrs(self) -> tuple[tuple[str, Any], ...]:
        """What the decorator says about the function in the program."""
        return tuple((name, value) for name, value in self.options.items() if name in _ATTRS)

    @property
    def argument_nodes(self) -> list[ast.arg]:
        """The parameters in the source."""
        args = self.node.args
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
                view = getattr(annotated_type(spec.declared), "view", None)
                if view is not None and view != type(view)(layout=view.layout):
                    hint = "pass a contiguous tensor; views belong to the functions of a program"
                    raise AnnotationError("a TensorView on the parameter of a kernel", hint, "E104")
            return spec
        except AnnotationError as error:
            node = next(arg for arg in self.argument_nodes if arg.arg == name)
            place = self.module.span(node.annotation or node)
            raise ParserTypeError(error.message, place, error.hint, error.code) from None

    @cached_property
    def dynamic_axes(self) -> Mapping[str, Mapping[int, DynVar]]:
        """By parameter, the axes that ``x.bind_dynamic(axis, n)`` declares as known at run time only."""
        return dynamic_axes(self)

    def digest(self) -> str:
        """A digest of the definition: text, defaults, annotations, options, and an external source as it is now."""
        if not self.is_external:
            return self._digest
        return digest((self._digest, Path(self.options["external_source"]).read_bytes()))

    @cached_property
    def _digest(self) -> str:
        parts = (self._function.__defaults__, self._function.__kwdefaults__, self._annotations, self.options)
        return digest((self.kind.name, self.module.segment(self.node), *map(freeze, parts)))

    # What the parser asks

    def __pypto_call__(self, p: Parser, node: ast.Call) -> Any:
        """A call inside another kernel."""
        return call_helper(p, node, self)

    def __pypto_digest__(self) -> str:
        """What a kernel that calls this one captures of it."""
        return self.digest()

    # What users call

    @property
    def param_names(self) -> list[str]:
        """The parameter names in declared order."""
        return [param.name for param in self.params]

    @property
    def output_param_names(self) -> list[str]:
        """The names of the ``pl.Out`` and ``pl.InOut`` parameters, in declared order."""
        return [param.name for param in self.params if param.is_output]

    @property
    def scalar_param_names(self) -> list[str]:
        """The names of the run-time scalars, in declared order; other scalars are constants of the specialisation."""
        return [param.name for param in self.params if param.spec.scalar_dtype is not None]

    def __call__(self, *args: Any, config: Any = None, **kwargs: Any) -> Any:
        """Run the kernel: in place when all outputs are passed, else outputs are allocated and returned."""
        values: Sequence[Any] = args
        if kwargs or len(args) != len(self.params):
            values = self._bind(args, kwargs)
        raw = self._raw(values, config)
        warm = None if raw is None else self._warm.get(raw)
        compiled = None
        if warm is not None and warm[0].unchanged():
            compiled = self._cache.get(warm[1])
        if compiled is None:
            values = self._bind(args, kwargs)
            compiled = self._compiled(self._arguments(values), config, self._raw(values, config))
        passed = []
        for param, value, dtype in zip(self.params, values, self._scalar_dtypes, strict=True):
            if dtype is not None:
                passed.append(exact_scalar(value, dtype, param.name))
            elif is_tensor(value):
                passed.append(value)
        return compiled(*passed, config=config)

    def compile(self, *args: Any, config: Any = None, **kwargs: Any) -> Any:
        """The compiled program for the arguments, from the cache when there is one.

        Without tensors the annotations supply shapes and dtypes, and scalars are given by keyword.
        """
        return self._compiled(self._any_arguments(args, kwargs), config)

    def specialize(self, *args: Any, **kwargs: Any) -> Program:
        """The program for the arguments, this function and all it calls, before any pass."""
        if "config" in kwargs:
            raise TypeError("specialize() takes no 'config': no pass runs here; use lower(..., config=...)")
        return self._specialize(self._any_arguments(args, kwargs))[0]

    def lower(self, *args: Any, config: Any = None, **kwargs: Any) -> Program:
        """The program for the arguments after all passes; nothing is written or cached."""
        from pypto.compiler import lower

        options = compile_arguments(config)
        program = self._specialize(self._any_arguments(args, kwargs))[0]
        return lower(program, platform_id=options["platform"], memory_planner=options["memory_planner"])

    def cache_key(self, *args: Any, config: Any = None, **kwargs: Any) -> CacheKey:
        """What the compiled program for these arguments depends on, by name."""
        return self._key(self._any_arguments(args, kwargs), config)[0]

    def cache_id(self, *args: Any, config: Any = None, **kwargs: Any) -> str:
        """``cache_key`` as a short text that is the same in every process."""
        return self.cache_key(*args, config=config, **kwargs).digest()

    # How it is done

    @cached_property
    def _scalar_dtypes(self) -> list[Any]:
        return [param.spec.scalar_dtype for param in self.params]

    def _raw(self, values: Sequence[Any], config: Any) -> Any:
        """What of a call decides its signature, as cheaply as possible; None where only the long way can tell."""
        parts: list[Any] = [compile_options(config)]
        for value, scalar in zip(values, self._scalar_dtypes, strict=True):
            dtype = getattr(value, "dtype", None)
            if dtype is not None:
                parts.append((value.shape, dtype))
            elif scalar is None:
                parts.append(constant_key(value))
        try:
            hash(found := tuple(parts))
        except TypeError:
            return None
        return found

    def _bind(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        values = bind(self.__name__, self.params, args, kwargs)
        for param, value in zip(self.params, values, strict=True):
            if value is RUNTIME:
                raise TypeError(f"'{param.name}' is pl.RUNTIME, which is for compile() without tensors; pass its value")
        return values

    def _any_arguments(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Argument | None]:
        """From sample arguments, or from the annotations when there is no tensor among them."""
        if any(map(is_tensor, (*args, *kwargs.values()))):
            return self._arguments(self._bind(args, kwargs))
        if args:
            raise TypeError(f"{self.__name__}: without tensors, scalars are given by keyword")
        for name in kwargs:
            if name not in self.param_names:
                raise TypeError(f"{self.__name__}() has no parameter '{name}'; it has {', '.join(self.param_names)}")
        return [
            declared_argument(param, kwargs.get(param.name, param.default), self.dynamic_axes.get(param.name, {}))
            for param in self.params
        ]

    def _arguments(self, values: list[Any]) -> list[Argument | None]:
        found: list[Argument | None] = []
        for param, value in zip(self.params, values, strict=True):
            dynamic = self.dynamic_axes.get(param.name, {})
            if value is OMITTED:
                bare = param.spec.is_bare_tensor
                found.append(None if bare else declared_argument(param, EMPTY, dynamic))
                continue
            arg = argument(param, value, dynamic)
            if isinstance(arg, TensorType):
                check_axes(self, param.name, arg.rank)
            found.append(arg)
        return found

    def _specialize(self, arguments: list[Argument | None]) -> tuple[Program, Session]:
        session = Session()
        surroundings = self.surroundings()
        session.use(self, surroundings)
        params = map(specialized_param, self.params, self.argument_nodes, arguments)
        session.enter(None, InProgress(self, self.__name__, self.__name__), None)
        request = Request(
            self.__name__, self.node, self.module, surroundings, self.kind, list(params), entry=True, attrs=self.attrs
        )
        session.functions[self.__name__] = make(session, request)
        session.leave()
        return session.program(self.__name__), session

    def _compiled(self, arguments: list[Argument | None], config: Any, raw: Any = None) -> Any:
        known, inputs, program = self._key(arguments, config)
        compiled = self._cache.get(known)
        if compiled is None:
            from pypto.compiler import compile

            if program is None:
                program = self._specialize(arguments)[0]
            compiled = compile(program, **compile_arguments(config))
            self._cache[known] = compiled
        if raw is not None:
            if len(self._warm) >= _MOST_WARM:
                self._warm.clear()
            self._warm[raw] = (inputs, known)
        return compiled

    def _key(self, arguments: list[Argument | None], config: Any) -> tuple[CacheKey, Inputs, Program | None]:
        """The key for some arguments; with the program where it had to be parsed to find out."""
        signature, options = arguments_key(arguments), compile_options(config)
        inputs = self._inputs.get(signature)
        if inputs is not None and inputs.unchanged():
            return inputs.key(signature, options), inputs, None
        program, session = self._specialize(arguments)
        inputs = self._inputs[signature] = Inputs.of(session)
        return inputs.key(signature, options), inputs, program


class InlineFunction(JITFunction):
    """``@pl.inline``: a function whose statements are put where it is called. Its parameters take what is passed."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function, FunctionType.Inline)

    def __call__(self, *args: Any, config: Any = None, **kwargs: Any) -> Any:
        """Refuse: an inline function has no life of its own."""
        raise TypeError(f"'{self.__name__}' is an inline function; call it from a kernel")


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
