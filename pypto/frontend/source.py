"""Finding the source of a function or class, and turning its syntax nodes into places. Nothing is ever executed."""

from __future__ import annotations

import ast
import inspect
import linecache
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeVar

from pypto.errors import ParserSyntaxError
from pypto.ir.nodes import Span

Definition = TypeVar("Definition", ast.FunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Module:
    """The text of a file and its syntax tree."""

    file: str
    text: str
    tree: ast.Module = field(repr=False)
    lines: tuple[str, ...] | None = field(default=None, repr=False)  # only when columns are not bytes

    def span(self, node: Any) -> Span:
        """The place of a syntax node; columns count characters."""
        line, column = node.lineno, node.col_offset
        end_line, end_column = node.end_lineno or line, node.end_col_offset or column
        if self.lines is not None:
            column, end_column = self._characters(line, column), self._characters(end_line, end_column)
        return Span(self.file, line, column, end_line, end_column)

    def _characters(self, line: int, column: int) -> int:
        assert self.lines is not None
        return len(self.lines[line - 1].encode()[:column].decode(errors="replace"))

    def segment(self, node: ast.stmt) -> str:
        """The text of a definition, its decorators included."""
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        return "\n".join(self.text.splitlines()[first - 1 : node.end_lineno])


@lru_cache(maxsize=256)
def parse_module(file: str, text: str) -> Module:
    """The syntax tree of ``text``; ParserSyntaxError where it is no Python."""
    try:
        tree = ast.parse(text, file)
    except SyntaxError as error:
        span = Span(file, error.lineno or 1, max(0, (error.offset or 1) - 1), error.end_lineno or error.lineno or 1,
                    max(0, (error.end_offset or error.offset or 1) - 1))  # fmt: skip
        raise ParserSyntaxError(f"invalid Python: {error.msg}", span, "correct the syntax") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise ParserSyntaxError(f"unreadable source: {error}", Span(file, 1), "simplify the source") from None
    return Module(file, text, tree, None if text.isascii() else tuple(text.splitlines()))


def file_text(file: str) -> str:
    """What ``file`` holds now, notebook cells included; OSError when there is nothing to read."""
    linecache.checkcache(file)
    lines = linecache.getlines(file)
    if not lines:
        raise OSError(f"no source for '{file}': kernels are read from a file or a notebook cell, not from a prompt")
    return "".join(lines)


@dataclass(frozen=True)
class FunctionSource:
    """A function with the module text it was read from when it was decorated; the tree is looked up on demand."""

    function: Any
    file: str
    text: str = field(repr=False)

    @staticmethod
    def of(function: Any) -> FunctionSource:
        """The source of ``function``; OSError when it has none."""
        function = inspect.unwrap(function)
        file = function.__code__.co_filename
        return FunctionSource(function, file, file_text(file))

    @property
    def module(self) -> Module:
        """The module the function is in."""
        return parse_module(self.file, self.text)

    def node(self) -> ast.FunctionDef:
        """The definition: the one that starts at the line the code object names, whatever its decorators hold."""
        code = self.function.__code__
        for node in _definitions(self.module, ast.FunctionDef):
            if node.name == code.co_name and _first_line(node) == code.co_firstlineno:
                return node
        raise OSError(
            f"the source of '{code.co_name}' is not at {self.file}:{code.co_firstlineno}; "
            "the file changed since it was imported"
        )


def class_node(module: Module, name: str, method_line: int | None) -> ast.ClassDef | None:
    """The class called ``name`` that holds the definition starting at ``method_line``, or the last one of that name."""
    found = [node for node in _definitions(module, ast.ClassDef) if node.name == name]
    if method_line is not None:
        found = [node for node in found if node.lineno <= method_line <= (node.end_lineno or 0)]
    return found[-1] if found else None


def _definitions(module: Module, kind: type[Definition]) -> Iterator[Definition]:
    return (node for node in _statements(module) if isinstance(node, kind))


@lru_cache(maxsize=256)
def _definition_index(file: str, text: str) -> tuple[ast.stmt, ...]:
    found: list[ast.stmt] = []
    stack: list[ast.AST] = [parse_module(file, text).tree]
    while stack:
        for child in ast.iter_child_nodes(stack.pop()):
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                found.append(child)
            if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
                stack.append(child)
    return tuple(found)


def _statements(module: Module) -> tuple[ast.stmt, ...]:
    return _definition_index(module.file, module.text)


def _first_line(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
