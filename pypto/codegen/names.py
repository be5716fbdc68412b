"""C++ identifiers for variables: the author's names, made unique and legal."""

from __future__ import annotations

import re

from pypto.ir.nodes import Var

_RESERVED = frozenset(
    ["alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char", "class", "compl", "const", "constexpr", "continue", "decltype", "default", "delete", "do", "double", "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private", "protected", "public", "register", "return", "short", "signed", "sizeof", "static", "struct", "switch", "template", "this", "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq", "args", "runtime", "task", "block_idx", "block_num", "min", "max", "read_int", "read_float", "Tile", "Tensor", "Index", "TaskArgs", "Runtime", "tile", "subtile", "reshaped", "transposed", "with_valid", "window", "create", "submit", "reshape", "floor_div", "floor_mod", "shift_left", "shift_right", "nonzero_step", "round_scalar", "tensor_arg", "int_arg", "float_arg", "kernel_begin", "write_element", "add_input", "add_output", "add_inout", "add_tensor", "add_scalar", "pto"]
)


class Names:
    """Gives each variable one identifier for the length of a function."""

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}
        self._found: dict[Var, str] = {}

    def __getitem__(self, var: Var) -> str:
        """The identifier of ``var``, chosen at first use."""
        if var not in self._found:
            self._found[var] = self.fresh(var.name)
        return self._found[var]

    def fresh(self, hint: str) -> str:
        """An identifier like ``hint`` that nothing else has."""
        base = re.sub(r"\W", "_", hint, flags=re.ASCII) or "v"
        if base[0].isdigit() or base.startswith("_") or base in _RESERVED or base.isupper():
            base = f"v_{base.lstrip('_')}"
        count = self._taken.get(base, -1) + 1
        self._taken[base] = count
        if not count:
            return base
        name = f"{base}_{count}"
        return self.fresh(f"{name}_") if name in self._taken else self._reserve(name)

    def _reserve(self, name: str) -> str:
        self._taken[name] = 0
        return name
