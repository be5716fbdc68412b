"""The colours of outcomes and changes on both kinds of page."""

from __future__ import annotations

from db import Change, Outcome
from reports.dashboard.model import Token

WHITER = 0.45  # share of white that makes a colour chosen for white readable on a dark page


def tokens() -> tuple[Token, ...]:
    """Every outcome and every change by its stored name."""
    return tuple(Token(one.value, one.colour, on_dark(one.colour)) for one in (*Outcome, *Change))


def on_dark(colour: str) -> str:
    """A hex colour mixed with white."""
    parts = [int(colour[index : index + 2], 16) for index in (1, 3, 5)]
    return "#" + "".join(f"{round(part + (255 - part) * WHITER):02x}" for part in parts)
