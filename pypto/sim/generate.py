"""Write the C++ that follows from the op table: ``python -m pypto.sim.generate``.

Three files are generated and checked in: the declarations that kernels see (``include/pto/ops.gen.hpp``), the loop
bodies as templates (``src/scalar.gen.hpp``), and the functions that run them over tiles (``src/ops.gen.cpp``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pypto.ops import TABLE, Kind, Op, Trait

ROOT = Path(__file__).parent
INCLUDE = ROOT / "include" / "pto"
COMMAND = "python -m pypto.sim.generate"
LETTERS = "abcs"
TILES = (Kind.VALUE, Kind.TILE, Kind.VALUE_OR_SCALAR)
CALL = re.compile(r"(\w+)\((.*)\);")


@dataclass(frozen=True)
class Body:
    """A loop body: its C++ expression over the letters it uses. Ops with the same expression share it."""

    text: str

    @property
    def letters(self) -> str:
        """The operands, in the order of the loop's arguments."""
        return "".join(letter for letter in LETTERS if re.search(rf"\b{letter}\b", self.text))

    @property
    def divides(self) -> str:
        """How integer operands are checked before the loop."""
        if "divide(" in self.text:
            return "DIVIDES"
        return "REMAINS" if re.search(r"\b(modulo|remainder)\(", self.text) else "NO"

    def loop(self, kind: str, name: str) -> str:
        """The C++ name of the loop over ``kind``. FP16 and BF16 run as float unless the body rounds in between."""
        shared = kind in ("Half", "Brain") and "narrow(" not in self.text
        return f"loop{len(self.letters)}<{name}, {'float' if shared else kind}>"


@dataclass(frozen=True)
class Function:
    """The C++ function of an op: its name, and what it takes after the result."""

    op: Op
    name: str
    arguments: tuple[str, ...]

    @property
    def parameters(self) -> list[str]:
        """The op's parameters that the emitted call passes, in its order."""
        return [argument.strip("{}") for argument in self.arguments[1:]]

    def overloads(self) -> Iterator[tuple[str, dict[str, str]]]:
        """Name, and C++ type by parameter. Scalars come as double and as int64_t."""
        kinds = {param.name: param.kind for param in self.op.params}
        either = [name for name in self.parameters if kinds[name] is Kind.VALUE_OR_SCALAR]
        always = [name for name in self.parameters if kinds[name] is Kind.SCALAR]
        tiles = dict.fromkeys(self.parameters, "const Tile&")
        if always:
            for scalar in ("double", "int64_t"):
                yield self.name, {**tiles, **dict.fromkeys(always, scalar)}
        else:
            yield self.name, tiles
        if either:
            for scalar in ("double", "int64_t"):
                yield f"{self.name}S", {**tiles, **dict.fromkeys(either, scalar)}

    def signature(self, name: str, types: dict[str, str]) -> str:
        """The C++ declarator of an overload."""
        listed = "".join(f", {kind} {parameter}" for parameter, kind in types.items())
        return f"void {name}(const Tile& dst{listed})"


def functions() -> list[Function]:
    """The functions that op rows with a loop body ask for, in the order of the table."""
    found = []
    for op in TABLE.values():
        if not op.scalar:
            continue
        match = CALL.fullmatch(op.emit) if isinstance(op.emit, str) else None
        if match is None:
            raise ValueError(
                f"op {op.name}: a row with a loop body emits one call, 'TNAME({{dst}}, ...);', not {op.emit!r}"
            )
        found.append(Function(op, match[1], tuple(part.strip() for part in match[2].split(","))))
    return found


def bodies() -> dict[str, str]:
    """Every distinct loop body, with the C++ name of its template: that of the first op that has it."""
    found: dict[str, str] = {}
    for function in functions():
        found.setdefault(
            function.op.scalar, "".join(word.capitalize() for word in function.op.name.split("_")) + "Body"
        )
    return found


def header(what: str) -> str:
    """The first lines of a generated file."""
    return f"// {what} Written by `{COMMAND}` from the op table; do not edit.\n"


def declarations() -> str:
    """The text of include/pto/ops.gen.hpp; it is included inside namespace pto."""
    lines = [header("The operations of the op table that have a loop body."), "#pragma once\n"]
    for function in functions():
        lines += [f"{function.signature(name, types)};\n" for name, types in function.overloads()]
    return "".join(lines)


def templates() -> str:
    """The text of src/scalar.gen.hpp: a template per loop body, and lists of them by what they are compiled for."""
    lines = [header("The loop bodies of the op table."), '#pragma once\n#include "loops.hpp"\n\nnamespace pto {\n']
    for text, name in bodies().items():
        parameters = ", ".join(f"T {letter}" for letter in Body(text).letters)
        body = text.replace("narrow(", "Element<E>::narrow(")
        lines.append(
            f"\ntemplate <class E>\nstruct {name} {{\n    using T = typename Element<E>::Value;\n"
            f"    static inline T apply({parameters}) {{ return static_cast<T>({body}); }}\n}};\n"
        )
    lines.append("\n}  // namespace pto\n\n")
    for group, kinds in GROUPS.items():
        lines.append(f"#define PTO_{group}_LOOPS(LOOP)")
        lines += [f" \\\n    LOOP({loop})" for loop in sorted(set(compiled_loops(kinds)))]
        lines.append(f"\n#define PTO_{group}_FOLDS(FOLD)")
        lines += [f" \\\n    FOLD({fold})" for fold in sorted(set(compiled_folds(kinds)))]
        lines.append("\n")
    return "".join(lines)


GROUPS = {
    "FLOAT": ("float", "Half", "Brain"),
    "SIGNED": ("int8_t", "int16_t", "int32_t"),
    "UNSIGNED": ("uint8_t", "uint16_t", "uint32_t"),
}
KINDS = [kind for kinds in GROUPS.values() for kind in kinds]


def uses(text: str, kind: str, reduces: bool = False) -> bool:
    """Whether an op with this body takes elements of this C++ type; ``reduces`` asks among reductions only."""
    floats = kind in GROUPS["FLOAT"]
    ops = (function.op for function in functions() if function.op.scalar == text)
    return any(
        any(d.is_float == floats for d in op.dtypes) for op in ops if Trait.REDUCTION in op.traits or not reduces
    )


def compiled_loops(kinds: tuple[str, ...]) -> Iterator[str]:
    """The loops over elements of these C++ types."""
    for text, name in bodies().items():
        yield from (Body(text).loop(kind, name) for kind in kinds if uses(text, kind))


def compiled_folds(kinds: tuple[str, ...]) -> Iterator[str]:
    """The folds over elements of these C++ types."""
    for text, name in bodies().items():
        yield from (f"fold<{name}, {kind}>" for kind in kinds if uses(text, kind, reduces=True))


def operand(function: Function, parameter: str) -> str:
    """How the driver is handed a parameter: cells, or a vector that repeats along the rows or columns."""
    vector = {"row_expand": "COLUMN", "col_expand": "ROW"}.get(function.op.typing, "")
    return f"Operand(Operand::{vector}, {parameter})" if vector and parameter.endswith("_vec") else parameter


def definition(function: Function, table: str) -> str:
    """The C++ definitions of a function's overloads."""
    if Trait.REDUCTION in function.op.traits:
        axis = "rows" if "row" in function.op.typing else "columns"
        wide = "true" if Trait.WIDE_SUM in function.op.traits else "false"
        call = f'fold_{axis}("{function.name}", {table}, dst, {function.parameters[0]}, {wide});'
        return "".join(f"{function.signature(*overload)} {{ {call} }}\n" for overload in function.overloads())
    values = [param.name for param in function.op.params if param.kind in TILES]
    scalars = [param.name for param in function.op.params if param.kind is Kind.SCALAR]
    by_letter = {**dict(zip(LETTERS, values, strict=False)), **dict(zip("s", scalars, strict=False))}
    passed = [by_letter[letter] for letter in Body(function.op.scalar).letters]
    lines = []
    for name, types in function.overloads():
        operands = ", ".join(operand(function, parameter) for parameter in passed)
        lines.append(f'{function.signature(name, types)} {{ drive("{name}", {table}, dst, {operands}); }}\n')
    return "".join(lines)


def definitions() -> str:
    """The text of src/ops.gen.cpp."""
    lines = [header("The operations of the op table that have a loop body."), '#include "drive.hpp"\n']
    lines.append('#include "scalar.gen.hpp"\n\nnamespace pto {\n\n')
    lines += [
        "#define DECLARE_LOOP(...) extern template void __VA_ARGS__(void*, const void* const*, int64_t);\n"
        "#define DECLARE_FOLD(...) extern template void __VA_ARGS__(void*, const void*, int64_t, int64_t, int64_t);\n"
    ]
    lines += [f"PTO_{group}_LOOPS(DECLARE_LOOP)\nPTO_{group}_FOLDS(DECLARE_FOLD)\n" for group in GROUPS]
    for text, name in bodies().items():
        loops = ", ".join(Body(text).loop(kind, name) if uses(text, kind) else "nullptr" for kind in KINDS)
        folds = ", ".join(f"fold<{name}, {kind}>" if uses(text, kind, reduces=True) else "nullptr" for kind in KINDS)
        lines.append(
            f"\n// {text}\nstatic constexpr Loops LOOPS_{name} = {{{{{loops}}}, {{{folds}}}, {Body(text).divides}}};\n"
        )
    lines.append("\n")
    names = bodies()
    lines += [definition(function, f"LOOPS_{names[function.op.scalar]}") for function in functions()]
    lines.append("\n}  // namespace pto\n")
    return "".join(lines)


def files() -> dict[Path, str]:
    """The generated files and their texts."""
    return {
        INCLUDE / "ops.gen.hpp": declarations(),
        ROOT / "src" / "scalar.gen.hpp": templates(),
        ROOT / "src" / "ops.gen.cpp": definitions(),
    }


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text)
