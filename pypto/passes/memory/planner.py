"""Planners: who decides at which byte of its memory space a buffer lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pypto.passes.memory.buffers import Buffer
from pypto.platforms import MemoryPlanner


class Planner(Protocol):
    """Places the buffers of one memory space of one function."""

    def place(self, found: Sequence[Buffer], capacity: int, alignment: int) -> dict[str, int]:
        """The byte address of each buffer by its base, aligned. Buffers in use together must not overlap.

        What does not fit is placed beyond ``capacity``; the caller reports it.
        """
        ...


@dataclass(frozen=True)
class LinearPlanner:
    """One buffer after the other, in the order of their first use."""

    def place(self, found: Sequence[Buffer], capacity: int, alignment: int) -> dict[str, int]:
        """Addresses without overlaps, whatever the lifetimes."""
        addresses: dict[str, int] = {}
        end = 0
        for buffer in found:
            addresses[buffer.base] = end
            end += -(-buffer.size // alignment) * alignment
        return addresses


PLANNERS: Mapping[MemoryPlanner, Planner] = {MemoryPlanner.PYPTO: LinearPlanner()}
