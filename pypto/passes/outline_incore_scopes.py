"""Each core-group region becomes an InCore function with inferred parameters, and its place a call of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pypto.errors import LoweringError
from pypto.ir import nodes as n
from pypto.ir.build import call
from pypto.ir.roots import buffer_roots, writes_of
from pypto.ir.types import ScalarType, ShapedType, TensorType, TileType, TupleType
from pypto.ir.visit import Rewriter, Rewritten, bodies, defined_vars, free_vars, used_vars, walk
from pypto.ops.enums import FunctionType, ParamDirection
from pypto.passes.context import PassContext


@dataclass(frozen=True)
class OutlineIncoreScopes:
    """Afterwards no InCoreScope is left and functions that held one are orchestrations. Needs SSA form."""

    name: str = "OutlineIncoreScopes"

    def __call__(self, program: n.Program, context: PassContext) -> n.Program:
        """``program`` with one InCore function per region."""
        taken = {function.name for function in program.functions}
        functions: list[n.Function] = []
        for function in program.functions:
            if not any(isinstance(node, n.InCoreScope) for node in walk(function)):
                functions.append(function)
                continue
            outline = _Outline(function, taken)
            parent = outline.function(function)
            functions += [replace(parent, kind=FunctionType.Orchestration), *outline.kernels]
        return replace(program, functions=tuple(functions))


class _Outline(Rewriter):
    def __init__(self, parent: n.Function, taken: set[str]) -> None:
        super().__init__()
        self.parent = parent
        self.taken = taken
        self.kernels: list[n.Function] = []
        self._later: list[set[n.Var]] = [set()]  # what statements after the current one read, per enclosing body

    def body(self, body: n.Body) -> n.Body:
        if not any(isinstance(node, n.InCoreScope) for node in walk(body)):
            return super().body(body)
        outer, self._out = self._out, []
        out = self._out
        reads: list[set[n.Var]] = [set(self._later[-1])]
        for stmt in reversed(body):
            reads.append(reads[-1] | set(used_vars((stmt,))) if bodies(stmt) else reads[-1])
            reads[-1] = reads[-1] if bodies(stmt) else reads[-1] | set(used_vars((stmt,)))
        for position, stmt in enumerate(body):
            self._later.append(reads[len(body) - 1 - position])
            rewritten = self.stmt(stmt)
            out.extend(rewritten if isinstance(rewritten, tuple) else (rewritten,))
            self._later.pop()
        self._out = outer
        return tuple(out)

    def rewrite_scope(self, stmt: n.Scope) -> Rewritten:
        if not isinstance(stmt, n.InCoreScope):
            return super().rewrite_scope(stmt)
        if any(isinstance(node, n.InCoreScope) for node in walk(stmt.body)):
            raise LoweringError("a core-group region inside a core-group region", stmt.span, "put them side by side")
        body = super().body(stmt.body)
        inner = set(defined_vars(body))
        later = {self.vars.get(var, var) for var in self._later[-1]}
        escaping = [var for var in defined_vars(body) if var in later and isinstance(var.type, ShapedType)]
        scalars = [var for var in defined_vars(body) if var in later and isinstance(var.type, ScalarType)]
        if scalars:
            raise LoweringError(
                f"scalar '{scalars[0].name}' is computed in a core-group region and used after it", scalars[0].span,
                "compute it before the region; a kernel hands on tensors only",
            )  # fmt: skip
        roots = buffer_roots(body)
        outs, stores = self._buffers([var for var in escaping if roots.get(var, var) in inner], stmt)
        inputs = _in_order([var for var in free_vars(body) if var not in inner], self.parent)
        inputs = [var for var in inputs if not _is_dimension(var, inputs)]
        kernel = self._kernel(stmt, (*body, *stores), (*inputs, *outs), escaping, roots)
        return self._call(stmt, kernel, [*inputs, *outs], escaping, roots, outs)

    def _buffers(self, values: Iterable[n.Var], stmt: n.Scope) -> tuple[dict[n.Var, n.Var], tuple[n.Stmt, ...]]:
        """A buffer in global memory for each value of the region that later statements read, and the writes into it."""
        buffers: dict[n.Var, n.Var] = {}
        stores = []
        for value in values:
            if isinstance(value.type, TileType):
                raise LoweringError(
                    f"tile '{value.name}' is used outside the region it lives in", value.span,
                    "store it into a tensor inside the region",
                )  # fmt: skip
            assert isinstance(value.type, TensorType)
            created = call("create_tensor", list(value.type.shape), value.type.dtype, span=stmt.span)
            buffer = n.Var(created.type, value.name, span=value.span)
            self.emit(n.Assign(buffer, created, span=stmt.span))
            written = call("assemble", buffer, value, [0] * value.type.rank, span=stmt.span)
            stores.append(n.Assign(n.Var(written.type, value.name, span=value.span), written, span=stmt.span))
            buffers[buffer] = value
        return buffers, tuple(stores)

    def _kernel(
        self, stmt: n.Scope, body: n.Body, inputs: tuple[n.Var, ...], escaping: list[n.Var], roots: dict[n.Var, n.Var]
    ) -> n.Function:
        params = {var: n.Var(var.type, var.name, span=var.span) for var in inputs}
        reads, writes = writes_of(body)
        directions = tuple(_direction(var, reads, writes) for var in inputs)
        renamed = Rewriter(params)
        returned = [params[root] for root in dict.fromkeys(roots.get(var, var) for var in escaping) if root in params]
        inside = renamed.body(body)
        return_ = (n.Return(tuple(returned), span=stmt.span),) if returned else ()
        kernel = n.Function(
            self._name(stmt), tuple(params.values()), directions, tuple(var.type for var in returned),
            (*inside, *return_), FunctionType.InCore, span=stmt.span,
        )  # fmt: skip
        self.kernels.append(kernel)
        return kernel

    def _name(self, stmt: n.Scope) -> str:
        base = stmt.name_hint or f"{self.parent.name}_incore_{len(self.kernels)}"
        name, count = base, 0
        while name in self.taken:
            count += 1
            name = f"{base}_{count}"
        self.taken.add(name)
        return name

    def _call(
        self, stmt: n.Scope, kernel: n.Function, inputs: list[n.Var], escaping: list[n.Var],
        roots: dict[n.Var, n.Var], buffers: dict[n.Var, n.Var],
    ) -> Rewritten:  # fmt: skip
        """The call; what later statements read of the region is from now on the buffer it was written to."""
        stands_for = {value: buffer for buffer, value in buffers.items()}
        stands_for = {var: stands_for.get(var) or roots.get(var, var) for var in escaping}
        for var in self._later[-1]:
            current = self.vars.get(var, var)
            if current in stands_for:
                self.vars[var] = stands_for[current]
        types = kernel.return_types
        result = TupleType(types) if len(types) != 1 else types[0]
        invocation = n.FunctionCall(result if types else n.UNKNOWN, kernel.name, tuple(inputs), span=stmt.span)
        return n.Eval(invocation, span=stmt.span)


def _in_order(inputs: list[n.Var], parent: n.Function) -> list[n.Var]:
    """Tensors before scalars, each in the order of the parent's parameters, then of first use."""
    rank = {param: index for index, param in enumerate(parent.params)}
    return sorted(inputs, key=lambda var: (isinstance(var.type, ScalarType), rank.get(var, len(rank))))


def _is_dimension(var: n.Var, inputs: list[n.Var]) -> bool:
    """Whether a kernel can read ``var`` off the shape of a tensor that it gets anyway."""
    return any(isinstance(other.type, TensorType) and var in other.type.shape for other in inputs)


def _direction(var: n.Var, reads: set[n.Var], writes: dict[n.Var, bool]) -> ParamDirection:
    """How the region uses ``var``: Out only when it writes all of it, once, and never reads it."""
    if var not in writes:
        return ParamDirection.In
    return ParamDirection.Out if writes[var] and var not in reads else ParamDirection.InOut
