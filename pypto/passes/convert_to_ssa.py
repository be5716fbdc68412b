"""One definition per variable: loops and branches hand on the values that live past them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pypto.errors import LoweringError, UndefinedVariableError
from pypto.ir import nodes as n
from pypto.ir.build import call, constant, describe
from pypto.ir.equal import structural_equal
from pypto.ir.types import ScalarType, ShapedType, TensorType, TileType, Type
from pypto.ir.visit import Rewriter, Rewritten, bodies, definitions, free_vars
from pypto.passes.context import PassContext


@dataclass(frozen=True)
class ConvertToSSA:
    """Afterwards each Var is defined once; loops carry IterArgs, loops and branches end with a Yield per result."""

    name: str = "ConvertToSSA"

    def __call__(self, program: n.Program, context: PassContext) -> n.Program:
        """``program`` in SSA form; UndefinedVariableError for a name that a path leaves unbound."""
        functions = [_Convert(function).function(function) for function in program.functions]
        return replace(program, functions=tuple(functions))


class _Convert(Rewriter):
    """``vars`` maps a variable of the source to its current version."""

    def __init__(self, function: n.Function) -> None:
        super().__init__({param: param for param in function.params})
        self._live: set[n.Var] = set()  # read after the statement that is being rewritten

    def body(self, body: n.Body) -> n.Body:
        after = self._live
        lives = _live_after(body, after)
        outer, self._out = self._out, []
        out = self._out
        for stmt, live in zip(body, lives, strict=True):
            self._live = live
            rewritten = self.stmt(stmt)
            out.extend(rewritten if isinstance(rewritten, tuple) else (rewritten,))
        self._out, self._live = outer, after
        return tuple(out)

    def rewrite_assign(self, stmt: n.Assign) -> Rewritten:
        value = self.expr(stmt.value)
        var = self._version(stmt.var, value.type)
        return n.Assign(var, value, span=stmt.span)

    def _version(self, var: n.Var, type_: Type | None = None) -> n.Var:
        """A new version of ``var``, current from now on."""
        version = n.Var(self.type(var.type) if type_ is None else type_, var.name, span=var.span)
        self.vars[var] = version
        return version

    def rewrite_if(self, stmt: n.If) -> Rewritten:
        live, before = self._live, dict(self.vars)
        condition = self.expr(stmt.condition)
        then = self.body(stmt.then)
        after_then, self.vars = self.vars, dict(before)
        orelse = self.body(stmt.orelse)
        after_else, self.vars = self.vars, dict(before)
        merged = []
        for var in dict.fromkeys((*_assigned(stmt.then), *_assigned(stmt.orelse))):
            if var not in live:
                continue
            if var not in after_then or var not in after_else:
                raise UndefinedVariableError(
                    f"'{var.name}' is assigned in one branch only and used afterwards", stmt.span,
                    f"assign '{var.name}' before the if, or in both branches",
                )  # fmt: skip
            merged.append((var, after_then[var], after_else[var]))
        if not merged:
            return n.If(condition, then, orelse, span=stmt.span)
        yields = [n.Yield(tuple(item[side] for item in merged), span=stmt.span) for side in (1, 2)]
        results = tuple(self._version(var, _same(var, a.type, b.type, stmt.span)) for var, a, b in merged)
        return n.If(condition, (*then, yields[0]), (*orelse, yields[1]), results, span=stmt.span)

    def rewrite_for(self, stmt: n.For) -> Rewritten:
        start, stop, step = self.expr(stmt.start), self.expr(stmt.stop), self.expr(stmt.step)
        runs = all(isinstance(bound, n.Const) for bound in (start, stop, step)) and _trips(start, stop, step) > 0
        carried = self._carried(stmt, runs)
        var = n.Var(stmt.var.type, stmt.var.name, span=stmt.var.span)
        self.vars[stmt.var] = var
        body, iter_args, results = self._loop(stmt, carried)
        return replace(
            stmt, var=var, start=start, stop=stop, step=step, body=body, iter_args=iter_args, results=results
        )

    def rewrite_while(self, stmt: n.While) -> Rewritten:
        carried = self._carried(stmt, False)
        iter_args = self._enter(carried)
        condition = self.expr(stmt.condition)
        body, results = self._leave(stmt, carried, iter_args)
        return replace(stmt, condition=condition, body=body, iter_args=iter_args, results=results)

    def _carried(self, stmt: n.For | n.While, runs: bool) -> list[tuple[n.Var, n.Expr]]:
        """What the loop hands from one iteration to the next or past its end, each with its value before the loop."""
        read = set(free_vars((stmt,)))
        carried = []
        for var in _assigned(stmt.body):
            if var not in read and var not in self._live:
                continue
            init = self.vars.get(var)
            if init is None:
                if var in read or not runs:
                    raise UndefinedVariableError(
                        f"'{var.name}' may be used before the loop assigns it", stmt.span,
                        f"assign '{var.name}' before the loop",
                    )  # fmt: skip
                init = self._placeholder(var, stmt)
            carried.append((var, init))
        return carried

    def _placeholder(self, var: n.Var, stmt: n.Stmt) -> n.Expr:
        """A value for a variable that the first iteration is sure to overwrite."""
        if isinstance(var.type, ScalarType):
            return constant(0.0 if var.type.dtype.is_float else 0, var.type.dtype)
        if isinstance(var.type, TileType) and var.type.is_static:
            space: dict[str, Any] = {} if var.type.space is None else {"target_memory": var.type.space}
            tile = call("create_tile", list(var.type.shape), var.type.dtype, **space)
            self.emit(n.Assign(placeholder := n.Var(tile.type, var.name, span=stmt.span), tile, span=stmt.span))
            return placeholder
        raise UndefinedVariableError(
            f"'{var.name}' is assigned in the loop only and used afterwards", stmt.span,
            f"create '{var.name}' before the loop",
        )  # fmt: skip

    def _loop(
        self, stmt: n.For, carried: list[tuple[n.Var, n.Expr]]
    ) -> tuple[n.Body, tuple[n.IterArg, ...], tuple[n.Var, ...]]:
        iter_args = self._enter(carried)
        body, results = self._leave(stmt, carried, iter_args)
        return body, iter_args, results

    def _enter(self, carried: list[tuple[n.Var, n.Expr]]) -> tuple[n.IterArg, ...]:
        iter_args = tuple(n.IterArg(init.type, var.name, init, span=var.span) for var, init in carried)
        self.vars.update((var, arg) for (var, _), arg in zip(carried, iter_args, strict=True))
        return iter_args

    def _leave(
        self, stmt: n.For | n.While, carried: list[tuple[n.Var, n.Expr]], iter_args: tuple[n.IterArg, ...]
    ) -> tuple[n.Body, tuple[n.Var, ...]]:
        before, live = dict(self.vars), self._live
        self._live = live | set(free_vars((stmt,))) | {var for var, _ in carried}
        body = self.body(stmt.body)
        self._live = live
        yielded = tuple(self.vars[var] for var, _ in carried)
        self.vars = before
        results = tuple(
            self._version(var, _same(var, arg.type, value.type, stmt.span))
            for (var, _), arg, value in zip(carried, iter_args, yielded, strict=True)
        )
        return (*body, n.Yield(yielded, span=stmt.span)) if carried else body, results


def _trips(start: n.Expr, stop: n.Expr, step: n.Expr) -> int:
    """Iterations of a loop whose bounds are constants."""
    assert isinstance(start, n.Const) and isinstance(stop, n.Const) and isinstance(step, n.Const)
    return len(range(int(start.value), int(stop.value), int(step.value) or 1))


def _same(var: n.Var, first: Type, second: Type, span: n.Span) -> Type:
    """The type of a value that comes from two places; a tile without a space yet takes that of the other place."""
    if first == second:
        return first
    if isinstance(first, TileType) and isinstance(second, TileType):
        if first.space is None:
            first = replace(first, space=second.space)
        elif second.space is None:
            second = replace(second, space=first.space)
        if _equal(first, second):
            return first
    if isinstance(first, TensorType) and isinstance(second, TensorType) and _equal(first, second):
        return first
    one, other = (describe(n.Var(type_, var.name)) for type_ in (first, second))
    places = [type_.space.name for type_ in (first, second) if isinstance(type_, TileType) and type_.space]
    where = f" (in {places[0]} and in {places[1]})" if len(set(places)) == 2 else ""
    raise LoweringError(
        f"'{var.name}' is {one} on one path and {other} on the other{where}", span,
        "give both the same shape, dtype, memory space and valid region (pl.set_validshape)",
    )  # fmt: skip


def _equal(first: ShapedType, second: ShapedType) -> bool:
    """Whether two types agree, run-time extents by their structure."""
    if len(first.shape) != len(second.shape) or first.dtype != second.dtype:
        return False
    pairs = zip((*first.shape, *first.valid_shape), (*second.shape, *second.valid_shape), strict=True)
    same = all(a == b or (isinstance(a, n.Expr) and isinstance(b, n.Expr) and structural_equal(a, b)) for a, b in pairs)
    return same and getattr(first, "space", None) == getattr(second, "space", None)


def _assigned(body: n.Body) -> dict[n.Var, None]:
    """The variables that assignments in ``body`` and below bind, in order."""
    found: dict[n.Var, None] = {}
    for stmt in body:
        if isinstance(stmt, n.Assign):
            found[stmt.var] = None
        for nested in bodies(stmt):
            found |= _assigned(nested)
    return found


def _live_after(body: n.Body, live_out: set[n.Var]) -> list[set[n.Var]]:
    """For each statement the variables read after it; one shared set for statements that do not ask."""
    lives: list[set[n.Var]] = []
    live = set(live_out)
    for stmt in reversed(body):
        lives.append(set(live) if bodies(stmt) else live)
        if isinstance(stmt, n.Assign):
            live.discard(stmt.var)
        else:
            live.difference_update(definitions(stmt))
        live.update(free_vars((stmt,)))
    return lives[::-1]
