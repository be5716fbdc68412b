"""How near each case is to its tolerance: worst error over limit, base and head, on a log scale.

A case at 1 is at its limit. Exact results (margin 0) and results without a finite margin (a NaN, or an error under a
limit of zero) have no place on a log axis, so they sit on the lower and the upper edge and their hover text says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from reports.charts.figure import BASE_COLOUR, HEAD_COLOUR, LIMIT_COLOUR, figure
from reports.charts.values import label, numbers

LOWEST = 1e-9  # margins under this are drawn there: that far from the limit the distance says nothing
HIGHEST = 1e6
GL_FROM = 10_000  # points from which WebGL draws faster than SVG


@dataclass(frozen=True)
class CaseMargin:
    """Error over limit of one case in base and head; None where it was not compared."""

    case: str
    base: float | None
    head: float | None


def margins_figure(cases: Sequence[CaseMargin], base: str, head: str) -> go.Figure:
    """The figure; cases run from the smallest head margin to the largest."""
    ordered = sorted(cases, key=lambda case: (_height(case.head) or 0.0, _height(case.base) or 0.0, case.case))
    names = [label(case.case) for case in ordered]
    scatter = go.Scattergl if len(ordered) >= GL_FROM else go.Scatter
    traces = [
        scatter(
            name=label(run),
            mode="markers",
            x=numbers(range(1, len(ordered) + 1)),
            y=numbers(_height(value) for value in values),
            customdata=list(zip(names, [_told(value) for value in values], strict=True)),
            hovertemplate="%{customdata[0]}<br>%{customdata[1]}<extra>%{fullData.name}</extra>",
            marker={"color": colour, "symbol": symbol, "size": 8, "line": {"color": colour, "width": 1.5}},
        )
        for run, values, colour, symbol in (
            (base, [case.base for case in ordered], BASE_COLOUR, "circle-open"),
            (head, [case.head for case in ordered], HEAD_COLOUR, "circle"),
        )
        if any(value is not None for value in values)
    ]
    return figure(
        [*traces, _limit_line(len(ordered))],
        xaxis={"title": {"text": "cases, from the smallest margin in head to the largest"}, "showticklabels": False},
        yaxis={"type": "log", "title": {"text": "worst error / limit"}, "exponentformat": "power", "dtick": 1},
    )


def _limit_line(cases: int) -> go.Scatter:
    return go.Scatter(
        name="limit",
        mode="lines",
        x=[0.5, cases + 0.5],
        y=[1, 1],
        line={"color": LIMIT_COLOUR, "width": 1.5, "dash": "dash"},
        hoverinfo="skip",
    )


def _height(margin: float | None) -> float | None:
    if margin is None:
        return None
    if not math.isfinite(margin):
        return HIGHEST
    return min(max(margin, LOWEST), HIGHEST)


def _told(margin: float | None) -> str:
    if margin is None:
        return "not compared"
    if not math.isfinite(margin):
        return "no finite margin (NaN, or a limit of zero)"
    return "exact" if margin == 0 else f"{margin:.3g} of the limit"
