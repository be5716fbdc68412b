"""Write what follows from the op table: ``python -m pypto.ops.generate``.

Two files are generated and checked in: the reference page ``docs/ops.md`` and ``pypto/language/ops.pyi``, the typed
signatures that editors show.
"""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path
from types import ModuleType

from pypto.ops import FAMILIES, TABLE, Kind, Op, Param
from pypto.ops.dtypes import ALL, DataType
from pypto.ops.row import REQUIRED

ROOT = Path(__file__).parents[2]
COMMAND = "python -m pypto.ops.generate"

ANNOTATIONS = {
    Kind.VALUE: "ValueT", Kind.TENSOR: "Tensor", Kind.TILE: "Tile", Kind.SCALAR: "ScalarLike",
    Kind.VALUE_OR_SCALAR: "ValueT | ScalarLike", Kind.TUPLE: "Sequence[ScalarLike]", Kind.DTYPE: "DataType",
    Kind.SPACE: "MemorySpace", Kind.INT: "int", Kind.NUMBER: "int | float", Kind.FLAG: "bool", Kind.TEXT: "str",
}  # fmt: skip
RESULTS = {
    "load": "Tile", "store": "Tensor", "create_tile": "Tile", "create_tensor": "Tensor", "full_tensor": "Tensor",
    "full_tile": "Tile", "read": "Scalar", "write": "None", "dim": "Scalar", "index": "Scalar",
}  # fmt: skip
NAMESPACES = {"pl": "", "tensor": "pl.tensor.", "tile": "pl.tile."}


def files() -> dict[Path, str]:
    """The generated files and their texts."""
    return {ROOT / "docs" / "ops.md": page(), ROOT / "pypto" / "language" / "ops.pyi": stub()}


def result(op: Op) -> str:
    """The annotation of what an op gives."""
    if op.typing in RESULTS:
        return RESULTS[op.typing]
    return "Tile" if op.params[0].kind is Kind.TILE else "ValueT"


def default(param: Param) -> str:
    """A default value as Python writes it."""
    value = param.default
    return f"{type(value).__name__}.{value.name}" if isinstance(value, Enum) else repr(value)


def signature(op: Op) -> str:
    """The parameters of an op with their defaults."""
    return ", ".join(p.name if p.default is REQUIRED else f"{p.name}={default(p)}" for p in op.params)


# The reference page


def page() -> str:
    """The text of docs/ops.md."""
    lines = [
        "# Operations\n\n",
        f"Written by `{COMMAND}` from the op table in `pypto/ops/`; do not edit.\n\n",
        "An operation takes tensors or tiles, not a mix; `pl.name` serves both. Where it takes a *value or scalar*, a\n"
        "number or a scalar may stand there. *Difference* is how far the simulator and the reference may be apart, in\n"
        "units in the last place; without it they agree bit by bit, NaN with NaN.\n",
    ]
    for family in FAMILIES:
        lines.append(f"\n## {title(family)}\n\n{(family.__doc__ or '').strip()}\n")
        lines += [entry(op) for op in TABLE.values() if op.family == title(family).lower()]
    return "".join(lines)


def title(family: ModuleType) -> str:
    """The name of a family of ops."""
    return family.__name__.rpartition(".")[2].capitalize()


def entry(op: Op) -> str:
    """The section of one op."""
    facts = [
        ("Spelled", ", ".join(f"`{spelling}`" for spelling in spellings(op))),
        ("Takes", ", ".join(f"`{p.name}` {p.kind.name.lower().replace('_', ' ')}" for p in op.params)),
        ("Dtypes", dtypes(op.dtypes)),
        ("C++", f"`{cpp(op)}`" if cpp(op) else ""),
        ("Memory", ", ".join(f"{name or 'result'} in {' or '.join(where)}" for name, where in op.spaces.items())),
        ("Difference", f"{op.ulp} ulp" if op.ulp else ""),
        ("Notes", op.notes),
    ]
    listed = "".join(f"* {name}: {text}\n" for name, text in facts if text)
    return f"\n### `{op.name}({signature(op)})`\n\n{op.doc}\n\n{listed}"


def spellings(op: Op) -> list[str]:
    """Every way to write an op."""
    found = []
    for name in (op.name, *op.aliases):
        namespace, dot, plain = name.rpartition(".")
        reach = [namespace] if dot else [space for space in NAMESPACES if space in op.reach]
        found += [f"{NAMESPACES[space] or 'pl.'}{plain}" for space in reach]
    return found


def dtypes(members: frozenset[DataType]) -> str:
    """Dtypes in the order of their declaration."""
    return "any" if len(members) == len(ALL) else ", ".join(dtype.name for dtype in ALL if dtype in members)


def cpp(op: Op) -> str:
    """The C++ an op becomes, as the reader of emitted code sees it."""
    if callable(op.emit):
        return (op.emit.__doc__ or "").partition("\n")[0]
    text = re.sub(r"\{(\w+)\}", r"\1", op.emit)
    either = any(param.kind is Kind.VALUE_OR_SCALAR for param in op.params)
    return f"{text}` or, with a scalar, `{text.replace('(', 'S(', 1)}" if either else text


# The stub


def stub() -> str:
    """The text of pypto/language/ops.pyi."""
    lines = [
        f'"""Typed signatures of every operation, for editors. Written by `{COMMAND}`; do not edit."""\n\n',
        "# ruff: noqa: E501\n# fmt: off\n",
        "from collections.abc import Sequence\nfrom typing import TypeAlias, TypeVar\n\n",
        "from pypto.frontend.annotations import Scalar, Tensor, Tile\n",
        "from pypto.ops.dtypes import DataType\n",
        f"from pypto.ops.enums import {', '.join(sorted(enums()))}\n\n",
        'ValueT = TypeVar("ValueT", Tensor, Tile)\nScalarLike: TypeAlias = Scalar | int | float | bool\n',
    ]
    lines += [function(name, op) for name, op in surface("pl")]
    for namespace in ("tensor", "tile"):
        lines.append(f'\nclass {namespace}:\n    """What is spelled pl.{namespace}.name."""\n')
        lines += [method(name, op) for name, op in surface(namespace)]
    return "".join(lines)


def enums() -> set[str]:
    """The enum classes that parameters take."""
    return {param.choices.__name__ for op in TABLE.values() for param in op.params if param.choices is not None}


def surface(namespace: str) -> list[tuple[str, Op]]:
    """Names and ops of a namespace in alphabetical order; a row for the namespace alone hides the general one."""
    found: dict[str, Op] = {}
    for op in sorted(TABLE.values(), key=lambda op: "." in op.name):
        for name in (op.name, *op.aliases):
            owner, dot, plain = name.rpartition(".")
            if owner == namespace if dot else namespace in op.reach:
                found[plain] = op
    return sorted(found.items())


def parameters(op: Op) -> str:
    """The typed parameters of an op."""
    return ", ".join(map(parameter, op.params))


def parameter(param: Param) -> str:
    """A typed parameter."""
    kind = param.choices.__name__ if param.choices is not None else ANNOTATIONS[param.kind]
    if param.default is REQUIRED:
        return f"{param.name}: {kind}"
    return f"{param.name}: {kind}{' | None' if param.default is None else ''} = {default(param)}"


def function(name: str, op: Op) -> str:
    """The stub of ``pl.name``."""
    return f'\ndef {name}({parameters(op)}) -> {result(op)}:\n    """{op.doc}"""\n'


def method(name: str, op: Op) -> str:
    """The stub of a name in a namespace."""
    return f'\n    @staticmethod\n    def {name}({parameters(op)}) -> {result(op)}:\n        """{op.doc}"""\n'


if __name__ == "__main__":
    for path, text in files().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
