"""Constants propagated and folded, copies and dead branches removed, unused values dropped."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pypto.ir import nodes as n
from pypto.ir.build import as_expr, binary, cast_scalar, logical_not, negate, scalar_dtype
from pypto.ir.types import TensorType
from pypto.ir.visit import Rewriter, Rewritten, walk
from pypto.ir.visit import used_vars as used_in
from pypto.ops.row import Trait
from pypto.passes.context import PassContext


@dataclass(frozen=True)
class Simplify:
    """Afterwards no scalar constant sits behind a variable, no branch has a constant condition, no value is unused."""

    name: str = "Simplify"

    def __call__(self, program: n.Program, context: PassContext) -> n.Program:
        """``program`` with the same effects and results in fewer statements. Needs SSA form."""
        program = _Fold().program(program)
        return replace(program, functions=tuple(_drop_unused(function) for function in program.functions))


class _Fold(Rewriter):
    """``vars`` also maps a variable to the constant, or to the variable, that it is a copy of."""

    def rewrite_binary(self, expr: n.Binary) -> n.Expr:
        left, right = self.expr(expr.left), self.expr(expr.right)
        return _logical(expr.kind, left, right) or binary(expr.kind, left, right, expr.span)

    def rewrite_unary(self, expr: n.Unary) -> n.Expr:
        operand = self.expr(expr.operand)
        if operand is expr.operand or not isinstance(operand, n.Const):
            return super().rewrite_unary(expr)
        if expr.kind is n.UnaryKind.Not:
            return logical_not(operand, expr.span)
        if expr.kind is n.UnaryKind.Neg:
            return negate(operand, expr.span)
        if expr.kind is n.UnaryKind.Cast:
            return cast_scalar(operand, scalar_dtype(expr), expr.span)
        return super().rewrite_unary(expr)

    def rewrite_call(self, call: n.Call) -> n.Expr:
        if call.op.name == "dim" and call.args[0] is not None:
            source = self.expr(call.args[0]).type
            if isinstance(source, TensorType):
                return cast_scalar(as_expr(source.shape[call.kwargs["axis"]]), scalar_dtype(call), call.span)
        return super().rewrite_call(call)

    def rewrite_assign(self, stmt: n.Assign) -> Rewritten:
        value = self.expr(stmt.value)
        if isinstance(value, n.Const | n.Var):
            self.vars[stmt.var] = value
            return ()
        if isinstance(value, n.MakeTuple):
            self.vars[stmt.var] = value
            return ()
        var = self.define(stmt.var)
        return stmt if value is stmt.value and var is stmt.var else n.Assign(var, value, span=stmt.span)

    def rewrite_if(self, stmt: n.If) -> Rewritten:
        condition = self.expr(stmt.condition)
        if not isinstance(condition, n.Const):
            return super().rewrite_if(stmt)
        taken = self.body(stmt.then if condition.value else stmt.orelse)
        if stmt.results:
            last = taken[-1]
            assert isinstance(last, n.Yield)
            self.vars.update(zip(stmt.results, last.values, strict=True))
            taken = taken[:-1]
        return taken

    def rewrite_for(self, stmt: n.For) -> Rewritten:
        bounds = [self.expr(bound) for bound in (stmt.start, stmt.stop, stmt.step)]
        values = [bound.value for bound in bounds if isinstance(bound, n.Const)]
        if len(values) == 3 and values[2] and not range(*(int(value) for value in values)):
            self.vars.update(
                (result, self.expr(a.init)) for result, a in zip(stmt.results, stmt.iter_args, strict=True)
            )
            return ()
        return super().rewrite_for(stmt)


def _logical(kind: n.BinaryKind, left: n.Expr, right: n.Expr) -> n.Expr | None:
    """What ``and`` and ``or`` with a constant side come to."""
    if kind not in (n.BinaryKind.And, n.BinaryKind.Or):
        return None
    absorbs = kind is n.BinaryKind.Or
    for side, other in ((left, right), (right, left)):
        if isinstance(side, n.Const):
            return side if bool(side.value) is absorbs else other
    return None


def has_effect(value: n.Expr) -> bool:
    """Whether evaluating ``value`` changes memory or starts a task."""
    for node in walk(value):
        if isinstance(node, n.FunctionCall):
            return True
        if isinstance(node, n.Call) and (
            Trait.EFFECT in node.op.traits or (node.op.name == "assemble" and isinstance(node.type, TensorType))
        ):
            return True
    return False


def _drop_unused(function: n.Function) -> n.Function:
    """``function`` without values nobody reads; repeated while a removal makes others unused."""
    while True:
        used = set(used_in(function.body)) | set(used_in((function,)))
        body = _Drop(used).body(function.body)
        if body is function.body:
            return function
        function = replace(function, body=body)


class _Drop(Rewriter):
    def __init__(self, used: set[n.Var]) -> None:
        super().__init__()
        self.used = used

    def rewrite_assign(self, stmt: n.Assign) -> Rewritten:
        if stmt.var in self.used:
            return stmt
        return n.Eval(stmt.value, span=stmt.span) if has_effect(stmt.value) else ()

    def rewrite_eval(self, stmt: n.Eval) -> Rewritten:
        return stmt if has_effect(stmt.value) else ()

    def rewrite_if(self, stmt: n.If) -> Rewritten:
        then, orelse = self.body(stmt.then), self.body(stmt.orelse)
        keep = [index for index, result in enumerate(stmt.results) if result in self.used]
        if not keep and not _without_yield(then) and not _without_yield(orelse):
            return ()
        if len(keep) == len(stmt.results):
            return stmt if then is stmt.then and orelse is stmt.orelse else replace(stmt, then=then, orelse=orelse)
        results = tuple(stmt.results[index] for index in keep)
        return replace(stmt, then=_keep(then, keep), orelse=_keep(orelse, keep), results=results)

    def rewrite_for(self, stmt: n.For) -> Rewritten:
        return self._loop(stmt)

    def rewrite_while(self, stmt: n.While) -> Rewritten:
        return self._loop(stmt)

    def _loop(self, stmt: n.For | n.While) -> Rewritten:
        body = self.body(stmt.body)
        if isinstance(stmt, n.For) and not _without_yield(body) and not any(r in self.used for r in stmt.results):
            return ()
        keep = [
            index
            for index, (arg, result) in enumerate(zip(stmt.iter_args, stmt.results, strict=True))
            if result in self.used or not _only_carried(stmt, body, arg, index)
        ]
        if len(keep) == len(stmt.results):
            return stmt if body is stmt.body else replace(stmt, body=body)
        return replace(
            stmt,
            body=_keep(body, keep),
            iter_args=tuple(stmt.iter_args[index] for index in keep),
            results=tuple(stmt.results[index] for index in keep),
        )


def _only_carried(stmt: n.For | n.While, body: n.Body, arg: n.IterArg, index: int) -> bool:
    """Whether nothing in the loop reads ``arg``, other than to hand it on unchanged."""
    last = body[-1]
    assert isinstance(last, n.Yield)
    others = [value for position, value in enumerate(last.values) if position != index]
    reads = set(used_in(body[:-1])) | {var for value in others for var in walk(value) if isinstance(var, n.Var)}
    if isinstance(stmt, n.While):
        reads |= {var for var in walk(stmt.condition) if isinstance(var, n.Var)}
    return arg not in reads


def _without_yield(body: n.Body) -> n.Body:
    return body[:-1] if body and isinstance(body[-1], n.Yield) else body


def _keep(body: n.Body, keep: list[int]) -> n.Body:
    """``body`` with a final Yield of the kept values only; no Yield when none is kept."""
    if not body or not isinstance(body[-1], n.Yield):
        return body
    values = tuple(body[-1].values[index] for index in keep)
    return (*body[:-1], n.Yield(values, span=body[-1].span)) if values else body[:-1]
