"""What all figures share: an empty template, room for labels, and no colours that fight a dark page.

Text, grid and background colours are left out on purpose. The page sets them from its own style sheet when it draws,
and again when the reader changes between light and dark.
"""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

PIXELS = 360
BASE_COLOUR = "#8a94a6"  # both are told apart, and from the page, in light and in dark
HEAD_COLOUR = "#3b82f6"
LIMIT_COLOUR = "#d64545"
RUN_COLOURS = (BASE_COLOUR, HEAD_COLOUR, "#c77d1e", "#7c5cd6", "#1f9d8b", "#c2478f")


def figure(traces: list[Any], **layout: Any) -> go.Figure:
    """A figure of `traces` with the shared layout, `layout` on top."""
    shared = {
        "template": go.layout.Template(),
        "height": PIXELS,
        "margin": {"l": 84, "r": 16, "t": 16, "b": 48},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        "hovermode": "closest",
    }
    return go.Figure(data=traces, layout={**shared, **layout})


def run_colour(index: int, runs: int) -> str:
    """The colour of run `index` of `runs`: base and head keep theirs when there are two."""
    if runs == 1:
        return HEAD_COLOUR
    return RUN_COLOURS[index % len(RUN_COLOURS)]
