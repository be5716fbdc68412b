"""Calling one kernel function from another: arguments bound, the helper specialised for their types, the call made."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pypto.errors import InvalidOperandError, ParserTypeError
from pypto.frontend.annotations import AnnotationError, annotated_type
from pypto.frontend.buffers import check_writable
from pypto.frontend.captures import freeze
from pypto.frontend.directives import typed_constant
from pypto.frontend.dynamic import DynExpr
from pypto.frontend.session import InProgress
from pypto.frontend.shapes import affine, same_dim
from pypto.frontend.signature import EMPTY, Parameter
from pypto.frontend.specialize import CONSTANT, Param, Request, make
from pypto.ir.build import cast_scalar, describe
from pypto.ir.nodes import UNKNOWN, Const, Expr, FunctionCall, Var
from pypto.ir.rewrite import Rewriter
from pypto.ir.types import Dim, ScalarType, ShapedType, TensorType, TupleType, Type
from pypto.ir.visit import free_vars, type_exprs
from pypto.ops.dtypes import INDEX, INT64
from pypto.ops.enums import FunctionType, ParamDirection

if TYPE_CHECKING:
    from pypto.frontend.jit import JITFunction
    from pypto.frontend.parser import Parser


def call_helper(p: Parser, node: ast.Call, helper: JITFunction) -> FunctionCall:
    """``helper(...)`` inside a kernel."""
    given = _bind(p, node, helper)
    dims: dict[Any, Var] = {}
    declared: list[Param] = []
    args: list[tuple[Expr | None, ast.expr | None]] = []  # None for an output without a type yet
    for parameter, syntax_node in zip(helper.params, helper.argument_nodes, strict=True):
        value, syntax = given[parameter.name]
        param, arg = _argument(p, helper, parameter, syntax_node, value, syntax or node, dims)
        declared.append(param)
        if param.constant is CONSTANT:
            args.append((arg, syntax))
    key = (helper, tuple(_key(param) for param in declared))
    name = p.session.signatures.get(key)
    if name is None:
        name = _specialize(p, node, helper, declared, key)
    return _call(p, node, name, args, {var: dim for dim, var in dims.items()})


def _bind(p: Parser, node: ast.Call, helper: JITFunction) -> dict[str, tuple[Any, ast.expr | None]]:
    """Value and place of each argument, by parameter."""
    names = [parameter.name for parameter in helper.params]
    usage = f"{helper.__name__}({', '.join(names)})"
    given: dict[str, tuple[Any, ast.expr | None]] = {}
    positional: list[tuple[Any, ast.expr]] = []
    for arg in node.args:
        if isinstance(arg, ast.Starred):
            value = p.value(arg.value)
            if not isinstance(value, tuple | list):
                raise p.error(ParserTypeError, "* needs a tuple known while parsing", arg, "write the arguments out")
            positional.extend((item, arg.value) for item in value)
        else:
            positional.append((_value(p, arg), arg))
    if len(positional) > len(names):
        raise p.error(
            ParserTypeError,
            f"'{helper.__name__}' takes {len(names)} arguments, got {len(positional)}",
            node,
            f"call {usage}",
        )
    given.update(zip(names, positional, strict=False))
    for keyword in node.keywords:
        if keyword.arg not in names:
            raise p.error(
                ParserTypeError, f"'{helper.__name__}' has no parameter '{keyword.arg}'", keyword.value, f"call {usage}"
            )
        if keyword.arg in given:
            raise p.error(ParserTypeError, f"'{keyword.arg}' is given twice", keyword.value, f"call {usage}")
        given[keyword.arg] = (_value(p, keyword.value), keyword.value)
    for parameter in helper.params:
        if parameter.name not in given:
            if parameter.default is EMPTY:
                raise p.error(
                    ParserTypeError,
                    f"'{helper.__name__}' needs an argument for '{parameter.name}'",
                    node,
                    f"call {usage}",
                )
            given[parameter.name] = (parameter.default, None)
    return given


def _value(p: Parser, node: ast.expr) -> Any:
    """The argument, or the open output that a name stands for."""
    if isinstance(node, ast.Name) and node.id in p.unresolved:
        return p.unresolved[node.id]
    value = p.value(node)
    return value.expr if isinstance(value, DynExpr) else value


def _argument(
    p: Parser,
    helper: JITFunction,
    parameter: Parameter,
    arg_node: ast.arg,
    value: Any,
    at: ast.AST,
    dims: dict[Any, Var],
) -> tuple[Param, Expr | None]:
    """The parameter of the specialised helper, and what the call passes for it."""
    direction = parameter.spec.direction
    dtype = parameter.spec.scalar_dtype
    base = Param(parameter.name, arg_node, direction)
    if isinstance(value, Expr) and isinstance(value.type, ShapedType):
        return replace(base, type=_shaped(p, helper, parameter, arg_node, value, at, dims)), value
    if hasattr(value, "settle"):
        if not parameter.is_output:
            raise p.error(
                ParserTypeError, f"'{value.name}' is read before anything is written to it", at, "write it first"
            )
        if parameter.spec.is_bare_tensor:
            return base, None
        type_ = _declared(helper, parameter, arg_node)
        return replace(base, type=type_), value.settle(p, type_)
    if parameter.spec.is_tensor:
        what = describe(value) if isinstance(value, Expr) else repr(value)
        raise p.error(ParserTypeError, f"'{parameter.name}' of '{helper.__name__}' takes a tensor, got {what}", at,
                      "pass a tensor, a window of one, or a tile")  # fmt: skip
    if dtype is not None:
        return replace(base, type=ScalarType(dtype)), _scalar(p, helper, parameter, value, at)
    if isinstance(value, Expr):
        return replace(base, type=value.type), value
    return replace(base, constant=value), None


def _declared(helper: JITFunction, parameter: Parameter, node: ast.arg) -> Any:
    try:
        return annotated_type(parameter.spec.declared)
    except AnnotationError as error:
        raise ParserTypeError(
            error.message, helper.module.span(node.annotation or node), error.hint, error.code
        ) from None


def _scalar(p: Parser, helper: JITFunction, parameter: Parameter, value: Any, at: ast.AST) -> Expr:
    dtype = parameter.spec.scalar_dtype
    assert dtype is not None
    if type(value) in (bool, int, float):
        return typed_constant(p, value, dtype, at)
    expr = p.as_expr(value, at)
    if isinstance(expr.type, ScalarType) and {expr.type.dtype, dtype} <= {INDEX, INT64}:
        return cast_scalar(expr, dtype, p.span(at))
    if expr.type != ScalarType(dtype):
        message = f"'{parameter.name}' of '{helper.__name__}' is a scalar of {dtype.name}, got {describe(expr)}"
        raise p.error(InvalidOperandError, message, at, f"cast it: pl.cast(x, pl.{dtype.name})")
    return expr


def _shaped(
    p: Parser, helper: JITFunction, parameter: Parameter, node: ast.arg, value: Expr, at: ast.AST, dims: dict[Any, Var]
) -> Type:
    """The type of a tensor or tile parameter: as declared where the argument agrees, else that of the argument."""
    found = value.type
    assert isinstance(found, ShapedType)
    if parameter.spec.declared is not None and not parameter.spec.is_bare_tensor:
        declared = _declared(helper, parameter, node)
        if not _agrees(declared, found):
            wanted = describe(Const(declared, 0))
            message = f"'{parameter.name}' of '{helper.__name__}' is {wanted}, the argument is {describe(value)}"
            raise p.error(ParserTypeError, message, at, "pass a value of the declared type, or declare pl.Tensor")
        return declared
    bound = helper.dynamic_axes.get(parameter.name, {})
    if helper.kind is FunctionType.Inline:
        return found
    shape: list[Dim] = [
        bound[i].var if i in bound else _local(d, parameter, i, dims) for i, d in enumerate(found.shape)
    ]
    if isinstance(found, TensorType):
        view = found.view
        if view is not None and view.valid_shape is not None and not all(isinstance(d, int) for d in view.valid_shape):
            message = f"'{parameter.name}' of '{helper.__name__}': the valid region is only known at run time"
            raise p.error(ParserTypeError, message, at, "pass the whole tensor, and the extent as a scalar")
        return replace(found, shape=tuple(shape))
    return found


def _local(dim: Dim, parameter: Parameter, axis: int, dims: dict[Any, Var]) -> Dim:
    """A dimension as the helper sees it: its own variable for what the caller computed."""
    if isinstance(dim, int) or (isinstance(dim, Var) and dim.span.line == 0):  # pl.dynamic belongs to no function
        return dim
    for known, var in dims.items():
        if same_dim(known, dim):
            return var
    dims[dim] = Var(ScalarType(INDEX), f"{parameter.name}_dim{axis}")
    return dims[dim]


def _agrees(declared: Any, found: ShapedType) -> bool:
    if type(declared) is not type(found) or declared.dtype != found.dtype or declared.rank != found.rank:
        return False
    return all(
        not isinstance(a, int) or not isinstance(b, int) or a == b
        for a, b in zip(declared.shape, found.shape, strict=True)
    )


def _key(param: Param) -> Any:
    if param.constant is not CONSTANT:
        return ("constant", freeze(param.constant))
    return _type_key(param.type)


def _type_key(type_: Type | None) -> Any:
    if isinstance(type_, ShapedType):
        dims = tuple(frozenset(affine(dim).items()) for dim in (*type_.shape, *type_.valid_shape))
        return (type(type_), dims, type_.dtype, getattr(type_, "space", None), type_.pad)
    return type_


def _specialize(p: Parser, node: ast.Call, helper: JITFunction, declared: list[Param], key: Any) -> str:
    session = p.session
    name = session.unique_name(helper.__name__)
    session.enter(p, InProgress(helper, helper.__name__, name), node)
    try:
        surroundings = helper.surroundings()
        session.use(helper, surroundings)
        request = Request(
            name, helper.node, helper.module, surroundings, helper.kind, declared, attrs=helper.attrs,
            in_core=helper.kind is FunctionType.Inline and p.in_core, external=helper.is_external,
        )  # fmt: skip
        session.functions[name] = make(session, request)
    finally:
        session.leave()
    session.signatures[key] = name
    return name


def _call(
    p: Parser, node: ast.Call, name: str, args: list[tuple[Expr | None, ast.expr | None]], dims: dict[Var, Any]
) -> FunctionCall:
    """The call, its result types in terms of the caller."""
    made = p.session.functions[name]
    exprs: list[Expr] = []
    for (arg, syntax), param in zip(args, made.function.params, strict=True):
        if arg is None:
            assert isinstance(syntax, ast.Name) and isinstance(param.type, TensorType)
            arg = p.unresolved[syntax.id].settle(p, param.type)
        exprs.append(arg)
    mapping: dict[Var, Expr] = {**dims, **dict(zip(made.function.params, exprs, strict=True))}
    types = tuple(
        exprs[index].type if index is not None else _in_caller(type_, mapping)
        for index, type_ in zip(made.returned, made.results, strict=True)
    )
    for arg, direction, (_, syntax) in zip(exprs, made.function.directions, args, strict=True):
        if direction is not ParamDirection.In and isinstance(arg.type, TensorType):
            check_writable(p, arg, syntax or node)
    result: Type = types[0] if len(types) == 1 else TupleType(types) if types else UNKNOWN
    call = FunctionCall(result, name, tuple(exprs), span=p.span(node))
    return call


def _in_caller(type_: Type, mapping: dict[Var, Expr]) -> Type:
    if not free_vars(tuple(type_exprs(type_))):
        return type_
    return Rewriter(mapping).type(type_)
