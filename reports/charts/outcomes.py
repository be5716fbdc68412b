"""Stacked bars of the outcomes of each run, one bar per run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from reports.charts.figure import figure
from reports.charts.values import label, numbers

BAR_PIXELS = 44
FRAME_PIXELS = 130


@dataclass(frozen=True)
class OutcomeSeries:
    """One outcome over the runs: how many cases ended so in each; None where a run told nothing."""

    name: str
    colour: str
    counts: Sequence[float | None]


def outcomes_figure(runs: Sequence[str], series: Sequence[OutcomeSeries]) -> go.Figure:
    """The figure; `runs` are the bar names, top to bottom, and every series has one count for each."""
    # Positions, not names, are the categories: two runs may carry one label, and would then share a bar.
    positions = [str(index) for index in range(len(runs))]
    return figure(
        [_bars(one, positions) for one in series if any(one.counts)],
        barmode="stack",
        height=FRAME_PIXELS + BAR_PIXELS * len(runs),
        xaxis={"title": {"text": "cases"}, "rangemode": "tozero"},
        yaxis={
            "type": "category",
            "autorange": "reversed",
            "automargin": True,
            "tickvals": positions,
            "ticktext": [label(run) for run in runs],
        },
    )


def _bars(series: OutcomeSeries, positions: list[str]) -> go.Bar:
    counts = numbers(series.counts)
    return go.Bar(
        name=label(series.name),
        orientation="h",
        y=positions,
        x=counts,
        text=[f"{value:.0f}" if value else "" for value in counts],
        textposition="inside",
        insidetextanchor="middle",
        marker={"color": series.colour},
        hovertemplate="%{x} %{fullData.name}<extra></extra>",
    )
