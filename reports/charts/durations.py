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

# In words, for plotly.js would write a thousandth of a second as "1m".
DECADES = {
    1e-6: "1 us",
    1e-5: "10 us",
    1e-4: "100 us",
    1e-3: "1 ms",
    1e-2: "10 ms",
    1e-1: "100 ms",
    1.0: "1 s",
    10.0: "10 s",
    100.0: "100 s",
    1000.0: "1000 s",
}
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
        yaxis={
            "type": "log",
            "title": {"text": "time per case"},
            "tickvals": list(DECADES),
            "ticktext": list(DECADES.values()),
        },
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
