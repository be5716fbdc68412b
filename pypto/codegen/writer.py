"""C++ text of statements: what kernels and orchestrations have in common, loops, branches and carried values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pypto.codegen.names import Names
from pypto.codegen.scalars import ctype, scalar
from pypto.errors import LoweringError
from pypto.ir import nodes as n
from pypto.ir.build import as_expr
from pypto.ir.roots import buffer_roots
from pypto.ir.types import ScalarType, TensorType, TileType


class Writer:
    """Writes the body of one function; subclasses know what assignments and expression statements mean."""

    def __init__(self, function: n.Function) -> None:
        self.function_ir = function
        self.names = Names()
        self.texts: dict[n.Var, str] = {}  # variables that another expression stands for
        self.roots = buffer_roots(function.body)
        self.lines: list[str] = []
        self.depth = 1

    def line(self, text: str) -> None:
        """Add text, one source line per line of it."""
        for part in text.split("\n"):
            self.lines.append("    " * self.depth + part if part else "")

    def name(self, var: n.Var) -> str:
        """The C++ text that stands for a variable."""
        return self.texts.get(var) or self.names[var]

    def text(self, expr: Any) -> str:
        """C++ text of a variable, of a scalar, or of a tuple of integers as an Index."""
        if isinstance(expr, n.Var):
            return self.name(expr)
        if isinstance(expr, n.MakeTuple):
            return f"Index{{{', '.join(self.integer(item) for item in expr.items)}}}"
        return scalar(as_expr(expr), self.name)

    def integer(self, expr: Any) -> str:
        """C++ text of an integer scalar or a dimension."""
        return scalar(as_expr(expr), self.name)

    def body(self, body: n.Body) -> None:
        """Write statements; a final Yield is left to the loop or branch that owns the body."""
        for stmt in body:
            getattr(self, f"write_{type(stmt).__name__.lower()}")(stmt)

    def block(self, body: n.Body) -> None:
        """Write statements one level deeper."""
        self.depth += 1
        self.body(body)
        self.depth -= 1

    def write_yield(self, stmt: n.Yield) -> None:
        """A Yield is written by ``assign_all`` of its owner."""

    def write_return(self, stmt: n.Return) -> None:
        """Results are the buffers of parameters; nothing is left to do."""

    def write_assign(self, stmt: n.Assign) -> None:
        """A scalar becomes a constant; the rest is up to the kind of function."""
        if isinstance(stmt.var.type, ScalarType) and not isinstance(stmt.value, n.Call | n.FunctionCall):
            value = self.text(stmt.value)
            self.line(f"const {ctype(stmt.var.type.dtype)} {self.names[stmt.var]} = {value};")
        elif isinstance(stmt.value, n.Var):
            self.texts[stmt.var] = self.name(stmt.value)
        else:
            self.assign_value(stmt)

    def assign_value(self, stmt: n.Assign) -> None:
        """Write an assignment of a call."""
        raise NotImplementedError

    def write_eval(self, stmt: n.Eval) -> None:
        """Write an expression statement."""
        raise NotImplementedError

    # Loops and branches. A carried scalar is a C++ variable; a carried tile is one buffer by then; a carried tensor is
    # an alias as long as it stays one buffer, else a descriptor of its own.

    def write_for(self, stmt: n.For) -> None:
        """A counted loop."""
        carried = self._enter(stmt)
        var, start, stop, step = self.names[stmt.var], *(self.integer(x) for x in (stmt.start, stmt.stop, stmt.step))
        compare = ">" if isinstance(stmt.step, n.Const) and stmt.step.value < 0 else "<"
        if not isinstance(stmt.step, n.Const):
            step_name = self.names.fresh("step")
            self.line(f"const int64_t {step_name} = nonzero_step({step});")
            condition, step = f"{step_name} > 0 ? {var} < {stop} : {var} > {stop}", step_name
        else:
            condition = f"{var} {compare} {stop}"
        self.line(f"for (int64_t {var} = {start}; {condition}; {var} += {step}) {{")
        self.block(stmt.body)
        self._assign_all(carried, stmt.body)
        self.line("}")

    def write_while(self, stmt: n.While) -> None:
        """A loop on a condition over the carried values."""
        carried = self._enter(stmt)
        self.line(f"while ({self.text(stmt.condition)}) {{")
        self.block(stmt.body)
        self._assign_all(carried, stmt.body)
        self.line("}")

    def write_if(self, stmt: n.If) -> None:
        """A branch; its results are declared before it."""
        targets = []
        for index, result in enumerate(stmt.results):
            values = [body[-1].values[index] for body in (stmt.then, stmt.orelse)]  # type: ignore[attr-defined]
            targets.append(self._declare(result, values))
        self.line(f"if ({self.text(stmt.condition)}) {{")
        self.block(stmt.then)
        self._assign_all(targets, stmt.then)
        if stmt.orelse and (len(stmt.orelse) > 1 or any(targets)):
            self.line("} else {")
            self.block(stmt.orelse)
            self._assign_all(targets, stmt.orelse)
        self.line("}")

    def _enter(self, stmt: n.For | n.While) -> list[str]:
        """Declare what a loop carries; the C++ variables to assign at its end, "" where nothing is to assign."""
        targets = []
        for arg, result in zip(stmt.iter_args, stmt.results, strict=True):
            target = self._declare(arg, [arg.init, result])
            if target:
                self.line(f"{target} = {self.text(arg.init)};")
            self.texts[result] = self.name(arg)
            targets.append(target)
        return targets

    def _declare(self, var: n.Var, values: Sequence[n.Expr]) -> str:
        """Declare a merged value; its name when it has to be assigned, "" when all sources are the same already."""
        if isinstance(var.type, ScalarType):
            self.line(f"{ctype(var.type.dtype)} {self.names[var]};")
            return self.names[var]
        if isinstance(var.type, TileType):
            self.declare_tile(var)
            return ""
        if isinstance(var.type, TensorType):
            roots = {self.roots.get(value, value) if isinstance(value, n.Var) else value for value in values}
            if len(roots) == 1 and isinstance(root := roots.pop(), n.Var):
                self.texts[var] = self.name(root)
                return ""
            self.line(f"Tensor {self.names[var]};")
            return self.names[var]
        raise LoweringError(f"'{var.name}' cannot be carried through a loop or branch", var.span)

    def declare_tile(self, var: n.Var) -> None:
        """Declare a tile that a loop or branch hands on."""
        raise LoweringError(f"tile '{var.name}' outside in-core code", var.span, "move it into a pl.at region")

    def _assign_all(self, targets: list[str], body: n.Body) -> None:
        """Bind the yielded values at once: every value is read before a target changes."""
        if not any(targets):
            return
        last = body[-1]
        assert isinstance(last, n.Yield)
        self.depth += 1
        pairs = [(target, self.text(v)) for target, v in zip(targets, last.values, strict=True) if target]
        pairs = [(target, value) for target, value in pairs if target != value]
        if len(pairs) > 1:
            temporaries = [self.names.fresh(f"{target}_next") for target, _ in pairs]
            for temporary, (_, value) in zip(temporaries, pairs, strict=True):
                self.line(f"const auto {temporary} = {value};")
            pairs = [(target, temporary) for temporary, (target, _) in zip(temporaries, pairs, strict=True)]
        for target, value in pairs:
            self.line(f"{target} = {value};")
        self.depth -= 1
