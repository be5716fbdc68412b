"""Rebuilding the IR: a ``Rewriter`` makes new nodes where something changed and shares the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pypto.ir import nodes as n
from pypto.ir.build import as_dim
from pypto.ir.types import Dim, ScalarType, Shape, TensorType, TileType, TupleType

_METHODS: dict[type, str] = {
    n.Var: "rewrite_var", n.IterArg: "rewrite_var", n.Const: "rewrite_const", n.Binary: "rewrite_binary",
    n.Unary: "rewrite_unary", n.MakeTuple: "rewrite_make_tuple", n.TupleItem: "rewrite_tuple_item",
    n.Call: "rewrite_call", n.FunctionCall: "rewrite_function_call",
    n.Assign: "rewrite_assign", n.Eval: "rewrite_eval", n.For: "rewrite_for", n.While: "rewrite_while",
    n.If: "rewrite_if", n.Yield: "rewrite_yield", n.Return: "rewrite_return",
    n.Break: "rewrite_jump", n.Continue: "rewrite_jump",
    n.InCoreScope: "rewrite_scope", n.HierarchyScope: "rewrite_scope",
}  # fmt: skip

Rewritten = n.Stmt | n.Body


class Rewriter:
    """Rebuilds a program, a function, a body or an expression where something in it changes; the rest is shared.

    A pass overrides ``rewrite_<node>`` for the nodes it cares about and calls ``super()`` for the usual treatment.
    A statement becomes a statement or a tuple of them, empty to remove it; ``emit`` puts one in front of it.
    ``vars`` maps a variable to what stands for it from now on. A variable whose type mentions a replaced one gets a
    successor with the new type, by itself. A definition follows the map when the replacement is a Var (renaming).
    """

    def __init__(self, vars: Mapping[n.Var, n.Expr] | None = None) -> None:
        self.vars: dict[n.Var, n.Expr] = dict(vars or {})
        self._out: list[n.Stmt] = []

    def expr(self, expr: Any) -> Any:
        """``expr`` with its parts rewritten; the same node when nothing changed."""
        rewritten: n.Expr = getattr(self, _METHODS[expr.__class__])(expr)
        return rewritten

    def stmt(self, stmt: n.Stmt) -> Rewritten:
        """What stands in the place of ``stmt``."""
        rewritten: Rewritten = getattr(self, _METHODS[stmt.__class__])(stmt)
        return rewritten

    def emit(self, stmt: n.Stmt) -> None:
        """Put ``stmt`` in front of the statement that is being rewritten."""
        self._out.append(stmt)

    def body(self, body: n.Body) -> n.Body:
        """The statements of ``body`` rewritten in order; the same tuple when nothing changed."""
        outer, self._out = self._out, []
        out, same = self._out, True
        for stmt in body:
            before = len(out)
            rewritten = self.stmt(stmt)
            if isinstance(rewritten, tuple):
                out.extend(rewritten)
                same = False
            else:
                same = same and rewritten is stmt and len(out) == before
                out.append(rewritten)
        self._out = outer
        return body if same else tuple(out)

    def function(self, function: n.Function) -> n.Function:
        """``function`` with parameters, result types and body rewritten."""
        params = self.define_all(function.params)
        body = self.body(function.body)
        returns = _each(self.type, function.return_types)
        if params is function.params and body is function.body and returns is function.return_types:
            return function
        return replace(function, params=params, body=body, return_types=returns)

    def program(self, program: n.Program) -> n.Program:
        """``program`` with every function rewritten."""
        functions = _each(self.function, program.functions)
        return program if functions is program.functions else replace(program, functions=functions)

    # Types and definitions

    def type(self, type_: Any) -> Any:
        """``type_`` with the expressions inside it rewritten."""
        if type_.__class__ is ScalarType or not self.vars:
            return type_
        if isinstance(type_, TensorType | TileType):
            return self._shaped(type_)
        if isinstance(type_, TupleType):
            items = _each(self.type, type_.items)
            return type_ if items is type_.items else TupleType(items)
        return type_

    def _shaped(self, type_: Any) -> Any:
        shape, view = self.dims(type_.shape), type_.view
        if view is not None:
            changes: dict[str, Any] = {name: self.dims(getattr(view, name)) for name in ("valid_shape", "stride")}
            if isinstance(getattr(view, "start_offset", None), n.Expr):
                changes["start_offset"] = as_dim(self.expr(view.start_offset))
            changes = {name: value for name, value in changes.items() if value is not getattr(view, name)}
            if changes or shape is not type_.shape:
                return replace(type_, shape=shape).with_view(**changes)
        return type_ if shape is type_.shape else replace(type_, shape=shape)

    def dims(self, dims: Shape | None) -> Shape | None:
        """Dimensions with the expressions among them rewritten; one that became constant is an int again."""
        return None if dims is None else _each(self._dim, dims)

    def _dim(self, dim: Dim) -> Dim:
        return dim if dim.__class__ is int else as_dim(self.expr(dim))

    def define(self, var: Any) -> Any:
        """What ``var`` is called where it is bound: its replacement, or a successor when its type changed."""
        found = self.vars.get(var)
        if isinstance(found, n.Var):
            return found
        type_ = self.type(var.type)
        if isinstance(var, n.IterArg):
            init = self.expr(var.init)
            if type_ is var.type and init is var.init:
                return var
            successor: n.Var = n.IterArg(type_, var.name, init, span=var.span)
        elif type_ is var.type:
            return var
        else:
            successor = n.Var(type_, var.name, span=var.span)
        self.vars[var] = successor
        return successor

    def define_all(self, found: tuple[Any, ...]) -> tuple[Any, ...]:
        """``define`` for each; the same tuple when nothing changed."""
        return _each(self.define, found)

    # Expressions

    def rewrite_var(self, var: n.Var) -> n.Expr:
        """What stands for the use of ``var``."""
        return self.vars.get(var, var)

    def rewrite_const(self, const: n.Const) -> n.Expr:
        """What stands for ``const``."""
        return const

    def rewrite_binary(self, expr: n.Binary) -> n.Expr:
        """What stands for a scalar operation on two operands."""
        left, right = self.expr(expr.left), self.expr(expr.right)
        if left is expr.left and right is expr.right:
            return expr
        return n.Binary(expr.type, expr.kind, left, right, span=expr.span)

    def rewrite_unary(self, expr: n.Unary) -> n.Expr:
        """What stands for a scalar operation on one operand."""
        operand = self.expr(expr.operand)
        return expr if operand is expr.operand else n.Unary(expr.type, expr.kind, operand, span=expr.span)

    def rewrite_make_tuple(self, expr: n.MakeTuple) -> n.Expr:
        """What stands for a tuple of values; its type follows its elements."""
        items = _each(self.expr, expr.items)
        if items is expr.items:
            return expr
        return n.MakeTuple(TupleType(tuple([item.type for item in items])), items, span=expr.span)

    def rewrite_tuple_item(self, expr: n.TupleItem) -> n.Expr:
        """What stands for one element of a tuple; the element itself where the tuple is spelled out."""
        source, type_ = self.expr(expr.tuple), self.type(expr.type)
        if source is expr.tuple and type_ is expr.type:
            return expr
        if isinstance(source, n.MakeTuple):
            return source.items[expr.index]
        return n.TupleItem(type_, source, expr.index, span=expr.span)

    def rewrite_call(self, call: n.Call) -> n.Expr:
        """What stands for a call of an operation; its type is carried over with the map applied, not inferred anew."""
        args = _each(self._optional, call.args)
        type_ = self.type(call.type)
        if args is call.args and type_ is call.type:
            return call
        return n.Call(type_, call.op, args, call.kwargs, span=call.span)

    def _optional(self, arg: n.Expr | None) -> n.Expr | None:
        return None if arg is None else self.expr(arg)

    def rewrite_function_call(self, call: n.FunctionCall) -> n.Expr:
        """What stands for a call of a function of the program."""
        args = _each(self.expr, call.args)
        type_ = self.type(call.type)
        if args is call.args and type_ is call.type:
            return call
        return n.FunctionCall(type_, call.callee, args, call.attrs, span=call.span)

    # Statements

    def rewrite_assign(self, stmt: n.Assign) -> Rewritten:
        """What stands in the place of an assignment."""
        value = self.expr(stmt.value)
        var = self.define(stmt.var)
        if value is stmt.value and var is stmt.var:
            return stmt
        return n.Assign(var, value, span=stmt.span)

    def rewrite_eval(self, stmt: n.Eval) -> Rewritten:
        """What stands in the place of a call made for its effect."""
        value = self.expr(stmt.value)
        return stmt if value is stmt.value else n.Eval(value, span=stmt.span)

    def rewrite_for(self, stmt: n.For) -> Rewritten:
        """What stands in the place of a counted loop."""
        start, stop, step = self.expr(stmt.start), self.expr(stmt.stop), self.expr(stmt.step)
        iter_args = self.define_all(stmt.iter_args)
        var = self.define(stmt.var)
        body = self.body(stmt.body)
        results = self.define_all(stmt.results)
        if (
            body is stmt.body and iter_args is stmt.iter_args and var is stmt.var and results is stmt.results
            and start is stmt.start and stop is stmt.stop and step is stmt.step
        ):  # fmt: skip
            return stmt
        return n.For(var, start, stop, step, body, iter_args, results, stmt.kind, stmt.attrs, span=stmt.span)

    def rewrite_while(self, stmt: n.While) -> Rewritten:
        """What stands in the place of a loop with a condition."""
        iter_args = self.define_all(stmt.iter_args)
        condition = self.expr(stmt.condition)
        body = self.body(stmt.body)
        results = self.define_all(stmt.results)
        if (
            body is stmt.body
            and condition is stmt.condition
            and iter_args is stmt.iter_args
            and results is stmt.results
        ):
            return stmt
        return n.While(condition, body, iter_args, results, span=stmt.span)

    def rewrite_if(self, stmt: n.If) -> Rewritten:
        """What stands in the place of a branch."""
        condition = self.expr(stmt.condition)
        then, orelse = self.body(stmt.then), self.body(stmt.orelse)
        results = self.define_all(stmt.results)
        if condition is stmt.condition and then is stmt.then and orelse is stmt.orelse and results is stmt.results:
            return stmt
        return n.If(condition, then, orelse, results, span=stmt.span)

    def rewrite_yield(self, stmt: n.Yield) -> Rewritten:
        """What stands in the place of a yield."""
        values = _each(self.expr, stmt.values)
        return stmt if values is stmt.values else n.Yield(values, span=stmt.span)

    def rewrite_return(self, stmt: n.Return) -> Rewritten:
        """What stands in the place of a return."""
        values = _each(self.expr, stmt.values)
        return stmt if values is stmt.values else n.Return(values, span=stmt.span)

    def rewrite_jump(self, stmt: n.Break | n.Continue) -> Rewritten:
        """What stands in the place of a break or continue."""
        return stmt

    def rewrite_scope(self, stmt: n.Scope) -> Rewritten:
        """What stands in the place of a region."""
        body = self.body(stmt.body)
        return stmt if body is stmt.body else replace(stmt, body=body)


def _each(function: Callable[[Any], Any], items: tuple[Any, ...]) -> tuple[Any, ...]:
    """``function`` of each item; the same tuple when it returned every item itself."""
    for index, item in enumerate(items):
        new = function(item)
        if new is not item:
            return (*items[:index], new, *[function(rest) for rest in items[index + 1 :]])
    return items


def substitute(node: Any, vars: Mapping[n.Var, n.Expr]) -> Any:
    """``node`` (an expression, a body, a function or a program) with variables replaced, inside types too."""
    rewriter = Rewriter(vars)
    if isinstance(node, tuple):
        return rewriter.body(node)
    if isinstance(node, n.Expr):
        return rewriter.expr(node)
    return rewriter.function(node) if isinstance(node, n.Function) else rewriter.program(node)
