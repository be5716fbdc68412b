"""Box plots of the time each stage took per case, one box per stage and run, on a log scale.

Quartiles are taken here, so the figure stays a few hundred bytes whatever the number of cases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from reports.charts.figure import figure, run_colour
from reports.charts.values import label

FLOOR_SECONDS = 1e-6  # a log axis has no zero; faster than this is not measured


@dataclass(frozen=True)
class RunDurations:
    """Seconds of every case of one run, by stage name in stage order."""

    run: str
    seconds: Mapping[str, Sequence[float]]


def durations_figure(runs: Sequence[RunDurations]) -> go.Figure:
    """The figure; stages that no run measured are left out."""
    traces = [_boxes(run, run_colour(index, len(runs))) for index, run in enumerate(runs)]
    return figure(
        [trace for trace in traces if trace is not None],
        boxmode="group",
        yaxis={"type": "log", "title": {"text": "seconds per case"}, "exponentformat": "SI", "dtick": 1},
        xaxis={"type": "category", "title": {"text": "stage"}},
    )


def _boxes(run: RunDurations, colour: str) -> go.Box | None:
    stages, quantiles = [], []
    for stage, values in run.seconds.items():
        column = np.asarray(values, dtype=np.float64)
        column = np.maximum(column[np.isfinite(column)], FLOOR_SECONDS)
        if column.size:
            stages.append(stage)
            quantiles.append(np.quantile(column, [0.0, 0.25, 0.5, 0.75, 1.0]))
    if not stages:
        return None
    table = [[float(f"{value:.4g}") for value in column] for column in np.asarray(quantiles).T]
    return go.Box(
        name=label(run.run),
        x=stages,
        lowerfence=table[0],
        q1=table[1],
        median=table[2],
        q3=table[3],
        upperfence=table[4],
        marker={"color": colour},
        line={"color": colour},
    )
