"""Run a function or program of the IR on torch tensors.

Tiles and tensors are torch tensors with a concrete type. Every call is typed again with the sizes of the moment, so
that valid regions follow from the same rules as at compile time. Tasks run in source order.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import torch

from pypto.errors import OpTypeError, OpValueError
from pypto.ir import nodes as n
from pypto.ir.build import constant
from pypto.ir.types import ScalarType, TensorType, TileType, TupleType, Type
from pypto.ir.typing import RULES
from pypto.ir.visit import walk
from pypto.ops.enums import FunctionType, ParamDirection
from pypto.ops.row import Op
from pypto.reference import scalars
from pypto.reference.memory import HANDLERS
from pypto.reference.values import Array, Number, box, computable, filled, flattened, poison, rounded, storage

ON_CORE = (FunctionType.InCore, FunctionType.AIC, FunctionType.AIV)
# Rules whose operands are promoted to the dtype of the result.
CELL_BY_CELL = ("binary", "division", "shift", "tiles", "float_unary", "row_expand", "col_expand")
Arguments = Mapping[str, "torch.Tensor | Number"]


def execute(program: n.Program | n.Function, arguments: Arguments, entry: str = "") -> dict[str, torch.Tensor]:
    """The ``Out`` and ``InOut`` parameters by name after a run, then other returned tensors as ``return_0`` and so on.

    ``arguments`` holds a tensor or number per parameter and stays as it is; an ``Out`` that is left out begins as
    poison. ``entry`` names the function to run, by default the one that no other calls. Raises OpTypeError for
    arguments that do not fit, OpValueError for an access outside a tensor.
    """
    functions = program.functions if isinstance(program, n.Program) else (program,)
    found = {function.name: function for function in functions}
    function = found[entry] if entry else _entry(functions)
    run = _Run(found, function)
    for param, direction in zip(function.params, function.directions, strict=True):
        run.bind(param, arguments.get(param.name), direction)
    returned = run.call()
    outputs = {
        param.name: run.arguments[param].data
        for param, direction in zip(function.params, function.directions, strict=True)
        if direction is not ParamDirection.In and isinstance(run.arguments[param], Array)
    }
    own = {id(run.arguments[param].data) for param in function.params if isinstance(run.arguments[param], Array)}
    extra = [value.data for value in returned if isinstance(value, Array) and id(value.data) not in own]
    return outputs | {f"return_{position}": data for position, data in enumerate(extra)}


def _entry(functions: Sequence[n.Function]) -> n.Function:
    called = {node.callee for node in walk(functions) if isinstance(node, n.FunctionCall)}
    roots = [function for function in functions if function.name not in called]
    if len(roots) != 1:
        raise OpTypeError(f"execute: name the entry; it could be any of {[function.name for function in roots]}")
    return roots[0]


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


class _Return(Exception):
    def __init__(self, values: tuple[Any, ...]) -> None:
        self.values = values


class _Run:
    """One activation of a function: its variables and where it runs."""

    def __init__(
        self, functions: Mapping[str, n.Function], function: n.Function, block: tuple[int, int] = (0, 1)
    ) -> None:
        self.functions = functions
        self.function = function
        self.on_core = function.kind in ON_CORE
        self.block = block
        self.env: dict[n.Expr, Any] = {}
        self.arguments: dict[n.Var, Any] = {}

    # Entry

    def bind(self, param: n.Var, value: Any, direction: ParamDirection = ParamDirection.In) -> None:
        """Give ``param`` its argument; run-time dimensions of its type take their sizes from it."""
        type_ = param.type
        if isinstance(type_, TensorType):
            value = self._memory(param, type_, value, direction)
        elif value is None:
            raise OpTypeError(f"execute: the argument '{param.name}' is missing", param.span)
        elif isinstance(type_, ScalarType):
            value = rounded(value, type_.dtype)
        self.env[param] = self.arguments[param] = value

    def _memory(self, param: n.Var, type_: TensorType, value: Any, direction: ParamDirection) -> Array:
        if value is None and direction is not ParamDirection.Out:
            raise OpTypeError(f"execute: the argument '{param.name}' is missing", param.span)
        if isinstance(value, Array):
            data = value.data
        elif value is None:
            data = poison(self.shape(type_.shape), type_.dtype)
        else:
            if value.dtype != storage(type_.dtype):
                raise OpTypeError(
                    f"execute: '{param.name}' is {value.dtype}, expected {storage(type_.dtype)}", param.span
                )
            data = value.clone()
        if data.dim() != type_.rank:
            raise OpTypeError(f"execute: '{param.name}' has rank {data.dim()}, expected {type_.rank}", param.span)
        for size, extent in zip(data.shape, type_.shape, strict=True):
            if isinstance(extent, n.Var):
                self.env.setdefault(extent, size)
            if self.number(extent) != size:
                expected = self.shape(type_.shape)
                raise OpTypeError(
                    f"execute: '{param.name}' has shape {list(data.shape)}, expected {expected}", param.span
                )
        is_memory = not isinstance(value, Array) or value.in_memory or self.function.kind in ON_CORE
        return Array(data, self.concrete_type(type_), is_memory)

    def call(self) -> tuple[Any, ...]:
        """Run the body; the returned values."""
        try:
            self.body(self.function.body)
        except _Return as found:
            return found.values
        return ()

    # Statements

    def body(self, statements: n.Body) -> tuple[Any, ...] | None:
        """Run ``statements``; what a Yield at their end hands on."""
        for stmt in statements:
            if isinstance(stmt, n.Yield):
                return tuple(map(self.value, stmt.values))
            _STATEMENTS[type(stmt)](self, stmt)
        return None

    def assign(self, stmt: n.Assign) -> None:
        self.env[stmt.var] = self.value(stmt.value)

    def evaluate(self, stmt: n.Eval) -> None:
        self.value(stmt.value)

    def for_loop(self, stmt: n.For) -> None:
        self._begin(stmt.iter_args)
        for index in range(*(int(self.value(bound)) for bound in (stmt.start, stmt.stop, stmt.step))):
            self.env[stmt.var] = index
            if not self._iterate(stmt.body, stmt.iter_args):
                break
        self._finish(stmt)

    def while_loop(self, stmt: n.While) -> None:
        self._begin(stmt.iter_args)
        while self.value(stmt.condition) and self._iterate(stmt.body, stmt.iter_args):
            pass
        self._finish(stmt)

    def _begin(self, iter_args: Sequence[n.IterArg]) -> None:
        self.env.update(zip(iter_args, [self.value(arg.init) for arg in iter_args], strict=True))

    def _iterate(self, body: n.Body, iter_args: Sequence[n.IterArg]) -> bool:
        """One iteration; whether the loop goes on."""
        try:
            yielded = self.body(body)
        except _Continue:
            return True
        except _Break:
            return False
        if yielded is not None:
            self.env.update(zip(iter_args, yielded, strict=True))
        return True

    def _finish(self, stmt: n.For | n.While) -> None:
        self.env.update({result: self.env[arg] for result, arg in zip(stmt.results, stmt.iter_args, strict=False)})

    def branch(self, stmt: n.If) -> None:
        yielded = self.body(stmt.then if self.value(stmt.condition) else stmt.orelse)
        if yielded is not None:
            self.env.update(zip(stmt.results, yielded, strict=True))

    def scope(self, stmt: n.Scope) -> None:
        before, self.on_core = self.on_core, self.on_core or isinstance(stmt, n.InCoreScope)
        self.body(stmt.body)
        self.on_core = before

    def leave(self, stmt: n.Return) -> None:
        raise _Return(tuple(map(self.value, stmt.values)))

    def stop(self, stmt: n.Break) -> None:
        raise _Break

    def skip(self, stmt: n.Continue) -> None:
        raise _Continue

    # Expressions

    def value(self, expr: n.Expr) -> Any:
        """What an expression evaluates to: an Array, a number, a tuple, or None for an effect."""
        if isinstance(expr, n.Var):
            if expr not in self.env:
                raise OpValueError(f"execute: '{expr.name}' is read before it has a value", expr.span)
            return self.env[expr]
        return _EXPRESSIONS[type(expr)](self, expr)

    def number(self, dim: Any) -> int:
        """The value of a dimension."""
        return dim if isinstance(dim, int) else int(self.value(dim))

    def shape(self, dims: Sequence[Any]) -> tuple[int, ...]:
        """The values of dimensions."""
        return tuple(map(self.number, dims))

    def concrete_type(self, type_: TensorType) -> TensorType:
        """``type_`` with the sizes of the moment."""
        shape, valid = self.shape(type_.shape), self.shape(type_.valid_shape)
        return replace(type_, shape=shape).with_view(valid_shape=valid)

    def function_call(self, expr: n.FunctionCall) -> Any:
        callee = self.functions[expr.callee]
        run = _Run(self.functions, callee, self.block)
        run.on_core = run.on_core or self.on_core
        for param, arg in zip(callee.params, expr.args, strict=True):
            run.bind(param, self.value(arg))
        values = run.call()
        return values[0] if len(values) == 1 and not isinstance(expr.type, TupleType) else values

    def op_call(self, expr: n.Call) -> Any:
        """The result of an operation, typed with the sizes of the moment."""
        op = expr.op
        if op.name in ("get_block_idx", "get_block_num"):
            return self.block[op.name == "get_block_num"]
        values = [None if arg is None else self.value(arg) for arg in expr.args]
        operands = tuple(None if arg is None else _typed(arg, v) for arg, v in zip(expr.args, values, strict=True))
        statics = {param.name: expr.kwargs.get(param.name, param.default) for param in op.statics}
        try:
            result = RULES[op.typing](op, operands, statics)
            found = _apply(op, result, values, statics)
        except (OpTypeError, OpValueError) as error:
            error.span = error.span or (expr.span if expr.span.line else None)
            raise
        if op.name == "create_tensor" and not self.on_core:
            found = replace(found, in_memory=True)
        flat = isinstance(found, Array) and isinstance(expr.type, TileType)
        return flattened(found, expr.type.rank) if flat else found  # type: ignore[attr-defined]


def _typed(arg: n.Expr, value: Any) -> n.Expr:
    """An operand for a typing rule that has the type, or the number, of ``value``."""
    if isinstance(value, Array):
        return n.Var(value.type, "operand", span=arg.span)
    if isinstance(value, tuple):
        items = tuple(constant(item) for item in value)
        return n.MakeTuple(TupleType(tuple(item.type for item in items)), items, span=arg.span)
    assert isinstance(arg.type, ScalarType)
    return n.Const(arg.type, value, span=arg.span)


def _apply(op: Op, result: Type, values: Sequence[Any], statics: Mapping[str, Any]) -> Any:
    if op.name in HANDLERS:
        accepted = _named(HANDLERS[op.name])
        kept = statics if accepted is None else {k: v for k, v in statics.items() if k in accepted}
        return HANDLERS[op.name](result, *values, **kept)
    assert op.reference is not None and isinstance(result, TensorType | TileType), op
    operands = [
        _operand(value, result, values[0] if op.typing in CELL_BY_CELL else None)
        for value, param in zip(values, op.operands, strict=True)
        if not param.scratch
    ]
    accepted = _named(op.reference)
    named = {name: value for name, value in statics.items() if accepted is None or name in accepted}
    try:
        return filled(op.reference(torch, *operands, **named), result)
    except RuntimeError as error:  # torch refuses, e.g. an integer division by zero
        raise OpValueError(f"{op.name}: {error}") from error


def _operand(value: Any, result: TensorType | TileType, first: Array | None) -> Any:
    """An operand of a reference: the valid cells, or a scalar rounded to the result's dtype.

    With ``first``, the first operand of an operation cell by cell, arrays become the result's dtype, and one of the
    shape of ``first`` gives the cells that are valid there.
    """
    if isinstance(value, Array):
        if first is None:
            return computable(value.cells, value.dtype)
        cells = value.data[box((0,) * len(first.valid), first.valid)] if value.shape == first.shape else value.cells
        return computable(cells, result.dtype)
    return value if value is None or isinstance(value, bool) else computable(torch.tensor(value), result.dtype)


@cache
def _named(function: Callable[..., Any]) -> frozenset[str] | None:
    """The keyword names a function takes; None when it takes any."""
    parameters = inspect.signature(function).parameters.values()
    if any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters):
        return None
    return frozenset(p.name for p in parameters)


_STATEMENTS: dict[type, Callable[[_Run, Any], None]] = {
    n.Assign: _Run.assign, n.Eval: _Run.evaluate, n.For: _Run.for_loop, n.While: _Run.while_loop, n.If: _Run.branch,
    n.InCoreScope: _Run.scope, n.HierarchyScope: _Run.scope, n.Scope: _Run.scope, n.Return: _Run.leave,
    n.Break: _Run.stop, n.Continue: _Run.skip,
}  # fmt: skip
_EXPRESSIONS: dict[type, Callable[[_Run, Any], Any]] = {
    n.Const: lambda run, expr: rounded(expr.value, expr.dtype),
    n.Binary: lambda run, expr: scalars.binary(expr.kind, run.value(expr.left), run.value(expr.right), expr.type.dtype),
    n.Unary: lambda run, expr: scalars.unary(expr.kind, run.value(expr.operand), expr.type.dtype),
    n.MakeTuple: lambda run, expr: tuple(map(run.value, expr.items)),
    n.TupleItem: lambda run, expr: run.value(expr.tuple)[expr.index],
    n.Call: _Run.op_call,
    n.FunctionCall: _Run.function_call,
}
