"""Going through the IR: ``walk`` yields nodes; which variables a body reads, leaves free and binds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from pypto.ir import nodes as n
from pypto.ir.rewrite import Rewriter, Rewritten, substitute
from pypto.ir.types import ScalarType, ShapedType, TupleType, Type

__all__ = [
    "Rewriter", "Rewritten", "bodies", "defined_vars", "definitions", "free_vars", "substitute", "type_exprs",
    "used_vars", "walk",
]  # fmt: skip

Nodes = Sequence["n.Node"]


def _no_children(node: Any) -> Nodes:
    return ()


_CHILDREN: dict[type, Callable[[Any], Nodes]] = {
    n.Var: _no_children,
    n.IterArg: _no_children,  # the initial value belongs to the loop, which yields it once
    n.Const: _no_children,
    n.Binary: lambda node: (node.left, node.right),
    n.Unary: lambda node: (node.operand,),
    n.MakeTuple: lambda node: node.items,
    n.TupleItem: lambda node: (node.tuple,),
    n.Call: lambda node: [arg for arg in node.args if arg is not None],
    n.FunctionCall: lambda node: node.args,
    n.Assign: lambda node: (node.value, node.var),
    n.Eval: lambda node: (node.value,),
    n.For: lambda node: (
        node.start, node.stop, node.step, *[arg.init for arg in node.iter_args],
        node.var, *node.iter_args, *node.body, *node.results,
    ),
    n.While: lambda node: (
        *[arg.init for arg in node.iter_args], *node.iter_args, node.condition, *node.body, *node.results,
    ),
    n.If: lambda node: (node.condition, *node.then, *node.orelse, *node.results),
    n.Yield: lambda node: node.values,
    n.Return: lambda node: node.values,
    n.Break: _no_children,
    n.Continue: _no_children,
    n.InCoreScope: lambda node: node.body,
    n.HierarchyScope: lambda node: node.body,
    n.Function: lambda node: (*node.params, *node.body),
    n.Program: lambda node: node.functions,
}  # fmt: skip


def walk(node: n.Node | Iterable[n.Node]) -> Iterator[n.Node]:
    """Every node under ``node`` (or under each of several), itself first, in the order of evaluation.

    Defined variables come where their definition takes effect; expressions inside types are left out.
    """
    stack = [node] if isinstance(node, n.Node) else list(node)[::-1]
    while stack:
        current = stack.pop()
        yield current
        children = _CHILDREN[current.__class__](current)
        if children:
            stack.extend(reversed(children))


def definitions(stmt: n.Stmt) -> tuple[n.Var, ...]:
    """The variables that ``stmt`` itself binds, those of nested statements not included."""
    found = _DEFINITIONS.get(stmt.__class__)
    return found(stmt) if found else ()


_DEFINITIONS: dict[type, Callable[[Any], tuple[n.Var, ...]]] = {
    n.Assign: lambda stmt: (stmt.var,),
    n.For: lambda stmt: (stmt.var, *stmt.iter_args, *stmt.results),
    n.While: lambda stmt: (*stmt.iter_args, *stmt.results),
    n.If: lambda stmt: stmt.results,
}


def bodies(stmt: n.Stmt) -> tuple[n.Body, ...]:
    """The bodies nested directly in ``stmt``; none for a simple statement."""
    found = _BODIES.get(stmt.__class__)
    return found(stmt) if found else ()


_BODIES: dict[type, Callable[[Any], tuple[n.Body, ...]]] = {
    n.For: lambda stmt: (stmt.body,),
    n.While: lambda stmt: (stmt.body,),
    n.If: lambda stmt: (stmt.then, stmt.orelse),
    n.InCoreScope: lambda stmt: (stmt.body,),
    n.HierarchyScope: lambda stmt: (stmt.body,),
}


def type_exprs(type_: Type) -> Iterator[n.Expr]:
    """The expressions inside a type: run-time dimensions, valid extents, strides, start offsets."""
    if isinstance(type_, ShapedType):
        yield from (dim for dim in type_.shape if not isinstance(dim, int))
        view: Any = getattr(type_, "view", None)
        if view is not None:
            for dims in (view.valid_shape, view.stride, (getattr(view, "start_offset", None),)):
                yield from (dim for dim in dims or () if isinstance(dim, n.Expr))
    elif isinstance(type_, TupleType):
        for item in type_.items:
            yield from type_exprs(item)


class _Flow:
    """Variables in the order of evaluation: those read, those read before anything binds them, those bound."""

    def __init__(self) -> None:
        self.used: dict[n.Var, None] = {}
        self.free: dict[n.Var, None] = {}
        self.defined: dict[n.Var, None] = {}
        self._visible: set[n.Var] = set()

    def read(self, *exprs: n.Expr) -> None:
        for node in walk(exprs):
            if isinstance(node, n.Var):
                self.used[node] = None
                if node not in self._visible:
                    self.free[node] = None
            elif isinstance(node, n.Expr) and node.type.__class__ is not ScalarType:
                self.read(*type_exprs(node.type))

    def bind(self, *found: n.Var) -> None:
        for var in found:
            if var.type.__class__ is not ScalarType:
                self.read(*type_exprs(var.type))
            self.defined[var] = None
            self._visible.add(var)

    def add(self, body: Iterable[n.Node]) -> None:
        for node in body:
            if isinstance(node, n.Expr):
                self.read(node)
            elif isinstance(node, n.If):
                self._branches(node)
            else:
                _FLOW[node.__class__](self, node)

    def _branches(self, stmt: n.If) -> None:
        self.read(stmt.condition)
        before = set(self._visible)
        self.add(stmt.then)
        after, self._visible = self._visible, before
        self.add(stmt.orelse)
        self._visible |= after
        self.bind(*stmt.results)

    def loop(self, stmt: Any, *conditions: n.Expr) -> None:
        self.read(*[arg.init for arg in stmt.iter_args])
        self.bind(*stmt.iter_args)
        self.read(*conditions)
        self.add(stmt.body)
        self.bind(*stmt.results)

    def counted(self, stmt: n.For) -> None:
        self.read(stmt.start, stmt.stop, stmt.step)
        self.bind(stmt.var)
        self.loop(stmt)

    def assign(self, stmt: n.Assign) -> None:
        self.read(stmt.value)
        self.bind(stmt.var)

    def function(self, function: n.Function) -> None:
        self.bind(*function.params)
        self.add(function.body)


_FLOW: dict[type, Callable[[_Flow, Any], None]] = {
    n.Assign: _Flow.assign,
    n.Eval: lambda flow, stmt: flow.read(stmt.value),
    n.For: _Flow.counted,
    n.While: lambda flow, stmt: flow.loop(stmt, stmt.condition),
    n.Yield: lambda flow, stmt: flow.read(*stmt.values),
    n.Return: lambda flow, stmt: flow.read(*stmt.values),
    n.Break: lambda flow, stmt: None,
    n.Continue: lambda flow, stmt: None,
    n.InCoreScope: lambda flow, stmt: flow.add(stmt.body),
    n.HierarchyScope: lambda flow, stmt: flow.add(stmt.body),
    n.Function: _Flow.function,
    n.Program: lambda flow, program: flow.add(program.functions),
}


def _flow(node: n.Node | Iterable[n.Node]) -> _Flow:
    flow = _Flow()
    flow.add((node,) if isinstance(node, n.Node) else node)
    return flow


def used_vars(node: n.Node | Iterable[n.Node]) -> tuple[n.Var, ...]:
    """The variables that ``node`` (or one of several) reads, in the order of first use.

    Variables that only types of results and of bound variables mention are included.
    """
    return tuple(_flow(node).used)


def free_vars(node: n.Node | Iterable[n.Node]) -> tuple[n.Var, ...]:
    """The variables read before ``node`` (or the statements) binds them, in the order of first use.

    A variable that only one branch of an If binds counts as bound after it.
    """
    return tuple(_flow(node).free)


def defined_vars(node: n.Node | Iterable[n.Node]) -> tuple[n.Var, ...]:
    """The variables bound anywhere under ``node`` (or the statements), in order of first binding."""
    return tuple(_flow(node).defined)
