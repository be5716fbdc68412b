"""The names of ``pypto.language`` that mean something only inside a kernel: loops, scopes, directives, operations."""

from __future__ import annotations

from typing import Any, NoReturn

from pypto.ops.row import TABLE, Op, find


class Marker:
    """A construct of the language. Kernels are parsed, never executed, so calling one in Python is a mistake."""

    def __init__(self, name: str, todo: str = "") -> None:
        self.name = name
        self.todo = todo  # why it cannot be used yet; empty when it can
        self.__doc__ = f"``pl.{name}``, used inside a kernel."

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refuse: a kernel body is never executed as Python."""
        if self.todo:
            raise NotImplementedError(self.todo)
        raise TypeError(
            f"pl.{self.name} was called outside a kernel; it is only understood in a function under "
            "@pl.jit or @pl.function"
        )

    def __repr__(self) -> str:
        return f"pl.{self.name}"


class OpMarker(Marker):
    """An operation under one of its spellings."""

    def __init__(self, namespace: str, name: str) -> None:
        super().__init__(name if namespace == "pl" else f"{namespace}.{name}")
        self.namespace = namespace
        self.op_name = name

    @property
    def op(self) -> Op:
        """The row of the operation."""
        row = find(self.namespace, self.op_name)
        assert row is not None, self.name
        return row


class Namespace:
    """A group of operations: ``pl.tensor``, ``pl.tile``, ``pl.system``, ``pl.array``."""

    def __init__(self, name: str, members: dict[str, Marker]) -> None:
        self._name = name
        self._members = members
        self.__doc__ = f"Operations spelled ``pl.{name}.<op>``."

    def __getattr__(self, name: str) -> Marker:
        try:
            return self.__dict__["_members"][name]
        except KeyError:
            raise AttributeError(f"pl.{self._name} has no operation '{name}'") from None

    def __dir__(self) -> list[str]:
        return sorted(self._members)

    def __repr__(self) -> str:
        return f"pl.{self._name}"


def op_markers(namespace: str) -> dict[str, Marker]:
    """Every operation that ``namespace`` (``pl``, ``tensor`` or ``tile``) offers, by each of its spellings."""
    found: dict[str, Marker] = {}
    for op in TABLE.values():
        for spelling in (op.name, *op.aliases):
            name = spelling.rpartition(".")[2]
            if find(namespace, name) is not None:
                found[name] = OpMarker(namespace, name)
    return found
