"""One function being parsed: its names, the statements written so far, and where to report mistakes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pypto.errors import InvalidOperationError, OpTypeError, OpValueError, ParserError, ParserTypeError
from pypto.frontend import buffers
from pypto.frontend.captures import Surroundings
from pypto.frontend.dynamic import DynExpr
from pypto.frontend.names import Names
from pypto.frontend.source import Module
from pypto.ir.build import constant
from pypto.ir.nodes import Assign, Body, Expr, FunctionCall, MakeTuple, Span, Stmt, Var
from pypto.ir.types import TupleType, Type
from pypto.ops.enums import FunctionType, ParamDirection

if TYPE_CHECKING:
    from pypto.frontend.session import Session
    from pypto.frontend.unresolved import Unresolved

INT64_RANGE = range(-(2**63), 2**64)


@dataclass(frozen=True)
class Rules:
    """What evaluates expressions and parses statements; both call each other through the parser."""

    evaluate: Callable[[Parser, ast.expr], Any]
    statement: Callable[[Parser, ast.stmt], None]


@dataclass
class Parser:
    """The state of parsing one function. The work is in the modules ``expressions``, ``statements``, ``calls``, ..."""

    rules: Rules
    session: Session
    module: Module
    surroundings: Surroundings
    name: str
    kind: FunctionType
    assigned: dict[str, int]  # how many statements bind each name
    renames: bool = True  # a name bound again in the same block may change its type, as in jit functions
    strict_ssa: bool = False  # every name is assigned once
    printed: bool = False  # the text is printed IR: annotations are whole types, a call alone rebinds nothing
    names: Names = field(default_factory=Names)
    out: list[Stmt] = field(default_factory=list)
    params: dict[Var, ParamDirection] = field(default_factory=dict)
    roots: dict[Var, frozenset[Var]] = field(default_factory=dict)  # the parameters whose buffers a variable stands for
    unresolved: dict[str, Unresolved] = field(default_factory=dict)  # Out parameters whose type the first write decides
    variables: dict[str, list[Var]] = field(default_factory=dict)
    attrs: dict[str, Any] = field(default_factory=dict)
    loops: list[str] = field(default_factory=list)  # kinds of the loops around, innermost last
    in_core: bool = False
    pure: str = ""  # where no statement may be written: a condition that is evaluated again and again
    returned: tuple[Type, ...] | None = None
    declared_results: tuple[Type, ...] | None = None

    # Places and mistakes

    def span(self, node: ast.AST) -> Span:
        """The place of ``node``."""
        return self.module.span(node)

    def error(
        self, kind: type[ParserError], message: str, node: ast.AST | Span, hint: str = "", code: str = ""
    ) -> ParserError:
        """An error at ``node``."""
        span = node if isinstance(node, Span) else self.span(node)
        return kind(message, span, hint, code)

    @contextmanager
    def operation(
        self,
        node: ast.AST,
        code: str = "",
        operands: Iterable[tuple[Any, ast.AST]] = (),
        hint: str = "docs/ops.md says what each operation takes",
    ) -> Iterator[None]:
        """Turn what the builder refuses into a parser error at ``node``, or at the operand that it names.

        ``operands`` are values with their syntax: the builder knows a variable by the place of its definition.
        """
        try:
            yield
        except (OpTypeError, OpValueError) as error:
            place = node
            for value, syntax in operands:
                if isinstance(value, Expr) and error.span is not None and value.span == error.span:
                    place = syntax
                    break
            error.span = None
            refused = InvalidOperationError.of(error, self.span(place))
            refused.error_code = code or refused.error_code
            refused.hint = refused.hint or hint
            raise refused from error

    def python(self, node: ast.AST, compute: Callable[[], Any]) -> Any:
        """The result of a computation on Python values; what it raises becomes a parser error at ``node``."""
        try:
            return compute()
        except ParserError:
            raise
        except Exception as error:
            raise self.error(
                ParserTypeError, f"{type(error).__name__} while computing a constant: {error}", node,
                "correct the expression; it is evaluated when the kernel is parsed",
            ) from error  # fmt: skip

    # Values

    def value(self, node: ast.expr, hoist: bool = True) -> Any:
        """What ``node`` means: an IR expression, or a Python value that is known while parsing.

        A call of another function stands alone in a statement; ``hoist`` moves it there.
        """
        found = self.rules.evaluate(self, node)
        return self.hoist(found, node, found.callee) if hoist and isinstance(found, FunctionCall) else found

    def expr(self, node: ast.expr) -> Expr:
        """``node`` as an IR expression."""
        return self.as_expr(self.value(node), node)

    def as_expr(self, value: Any, node: ast.AST) -> Expr:
        """``value`` as an IR expression; ParserTypeError for Python values that have no counterpart."""
        if isinstance(value, Expr):
            return value
        if type(value) in (bool, int, float):
            if type(value) is int and value not in INT64_RANGE:
                raise self.error(ParserTypeError, f"{value} does not fit into 64 bits", node, "use a smaller constant")
            return constant(value, span=self.span(node))
        if isinstance(value, DynExpr):
            return value.expr
        if isinstance(value, tuple | list):
            items = tuple(self.as_expr(item, node) for item in value)
            return MakeTuple(TupleType(tuple(item.type for item in items)), items, span=self.span(node))
        if hasattr(value, "__index__") and hasattr(value, "item") and not getattr(value, "shape", ()):  # NumPy integers
            return self.as_expr(int(value), node)
        raise self.error(
            ParserTypeError, f"{_describe(value)} is no value of a kernel", node,
            "use numbers, tensors, tiles, or lists of numbers",
        )  # fmt: skip

    # Statements

    def emit(self, stmt: Stmt) -> None:
        """Append a statement to the block being written."""
        if self.pure:
            raise self.error(
                ParserError, f"{self.pure} cannot hold a call that takes a statement of its own", stmt.span,
                "compute the value into a variable, and again at the end of the loop body", "E301",
            )  # fmt: skip
        self.out.append(stmt)

    @contextmanager
    def block(self) -> Iterator[list[Stmt]]:
        """Collect the statements written meanwhile."""
        outer, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = outer

    def statements(self, nodes: Sequence[ast.stmt]) -> None:
        """Parse statements into the current block."""
        for node in nodes:
            self.rules.statement(self, node)

    def body(self, nodes: Sequence[ast.stmt]) -> Body:
        """Parse statements into a block of their own."""
        with self.block() as out:
            self.statements(nodes)
        return tuple(out)

    def hoist(self, expr: Expr, node: ast.AST, name: str = "t") -> Var:
        """``expr`` computed now, as a variable."""
        span = self.span(node)
        var = Var(expr.type, name, span=span)
        self.assign(var, expr, span)
        return var

    def assign(self, var: Var, value: Expr, span: Span) -> None:
        """Write ``var = value`` and note which buffers ``var`` now stands for."""
        self.emit(Assign(var, value, span=span))
        buffers.note(self, var, value)

    def variable(self, name: str, type_: Type, span: Span) -> Var:
        """A new variable for ``name``."""
        var = Var(type_, name, span=span)
        self.variables.setdefault(name, []).append(var)
        return var


def _describe(value: Any) -> str:
    text = repr(value)
    return f"'{value.__name__}'" if callable(value) and hasattr(value, "__name__") else text[:80]
