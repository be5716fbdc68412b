"""From the selected runs to the page as values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from db import Change, Outcome, ResultView, RunView
from reports.audits import comparison
from reports.cause import cause_of
from reports.dashboard.charts import charts
from reports.dashboard.colours import tokens
from reports.dashboard.model import (
    Card,
    CaseRow,
    CaseTable,
    CauseRow,
    Cell,
    Fact,
    FailureDetail,
    Mark,
    Page,
    PairSection,
    RunRow,
)
from reports.dashboard.select import Selection
from reports.diff import CHANGE_ORDER, CaseDiff, Cause, Conclusion, DiffReport
from reports.render import quantities, words
from reports.show import Attempt

MAX_ROWS = 4000  # about 2 MB of HTML; what changed comes first, so only unchanged rows are ever left out before it
MAX_TEXT = 20_000  # characters of a message or traceback

_CONCLUSION_TOKENS = {
    Conclusion.NOTHING_NEW: Change.FIXED.value,
    Conclusion.NEW_FAILURES: Change.NEWLY_FAILING.value,
    Conclusion.INCONCLUSIVE: Change.INCONCLUSIVE.value,
}


def build(selection: Selection, title: str | None = None) -> Page:
    """The page about a selection of runs."""
    failures = tuple(
        failure_detail(attempt, f"failure-{index}", selection) for index, attempt in enumerate(selection.failures, 1)
    )
    anchors = {
        (attempt.result.run_id, attempt.result.case_id): detail.anchor
        for attempt, detail in zip(selection.failures, failures, strict=True)
    }
    tables, rows_left_out = case_tables(selection, anchors)
    views = [side.run for side in selection.runs]
    return Page(
        title=title or " and ".join(words.run_title(run) for run in views[-2:]),
        runs=tuple(_run(run, role) for run, role in zip(views, _roles(selection), strict=True)),
        runs_left_out=selection.runs_left_out,
        outcomes=tuple(_mark(outcome) for outcome in Outcome if any(run.outcomes.get(outcome) for run in views)),
        pair=pair_section(selection.report) if selection.report else None,
        charts=charts(selection.runs, selection.report),
        tables=tables,
        rows_left_out=rows_left_out,
        failures=failures,
        failures_left_out=selection.failures_left_out,
        tokens=tokens(),
    )


def pair_section(report: DiffReport) -> PairSection:
    """The part of the page about the two compared runs."""
    return PairSection(
        base=words.run_title(report.base),
        head=words.run_title(report.head),
        cards=tuple(Card(change.value, change.label, number) for change, number in report.counts.items()),
        token=_CONCLUSION_TOKENS[report.conclusion],
        verdict=report.why[:1].upper() + report.why[1:] + ".",
        causes=tuple(_cause(cause) for cause in report.causes if cause.text or cause.was),
        audits=tuple(Fact(name, text) for name, text in words.audit_lines(report.audits)),
    )


def case_tables(selection: Selection, anchors: Mapping[tuple[str, str], str]) -> tuple[tuple[CaseTable, ...], int]:
    """Cases by platform, then plain tests; and how many unchanged rows found no room."""
    by_run = [{result.case_id: result for result in side.results} for side in selection.runs]
    known = {case_id: result for results in by_run for case_id, result in results.items()}
    changes = {case.case_id: case for case in selection.report.cases} if selection.report else {}
    cells = {key: _cell(key, by_run, changes.get(key), anchors, selection) for key in known}
    room, tables = MAX_ROWS, []
    left_out = 0
    for kind, title in (("case", "Cases by platform"), ("test", "Plain tests")):
        rows = _rows([result for result in known.values() if result.kind == kind], cells, changes)
        if rows:
            shown = rows[:room]
            room -= len(shown)
            left_out += len(rows) - len(shown)
            platforms = sorted({result.platform for result in known.values() if result.kind == kind})
            planners = len({row.planner for row in rows}) > 1
            tables.append(CaseTable(title, tuple(platforms), planners, tuple(shown)))
    return tuple(tables), left_out


def _rows(results: Sequence[ResultView], cells: Mapping[str, Cell], changes: Mapping[str, CaseDiff]) -> list[CaseRow]:
    platforms = sorted({result.platform for result in results})
    grid: dict[tuple[str, str], dict[str, str]] = {}
    for result in results:
        grid.setdefault((result.name, result.planner), {})[result.platform] = result.case_id
    rank = {change: index for index, change in enumerate(CHANGE_ORDER)}
    ranked = []
    for (name, planner), ids in grid.items():
        found = {changes[case_id].change for case_id in ids.values() if case_id in changes}
        row = CaseRow(
            name=name,
            planner=planner,
            cells=tuple(cells[ids[platform]] if platform in ids else None for platform in platforms),
            changes=" ".join(sorted(change.value for change in found)),
        )
        ranked.append((min((rank[change] for change in found), default=len(rank)), name, planner, row))
    return [row for *_, row in sorted(ranked, key=lambda one: one[:3])]


def _cell(
    case_id: str,
    by_run: Sequence[Mapping[str, ResultView]],
    case: CaseDiff | None,
    anchors: Mapping[tuple[str, str], str],
    selection: Selection,
) -> Cell:
    found = [results.get(case_id) for results in by_run]
    marks = tuple(_mark(result.outcome) if result else _ABSENT for result in found)
    links = [anchors.get((side.run.run_id, case_id), "") for side in reversed(selection.runs)]
    failure = next((link for link in links if link), "")
    if case is None:
        return Cell(marks, failure=failure)
    quiet = case.change is Change.SAME or case.change.is_inconclusive
    return Cell(
        marks=marks,
        change="" if case.change is Change.SAME else case.change.label,
        token=case.change.value,
        touched="" if quiet else words.evidence(case.evidence),
        failure=failure,
    )


def failure_detail(attempt: Attempt, anchor: str, selection: Selection) -> FailureDetail:
    """All that was recorded about one failure."""
    result = attempt.result
    run = next(side.run for side in selection.runs if side.run.run_id == result.run_id)
    facts = {
        "test": result.node_id,
        "source": f"{result.source_file}:{result.source_line}" if result.source_file else "",
        "stage": result.stage.value,
        "compared": comparison(result),
        "mismatch": _mismatch(result),
        "device": result.device,
        "worker": result.worker,
        "built in": attempt.artifact,
        "signature": result.signature,
    }
    return FailureDetail(
        anchor=anchor,
        token=result.outcome.value,
        outcome=result.outcome.label,
        case_id=result.case_id,
        run=words.run_title(run),
        cause=cause_of(result),
        facts=tuple(Fact(name, text) for name, text in facts.items() if text),
        message=_bounded(attempt.message),
        traceback=_bounded(attempt.traceback),
    )


_ABSENT = Mark("absent", "absent", "·")


def _mark(outcome: Outcome) -> Mark:
    return Mark(outcome.value, outcome.label, outcome.symbol)


def _roles(selection: Selection) -> list[str]:
    others = [""] * (len(selection.runs) - 2)
    return [*others, "base", "head"] if selection.report else [""]


def _run(run: RunView, role: str) -> RunRow:
    return RunRow(
        title=words.run_title(run),
        role="" if role == run.label else role,
        run_id=run.run_id,
        commit=words.commit(run),
        started=quantities.instant(run.started_at),
        seconds=quantities.seconds(run.seconds) if run.seconds is not None else "",
        state=run.state.label + (f": {run.reason}" if run.reason else ""),
        total=run.cases,
        counts={outcome.value: number for outcome, number in run.outcomes.items()},
    )


def _cause(cause: Cause) -> CauseRow:
    touched = "" if cause.change.is_inconclusive else words.evidence(cause.evidence)
    text = cause.text or f"was {cause.was}"
    was = cause.was if cause.text else ""
    return CauseRow(cause.change.value, cause.change.label, text, was, len(cause.cases), touched)


def _mismatch(result: ResultView) -> str:
    if not result.mismatches:
        return ""
    worst = f"worst absolute {quantities.number(result.worst_abs)}, relative {quantities.number(result.worst_rel)}"
    share = f"{result.mismatches} of {result.elements} elements over the limit"
    return f"{share}; {worst}; {quantities.number(result.margin)} of the limit"


def _bounded(text: str) -> str:
    if len(text) <= MAX_TEXT:
        return text
    return f"{text[:MAX_TEXT]}\n… {len(text) - MAX_TEXT} more characters; `pypto-report show` prints all"
