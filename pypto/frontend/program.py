"""``@pl.program`` classes and ``@pl.function``: everything annotated, nothing specialised."""

from __future__ import annotations

import ast
import inspect
import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pypto.errors import ParserError, ParserSyntaxError, ParserTypeError
from pypto.frontend.annotations import AnnotationError, annotated_type, param_spec
from pypto.frontend.captures import Surroundings
from pypto.frontend.module_functions import MODULE_FUNCTIONS
from pypto.frontend.session import InProgress, Session, Specialized
from pypto.frontend.signature import EMPTY
from pypto.frontend.source import FunctionSource, Module, class_node, file_text, parse_module
from pypto.frontend.specialize import Param, Request, make
from pypto.frontend.typed_calls import TypedParam, call_function
from pypto.ir.nodes import NO_SPAN, Program
from pypto.ir.types import TupleType, Type
from pypto.ops.enums import FunctionType, Level, Role

if TYPE_CHECKING:
    from pypto.frontend.parser import Parser


@dataclass(frozen=True)
class Options:
    """The arguments of ``@pl.function``."""

    type: FunctionType = FunctionType.Opaque
    level: Level | None = None
    role: Role | None = None
    attrs: Mapping[str, Any] | None = None
    auto_scope: bool = True
    strict_ssa: bool = False
    external_source: str | None = None


def is_printed(text: str) -> bool:
    """Whether a module text is printed IR, which names its program in the first line."""
    return text.startswith("# program: ")


class Definition:
    """A function under ``@pl.function`` that is not parsed yet."""

    def __init__(self, function: Any, options: Options) -> None:
        if not inspect.isfunction(function):
            raise TypeError(f"@pl.function decorates a function, got {function!r}")
        self.function = function
        self.options = options
        self.source = FunctionSource.of(function)
        self.name: str = function.__name__
        self._annotations = dict(getattr(function, "__annotations__", {}))
        self.surroundings = Surroundings.of(function)
        self.printed = is_printed(self.source.text)

    @property
    def module(self) -> Module:
        """The module the function is in."""
        return self.source.module

    def node(self) -> ast.FunctionDef:
        """The definition in its source."""
        return self.source.node()

    def params(self, method: bool) -> list[TypedParam]:
        """The parameters with their types; ``self`` of a method is left out."""
        nodes = [*self.node().args.args, *self.node().args.kwonlyargs]
        if method:
            if not nodes:
                place = self.module.span(self.node())
                raise ParserSyntaxError(f"the method '{self.name}' has no 'self'", place, "write def kernel(self, ...)")
            nodes = nodes[1:]
        defaults = {
            name: EMPTY if parameter.default is parameter.empty else parameter.default
            for name, parameter in inspect.signature(self.function).parameters.items()
        }
        return [self._param(node, defaults.get(node.arg, EMPTY)) for node in nodes]

    def _param(self, node: ast.arg, default: Any) -> TypedParam:
        if node.annotation is None:
            raise ParserTypeError(
                f"the parameter '{node.arg}' has no annotation", self.module.span(node),
                f"write {node.arg}: pl.Tensor[[rows, columns], pl.FP32]",
            )  # fmt: skip
        annotation = self._annotation(node.arg, node.annotation)
        try:
            spec = param_spec(annotation)
            return TypedParam(node.arg, node, spec.direction, annotated_type(spec.declared), default)
        except AnnotationError as error:
            raise ParserTypeError(error.message, self.module.span(node.annotation), error.hint) from None

    def _annotation(self, name: str, node: ast.expr) -> Any:
        """The annotation as an object; a text (postponed evaluation) is evaluated now."""
        value = self._annotations.get(name)
        if not isinstance(value, str):
            return value
        try:
            return eval(value, {**self.function.__globals__, **_closure(self.surroundings, self.function)})
        except Exception as error:
            raise ParserTypeError(
                f"the annotation '{value}' cannot be evaluated: {error}",
                self.module.span(node),
                "write a type of the language",
            ) from None

    def returns(self) -> tuple[Type, ...] | None:
        """The declared result types; None when there is no annotation."""
        node = self.node().returns
        if node is None:
            return None
        annotation = self._annotation("return", node)
        if annotation is None:
            return ()
        try:
            type_ = annotated_type(annotation)
        except AnnotationError as error:
            raise ParserTypeError(error.message, self.module.span(node), error.hint, error.code) from None
        return type_.items if isinstance(type_, TupleType) else (type_,)

    def attrs(self) -> tuple[tuple[str, Any], ...]:
        """What the decorator says about the function beyond its kind."""
        attrs = dict(self.options.attrs or {})
        if self.options.external_source is not None:
            base = Path(self.source.file).parent
            path = (base / self.options.external_source).resolve()
            if not path.is_file():
                raise FileNotFoundError(
                    f"external_source: {path} does not exist; paths are relative to the kernel's file"
                )
            attrs["external_source"] = str(path)
            attrs.setdefault("core_type", "aic" if self.options.type is FunctionType.AIC else "aiv")
        return tuple(attrs.items())

    def request(self, params: list[TypedParam], self_value: Any) -> Request:
        """What to make of this definition."""
        options = self.options
        declared = [Param(param.name, param.node, param.direction, param.type) for param in params]
        return Request(
            self.name, self.node(), self.module, self.surroundings, options.type, declared, entry=True, renames=False,
            strict_ssa=options.strict_ssa,
            printed=self.printed, level=options.level, role=options.role, attrs=self.attrs(),
            external=options.external_source is not None, self_value=self_value, results=self.returns(),
        )  # fmt: skip


def _closure(surroundings: Surroundings, function: Any) -> dict[str, Any]:
    found = {}
    for name in function.__code__.co_freevars:
        try:
            found[name] = surroundings.find(name)
        except KeyError:
            continue
    return found


class _Methods:
    """What ``self`` stands for in the methods of a program."""

    def __init__(self, session: Session, definitions: Mapping[str, Definition], strict_ssa: bool) -> None:
        self._session, self._definitions, self._strict_ssa = session, definitions, strict_ssa

    def __getattr__(self, name: str) -> _Method:
        if name.startswith("__") or name not in self._definitions:
            known = ", ".join(self.__dict__.get("_definitions", ()))
            raise AttributeError(f"the program has no function '{name}'; it has {known}")
        return _Method(self, name)

    def __dir__(self) -> list[str]:
        return list(self._definitions)

    def made(self, name: str, p: Parser | None = None, node: ast.AST | None = None) -> Specialized:
        """The function called ``name``, parsed now when it was not before."""
        found = self._session.functions.get(name)
        if found is not None:
            return found
        definition = self._definitions[name]
        self._session.enter(p, InProgress(definition, name, name), node)
        try:
            self._session.surroundings.append(definition.surroundings)
            request = definition.request(definition.params(method=True), self)
            if self._strict_ssa:
                request = replace(request, strict_ssa=True)
            self._session.functions[name] = made = make(self._session, request)
        finally:
            self._session.leave()
        return made


@dataclass(frozen=True)
class _Method:
    """``self.name`` inside a method."""

    methods: _Methods
    name: str

    def __pypto_call__(self, p: Parser, node: ast.Call) -> Any:
        """A call inside another method."""
        definition = self.methods._definitions[self.name]
        params = definition.params(method=True)
        made = self.methods.made(self.name, p, node)
        return call_function(p, node, self.name, params, made)


def function(
    function: Any = None,
    *,
    type: FunctionType = FunctionType.Opaque,
    level: Level | None = None,
    role: Role | None = None,
    attrs: Mapping[str, Any] | None = None,
    auto_scope: bool = True,
    strict_ssa: bool = False,
    external_source: str | os.PathLike[str] | None = None,
) -> Any:
    """``@pl.function``: an ``ir.Function``, or inside a ``@pl.program`` class a method that the class parses."""
    if attrs is not None:
        warnings.warn(
            "@pl.function(attrs=...) is deprecated; use pl.func_attr in the body", DeprecationWarning, stacklevel=2
        )
    source = None if external_source is None else os.fspath(external_source)
    options = Options(type, level, role, attrs, auto_scope, strict_ssa, source)
    if function is None:
        return lambda decorated: _function(decorated, options)
    return _function(function, options)


def _function(decorated: Any, options: Options) -> Any:
    definition = Definition(decorated, options)
    enclosing = decorated.__qualname__.rpartition(".")[0]
    if enclosing and not enclosing.endswith("<locals>"):
        return definition  # a method: its class parses it
    session = Session()
    params = definition.params(method=False)
    session.enter(None, InProgress(definition, definition.name, definition.name), None)
    session.functions[definition.name] = made = make(session, definition.request(params, None))
    session.leave()
    MODULE_FUNCTIONS[made.function] = (params, session.functions)
    return made.function


def program(cls: Any = None, *, strict_ssa: bool = False) -> Any:
    """``@pl.program``: the ``ir.Program`` of the ``@pl.function`` methods of a class."""
    if cls is None:
        return lambda decorated: _program(decorated, strict_ssa)
    return _program(cls, strict_ssa)


def _program(cls: Any, strict_ssa: bool) -> Program:
    if not inspect.isclass(cls):
        raise TypeError(f"@pl.program decorates a class, got {cls!r}")
    definitions = {name: value for name, value in vars(cls).items() if isinstance(value, Definition)}
    if not definitions:
        raise ParserSyntaxError(
            f"the program '{cls.__name__}' has no function", _class_place(cls), "decorate its methods with @pl.function"
        )
    _check_names(cls, definitions)
    session = Session()
    methods = _Methods(session, definitions, strict_ssa)
    for name in definitions:
        methods.made(name)
    return session.program(cls.__name__)


def _class_place(cls: Any) -> Any:
    """Where the class is defined, as far as its source can be found."""
    methods = [value for value in vars(cls).values() if inspect.isfunction(value)]
    file = methods[0].__code__.co_filename if methods else _defining_file()
    try:
        module = parse_module(file, file_text(file))
    except (OSError, ParserError):
        return NO_SPAN
    node = class_node(module, cls.__name__, methods[0].__code__.co_firstlineno if methods else None)
    return NO_SPAN if node is None else module.span(node)


def _defining_file() -> str:
    frame = inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__", "").startswith("pypto."):
        frame = frame.f_back
    return "" if frame is None else frame.f_code.co_filename


def _check_names(cls: Any, definitions: Mapping[str, Definition]) -> None:
    """A class keeps the last of two methods of one name, and would drop the other silently."""
    first = next(iter(definitions.values()))
    node = class_node(first.module, cls.__name__, first.function.__code__.co_firstlineno)
    seen: set[str] = set()
    for item in node.body if node is not None else ():
        if isinstance(item, ast.FunctionDef):
            if item.name in seen:
                raise ParserSyntaxError(
                    f"the program '{cls.__name__}' has two functions called '{item.name}'", first.module.span(item),
                    "give them different names",
                )  # fmt: skip
            seen.add(item.name)
