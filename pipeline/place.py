"""Where in a test file something is declared."""

from __future__ import annotations

import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """A file and a line."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def caller(depth: int) -> Place:
    """The place `depth` calls above the one who asks."""
    frame = sys._getframe(depth + 1)
    return Place(frame.f_code.co_filename, frame.f_lineno)
