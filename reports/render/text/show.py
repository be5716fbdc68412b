"""One run, or one case, as text."""

from __future__ import annotations

from db import Outcome, ResultView, RunView
from reports.audits import comparison
from reports.cause import cause_of
from reports.render import quantities, words
from reports.render.clean import block, one_line, pad, shorten, shorten_middle
from reports.render.paint import Painter
from reports.render.text.table import Column, table
from reports.show import Attempt, CaseReport, RunReport

INDENT = "    "
HISTORY_COLUMNS = (
    Column("run"),
    Column("label", flexible=True),
    Column("commit", flexible=True),
    Column("started"),
    Column("outcome"),
)


def run_text(report: RunReport, painter: Painter, everything: bool = False) -> str:
    """A run: its facts, its counts, what did not pass; `everything` lists the passes too."""
    run = report.run
    lines = _facts(_run_facts(run), painter)
    counts = [painter(f"{run.outcomes[one]} {one.label}", one.style) for one in Outcome if one in run.outcomes]
    lines += ["", ", ".join(counts) or "no cases"]
    for outcome in Outcome:
        group = [result for result in report.results if result.outcome is outcome]
        if group and (everything or not outcome.counts_as_pass):
            lines += ["", f"{painter(outcome.label.upper(), outcome.style)}  {quantities.count(len(group), 'case')}"]
            lines += [line for result in group for line in _result(result, painter)]
    return "\n".join(lines) + "\n"


def case_text(report: CaseReport, painter: Painter) -> str:
    """A case: each attempt of the run in full, then its history."""
    latest = report.attempts[-1].result
    lines = [painter(one_line(report.case_id), "bold"), *_facts(_case_facts(latest, report.run), painter)]
    for attempt in report.attempts:
        lines += ["", *_attempt(attempt, len(report.attempts), painter)]
    lines += ["", painter("HISTORY", "bold"), *_history(report, painter)]
    return "\n".join(lines) + "\n"


def _facts(facts: list[tuple[str, str]], painter: Painter) -> list[str]:
    told = [(name, one_line(text)) for name, text in facts if text]
    width = max(len(name) for name, _ in told)
    return [f"{painter(pad(name, width), 'dim')}  {text}" for name, text in told]


def _run_facts(run: RunView) -> list[tuple[str, str]]:
    return [
        ("run", run.run_id),
        ("label", run.label),
        ("commit", words.commit(run)),
        ("started", quantities.instant(run.started_at)),
        ("took", quantities.seconds(run.seconds) if run.seconds is not None else ""),
        ("state", run.state.label + (f": {run.reason}" if run.reason else "")),
        ("host", run.host),
        ("platforms", ", ".join(run.platforms)),
        ("command", run.command),
        ("tools", ", ".join(f"{name} {value}" for name, value in sorted(run.environment.items()))),
        ("missing", ", ".join(run.missing)),
    ]


def _case_facts(result: ResultView, run: RunView) -> list[tuple[str, str]]:
    return [
        ("test", result.node_id),
        ("source", f"{result.source_file}:{result.source_line}" if result.source_file else ""),
        ("compared", comparison(result)),
        ("run", f"{words.run_title(run)}  {run.run_id}  {quantities.instant(run.started_at)}"),
    ]


def _result(result: ResultView, painter: Painter) -> list[str]:
    name = shorten_middle(one_line(result.case_id), 2 * painter.width)
    if result.outcome.counts_as_pass:
        return [f"  {name}"]
    return [f"  {name}", INDENT + shorten(one_line(cause_of(result)), painter.width - len(INDENT))]


def _attempt(attempt: Attempt, of: int, painter: Painter) -> list[str]:
    result = attempt.result
    title = result.outcome.label.upper() + (f"  attempt {result.attempt}" if of > 1 else "")
    lines = [f"{painter(title, result.outcome.style)}  {one_line(cause_of(result))}"]
    if result.stage_seconds:
        times = [f"{stage.value} {quantities.seconds(seconds)}" for stage, seconds in result.stage_seconds.items()]
        lines.append("  stages   " + ", ".join(times))
    if result.margin is not None:
        lines.append(f"  errors   {_errors(result)}")
    lines += [f"  {pad(name, 7)}  {one_line(text)}" for name, text in _places(attempt) if text]
    if attempt.message and not result.outcome.counts_as_pass:
        lines += ["  message", *(INDENT + line for line in block(attempt.message.rstrip("\n")))]
    if attempt.traceback:
        lines += ["  traceback", *(INDENT + line for line in block(attempt.traceback.rstrip("\n")))]
    return lines


def _errors(result: ResultView) -> str:
    text = f"worst absolute {quantities.number(result.worst_abs)}, relative {quantities.number(result.worst_rel)}"
    text += f", {quantities.number(result.margin)} of the limit"
    return text + (f", {result.mismatches} of {result.elements} elements over it" if result.mismatches else "")


def _places(attempt: Attempt) -> list[tuple[str, str]]:
    result = attempt.result
    return [("device", result.device), ("worker", result.worker), ("built", attempt.artifact)]


def _history(report: CaseReport, painter: Painter) -> list[str]:
    rows = [
        [
            result.run_id[: words.SHORT_RUN],
            run.label if run else "",
            words.commit(run) if run else "",
            quantities.instant(run.started_at) if run else "",
            result.outcome.label,
        ]
        for run, result in report.history
    ]
    lines = table(HISTORY_COLUMNS, rows, painter.width - 2)
    styles = ["dim", *(result.outcome.style for _, result in report.history)]
    return ["  " + painter(line, style) for line, style in zip(lines, styles, strict=True)]
