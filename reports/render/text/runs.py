"""A list of runs as text."""

from __future__ import annotations

from collections.abc import Sequence

from db import Outcome, RunState, RunView
from reports.render import quantities, words
from reports.render.paint import Painter
from reports.render.text.table import Column, table

COLUMNS = (
    Column("run"),
    Column("label", flexible=True),
    Column("commit", flexible=True),
    Column("started (UTC)"),
    Column("passed", right=True),
    Column("failed", right=True),
    Column("other", right=True),
    Column("took", right=True),
)
MINUTES = 16  # characters of a time up to its minutes


def runs_text(runs: Sequence[RunView], painter: Painter) -> str:
    """One line per run; a run that did not finish says so in place of its duration."""
    if not runs:
        return "no run is recorded yet\n"
    rows = [_row(run) for run in runs]
    lines = table(COLUMNS, rows, painter.width)
    styles = ["bold", *(_style(run) for run in runs)]
    return "".join((painter(line, style) if style else line) + "\n" for line, style in zip(lines, styles, strict=True))


def _row(run: RunView) -> list[str]:
    passed = run.outcomes.get(Outcome.PASS, 0)
    took = quantities.seconds(run.seconds) if run.state is RunState.FINISHED else run.state.value
    return [
        run.run_id[: words.SHORT_RUN],
        run.label,
        words.commit(run),
        quantities.instant(run.started_at)[:MINUTES],
        str(passed),
        str(run.failures),
        str(run.cases - passed - run.failures),
        took,
    ]


def _style(run: RunView) -> str:
    if run.failures:
        return "red"
    return "" if run.state is RunState.FINISHED else "yellow"
