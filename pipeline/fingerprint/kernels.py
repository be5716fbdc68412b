"""Kernels by what their compiler reads: the syntax of their definition, and what the names in it stand for."""

from __future__ import annotations

import ast
import builtins
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pipeline.fingerprint.components import Collector
from pipeline.fingerprint.functions import place_of
from pipeline.fingerprint.libraries import Origin, origin
from pipeline.fingerprint.values import Describer


def kernel_components(kernel: Any, collector: Collector) -> None:
    """Add a `@pl.jit` function and everything it leads to: helpers, constants, Python functions that it evaluates."""
    _Walk(collector).kernel(kernel, f"kernel `{kernel.__name__}`")


_NONE = object()


class _Walk:
    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._describer = Describer(collector)
        self._seen: set[int] = set()

    def kernel(self, kernel: Any, role: str) -> None:
        """One kernel function and what its names lead to."""
        if id(kernel) in self._seen:
            return
        self._seen.add(id(kernel))
        function = kernel.__wrapped__
        while hasattr(function, "__wrapped__"):
            function = function.__wrapped__
        options = self._describer.describe(dict(kernel.options), role)
        defaults = self._describer.describe((function.__defaults__, function.__kwdefaults__), role)
        text = f"{kernel.kind.name} {options} {defaults} {syntax(kernel.node)}"
        self._collector.add(role, text, place_of(function.__code__))
        for file in _external_files(kernel):
            self._collector.add(f"source {file.name} of {role}", file.read_bytes(), str(file))
        surroundings = kernel.surroundings()
        for names in sorted(set(chains(kernel.node))):
            self._name(names, surroundings, role)

    def _name(self, names: tuple[str, ...], surroundings: Any, role: str) -> None:
        try:
            value = surroundings.find(names[0])
        except KeyError:
            return  # a local of the kernel, or unknown to the compiler too
        if value is getattr(builtins, names[0], _NONE):
            return
        path = [names[0]]
        for attribute in names[1:]:
            if not isinstance(value, types.ModuleType) or origin(value.__name__) is Origin.PYPTO:
                break
            value = getattr(value, attribute, None)
            path.append(attribute)
        if isinstance(value, types.ModuleType) and origin(value.__name__) is Origin.PYPTO:
            return  # the language itself: its sources count as a whole
        shown = ".".join(path)
        if is_kernel(value):
            self.kernel(value, f"helper `{value.__name__}`")
        elif origin(getattr(type(value), "__module__", "") or "") is not Origin.PYPTO or not callable(value):
            what = f"constant `{shown}` of {role}"
            self._collector.add(what, self._describer.describe(value, what))


def is_kernel(value: Any) -> bool:
    """Whether a value is a kernel function of the language."""
    return all(hasattr(type(value), name) for name in ("node", "surroundings", "specialize"))


def syntax(node: ast.AST) -> str:
    """The syntax of a definition, without places, comments and docstrings."""
    return ast.dump(_NoDocstrings().visit(ast.parse(ast.unparse(node))), include_attributes=False)


class _NoDocstrings(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        """A string that stands alone says nothing."""
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return ast.Pass()
        return node


def chains(node: ast.AST) -> Iterator[tuple[str, ...]]:
    """The names in a definition with the attributes that follow them, annotations and defaults included."""
    path, inner = [], node
    while isinstance(inner, ast.Attribute):
        path.append(inner.attr)
        inner = inner.value
    if isinstance(inner, ast.Name):
        yield (inner.id, *reversed(path))
    elif isinstance(inner, ast.Constant) and isinstance(inner.value, str):
        yield from _in_text(inner.value)
    for child in ast.iter_child_nodes(inner):
        yield from chains(child)


def _in_text(text: str) -> Iterator[tuple[str, ...]]:
    """The names in an annotation that is written as text."""
    try:
        parsed = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError):
        return
    if not isinstance(parsed.body, ast.Constant):
        yield from chains(parsed)


def _external_files(kernel: Any) -> list[Path]:
    source = kernel.options.get("external_source")
    return [Path(source)] if source else []
