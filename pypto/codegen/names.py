"""C++ identifiers for variables: the author's names, made unique and legal."""

from __future__ import annotations

import re

from pypto.ir.nodes import Var

# Words of C++, and the names of the simulator's header that emitted code calls.
_RESERVED = frozenset(
    """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl const constexpr continue
    decltype default delete do double else enum explicit export extern false float for friend goto if inline int long
    mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register return short
    signed sizeof static struct switch template this throw true try typedef typeid typename union unsigned using
    virtual void volatile wchar_t while xor xor_eq
    Tile Tensor Index TaskArgs Runtime add_inout add_input add_output add_scalar add_tensor args block_idx block_num
    create float_arg floor_div floor_mod int_arg kernel_begin max min nonzero_step pto read_float read_int reshape
    reshaped round_scalar runtime shift_left shift_right submit subtile task tensor_arg tile transposed window
    with_valid write_element
    """.split()
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
