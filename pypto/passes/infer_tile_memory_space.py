"""Every tile gets a memory space, and a move where an operation needs its operand in another one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pypto.errors import LoweringError
from pypto.ir import nodes as n
from pypto.ir.build import call
from pypto.ir.types import TileType
from pypto.ir.visit import Rewriter, Rewritten
from pypto.ops.enums import FunctionType, MemorySpace
from pypto.passes.context import PassContext
from pypto.passes.demands import demanded_spaces
from pypto.platforms import Backend

_VIA = {MemorySpace.Left: MemorySpace.Mat, MemorySpace.Right: MemorySpace.Mat, MemorySpace.Bias: MemorySpace.Mat}


@dataclass(frozen=True)
class InferTileMemorySpace:
    """Afterwards every TileType in an in-core function names its space, and operands are where their op reads them."""

    name: str = "InferTileMemorySpace"

    def __call__(self, program: n.Program, context: PassContext) -> n.Program:
        """``program`` with spaces and moves; LoweringError where this backend has no way from one space to another."""
        kinds = (FunctionType.InCore, FunctionType.AIC, FunctionType.AIV)
        functions = [
            _Infer(context.backend, function).function(function) if function.kind in kinds else function
            for function in program.functions
        ]
        return replace(program, functions=tuple(functions))


class _Infer(Rewriter):
    def __init__(self, backend: Backend, function: n.Function) -> None:
        super().__init__()
        self.backend = backend
        self.demands = demanded_spaces(function)
        self.moved: dict[tuple[n.Expr, MemorySpace], n.Var] = {}

    def rewrite_assign(self, stmt: n.Assign) -> Rewritten:
        if not isinstance(stmt.value, n.Call):
            return super().rewrite_assign(stmt)
        value = self._call(stmt.value, stmt.var)
        if not isinstance(value.type, TileType):
            return n.Assign(self.define(stmt.var), value, span=stmt.span)
        var = n.Var(value.type, stmt.var.name, span=stmt.var.span)
        self.vars[stmt.var] = var
        return n.Assign(var, value, span=stmt.span)

    def rewrite_eval(self, stmt: n.Eval) -> Rewritten:
        if isinstance(stmt.value, n.Call):
            return n.Eval(self._call(stmt.value, None), span=stmt.span)
        return super().rewrite_eval(stmt)

    def _call(self, value: n.Call, var: n.Var | None) -> n.Call:
        """The call with its operands where the row wants them, and a result type that names its space."""
        args: list[n.Expr | None] = []
        for param, arg in zip(value.op.operands, value.args, strict=True):
            found = None if arg is None else self.expr(arg)
            if found is not None and isinstance(found.type, TileType):
                found = self._placed(found, value.op.spaces.get(param.name, ()), value)
            args.append(found)
        type_ = self.type(value.type)
        rewritten = replace(value, args=tuple(args), type=type_)
        if not isinstance(type_, TileType):
            return rewritten
        space = self._result_space(rewritten, var)
        kwargs = dict(rewritten.kwargs)
        if value.op.name == "create_tile" and space is not MemorySpace.Vec:
            kwargs["target_memory"] = space
        return replace(rewritten, type=replace(type_, space=space), kwargs=kwargs)

    def _result_space(self, value: n.Call, var: n.Var | None) -> MemorySpace:
        name = value.op.name
        if name == "create_tile" and "target_memory" not in value.kwargs and var is not None:
            return self.demands.get(var, MemorySpace.Vec)
        if name in ("load", "move", "create_tile", "extract"):
            return MemorySpace(value.kwargs.get("target_memory", MemorySpace.Vec))
        legal = value.op.spaces.get("", ())
        source = next((arg.type for arg in value.args if arg is not None and isinstance(arg.type, TileType)), None)
        if source is not None and source.space is not None and (not legal or source.space.name in legal):
            return source.space
        return MemorySpace[legal[0]] if legal else MemorySpace.Vec

    def _placed(self, tile: n.Expr, legal: tuple[str, ...], value: n.Call) -> n.Expr:
        """``tile``, or a copy of it in a space that the operation reads."""
        space: Any = tile.type.space  # type: ignore[attr-defined]
        if not legal or space is None or space.name in legal:
            return tile
        target = MemorySpace[legal[0]]
        if (tile, target) not in self.moved:
            self.moved[tile, target] = self._move(tile, space, target, value)
        return self.moved[tile, target]

    def _move(self, tile: n.Expr, space: MemorySpace, target: MemorySpace, value: n.Call) -> n.Var:
        """Emit the moves from ``space`` to ``target``, by way of Mat where the cube buffers are filled from there."""
        way = [target] if space is MemorySpace.Mat or target not in _VIA else [_VIA[target], target]
        for step in way:
            if (space, step) not in self.backend.moves:
                raise LoweringError(
                    f"{value.op.name}: '{getattr(tile, 'name', 'operand')}' lives in {space.name} and is needed in "
                    f"{target.name}; {self.backend.type.value} has no way from {space.name} to {step.name} on chip",
                    value.span or tile.span,
                    "store it into a tensor and load it again in another pl.at region or kernel",
                )
            moved = call("move", tile, step, span=value.span)
            assert isinstance(moved.type, TileType)
            moved = replace(moved, type=replace(moved.type, space=step))
            tile = n.Var(moved.type, f"{getattr(tile, 'name', 'tile')}_{step.name.lower()}", span=value.span)
            self.emit(n.Assign(tile, moved, span=value.span))
            space = step
        return tile  # type: ignore[return-value]

    # What loops and branches carry has the space of what comes in.

    def body(self, body: n.Body) -> n.Body:
        outer, self.moved = self.moved, dict(self.moved)
        rewritten = super().body(body)
        self.moved = outer
        return rewritten

    def rewrite_for(self, stmt: n.For) -> Rewritten:
        return super().rewrite_for(self._carry(stmt))

    def rewrite_while(self, stmt: n.While) -> Rewritten:
        return super().rewrite_while(self._carry(stmt))

    def _carry(self, stmt: Any) -> Any:
        for arg, result in zip(stmt.iter_args, stmt.results, strict=True):
            init = self.expr(arg.init)
            if isinstance(init.type, TileType):
                type_ = replace(self.type(arg.type), space=init.type.space)
                self.vars[arg] = n.IterArg(type_, arg.name, init, span=arg.span)
                self.vars[result] = n.Var(type_, result.name, span=result.span)
        return stmt

    def rewrite_if(self, stmt: n.If) -> Rewritten:
        rewritten = super().rewrite_if(stmt)
        if not isinstance(rewritten, n.If) or not rewritten.results:
            return rewritten
        last = rewritten.then[-1]
        assert isinstance(last, n.Yield)
        results = []
        for original, result, value in zip(stmt.results, rewritten.results, last.values, strict=True):
            if isinstance(value.type, TileType):
                result = n.Var(value.type, result.name, span=result.span)
                self.vars[original] = result
            results.append(result)
        return replace(rewritten, results=tuple(results))
