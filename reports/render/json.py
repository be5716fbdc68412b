"""Reports as JSON for machines: stable keys, every case, nothing shortened. `docs/reports.md` describes each key.

Times are ISO 8601 in UTC, durations seconds, enumerations their stored names. JSON has no NaN and no infinity; such a
number is the string `nan`, `inf` or `-inf`. The text is ASCII, so that no name from a test can spoil it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from db import ResultView, RunView
from reports.audits import Audits, Evidence, Touched
from reports.cause import cause_of
from reports.diff import CaseDiff, Cause, DiffReport
from reports.show import CaseReport, RunReport

DIFF = "pypto-report/diff/1"
RUNS = "pypto-report/runs/1"
RUN = "pypto-report/run/1"
CASE = "pypto-report/case/1"


def dumps(data: dict[str, Any]) -> str:
    """A report as one line of JSON, its line break included."""
    return json.dumps(_finite(data), ensure_ascii=True, allow_nan=False) + "\n"  # indenting takes five times as long


def diff_json(report: DiffReport) -> dict[str, Any]:
    """A diff: runs, counts, causes, every case, audits, conclusion."""
    return {
        "schema": DIFF,
        "conclusion": {
            "name": report.conclusion.name.lower(),
            "exit_status": report.conclusion.value,
            "why": report.why,
        },
        "base": run_json(report.base),
        "head": run_json(report.head),
        "counts": {change.value: number for change, number in report.counts.items()},
        "causes": [_cause(cause) for cause in report.causes],
        "cases": [_case(case) for case in report.cases],
        "audits": _audits(report.audits),
    }


def runs_json(runs: Sequence[RunView]) -> dict[str, Any]:
    """A list of runs, the newest first."""
    return {"schema": RUNS, "runs": [run_json(run) for run in runs]}


def run_report_json(report: RunReport) -> dict[str, Any]:
    """One run with every result."""
    return {"schema": RUN, "run": run_json(report.run), "results": [result_json(one) for one in report.results]}


def case_report_json(report: CaseReport) -> dict[str, Any]:
    """One case: its latest run attempt by attempt, and how it ended in earlier runs."""
    return {
        "schema": CASE,
        "case": report.case_id,
        "run": run_json(report.run),
        "attempts": [
            {**result_json(attempt.result), "traceback": attempt.traceback, "artifact": attempt.artifact}
            for attempt in report.attempts
        ],
        "history": [
            {"run": run_json(run) if run else None, "result": result_json(result)} for run, result in report.history
        ],
    }


def run_json(run: RunView) -> dict[str, Any]:
    """One run: what was run, where, and how it went."""
    return {
        "run_id": run.run_id,
        "label": run.label,
        "state": run.state.value,
        "reason": run.reason,
        "git": {"commit": run.git_commit, "branch": run.git_branch, "dirty": run.git_dirty, "diff": run.diff_digest},
        "host": run.host,
        "platforms": list(run.platforms),
        "command": run.command,
        "environment": dict(sorted(run.environment.items())),
        "started": _iso(run.started_at),
        "seconds": run.seconds,
        "exit_status": run.exit_status,
        "collected": run.collected,
        "recorded": run.recorded,
        "deselected": run.deselected,
        "missing": list(run.missing),
        "outcomes": {outcome.value: number for outcome, number in run.outcomes.items()},
    }


def result_json(result: ResultView) -> dict[str, Any]:
    """One attempt at one case."""
    return {
        "case": result.case_id,
        "kind": result.kind,
        "name": result.name,
        "platform": result.platform,
        "planner": result.planner,
        "node_id": result.node_id,
        "attempt": result.attempt,
        "outcome": result.outcome.value,
        "stage": result.stage.value,
        "cause": None if result.outcome.counts_as_pass else cause_of(result),
        "signature": result.signature,
        "error_type": result.error_type,
        "message": result.message,
        "signal": result.signal,
        "reason": result.reason,
        "seconds": result.seconds,
        "stage_seconds": {stage.value: seconds for stage, seconds in result.stage_seconds.items()},
        "digests": {
            "inputs": result.inputs_digest,
            "program": result.program_digest,
            "code": result.source_digest,
            "library": result.library_digest,
            "golden": result.golden_digest,
            "outputs": result.outputs_digest,
        },
        "comparison": {"kind": result.comparison, "rtol": result.rtol, "atol": result.atol},
        "errors": {
            "margin": result.margin,
            "worst_abs": result.worst_abs,
            "worst_rel": result.worst_rel,
            "mismatches": result.mismatches,
            "elements": result.elements,
            "shape": result.shape,
        },
        "device": result.device,
        "worker": result.worker,
    }


def _case(case: CaseDiff) -> dict[str, Any]:
    return {
        "case": case.case_id,
        "change": case.change.value,
        "base_note": case.base_note,
        "head_note": case.head_note,
        **_evidence(case.evidence),
        "base": result_json(case.base) if case.base else None,
        "head": result_json(case.head) if case.head else None,
    }


def _cause(cause: Cause) -> dict[str, Any]:
    return {
        "change": cause.change.value,
        "stage": cause.stage.value if cause.stage else None,
        "signature": cause.signature,
        "cause": cause.text,
        "was": cause.was,
        "by_choice": cause.by_choice,
        "devices": list(cause.devices),
        "cases": list(cause.cases),
    }


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return {
        "changed": [what.name.lower() for what in Touched if what in evidence.changed],
        "unknown": [what.name.lower() for what in Touched if what in evidence.unknown],
    }


def _audits(audits: Audits) -> dict[str, Any]:
    return {
        "items": [{"platform": one.platform, "base": one.base, "head": one.head} for one in audits.items],
        "contents": {
            one.what.name.lower(): {"same": one.same, "changed": list(one.changed), "unknown": one.unknown}
            for one in audits.identities
        },
        "limit_changes": [{"case": one.case_id, "base": one.base, "head": one.head} for one in audits.limits],
        "margin_drifts": [{"case": one.case_id, "base": one.base, "head": one.head} for one in audits.drifts],
        "same_host": audits.same_host,
        "stage_times": [
            {
                "stage": one.stage.value,
                "cases": one.cases,
                "base_seconds": one.base_seconds,
                "head_seconds": one.head_seconds,
                "ratio": one.ratio,
                "matters": one.matters and audits.same_host,
            }
            for one in audits.times
        ],
    }


def _iso(nanoseconds: int) -> str | None:
    if not nanoseconds:
        return None
    whole, rest = divmod(nanoseconds, 1_000_000_000)
    return f"{datetime.fromtimestamp(whole, UTC):%Y-%m-%dT%H:%M:%S}.{rest // 1000:06d}Z"


def _finite(value: Any) -> Any:
    """The same data, with the floats that JSON lacks as strings."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return value
