"""What the names of a function stand for at each point of its text.

A name is bound to an IR variable, to a value known while parsing (a number, a dtype, a memory space, ...), or to a
tuple of bindings. Blocks of branches and loops are frames; when one ends, what it bound is merged into the frame around
it, as far as both paths agree.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from pypto.ir.nodes import NO_SPAN, Span, Var

UNKNOWN: Any = object()  # the value of a variable is not known while parsing


@dataclass(frozen=True, slots=True)
class Conflict:
    """A name that two paths bind to things of different kinds; reading it is an error."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Binding:
    """``value`` is a Var, a tuple of Bindings, a Conflict, or anything known while parsing.

    ``known`` is the number that a variable holds at this point. ``frame`` is where the variable came into being,
    ``partial`` tells that some path to this point does not bind the name, and ``hidden`` why the name must not be read.
    """

    value: Any
    span: Span = NO_SPAN
    known: Any = UNKNOWN
    frame: int = 0
    partial: bool = False
    hidden: str = ""


@dataclass(slots=True)
class _Frame:
    id: int
    bound: dict[str, Binding] = field(default_factory=dict)
    ended: bool = False  # the text after this point is not reached: return, break or continue came before


class Names:
    """The bindings of a function, by frame."""

    def __init__(self) -> None:
        self._frames = [_Frame(0)]
        self._next = 1

    @property
    def frame(self) -> int:
        """The innermost frame."""
        return self._frames[-1].id

    @property
    def depth(self) -> int:
        """How many branches and loops are open."""
        return len(self._frames) - 1

    def encloses(self, frame: int) -> bool:
        """Whether ``frame`` is open and not the innermost one."""
        return any(open_.id == frame for open_ in self._frames[:-1])

    def get(self, name: str) -> Binding | None:
        """What ``name`` stands for here."""
        for frame in reversed(self._frames):
            found = frame.bound.get(name)
            if found is not None:
                return found
        return None

    def bind(self, name: str, binding: Binding) -> None:
        """Let ``name`` stand for ``binding`` from here on."""
        self._frames[-1].bound[name] = binding

    def bind_outermost(self, name: str, binding: Binding) -> None:
        """Let ``name`` stand for ``binding`` in the whole function."""
        self._frames[0].bound[name] = binding

    def push(self) -> None:
        """Open a frame."""
        self._frames.append(_Frame(self._next))
        self._next += 1

    def pop(self) -> _Frame:
        """Close the innermost frame and give what it bound."""
        return self._frames.pop()

    def restore(self, frame: _Frame) -> None:
        """Open again a frame that was closed."""
        self._frames.append(frame)

    def end(self) -> None:
        """Note that the rest of the innermost frame is not reached."""
        self._frames[-1].ended = True

    @property
    def ended(self) -> bool:
        """Whether this point is not reached."""
        return self._frames[-1].ended

    def forget(self, names: Iterable[str]) -> None:
        """Before a loop that assigns ``names``: what was known about their values holds for the first round only."""
        for name in names:
            binding = self.get(name)
            if binding is not None:
                self.bind(name, _forgotten(binding))

    def merge_branches(self, then: _Frame, orelse: _Frame) -> list[tuple[str, Binding, Binding]]:
        """Merge the two frames of a branch; gives the names whose variables have different types."""
        clashes = []
        for name in {**then.bound, **orelse.bound}:
            before = self.get(name)
            a, b = then.bound.get(name, before), orelse.bound.get(name, before)
            if then.ended or orelse.ended:
                live = a if orelse.ended else b
                if live is not None and not (then.ended and orelse.ended):
                    self.bind(name, live)
                continue
            if a is None or b is None:
                only = a or b
                assert only is not None
                self.bind(name, replace(only, partial=True, known=UNKNOWN))
                continue
            merged = merge(a, b)
            if isinstance(merged.value, Conflict) and isinstance(a.value, Var) and isinstance(b.value, Var):
                clashes.append((name, a, b))
            self.bind(name, merged)
        if then.ended and orelse.ended:
            self.end()
        return clashes

    def merge_loop(self, body: _Frame, certain: bool) -> None:
        """Merge the frame of a loop body, which is ``certain`` to run or may run zero times."""
        for name, inner in body.bound.items():
            before = self.get(name)
            if before is None:
                self.bind(name, inner if certain else replace(inner, partial=True, known=UNKNOWN))
            elif certain and not before.hidden:
                self.bind(name, inner)
            else:
                self.bind(name, merge(before, inner))


def merge(a: Binding, b: Binding) -> Binding:
    """What a name stands for after two paths."""
    partial, hidden = a.partial or b.partial, a.hidden or b.hidden
    if isinstance(a.value, tuple) and isinstance(b.value, tuple) and len(a.value) == len(b.value):
        if all(isinstance(item, Binding) for item in (*a.value, *b.value)):
            items = tuple(map(merge, a.value, b.value))
            if not any(isinstance(item.value, Conflict) for item in items):
                return replace(b, value=items, partial=partial, hidden=hidden)
    elif a.value is b.value or (not isinstance(a.value, Var) and same_static(a.value, b.value)):
        known = a.known if same_static(a.known, b.known) else UNKNOWN
        return replace(b, known=known, partial=partial, hidden=hidden)
    return replace(b, value=Conflict(describe(a), describe(b)), known=UNKNOWN, partial=partial, hidden=hidden)


def same_static(a: Any, b: Any) -> bool:
    """Whether two values known while parsing are the same, types included."""
    if a is b:
        return True
    try:
        return type(a) is type(b) and bool(a == b)
    except Exception:  # values of the user's own classes may refuse to compare
        return False


def describe(binding: Binding) -> str:
    """What a binding is, for an error message."""
    value = binding.value
    if isinstance(value, Var):
        return str(value.type)
    if isinstance(value, tuple):
        return f"a tuple of {len(value)}"
    return repr(value)


def _forgotten(binding: Binding) -> Binding:
    if isinstance(binding.value, tuple) and all(isinstance(item, Binding) for item in binding.value):
        return replace(binding, value=tuple(map(_forgotten, binding.value)))
    if isinstance(binding.value, Var | Conflict):
        return replace(binding, known=UNKNOWN)
    return replace(binding, value=Conflict(repr(binding.value), "what the loop assigns"))
