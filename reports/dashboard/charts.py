"""The charts of the page: from runs and their results to figures, each with its numbers as a table."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from db import Outcome, ResultView, Stage
from reports.charts.durations import RunDurations, durations_figure
from reports.charts.margins import CaseMargin, margins_figure
from reports.charts.outcomes import OutcomeSeries, outcomes_figure
from reports.dashboard.model import Chart
from reports.diff import DiffReport, RunResults
from reports.render import quantities
from reports.render.words import run_title

LISTED = 20  # margins in the table beside the figure


def charts(runs: Sequence[RunResults], report: DiffReport | None) -> tuple[Chart, ...]:
    """The charts that have something to show."""
    made = (outcomes_chart(runs), durations_chart(runs[-2:]), margins_chart(runs, report))
    return tuple(chart for chart in made if chart is not None)


def outcomes_chart(runs: Sequence[RunResults]) -> Chart:
    """How the cases of each run ended."""
    present = [outcome for outcome in Outcome if any(side.run.outcomes.get(outcome) for side in runs)]
    titles = [run_title(side.run) for side in runs]
    counts = {outcome: [side.run.outcomes.get(outcome, 0) for side in runs] for outcome in present}
    figure = outcomes_figure(titles, [OutcomeSeries(one.label, one.colour, counts[one]) for one in present])
    return Chart(
        name="outcomes",
        title="Outcomes",
        figure=str(figure.to_json()),
        header=("run", *(outcome.label for outcome in present)),
        rows=tuple(
            (title, *(str(counts[outcome][index]) for outcome in present)) for index, title in enumerate(titles)
        ),
    )


def durations_chart(runs: Sequence[RunResults]) -> Chart | None:
    """What each stage took per case."""
    measured = [_seconds(side.results) for side in runs]
    stages = [stage for stage in Stage if any(times[stage] for times in measured)]
    if not stages:
        return None
    titles = [run_title(side.run) for side in runs]
    boxes = [
        RunDurations(title, {stage.value: times[stage] for stage in stages})
        for title, times in zip(titles, measured, strict=True)
    ]
    return Chart(
        name="durations",
        title="Time per case and stage",
        figure=str(durations_figure(boxes).to_json()),
        header=("stage", *(f"{title}: {what}" for title in titles for what in ("median", "total"))),
        rows=tuple((stage.value, *(cell for times in measured for cell in _summary(times[stage]))) for stage in stages),
        note="Boxes span the middle half of the cases, whiskers all of them.",
    )


def margins_chart(runs: Sequence[RunResults], report: DiffReport | None) -> Chart | None:
    """How near each case is to its tolerance."""
    if report is not None:
        sides = [(case.case_id, case.base, case.head) for case in report.cases]
        base, head = run_title(report.base), run_title(report.head)
    else:
        sides = [(result.case_id, None, result) for result in runs[-1].results]
        base, head = "", run_title(runs[-1].run)
    margins = [CaseMargin(key, _margin(before), _margin(after)) for key, before, after in sides]
    margins = [one for one in margins if one.base is not None or one.head is not None]
    if not margins:
        return None
    nearest = sorted(margins, key=lambda one: (-(one.head if one.head is not None else -1.0), one.case))[:LISTED]
    return Chart(
        name="margins",
        title="Error over limit",
        figure=str(margins_figure(margins, base, head).to_json()),
        header=("case", *(title for title in (base, head) if title)),
        rows=tuple(
            (one.case, *([quantities.number(one.base)] if base else []), quantities.number(one.head)) for one in nearest
        ),
        note=f"The {len(nearest)} of {len(margins)} cases nearest to their limit, or over it." if margins else "",
    )


def _seconds(results: Sequence[ResultView]) -> dict[Stage, list[float]]:
    return {
        stage: [result.stage_seconds[stage] for result in results if stage in result.stage_seconds] for stage in Stage
    }


def _summary(times: Sequence[float]) -> tuple[str, str]:
    if not times:
        return ("-", "-")
    return quantities.seconds(statistics.median(times)), quantities.seconds(sum(times))


def _margin(result: ResultView | None) -> float | None:
    return result.margin if result else None
