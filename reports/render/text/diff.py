"""A diff as text: who is compared, what changed and why, the audits, and what it comes to."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from db import Change, Outcome, RunView
from reports.diff import Cause, Conclusion, DiffReport
from reports.render import quantities, words
from reports.render.clean import one_line, pad, shorten, shorten_middle
from reports.render.paint import Painter
from reports.render.text.table import Column, table

LISTED = 30  # cases named per cause, unless all are asked for

_STYLES = {
    Conclusion.NOTHING_NEW: "bold green",
    Conclusion.NEW_FAILURES: "bold red",
    Conclusion.INCONCLUSIVE: "bold yellow",
}


def diff_text(report: DiffReport, painter: Painter, everything: bool = False) -> str:
    """The whole diff; `everything` names every case of every cause."""
    parts = [_runs(report, painter), _counts(report, painter)]
    for change in report.counts:
        if change.show_in_summary:
            parts.append(_change(report, change, painter, everything))
    parts += [_audits(report, painter), [painter(_conclusion(report), _STYLES[report.conclusion])]]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _runs(report: DiffReport, painter: Painter) -> list[str]:
    fixed, flexible = Column(""), Column("", flexible=True)
    rows = [_run(role, run) for role, run in (("base", report.base), ("head", report.head))]
    lines = table([fixed, flexible, flexible, fixed, fixed, fixed], rows, painter.width)[1:]
    return [*(painter(line, "bold") for line in lines), "", *_outcomes(report, painter)]


def _run(role: str, run: RunView) -> list[str]:
    started = quantities.instant(run.started_at)
    return [role, run.label, words.commit(run), started, _state(run), run.run_id[: words.SHORT_RUN]]


def _state(run: RunView) -> str:
    return run.state.value + (f": {run.reason}" if run.reason else "")


def _outcomes(report: DiffReport, painter: Painter) -> list[str]:
    present = [outcome for outcome in Outcome if outcome in {**report.base.outcomes, **report.head.outcomes}]
    columns = [Column(""), Column("cases", right=True), *(Column(outcome.label, right=True) for outcome in present)]
    rows = [
        [role, str(run.cases), *(str(run.outcomes.get(outcome, 0)) for outcome in present)]
        for role, run in (("base", report.base), ("head", report.head))
    ]
    return table(columns, rows, painter.width)


def _counts(report: DiffReport, painter: Painter) -> list[str]:
    lines, used = [""], 0
    for change, number in report.counts.items():
        text = f"{number} {change.label}"
        if used + len(text) + 3 > painter.width:
            lines, used = [*lines[:-1], f"{lines[-1]},", ""], 0
        lines[-1] += (", " if used else "") + painter(text, change.style)
        used += len(text) + 2
    return lines if report.counts else ["no cases"]


def _change(report: DiffReport, change: Change, painter: Painter, everything: bool) -> list[str]:
    causes = [cause for cause in report.causes if cause.change is change]
    told = sum(bool(cause.text or cause.was) for cause in causes)
    title = f"{quantities.count(report.counts[change], 'case')}"
    if told > 1:
        title += f", {quantities.count(told, 'cause')}"
    lines = [f"{painter(change.label.upper(), change.style)}  {title}"]
    for cause in causes:
        lines += _cause(cause, _notes(cause, report), painter, everything)
    return lines


def _cause(cause: Cause, notes: str, painter: Painter, everything: bool) -> Iterator[str]:
    indent = 2
    if cause.text:
        yield from _line(cause.text, indent, painter)
        indent = 4
    if cause.was:
        yield from _line(f"was {cause.was}", indent, painter)
        indent = 4
    if notes:
        yield painter(" " * indent + notes, "dim")
    if cause.by_choice and not everything:
        yield " " * indent + f"{quantities.count(len(cause.cases), 'case')}, by choice (--all names them)"
        return
    listed = cause.cases if everything else cause.cases[:LISTED]
    for case_id in listed:
        yield " " * (indent + 2) + shorten_middle(one_line(case_id), 2 * painter.width)
    if len(listed) < len(cause.cases):
        yield " " * (indent + 2) + f"and {len(cause.cases) - len(listed)} more (--all names them)"


def _line(text: str, indent: int, painter: Painter) -> Iterator[str]:
    yield " " * indent + shorten(one_line(text), painter.width - indent)


def _notes(cause: Cause, report: DiffReport) -> str:
    """What moved in the cases, and their device where that narrows the search: the run had several, they had one."""
    if cause.change.is_inconclusive:
        return ""  # nothing happened that could have a reason
    notes = [words.evidence(cause.evidence)]
    if len(cause.cases) > 1 and len(cause.devices) == 1 and len(report.devices) > 1:
        notes.append(f"all on device {one_line(cause.devices[0])}")
    return "; ".join(note for note in notes if note)


def _audits(report: DiffReport, painter: Painter) -> list[str]:
    audits = words.audit_lines(report.audits)
    name_width = max(len(name) for name, _ in audits)
    lines = [painter("AUDIT", "bold")]
    for name, text in audits:
        start = f"  {pad(name, name_width)}  "
        wrapped = textwrap.wrap(
            one_line(text),
            painter.width,
            initial_indent=start,
            subsequent_indent=" " * len(start),
            break_long_words=False,
            break_on_hyphens=False,
        )
        lines += wrapped or [start.rstrip()]
    return lines


def _conclusion(report: DiffReport) -> str:
    return f"{report.why} (exit status {report.conclusion.value})"
