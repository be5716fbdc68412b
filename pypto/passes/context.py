"""What a pass may know besides the program: the target and the options of this compile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from pypto.ir.nodes import Program
from pypto.platforms import Backend, MemoryPlanner, Platform


@dataclass(frozen=True)
class PassContext:
    """The target platform and the planner of one compile; ``warn`` receives what the author should know."""

    platform: Platform
    planner: MemoryPlanner = MemoryPlanner.PYPTO
    warn: Callable[[str], None] = field(default=lambda message: None)

    @property
    def backend(self) -> Backend:
        """The figures of the target's generation."""
        return self.platform.backend


class Pass(Protocol):
    """One step of the pipeline: a frozen dataclass whose fields are its options."""

    @property
    def name(self) -> str:
        """The name the pass is listed and dumped under."""
        ...

    def __call__(self, program: Program, context: PassContext) -> Program:
        """The program after the pass."""
        ...
