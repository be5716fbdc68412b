"""Fingerprints: named components with a digest each, so that a change can be told by name and place."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

SCHEME = 1  # part of every fingerprint; raised when the way components are described changes
_STORED = 16  # hex digits of a component's digest in the record: it explains, the whole fingerprint decides


@dataclass(frozen=True, order=True)
class Component:
    """One thing that a result depends on: its name for people, the digest of its content, and where it stands.

    The place is no part of what counts: code that only moved is the same code.
    """

    name: str
    digest: str
    place: str = ""

    @property
    def stored(self) -> str:
        """Digest and place as the record keeps them."""
        return f"{self.digest[:_STORED]} {self.place}".rstrip()


@dataclass(frozen=True)
class Fingerprint:
    """What a stage's result depends on.

    With ``problems`` it leaves something out that it cannot see; then the result must not be reused.
    """

    components: tuple[Component, ...]
    problems: tuple[str, ...] = ()

    @property
    def is_faithful(self) -> bool:
        """Whether equal fingerprints mean equal results."""
        return not self.problems

    @cached_property
    def digest(self) -> str:
        """The digest of all components."""
        parts = [f"scheme {SCHEME}", *(f"{part.name}\0{part.digest}" for part in self.components)]
        return hashlib.sha256("\0\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def stored(self) -> dict[str, str]:
        """The components as the record keeps them, by name."""
        return {"scheme": str(SCHEME), **{part.name: part.stored for part in self.components}}

    def changes_since(self, earlier: Mapping[str, str]) -> tuple[str, ...]:
        """What differs from an earlier fingerprint in its stored form, one line per component."""
        if earlier.get("scheme") != str(SCHEME):
            was = earlier.get("scheme", "none")
            return (f"fingerprint scheme: {was} -> {SCHEME}: nothing recorded before can be compared",)
        told = []
        for part in self.components:
            before = earlier.get(part.name)
            where = f", {part.place}" if part.place else ""
            if before is None:
                told.append(f"{part.name}{where}: new")
            elif before.partition(" ")[0] != part.digest[:_STORED]:
                told.append(f"{part.name}{where}: changed")
        names = {part.name for part in self.components}
        for name, before in earlier.items():
            if name not in names and name != "scheme":
                place = before.partition(" ")[2]
                told.append(f"{name}{f', {place}' if place else ''}: gone")
        return tuple(told)


@dataclass
class Collector:
    """Gathers components and what stands against trusting them."""

    found: dict[str, Component] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def add(self, name: str, content: str | bytes, place: str = "") -> None:
        """Take in a component; a second one under the same name gets a number."""
        data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        number, free = 1, name
        while free in self.found:
            number += 1
            free = f"{name} #{number}"
        self.found[free] = Component(free, hashlib.sha256(data).hexdigest(), place)

    def distrust(self, reason: str) -> None:
        """Note why the fingerprint cannot be trusted."""
        if reason not in self.problems:
            self.problems.append(reason)

    def fingerprint(self) -> Fingerprint:
        """All that was gathered."""
        return Fingerprint(tuple(sorted(self.found.values())), tuple(self.problems))
