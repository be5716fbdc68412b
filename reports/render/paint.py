"""Colour for terminals, by a painter that does nothing in a pipe.

Colour is never the only carrier of a fact: every line reads the same without it. Styles are words as the enumerations
of `db.outcome` give them (`bold red`); writing them needs no library, and saves its import.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TextIO

DEFAULT_WIDTH = 100  # columns in a pipe, where no terminal tells its own
NARROWEST = 60

_CODES = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "magenta": "35",
    "cyan": "36",
    "bright_black": "90",
}


@dataclass(frozen=True)
class Painter:
    """Adds ANSI styles to text, or leaves it alone."""

    colour: bool = False
    width: int = DEFAULT_WIDTH

    def __call__(self, text: str, style: str) -> str:
        """`text` in a style such as `bold red`."""
        if not self.colour or not text:
            return text
        return f"\x1b[{';'.join(_CODES[word] for word in style.split())}m{text}\x1b[0m"


def painter_for(stream: TextIO, environ: Mapping[str, str] | None = None) -> Painter:
    """The painter for an output stream: colour on a terminal, unless NO_COLOR, or always with FORCE_COLOR."""
    environ = os.environ if environ is None else environ
    terminal = stream.isatty() and environ.get("TERM") != "dumb"
    colour = bool(environ.get("FORCE_COLOR")) or (terminal and not environ.get("NO_COLOR"))
    known = stream.isatty() or environ.get("COLUMNS", "").isdigit()
    width = shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns if known else DEFAULT_WIDTH
    return Painter(colour, max(NARROWEST, width))
