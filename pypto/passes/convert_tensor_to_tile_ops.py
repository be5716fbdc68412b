"""InCore bodies work on tiles: inputs are loaded, results stored, tensor-level values become on-chip tiles.

A tensor-level value is a tile once something computes it. A window of a tensor in global memory stays a window until an
operation reads it; then it is loaded, once per place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pypto.errors import LoweringError, OpTypeError, OpValueError
from pypto.ir import nodes as n
from pypto.ir.build import binary, call, dims
from pypto.ir.roots import buffer_roots
from pypto.ir.types import Dim, Shape, ShapedType, TensorType, TileType
from pypto.ir.visit import Rewriter, Rewritten, walk
from pypto.ops.dtypes import promote
from pypto.ops.enums import FunctionType, MemorySpace
from pypto.ops.row import Trait
from pypto.passes.context import PassContext
from pypto.passes.demands import demanded_spaces
from pypto.passes.shapes import flat, flat_tile


@dataclass(frozen=True)
class ConvertTensorToTileOps:
    """Afterwards InCore functions compute on tiles only and touch tensors by load, store, read and write."""

    name: str = "ConvertTensorToTileOps"

    def __call__(self, program: n.Program, context: PassContext) -> n.Program:
        """``program`` with its InCore functions at tile level. Needs SSA form and outlined regions."""
        return replace(program, functions=tuple(_converted(function) for function in program.functions))


def _converted(function: n.Function) -> n.Function:
    if function.kind not in (FunctionType.InCore, FunctionType.AIC, FunctionType.AIV):
        return function
    return _Convert(function).function(function)


@dataclass(frozen=True)
class Window:
    """A part of a tensor in global memory: full-rank offsets, extents and valid extents, and the axes it keeps."""

    root: n.Expr
    offsets: tuple[Dim, ...]
    shape: Shape
    valid: Shape
    kept: tuple[int, ...]


class _Convert(Rewriter):
    def __init__(self, function: n.Function) -> None:
        super().__init__()
        self.roots = buffer_roots(function.body)
        self.demands = demanded_spaces(function)
        self.params = set(function.params)
        self.tiles: dict[n.Var, n.Var] = {}
        self.windows: dict[n.Var, Window] = {}
        self.loaded: dict[tuple[n.Var, MemorySpace], n.Var] = {}

    # Values

    def bind(self, value: n.Expr, name: str, span: n.Span) -> n.Var:
        """A new variable with ``value``, defined in front of the current statement."""
        var = n.Var(value.type, name, span=span)
        self.emit(n.Assign(var, value, span=span))
        return var

    def in_memory(self, value: n.Expr | None) -> bool:
        """Whether ``value`` is a tensor in global memory."""
        return isinstance(value, n.Var) and isinstance(value.type, TensorType) and value not in self.tiles

    def window(self, var: n.Var) -> Window:
        """``var``, which is in global memory, as a window of its buffer."""
        if var in self.windows:
            return self.windows[var]
        current = self.expr(var)
        type_: TensorType = current.type
        return Window(current, (0,) * type_.rank, type_.shape, type_.valid_shape, tuple(range(type_.rank)))

    def tile(self, value: n.Expr, span: n.Span, space: MemorySpace = MemorySpace.Vec) -> n.Expr:
        """``value`` as a tile; what is in global memory is loaded into ``space``."""
        if not isinstance(value, n.Var) or not isinstance(value.type, ShapedType):
            return self.expr(value)
        if value in self.tiles:
            return self.tiles[value]
        if isinstance(value.type, TileType):
            return self.expr(value)
        if (value, space) not in self.loaded:
            self.loaded[value, space] = self.load(value, span, space)
        return self.loaded[value, space]

    def load(self, var: n.Var, span: n.Span, space: MemorySpace) -> n.Var:
        """A tile with the contents of ``var``, which is in global memory."""
        window = self.window(var)
        if not all(isinstance(dim, int) for dim in window.shape):
            raise LoweringError(
                f"'{var.name}' has a run-time size and is used whole; an on-chip tile has a static shape", span,
                "work on it by tiles: a pl.range loop over slices of constant extent",
            )  # fmt: skip
        shape = flat(window.shape)
        options: dict[str, Any] = {} if space is MemorySpace.Vec else {"target_memory": space}
        valid = None if window.valid == window.shape else list(window.valid)
        loaded = call("load", window.root, list(window.offsets), list(window.shape), valid, span=span, **options)
        assert isinstance(loaded.type, TileType)
        loaded = replace(loaded, type=flat_tile(loaded.type))
        tile = self.bind(loaded, f"{var.name}_tile", span)
        kept = flat(tuple(window.shape[axis] for axis in window.kept))
        if kept != shape:
            tile = self.bind(call("reshape", tile, list(kept), span=span), tile.name, span)
        return tile

    def forget_loads(self, target: n.Expr) -> None:
        """A write into ``target`` makes what was loaded from its buffer stale."""
        root = self.roots.get(target, target) if isinstance(target, n.Var) else target
        self.loaded = {key: tile for key, tile in self.loaded.items() if self.roots.get(key[0], key[0]) is not root}

    # Statements

    def rewrite_assign(self, stmt: n.Assign) -> Rewritten:
        value = stmt.value
        if not isinstance(value, n.Call):
            if isinstance(stmt.var.type, TensorType) and isinstance(value, n.Var) and value in self.tiles:
                self.tiles[stmt.var] = self.tiles[value]
                return ()
            return super().rewrite_assign(stmt)
        try:
            return self._operation(stmt, value)
        except (OpTypeError, OpValueError) as error:
            error.span = error.span or stmt.span
            raise

    def rewrite_eval(self, stmt: n.Eval) -> Rewritten:
        if isinstance(stmt.value, n.Call) and stmt.value.op.name in ("assemble", "write", "store"):
            rewritten = self.rewrite_assign(
                n.Assign(n.Var(stmt.value.type, "_", span=stmt.span), stmt.value, span=stmt.span)
            )
            return n.Eval(rewritten.value, span=stmt.span) if isinstance(rewritten, n.Assign) else rewritten
        return super().rewrite_eval(stmt)

    def _operation(self, stmt: n.Assign, value: n.Call) -> Rewritten:
        handler = getattr(self, f"_{value.op.name}", None)
        if handler is not None:
            replaced = handler(stmt, value)
            if replaced is not None:
                return replaced
        if not isinstance(value.type, TensorType):
            return super().rewrite_assign(stmt)
        if value.op.name in ("load", "store"):
            self.forget_loads(stmt.var)
            return super().rewrite_assign(stmt)
        return self._computed(stmt, value)

    def _define(self, stmt: n.Assign, value: n.Expr) -> Rewritten:
        """``stmt`` with its tensor replaced by the tile that ``value`` computes."""
        tile = n.Var(value.type, stmt.var.name, span=stmt.var.span)
        self.tiles[stmt.var] = tile
        return n.Assign(tile, value, span=stmt.span)

    def _computed(self, stmt: n.Assign, value: n.Call) -> Rewritten:
        """An operation on tensor-level values: the same operation on their tiles."""
        operands = [None if arg is None else self._argument(arg, stmt.span) for arg in value.args]
        shaped = [arg for arg in operands if arg is not None and isinstance(arg.type, TileType)]
        if len(shaped) == 2 and value.op.broadcast:
            return self._define(stmt, self._broadcast(value, operands[0], operands[1]))
        statics = dict(value.kwargs)
        named = dict(zip((param.name for param in value.op.operands), operands, strict=True))
        if Trait.REDUCTION in value.op.traits and "tmp" in named and named["tmp"] is None:
            source = shaped[0].type
            assert isinstance(source, TileType)
            named["tmp"] = self.bind(
                call("create_tile", list(source.shape), source.dtype, span=stmt.span), "tmp", stmt.span
            )
        named = {name: arg for name, arg in named.items() if arg is not None}
        return self._define(stmt, call(value.op, span=value.span, **named, **statics))

    def _argument(self, arg: n.Expr, span: n.Span) -> n.Expr:
        return self.tile(arg, span) if isinstance(arg.type, TensorType) else self.expr(arg)

    def _broadcast(self, value: n.Call, left: Any, right: Any) -> n.Expr:
        """A binary operation whose operands may differ in dtype, or in extent where one has extent 1."""
        span, op = value.span, value.op
        dtype = promote(left.type.dtype, right.type.dtype)
        left, right = (
            tile if tile.type.dtype == dtype else self.bind(call("cast", tile, dtype, span=span), tile.name, span)
            for tile in (left, right)
        )
        (rows, cols), (other_rows, other_cols) = left.type.shape, right.type.shape
        if (rows, cols) == (other_rows, other_cols):
            return call(value.op, left, right, span=span)
        axis = (
            "row" if other_cols == 1 and other_rows == rows else "col" if other_rows == 1 and other_cols == cols else ""
        )
        if axis:
            return call(f"{axis}_expand_{op.broadcast}", left, right, span=span)
        axis = "row" if cols == 1 and rows == other_rows else "col" if rows == 1 and cols == other_cols else ""
        if not axis:
            raise LoweringError(
                f"{op.name}: cannot combine [{rows}, {cols}] with [{other_rows}, {other_cols}] on chip", span,
                "bring both to one shape with pl.row_expand or pl.col_expand first",
            )  # fmt: skip
        expanded = self.bind(call(f"{axis}_expand", right, left, span=span), left.name, span)
        return call(value.op, expanded, right, span=span)

    # Operations with a meaning of their own for tensors

    def _slice(self, stmt: n.Assign, value: n.Call) -> Rewritten | None:
        source = value.args[0]
        if not self.in_memory(source):
            return self._sliced_tile(stmt, value) if isinstance(value.type, TensorType) else None
        assert isinstance(source, n.Var)
        base = self.window(source)
        shape, offset = dims(self._tuple(value.args[1])), dims(self._tuple(value.args[2]))
        assert shape is not None and offset is not None
        offsets, extents, valids = list(base.offsets), list(base.shape), list(base.valid)
        dropped = _dropped(value)
        narrow = dims(self._tuple(value.args[3])) if value.args[3] is not None else None
        for position, axis in enumerate(base.kept):
            offsets[axis] = _add(base.offsets[axis], offset[position])
            extents[axis] = shape[position]
            full = None if value.kwargs.get("clamp") else base.shape[axis]
            valids[axis] = _clip(base.valid[axis], offset[position], shape[position], full)
            if narrow is not None:
                valids[axis] = _smaller(valids[axis], narrow[position])
        kept = tuple(axis for position, axis in enumerate(base.kept) if position not in dropped)
        self.windows[stmt.var] = Window(base.root, tuple(offsets), tuple(extents), tuple(valids), kept)
        self.roots.setdefault(stmt.var, self.roots.get(source, source))
        return ()

    def _tuple(self, value: n.Expr | None) -> n.Expr | None:
        return None if value is None else self.expr(value)

    def _sliced_tile(self, stmt: n.Assign, value: n.Call) -> Rewritten:
        tile = self.tile(value.args[0], stmt.span)  # type: ignore[arg-type]
        arguments = [self._tuple(arg) for arg in value.args[1:4]]
        statics = {name: static for name, static in value.kwargs.items() if name != "clamp"}
        part = call("slice", tile, *arguments, span=value.span, **statics)
        wanted = flat(stmt.var.type.shape)  # type: ignore[attr-defined]
        if part.type.shape != wanted:  # type: ignore[attr-defined]
            part = call("reshape", self.bind(part, stmt.var.name, stmt.span), list(wanted), span=value.span)
        return self._define(stmt, part)

    def _assemble(self, stmt: n.Assign, value: n.Call) -> Rewritten | None:
        target, source, offset = value.args[:3]
        assert target is not None and source is not None
        if isinstance(target.type, TileType):
            return None
        tile = self.tile(source, stmt.span)
        if not self.in_memory(target):
            part = call(
                "assemble", self.tile(target, stmt.span), tile, self._tuple(offset), span=value.span, **value.kwargs
            )
            return self._define(stmt, part)
        assert isinstance(target, n.Var)
        window = self.window(target)
        inner = dims(self._tuple(offset))
        assert inner is not None
        offsets = list(window.offsets)
        for position, axis in enumerate(window.kept):
            offsets[axis] = _add(window.offsets[axis], inner[position])
        self.forget_loads(target)
        shapes = self._partition(source, window, tile)
        stored = call("store", tile, offsets, window.root, shapes, span=value.span, **value.kwargs)
        if target in self.windows:  # the window's buffer changed in place; the window itself stays what it is
            self.windows[stmt.var] = window
            return n.Eval(stored, span=stmt.span)
        return n.Assign(self.define(stmt.var), stored, span=stmt.span)

    def _partition(self, source: n.Expr, window: Window, tile: n.Expr) -> list[Dim] | None:
        """The extents that a flat tile has in a tensor of another rank; None where they are the tile's own."""
        rank = len(window.shape)
        if rank == 2 and len(window.kept) == 2:
            return None
        own = source.type.shape if isinstance(source.type, TensorType) else tile.type.shape  # type: ignore[attr-defined]
        own = own[-len(window.kept) :] if len(own) >= len(window.kept) else (1,) * (len(window.kept) - len(own)) + own
        extents: list[Dim] = [1] * rank
        for position, axis in enumerate(window.kept):
            extents[axis] = own[position]
        return extents

    def _create_tensor(self, stmt: n.Assign, value: n.Call) -> Rewritten:
        assert isinstance(value.type, TensorType)
        space = self.demands.get(stmt.var, MemorySpace.Vec)
        shape = list(flat(value.type.shape))
        created = call("create_tile", shape, value.type.dtype, target_memory=space, span=value.span)
        return self._define(stmt, created)

    def _full(self, stmt: n.Assign, value: n.Call) -> Rewritten | None:
        if not isinstance(value.type, TensorType):
            return None
        shape, number = list(flat(value.type.shape)), self._tuple(value.args[1])
        return self._define(stmt, call("tile.full", shape, value.type.dtype, number, span=value.span))

    def _reshape(self, stmt: n.Assign, value: n.Call) -> Rewritten | None:
        if not isinstance(value.type, TensorType):
            return None
        tile = self.tile(value.args[0], stmt.span)  # type: ignore[arg-type]
        return self._define(stmt, call("reshape", tile, list(flat(value.type.shape)), span=value.span))

    def _matmul(self, stmt: n.Assign, value: n.Call) -> Rewritten | None:
        if not isinstance(value.type, TensorType):
            return None
        return self._define(stmt, call("matmul", *self._factors(value, 0, stmt.span), span=value.span))

    def _matmul_acc(self, stmt: n.Assign, value: n.Call) -> Rewritten | None:
        if not isinstance(value.type, TensorType):
            return None
        acc = self.tile(value.args[0], stmt.span)  # type: ignore[arg-type]
        condition = {} if value.args[3] is None else {"init_cond": self.expr(value.args[3])}
        return self._define(
            stmt, call("matmul_acc", acc, *self._factors(value, 1, stmt.span), span=value.span, **condition)
        )

    def _factors(self, value: n.Call, first: int, span: n.Span) -> list[n.Expr]:
        """The two factors of a product as tiles in Mat, a transposed one as a view."""
        factors = []
        for position, flag in enumerate(("a_trans", "b_trans")):
            operand = value.args[first + position]
            assert operand is not None
            if operand.type.rank > 2:  # type: ignore[attr-defined]
                raise LoweringError(
                    f"{value.op.name}: operands of rank above 2 are not supported yet", value.span,
                    "multiply slice by slice in a pl.range loop",
                )  # fmt: skip
            tile = self.tile(operand, span, MemorySpace.Mat)
            if value.kwargs.get(flag, False):
                tile = self.bind(call("transpose_view", tile, span=span), f"{operand.name}_t", span)  # type: ignore[attr-defined]
            factors.append(tile)
        return factors

    def _read(self, stmt: n.Assign, value: n.Call) -> Rewritten | None:
        source = value.args[0]
        if isinstance(source, n.Var) and source in self.tiles:
            return n.Assign(
                self.define(stmt.var),
                call("read", self.tiles[source], self._tuple(value.args[1]), span=value.span),
                span=stmt.span,
            )
        if isinstance(source, n.Var) and source in self.windows:
            window, inner = self.windows[source], dims(self._tuple(value.args[1]))
            assert inner is not None
            at = list(window.offsets)
            for position, axis in enumerate(window.kept):
                at[axis] = _add(window.offsets[axis], inner[position])
            return n.Assign(self.define(stmt.var), call("read", window.root, at, span=value.span), span=stmt.span)
        return None

    # Loops and branches

    def rewrite_for(self, stmt: n.For) -> Rewritten:
        return self._loop(stmt)

    def rewrite_while(self, stmt: n.While) -> Rewritten:
        return self._loop(stmt)

    def _loop(self, stmt: Any) -> Rewritten:
        on_chip = []
        for arg, result in zip(stmt.iter_args, stmt.results, strict=True):
            root = self.roots.get(result)
            in_memory = root is not None and root is self.roots.get(arg) and self.in_memory(arg.init)
            on_chip.append(isinstance(arg.type, TensorType) and not in_memory)
        for arg, converts in zip(stmt.iter_args, on_chip, strict=True):
            if converts:
                init = self.tile(arg.init, stmt.span)
                self.tiles[arg] = n.IterArg(init.type, arg.name, init, span=arg.span)
        loaded, self.loaded = self.loaded, {}
        body = self._yields(self.body(stmt.body), on_chip)
        self.loaded = {
            key: tile for key, tile in loaded.items() if not _writes(body, self.roots.get(key[0], key[0]), self.roots)
        }
        iter_args = tuple(self.tiles[a] if c else self.define(a) for a, c in zip(stmt.iter_args, on_chip, strict=True))
        results = self._results(stmt.results, iter_args, on_chip)
        changes: dict[str, Any] = {"body": body, "iter_args": iter_args, "results": results}
        if isinstance(stmt, n.While):
            changes["condition"] = self.expr(stmt.condition)
        else:
            changes |= {"start": self.expr(stmt.start), "stop": self.expr(stmt.stop), "step": self.expr(stmt.step)}
        return replace(stmt, **changes)

    def rewrite_if(self, stmt: n.If) -> Rewritten:
        condition = self.expr(stmt.condition)
        on_chip = [isinstance(r.type, TensorType) and self.roots.get(r) not in self.params for r in stmt.results]
        loaded = self.loaded
        sides = []
        for body in (stmt.then, stmt.orelse):
            self.loaded = dict(loaded)
            sides.append(self._yields(self.body(body), on_chip))
        self.loaded = {}
        values = sides[0][-1].values if stmt.results else ()  # type: ignore[attr-defined]
        return n.If(condition, sides[0], sides[1], self._results(stmt.results, values, on_chip), span=stmt.span)

    def _results(self, results: Any, values: Any, on_chip: list[bool]) -> tuple[n.Var, ...]:
        found = []
        for result, value, converts in zip(results, values, on_chip, strict=True):
            if converts:
                self.tiles[result] = n.Var(value.type, result.name, span=result.span)
            found.append(self.tiles[result] if converts else self.define(result))
        return tuple(found)

    def _yields(self, body: n.Body, on_chip: list[bool]) -> n.Body:
        """``body`` with the tensor-level values it hands on as tiles."""
        if not any(on_chip):
            return body
        last = body[-1]
        assert isinstance(last, n.Yield)
        outer, self._out = self._out, []
        values = tuple(self.tile(v, last.span) if c else v for v, c in zip(last.values, on_chip, strict=True))
        loads, self._out = self._out, outer
        return (*body[:-1], *loads, n.Yield(values, span=last.span))


def _writes(body: n.Body, root: n.Expr, roots: dict[n.Var, n.Var]) -> bool:
    return any(
        isinstance(node, n.Call) and node.op.name == "store" and isinstance(node.args[2], n.Var)
        and roots.get(node.args[2], node.args[2]) is root
        for node in walk(body)
    )  # fmt: skip


def _dropped(value: n.Call) -> set[int]:
    """The axes that a slice leaves out."""
    return {int(axis) for axis in dims(value.args[4]) or ()}  # type: ignore[arg-type]


def _add(left: Dim, right: Dim) -> Dim:
    total = binary(n.BinaryKind.Add, left, right)
    return int(total.value) if isinstance(total, n.Const) else total


def _smaller(left: Dim, right: Dim) -> Dim:
    if left is right:
        return left
    found = binary(n.BinaryKind.Min, left, right)
    return int(found.value) if isinstance(found, n.Const) else found


def _clip(valid: Dim, offset: Dim, extent: Dim, full: Dim | None) -> Dim:
    """The valid part of a window at ``offset``; a window of a ``full`` tensor is taken to lie inside."""
    if valid is full or valid == full:
        return extent
    rest = binary(n.BinaryKind.Max, binary(n.BinaryKind.Sub, valid, offset), 0)
    return _smaller(extent, int(rest.value) if isinstance(rest, n.Const) else rest)
