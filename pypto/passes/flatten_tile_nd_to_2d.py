"""Tiles have two dimensions: the leading dimensions of a larger one fold into rows, a vector is one row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pypto.errors import LoweringError
from pypto.ir import nodes as n
from pypto.ir.build import call, dim_binary, dims
from pypto.ir.types import Dim, Shape, TileType
from pypto.ir.visit import Rewriter, Rewritten, walk
from pypto.ops.enums import FunctionType
from pypto.ops.row import Trait
from pypto.passes.context import PassContext
from pypto.passes.shapes import flat, flat_tile

_COLUMN_WISE = ("transpose", "transpose_view")


@dataclass(frozen=True)
class FlattenTileNdTo2D:
    """Afterwards every tile of an in-core function has two dimensions; loads and stores keep the tensor's window."""

    name: str = "FlattenTileNdTo2D"

    def __call__(self, program: n.Program, context: PassContext) -> n.Program:
        """``program`` with flat tiles; LoweringError for an operation along a leading dimension."""
        kinds = (FunctionType.InCore, FunctionType.AIC, FunctionType.AIV)
        functions = [_Flatten().function(f) if f.kind in kinds and _has_others(f) else f for f in program.functions]
        return replace(program, functions=tuple(functions))


def _has_others(function: n.Function) -> bool:
    return any(isinstance(e, n.Expr) and isinstance(e.type, TileType) and e.type.rank != 2 for e in walk(function))


class _Flatten(Rewriter):
    def type(self, type_: Any) -> Any:
        found = super().type(type_)
        return flat_tile(found) if isinstance(found, TileType) else found

    def rewrite_var(self, var: n.Var) -> n.Expr:
        return self.vars.get(var, var)

    def define(self, var: Any) -> Any:
        if isinstance(var.type, TileType) and var.type.rank != 2 and var not in self.vars:
            type_ = self.type(var.type)
            if isinstance(var, n.IterArg):
                self.vars[var] = n.IterArg(type_, var.name, self.expr(var.init), span=var.span)
            else:
                self.vars[var] = n.Var(type_, var.name, span=var.span)
        return super().define(var)

    def rewrite_call(self, value: n.Call) -> n.Expr:
        source = next((arg.type for arg in value.args if arg is not None and isinstance(arg.type, TileType)), None)
        shape = source.shape if source is not None else value.type.shape if isinstance(value.type, TileType) else (1, 1)
        if len(shape) == 2 and (not isinstance(value.type, TileType) or value.type.rank == 2):
            return super().rewrite_call(value)
        args = [None if arg is None else self.expr(arg) for arg in value.args]
        name = value.op.name
        if name == "load":
            return replace(value, args=tuple(args), type=self.type(value.type))
        if name == "store":
            window = args[3] if args[3] is not None else list(shape)
            return call("store", args[0], args[1], args[2], window, span=value.span, **value.kwargs)
        if name in ("slice", "assemble"):
            moved = value if name == "slice" else value.args[1]
            assert moved is not None and isinstance(moved.type, TileType)
            return self._moved(value, args, shape, moved.type.shape)
        if name in ("reshape", "create_tile", "tile.full"):
            position = 1 if name == "reshape" else 0
            args[position] = _tuple(flat(dims(args[position]) or ()))
            statics = (value.kwargs["dtype"],) if "dtype" in value.kwargs else ()
            rest = {key: static for key, static in value.kwargs.items() if key != "dtype"}
            kept = [arg for arg in args if arg is not None]
            ordered = (*kept[:1], *statics, *kept[1:]) if statics else tuple(kept)
            return call(value.op, *ordered, span=value.span, **rest)
        columns = Trait.REDUCTION in value.op.traits and name.startswith("col_")
        if (columns or name in _COLUMN_WISE) and any(dim != 1 for dim in shape[:-2]):
            raise LoweringError(
                f"{name}: works on the last two dimensions of a tile of rank {len(shape)}", value.span,
                "loop over the leading dimensions and work on one [M, N] tile at a time",
            )  # fmt: skip
        named = {p.name: arg for p, arg in zip(value.op.operands, args, strict=True) if arg is not None}
        return call(value.op, span=value.span, **named, **value.kwargs)

    def _moved(self, value: n.Call, args: list[n.Expr | None], whole: Shape, part: Shape) -> n.Expr:
        """A slice or an assemble, whose window over the leading dimensions must be rows without gaps."""
        position = 2
        offsets = dims(args[position]) or ()
        row = _row_offset(whole, part, offsets, value)
        args[position] = _tuple((row, offsets[-1]))
        if value.op.name == "slice":
            args[1] = _tuple(flat(dims(args[1]) or ()))
            if args[3] is not None:
                args[3] = _tuple(flat(dims(args[3]) or ()))
            args[4] = None
        named = {p.name: arg for p, arg in zip(value.op.operands, args, strict=True) if arg is not None}
        return call(value.op, span=value.span, **named, **value.kwargs)

    def rewrite_assign(self, stmt: n.Assign) -> Rewritten:
        value = self.expr(stmt.value)
        if isinstance(value.type, TileType) and value.type != stmt.var.type:
            var = n.Var(value.type, stmt.var.name, span=stmt.var.span)
            self.vars[stmt.var] = var
            return n.Assign(var, value, span=stmt.span)
        var = self.define(stmt.var)
        return stmt if value is stmt.value and var is stmt.var else n.Assign(var, value, span=stmt.span)


def _tuple(shape: tuple[Dim, ...]) -> Any:
    return list(shape)


def _row_offset(whole: Shape, part: Shape, offsets: Shape, value: n.Call) -> Dim:
    """The first row of a window over the leading dimensions; LoweringError when its rows are not one block."""
    part = (1,) * (len(whole) - len(part)) + tuple(part)
    leading = list(zip(whole[:-1], part[:-1], offsets[:-1], strict=True))
    partial = [index for index, (full, extent, _) in enumerate(leading) if extent != full]
    if partial and any(extent != 1 for _, extent, _ in leading[: partial[-1]]):
        raise LoweringError(
            f"{value.op.name}: a window of {list(part)} in a tile of {list(whole)} is no block of rows", value.span,
            "move it in pieces that are whole in all but one of the leading dimensions",
        )  # fmt: skip
    row: Dim = 0
    for full, _, offset in leading:
        row = dim_binary(n.BinaryKind.Add, dim_binary(n.BinaryKind.Mul, row, full), offset)
    return row
