"""Making one function of the program from a definition and the types and constants of its parameters."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pypto.errors import ParserError, ParserSyntaxError, ParserTypeError
from pypto.frontend import buffers
from pypto.frontend.assign import bind_name
from pypto.frontend.bound_names import assigned
from pypto.frontend.captures import Surroundings
from pypto.frontend.expressions import evaluate
from pypto.frontend.names import Binding
from pypto.frontend.parser import Parser, Rules
from pypto.frontend.returns import function_body
from pypto.frontend.session import Session, Specialized
from pypto.frontend.signature import Argument, ConstantArg, Parameter, ScalarArg
from pypto.frontend.source import Module
from pypto.frontend.statements import statement
from pypto.frontend.unresolved import Unresolved
from pypto.ir.nodes import Expr, Function, Return, Var
from pypto.ir.types import ScalarType, Type
from pypto.ops.enums import FunctionType, Level, ParamDirection, Role

RULES = Rules(evaluate, statement)
CONSTANT: Any = object()
_IN_CORE = {FunctionType.InCore, FunctionType.AIC, FunctionType.AIV, FunctionType.Spmd}


@dataclass(frozen=True)
class Param:
    """A parameter of the function to make: a typed variable, a constant, or an output whose type is open."""

    name: str
    node: ast.arg
    direction: ParamDirection = ParamDirection.In
    type: Type | None = None
    constant: Any = CONSTANT


@dataclass(frozen=True)
class Request:
    """What function to make from which definition."""

    name: str
    node: ast.FunctionDef
    module: Module
    surroundings: Surroundings
    kind: FunctionType
    params: Sequence[Param]
    entry: bool = False
    renames: bool = True
    strict_ssa: bool = False
    printed: bool = False
    in_core: bool = False
    level: Level | None = None
    role: Role | None = None
    attrs: tuple[tuple[str, Any], ...] = ()
    external: bool = False
    results: tuple[Type, ...] | None = None  # as declared; None leaves it to the return statement
    self_value: Any = None  # what ``self`` stands for in a method of a program


def specialized_param(param: Parameter, node: ast.arg, arg: Argument | None) -> Param:
    """The parameter of a specialised function: ``arg`` is what the signature keeps of the argument."""
    direction = param.spec.direction
    if arg is None:
        return Param(param.name, node, direction)
    if isinstance(arg, ConstantArg):
        return Param(param.name, node, direction, constant=arg.value)
    if isinstance(arg, ScalarArg):
        return Param(param.name, node, direction, ScalarType(arg.dtype))
    return Param(param.name, node, direction, arg)


def make(session: Session, request: Request) -> Specialized:
    """The function that ``request`` describes; ParserError where its source is wrong."""
    p = _parser(session, request)
    for param in request.params:
        _declare(p, param)
    try:
        if not request.external:
            function_body(p, request.node.body)
    except RecursionError:
        raise p.error(
            ParserError, "the source is nested too deeply", request.node.body[0], "split it up", "E301"
        ) from None
    for open_output in p.unresolved.values():
        message = f"the shape of the output '{open_output.name}' is unknown: nothing writes it"
        hint = "pass the tensor, or annotate its shape and dtype"
        raise p.error(ParserTypeError, message, open_output.span, hint, "E103")
    params = _ordered(p, request)
    returned = tuple(_position(p, value, params) for value in _result(p))
    directions = tuple(p.params[var] for var in params)
    function = Function(
        request.name, tuple(params), directions, p.returned or (), tuple(p.out), request.kind, request.level,
        request.role, {**dict(request.attrs), **p.attrs}, span=p.span(request.node),
    )  # fmt: skip
    return Specialized(function, p.returned or (), returned)


def _parser(session: Session, request: Request) -> Parser:
    _check_signature(request)
    counts = assigned(request.node.body)
    for param in request.params:
        if param.constant is not CONSTANT and counts.get(param.name):
            counts[param.name] += 1
    p = Parser(
        RULES,
        session, request.module, request.surroundings, request.name, request.kind, counts, request.renames,
        request.strict_ssa,
        request.printed,
    )  # fmt: skip
    p.declared_results = request.results
    p.in_core = request.in_core or request.kind in _IN_CORE
    if request.self_value is not None:
        p.names.bind(request.node.args.args[0].arg, Binding(request.self_value))
    return p


def _check_signature(request: Request) -> None:
    args = request.node.args
    extra = args.vararg or args.kwarg or next(iter(args.posonlyargs), None)
    if extra is not None:
        raise ParserSyntaxError(
            f"the parameter '{extra.arg}' is positional-only or variadic", request.module.span(extra),
            "declare plain parameters",
        )  # fmt: skip


def _declare(p: Parser, param: Param) -> None:
    span = p.span(param.node)
    if param.constant is not CONSTANT:
        bind_name(p, param.name, param.constant, param.node, param.node)
        return
    if param.type is None:
        p.unresolved[param.name] = Unresolved(param.name, span)
        return
    var = p.variable(param.name, param.type, span)
    p.params[var] = param.direction
    p.names.bind(param.name, Binding(var, span))


def _ordered(p: Parser, request: Request) -> list[Var]:
    """The parameters of the function in declared order; constants are gone."""
    by_name = {var.name: var for var in p.params}
    return [by_name[param.name] for param in request.params if param.name in by_name]


def _result(p: Parser) -> tuple[Expr, ...]:
    last = p.out[-1] if p.out else None
    return last.values if isinstance(last, Return) else ()


def _position(p: Parser, value: Expr, params: list[Var]) -> int | None:
    for root in buffers.roots(p, value):
        if root in params:
            return params.index(root)
    return None
