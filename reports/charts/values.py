"""Values and labels in the form plotly.js draws rightly.

Pitfalls are met here once. A NaN inside a NumPy array breaks stacked bars and lines, while None in a list draws a gap.
Lists of many numbers are slow to encode, arrays are not. And labels are read as HTML by plotly.js, whatever they hold.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterable

import numpy as np

from reports.render.clean import one_line, shorten_middle

LABEL_CELLS = 80  # longer names are cut in the middle: hover boxes wider than the page cannot be read
ARRAY_FROM = 256  # below this a list is as fast and easier to read in the page source


def numbers(values: Iterable[float | None]) -> list[float | None] | np.ndarray:
    """`values` for a trace: missing, NaN and infinite ones become gaps, long complete columns become float32 arrays."""
    column = [value if value is not None and math.isfinite(value) else None for value in values]
    if len(column) >= ARRAY_FROM and None not in column:
        return np.asarray(column, dtype=np.float32)
    return column


def label(text: str) -> str:
    """`text` from a test as plotly.js shows it literally: no tags, no line breaks, no endless width."""
    return html.escape(shorten_middle(one_line(text), LABEL_CELLS), quote=False)
