"""Products too large for the operand buffers run in blocks: loops over M and N around one over K.

A block of an operand is loaded from global memory where the operand was, else it is cut out of the tile in Mat. The
result of a block leaves the accumulator by the store that the author wrote for the whole; where there is none, the
whole result has to fit the accumulator and only K is split.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import cast

from pypto.errors import LoweringError
from pypto.ir import nodes as n
from pypto.ir.build import as_dim, as_expr, binary, call, constant, dim_binary, dim_min
from pypto.ir.roots import buffer_roots
from pypto.ir.types import Dim, ScalarType, TileType
from pypto.ir.visit import Rewriter, Rewritten, walk
from pypto.ops.dtypes import FP32, INDEX, INT32
from pypto.ops.enums import FunctionType, MemorySpace
from pypto.passes.context import PassContext
from pypto.platforms import Backend

STEP = 16  # rows and columns of the smallest cube tile
BLOCK = 128  # rows and columns of a result block: with FP32 operands K = 128 fills Left and Right exactly


@dataclass(frozen=True)
class AutoTileMatmulL0:
    """Afterwards the operands of every product fit Left and Right, and its result fits Acc."""

    name: str = "AutoTileMatmulL0"

    def __call__(self, program: n.Program, context: PassContext) -> n.Program:
        """``program`` with its oversized products in blocks; LoweringError naming the buffer where that cannot be."""
        kinds = (FunctionType.InCore, FunctionType.AIC)
        functions = [
            _AutoTile(context.backend, function).function(function) if function.kind in kinds else function
            for function in program.functions
        ]
        return replace(program, functions=tuple(functions))


@dataclass(frozen=True)
class Blocks:
    """The extents of one step over M, N and K."""

    m: int
    n: int
    k: int


@dataclass(frozen=True)
class Operand:
    """A factor of a product; ``load`` is the load it comes from, ``turned`` says that it is that load transposed."""

    tile: n.Var
    load: n.Call | None
    turned: bool

    @property
    def type(self) -> TileType:
        """The type of the whole factor."""
        assert isinstance(self.tile.type, TileType)
        return self.tile.type

    @property
    def extents(self) -> tuple[int, int]:
        """Rows and columns of the whole factor; tiles are static."""
        rows, cols = cast("tuple[int, int]", self.type.shape)
        return rows, cols

    def block(self, row: Dim, col: Dim, rows: int, cols: int, emit: Callable[[n.Expr, str], n.Var]) -> n.Var:
        """The block of ``rows`` x ``cols`` at (``row``, ``col``), narrowed where the operand ends; it lies in Mat."""
        if self.turned:
            row, col, rows, cols = col, row, cols, rows
        if self.load is not None:
            source, offsets, shapes, _ = self.load.args
            assert isinstance(offsets, n.MakeTuple) and isinstance(shapes, n.MakeTuple)
            valid = self._rest(self.load.type, row, col, rows, cols)  # type: ignore[arg-type]
            at = [
                dim_binary(n.BinaryKind.Add, as_dim(o), step) for o, step in zip(offsets.items, (row, col), strict=True)
            ]
            part = call("load", source, at, [rows, cols], valid, target_memory=MemorySpace.Mat, span=self.load.span)
        else:
            tile = self.type
            part = call("slice", self.tile, [rows, cols], [row, col], self._rest(tile, row, col, rows, cols))
        name = self.tile.name
        block = emit(part, name)
        return emit(call("transpose_view", block), f"{name}_t") if self.turned else block

    @staticmethod
    def _rest(type_: TileType, row: Dim, col: Dim, rows: int, cols: int) -> list[Dim] | None:
        """The valid extents of a block; None where every block is full."""
        full = type_.valid_shape == type_.shape
        height, width = cast("tuple[int, int]", type_.shape)
        if full and not height % rows and not width % cols:
            return None
        pairs = zip(type_.valid_shape, (row, col), (rows, cols), strict=True)
        rest = [(dim_binary(n.BinaryKind.Sub, valid, start), extent) for valid, start, extent in pairs]
        return [dim_min(as_dim(binary(n.BinaryKind.Max, left, 0)), extent) for left, extent in rest]


class _AutoTile(Rewriter):
    def __init__(self, backend: Backend, function: n.Function) -> None:
        super().__init__()
        self.capacity = backend.capacity
        self.definitions = {node.var: node.value for node in walk(function) if isinstance(node, n.Assign)}
        self.uses: dict[n.Expr, int] = {}
        for node in walk(function):
            if isinstance(node, n.Call | n.Yield):
                for arg in node.args if isinstance(node, n.Call) else node.values:
                    if isinstance(arg, n.Var):
                        self.uses[arg] = self.uses.get(arg, 0) + 1
        self.pending: dict[n.Var, n.Call] = {}  # products that wait for their store
        self.stores = [node for node in walk(function) if isinstance(node, n.Call) and node.op.name == "store"]
        self.roots = buffer_roots(function.body)
        self.written = {self._root(store.args[2]) for store in self.stores}

    def _root(self, tensor: n.Expr | None) -> n.Expr | None:
        return self.roots.get(tensor, tensor) if isinstance(tensor, n.Var) else tensor

    def rewrite_assign(self, stmt: n.Assign) -> Rewritten:
        value = stmt.value
        if isinstance(value, n.Call) and value.op.name in ("matmul", "matmul_acc") and isinstance(value.type, TileType):
            return self._product(stmt, value)
        if isinstance(value, n.Call) and value.op.name == "store" and value.args[0] in self.pending:
            return n.Assign(stmt.var, self._stored_blocks(value), span=stmt.span)
        return super().rewrite_assign(stmt)

    def rewrite_eval(self, stmt: n.Eval) -> Rewritten:
        value = stmt.value
        if isinstance(value, n.Call) and value.op.name == "store" and value.args[0] in self.pending:
            self._stored_blocks(value)
            return ()
        return super().rewrite_eval(stmt)

    def _product(self, stmt: n.Assign, value: n.Call) -> Rewritten:
        lhs, rhs = self._operands(value)
        (m, k), (_, width), size = lhs.extents, rhs.extents, lhs.type.dtype.size
        explicit = any(operand.type.space in (MemorySpace.Left, MemorySpace.Right) for operand in (lhs, rhs))
        fits = (
            _bytes(m, k, size) <= self.capacity[MemorySpace.Left]
            and _bytes(k, width, size) <= self.capacity[MemorySpace.Right]
            and _bytes(m, width, 4) <= self.capacity[MemorySpace.Acc]
        )
        if fits or explicit:
            return super().rewrite_assign(stmt)
        if value.op.name == "matmul" and self.uses.get(stmt.var) == 1 and self._is_stored(stmt.var):
            self.pending[stmt.var] = value
            return ()
        steps = self._steps(m, width, size)
        if _bytes(m, width, 4) > self.capacity[MemorySpace.Acc] or steps == 0:
            raise LoweringError(
                f"{value.op.name}: a result of [{m}, {width}] needs {_bytes(m, width, 4)} bytes of Acc, which has "
                f"{self.capacity[MemorySpace.Acc]}", value.span,
                "store the product right away, or loop over blocks of the result",
            )  # fmt: skip
        acc = self.expr(value.args[0]) if value.op.name == "matmul_acc" else None
        condition = self.expr(value.args[3]) if acc is not None and value.args[3] is not None else None
        found = self._accumulate(value, lhs, rhs, 0, 0, Blocks(m, width, steps), acc, condition)
        self.vars[stmt.var] = found
        return ()

    def _operands(self, value: n.Call) -> tuple[Operand, Operand]:
        first = 1 if value.op.name == "matmul_acc" else 0
        return self._operand(value.args[first]), self._operand(value.args[first + 1])

    def _operand(self, tile: n.Expr | None) -> Operand:
        assert isinstance(tile, n.Var)
        source, turned = self.definitions.get(tile), False
        if isinstance(source, n.Call) and source.op.name == "transpose_view" and isinstance(source.args[0], n.Var):
            source, turned = self.definitions.get(source.args[0]), True
        load = source if isinstance(source, n.Call) and source.op.name == "load" else None
        # What the function itself writes may be another value by the time the blocks are loaded.
        if load is None or load.args[0].type.rank != 2 or self._root(load.args[0]) in self.written:  # type: ignore[union-attr]
            return Operand(self.expr(tile), None, False)
        return Operand(tile, self.expr(load), turned)

    def _is_stored(self, product: n.Var) -> bool:
        return any(node.args[0] is product and node.args[3] is None for node in self.stores)

    def _steps(self, m: int, width: int, size: int) -> int:
        """The largest step over K with which [m, K] fits Left and [K, width] fits Right; 0 when none does."""
        left = self.capacity[MemorySpace.Left] // (_rounded(m) * size)
        right = self.capacity[MemorySpace.Right] // (_rounded(width) * size)
        return min(left, right) // STEP * STEP

    def _stored_blocks(self, store: n.Call) -> n.Expr:
        """Emit the loops over the blocks of a product and their stores; the tensor they wrote into."""
        product = store.args[0]
        assert isinstance(product, n.Var)
        value = self.pending[product]
        lhs, rhs = self._operands(value)
        (rows, depth), (_, cols) = lhs.extents, rhs.extents
        m, width = min(BLOCK, _rounded(rows)), min(BLOCK, _rounded(cols))
        k = min(self._steps(m, width, lhs.type.dtype.size), _rounded(depth))
        offsets, target = self.expr(store.args[1]), self.expr(store.args[2])
        assert isinstance(offsets, n.MakeTuple)

        def over_columns(row: Dim, target: n.Expr) -> n.Expr:
            return self._loop("n", cols, width, target, lambda col, inner: one_block(row, col, inner))

        def one_block(row: Dim, col: Dim, target: n.Expr) -> n.Expr:
            acc = self._accumulate(value, lhs, rhs, row, col, Blocks(m, width, k), None, None)
            at = [
                dim_binary(n.BinaryKind.Add, as_dim(o), step) for o, step in zip(offsets.items, (row, col), strict=True)
            ]
            stored = call("store", acc, at, target, span=store.span, **store.kwargs)
            return self._bind(stored, "out", store.span)

        return self._loop("m", rows, m, target, over_columns)

    def _loop(
        self, name: str, extent: int, step: int, carried: n.Expr, body: Callable[[Dim, n.Expr], n.Expr]
    ) -> n.Expr:
        """Emit a loop from 0 to ``extent`` that carries one value; the value after it. One step needs no loop."""
        if extent <= step:
            return body(0, carried)
        var = n.Var(ScalarType(INDEX), name)
        arg = n.IterArg(carried.type, getattr(carried, "name", "carried"), carried)
        outer, self._out = self._out, []
        last = body(var, arg)
        statements, self._out = (*self._out, n.Yield((last,))), outer
        result = n.Var(carried.type, arg.name)
        bounds = constant(0), constant(extent), constant(step)
        self.emit(n.For(var, *bounds, statements, (arg,), (result,)))
        return result

    def _accumulate(
        self, value: n.Call, lhs: Operand, rhs: Operand, row: Dim, col: Dim, blocks: Blocks,
        acc: n.Expr | None, condition: n.Expr | None,
    ) -> n.Expr:  # fmt: skip
        """Emit the loop over K for one block of the result; the accumulator after it."""
        dtype = FP32 if lhs.type.dtype.is_float else INT32
        depth = lhs.extents[1]
        starts_empty = acc is None
        if acc is None:
            created = call("create_tile", [blocks.m, blocks.n], dtype, target_memory=MemorySpace.Acc, span=value.span)
            acc = self._narrowed(self._bind(created, "acc", value.span), value, row, col)

        def step(k: Dim, acc: n.Expr) -> n.Expr:
            emit = lambda expr, name: self._bind(expr, name, value.span)  # noqa: E731
            left = lhs.block(row, k, blocks.m, blocks.k, emit)
            right = rhs.block(k, col, blocks.k, blocks.n, emit)
            first = binary(n.BinaryKind.Eq, as_expr(k), 0)
            if not starts_empty:
                first = constant(False) if condition is None else binary(n.BinaryKind.And, condition, first)
            options = {} if isinstance(first, n.Const) and not first.value else {"init_cond": first}
            product = call("matmul_acc", acc, left, right, span=value.span, **options)
            # The blocks end where the accumulator does, but that is for each a run-time extent of its own.
            return self._bind(replace(product, type=acc.type), "acc", value.span)

        return self._loop("k", depth, blocks.k, acc, step)

    def _narrowed(self, acc: n.Var, value: n.Call, row: Dim, col: Dim) -> n.Var:
        """``acc`` cut off where the result ends; as it is where blocks divide the result."""
        result, block = value.type, acc.type
        assert isinstance(result, TileType) and isinstance(block, TileType)
        pairs = list(zip(result.valid_shape, (row, col), block.shape, strict=True))
        if all(isinstance(end, int) and isinstance(size, int) and not end % size for end, _, size in pairs):
            return acc
        rest = [dim_min(dim_binary(n.BinaryKind.Sub, end, start), size) for end, start, size in pairs]
        return self._bind(call("set_validshape", acc, *rest, span=value.span), "acc", value.span)

    def _bind(self, value: n.Expr, name: str, span: n.Span) -> n.Var:
        var = n.Var(value.type, name, span=span)
        self.emit(n.Assign(var, value, span=span))
        return var


def _rounded(extent: int) -> int:
    return -(-extent // STEP) * STEP


def _bytes(rows: int, cols: int, size: int) -> int:
    """Bytes of a cube tile, padded to whole blocks of 16 rows and 16 columns."""
    return _rounded(rows) * _rounded(cols) * size
