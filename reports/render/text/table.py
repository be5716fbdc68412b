"""Columns of text that fit a width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reports.render.clean import cells, one_line, pad, shorten

GAP = 2
NARROWEST = 8  # a flexible column never gets less


@dataclass(frozen=True)
class Column:
    """A column: its heading, whether it holds numbers, and whether it gives way when the table is too wide."""

    title: str
    right: bool = False
    flexible: bool = False


def table(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """The heading line and one line per row, made safe to print; a column without any content is left out."""
    used = [index for index in range(len(columns)) if any(row[index] for row in rows)]
    shown = [[one_line(row[index]) for index in used] for row in rows]
    heads = [columns[index] for index in used]
    widths = [max(cells(line[i]) for line in [[head.title for head in heads], *shown]) for i in range(len(heads))]
    _shrink(widths, heads, width)
    return [
        (" " * GAP)
        .join(pad(shorten(text, wide), wide, head.right) for text, wide, head in zip(line, widths, heads, strict=True))
        .rstrip()
        for line in [[head.title for head in heads], *shown]
    ]


def _shrink(widths: list[int], columns: Sequence[Column], width: int) -> None:
    """Take what is too much from the widest flexible column, again and again."""
    excess = sum(widths) + GAP * (len(widths) - 1) - width
    while excess > 0:
        givers = [i for i, column in enumerate(columns) if column.flexible and widths[i] > NARROWEST]
        if not givers:
            return
        widest = max(givers, key=lambda i: widths[i])
        widths[widest] -= 1
        excess -= 1
