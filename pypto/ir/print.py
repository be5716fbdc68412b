"""Printing IR as text of the language: explicit types, unique names, one statement a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pypto.ir import nodes as n
from pypto.ir.print_expr import ExprPrinter, Names
from pypto.ir.visit import free_vars
from pypto.ops.enums import ForKind, FunctionType, ParamDirection


def as_python(node: n.Node, prefix: str = "pl", concise: bool = False) -> str:
    """``node`` as text of the language, with ``prefix`` as the name of the language module.

    A program is a module text with one class; a function is its decorated ``def``; a statement or an expression is just
    itself. ``concise`` leaves out the types of assignments.
    """
    printer = _Printer(prefix, concise, Names({prefix, "self"}))
    if isinstance(node, n.Program):
        printer.program(node)
    elif isinstance(node, n.Function):
        printer.dynamic_dims((node,))
        printer.function(node, method=False)
    elif isinstance(node, n.Stmt):
        printer.stmt(node)
    elif isinstance(node, n.Expr):
        return printer.exprs.expr(node)
    else:
        raise TypeError(f"as_python: expected a node of the IR, got {node!r}")
    return "\n".join(printer.lines) + "\n"


class _Printer:
    """Collects lines; ``exprs`` writes what stands inside them."""

    def __init__(self, prefix: str, concise: bool, names: Names) -> None:
        self.lines: list[str] = []
        self.exprs = ExprPrinter(prefix, names)
        self._prefix = prefix
        self._concise = concise
        self._indent = 0
        self._targets: list[tuple[n.Var, ...]] = []  # what the yields of the bodies around bind

    def line(self, text: str) -> None:
        self.lines.append("    " * self._indent + text if text else "")

    def block(self, header: str, body: n.Body, targets: tuple[n.Var, ...] = (), first: str = "") -> None:
        """A compound statement: ``header``, then ``first`` and the body one level deeper."""
        self.line(header)
        self._indent += 1
        self._targets.append(targets)
        start = len(self.lines)
        if first:
            self.line(first)
        for stmt in body:
            self.stmt(stmt)
        if len(self.lines) == start:
            self.line("pass")
        self._targets.pop()
        self._indent -= 1

    # Programs and functions

    def program(self, program: n.Program) -> None:
        self.line(f"# program: {program.name}")
        self.line(f"import pypto.language as {self._prefix}")
        self.line("")
        self.dynamic_dims(program.functions)
        self.line("")
        self.line(f"@{self._prefix}.program")
        self.line(f"class {program.name}:")
        self._indent += 1
        for function in program.functions:
            names = self.exprs.names
            self.exprs.names = names.nested()
            self.function(function, method=True)
            self.exprs.names = names
            self.line("")
        if not program.functions:
            self.line("pass")
        self._indent -= 1
        while not self.lines[-1]:
            self.lines.pop()

    def dynamic_dims(self, functions: Iterable[n.Function]) -> None:
        """One line for each dimension variable that no function binds."""
        found = dict.fromkeys(var for function in functions for var in free_vars(function))
        for var in found:
            name = self.exprs.names[var]
            self.line(f'{name} = {self._prefix}.dynamic("{name}")')
        if found:
            self.line("")

    def function(self, function: n.Function, method: bool) -> None:
        options = []
        if function.kind is not FunctionType.Opaque:
            options.append(("type", function.kind))
        options += [(key, getattr(function, key)) for key in ("level", "role") if getattr(function, key) is not None]
        self.line(f"@{self._prefix}.function" + (f"({self._keywords(options)})" if options else ""))
        params = ["self"] if method else []
        params += [self._param(*pair) for pair in zip(function.params, function.directions, strict=True)]
        returns = [self.exprs.type(type_) for type_ in function.return_types]
        arrow = ""
        if returns:
            arrow = f" -> {returns[0]}" if len(returns) == 1 else f" -> {self._prefix}.Tuple[{', '.join(returns)}]"
        attrs = f"{self._prefix}.func_attr({self.exprs.static(function.attrs)})" if function.attrs else ""
        self.block(f"def {function.name}({', '.join(params)}){arrow}:", function.body, first=attrs)

    def _param(self, var: n.Var, direction: ParamDirection) -> str:
        text = self.exprs.type(var.type)
        if direction is not ParamDirection.In:
            text = f"{self._prefix}.{direction.value}[{text}]"
        return f"{self.exprs.names[var]}: {text}"

    def _keywords(self, items: Iterable[tuple[str, Any]]) -> str:
        return ", ".join(f"{key}={self.exprs.static(value)}" for key, value in items)

    # Statements

    def stmt(self, stmt: n.Stmt) -> None:
        _STMTS[stmt.__class__](self, stmt)

    def target(self, targets: tuple[n.Var, ...]) -> str:
        """The left side of an assignment; only a single target can carry its type."""
        if len(targets) == 1 and not self._concise and not isinstance(targets[0].type, n.UnknownType):
            return f"{self.exprs.names[targets[0]]}: {self.exprs.type(targets[0].type)}"
        return ", ".join(self.exprs.names[var] for var in targets)

    def assign(self, stmt: n.Assign) -> None:
        value = self.exprs.expr(stmt.value)  # before the target, whose name may be new
        self.line(f"{self.target((stmt.var,))} = {value}")

    def yield_(self, stmt: n.Yield) -> None:
        if not stmt.values:
            return
        call = f"{self._prefix}.yield_({', '.join(map(self.exprs.expr, stmt.values))})"
        targets = self._targets[-1] if self._targets else ()
        self.line(f"{self.target(targets)} = {call}" if targets else call)

    def return_(self, stmt: n.Return) -> None:
        self.line(f"return {', '.join(map(self.exprs.expr, stmt.values))}".rstrip())

    def for_(self, stmt: n.For) -> None:
        bounds = [stmt.start, stmt.stop, stmt.step]
        if _is_int(stmt.step, 1):
            bounds = bounds[1:2] if _is_int(stmt.start, 0) else bounds[:2]
        parts = [self.exprs.expr(bound) for bound in bounds]
        if "stage" in stmt.attrs:
            parts.append(f"stage={self.exprs.static(stmt.attrs['stage'])}")
        parts += self._init_values(stmt.iter_args)
        rest = {key: value for key, value in stmt.attrs.items() if key != "stage"}
        if rest:
            parts.append(f"attrs={self.exprs.static(rest)}")
        target = self.exprs.names[stmt.var]
        if stmt.iter_args:
            target += f", {self._carried(stmt.iter_args)}"
        kind = ForKind(stmt.kind).value
        self.block(f"for {target} in {self._prefix}.{kind}({', '.join(parts)}):", stmt.body, stmt.results)

    def while_(self, stmt: n.While) -> None:
        if not stmt.iter_args:
            self.block(f"while {self.exprs.expr(stmt.condition)}:", stmt.body, stmt.results)
            return
        init = self._init_values(stmt.iter_args)[0]
        header = f"for {self._carried(stmt.iter_args)} in {self._prefix}.while_({init}):"
        condition = f"{self._prefix}.cond({self.exprs.expr(stmt.condition)})"
        self.block(header, stmt.body, stmt.results, first=condition)

    def _init_values(self, iter_args: tuple[n.IterArg, ...]) -> list[str]:
        return [f"init_values={_tuple(self.exprs.expr(arg.init) for arg in iter_args)}"] if iter_args else []

    def _carried(self, iter_args: tuple[n.IterArg, ...]) -> str:
        return _tuple(self.exprs.names[arg] for arg in iter_args)

    def if_(self, stmt: n.If, word: str = "if") -> None:
        self.block(f"{word} {self.exprs.expr(stmt.condition)}:", stmt.then, stmt.results)
        rest = stmt.orelse[0] if len(stmt.orelse) == 1 else None
        if isinstance(rest, n.If) and not rest.results and not stmt.results:
            self.if_(rest, "elif")
        elif stmt.orelse:
            self.block("else:", stmt.orelse, stmt.results)

    def incore(self, stmt: n.InCoreScope) -> None:
        options = [f"level={self._prefix}.Level.CORE_GROUP"]
        self._scope(stmt, options)

    def hierarchy(self, stmt: n.HierarchyScope) -> None:
        options = [f"level={self.exprs.static(stmt.level)}"]
        if stmt.role is not None:
            options.append(f"role={self.exprs.static(stmt.role)}")
        self._scope(stmt, options)

    def _scope(self, stmt: n.Scope, options: list[str]) -> None:
        if stmt.attrs:
            options.append(self._keywords(stmt.attrs.items()))
        if stmt.name_hint:
            options.append(f'name_hint="{stmt.name_hint}"')
        targets = self._targets[-1] if self._targets else ()
        self.block(f"with {self._prefix}.at({', '.join(options)}):", stmt.body, targets)


_STMTS: Mapping[type, Callable[[_Printer, Any], None]] = {
    n.Assign: _Printer.assign,
    n.Eval: lambda printer, stmt: printer.line(printer.exprs.expr(stmt.value)),
    n.For: _Printer.for_,
    n.While: _Printer.while_,
    n.If: _Printer.if_,
    n.Yield: _Printer.yield_,
    n.Return: _Printer.return_,
    n.Break: lambda printer, stmt: printer.line("break"),
    n.Continue: lambda printer, stmt: printer.line("continue"),
    n.InCoreScope: _Printer.incore,
    n.HierarchyScope: _Printer.hierarchy,
}


def _is_int(expr: n.Expr, value: int) -> bool:
    return isinstance(expr, n.Const) and expr.value == value


def _tuple(items: Iterable[str]) -> str:
    parts = list(items)
    return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"
