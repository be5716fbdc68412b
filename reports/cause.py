"""Why a case ended as it did, in one line: `compare: c: all elements over limit`, `run: SIGSEGV`.

The line is plain text from tests, unescaped: each renderer makes it safe in its own way.
"""

from __future__ import annotations

import signal

from db import Outcome, ResultView, Stage


def cause_of(result: ResultView) -> str:
    """The cause of one result; for a pass, that it passed."""
    outcome = result.outcome
    if outcome.counts_as_failure:
        return f"{result.stage.value}: {_failure(result)}"
    why = result.reason or (_error(result) if outcome is Outcome.INFRA else "")
    return f"{outcome.label}: {why}" if why else outcome.label


def _failure(result: ResultView) -> str:
    if result.outcome is Outcome.CRASH and result.signal:
        return signal_name(result.signal)
    if result.stage is Stage.COMPARE:
        return _mismatch(result)
    return _error(result) or result.outcome.label


def _mismatch(result: ResultView) -> str:
    """Which output differs and how. The shape says it for all cases of one cause; counts and places are their own."""
    told = first_line(result.message)
    if result.shape and result.worst_abs is not None and (not told or told.startswith(result.shape)):
        return f"{result.shape}, worst {result.worst_abs:.1e}"
    return told or result.shape or _error(result) or result.outcome.label


def _error(result: ResultView) -> str:
    first = first_line(result.message)
    if not result.error_type or first.startswith(result.error_type):
        return first
    return f"{result.error_type}: {first}" if first else result.error_type


def first_line(text: str) -> str:
    """The first line of `text` that holds anything."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


def signal_name(number: int) -> str:
    """The name of a signal, `SIGSEGV`; `signal 99` for a number without one."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
