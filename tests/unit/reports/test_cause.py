import math

import pytest

from db import Outcome, Stage
from reports.cause import cause_of, first_line, signal_name


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({}, "passed"),
        (
            {"outcome": Outcome.FAIL, "message": "c: all over limit", "shape": "c: all over limit", "worst_abs": 3.2},
            "compare: c: all over limit, worst 3.2e+00",
        ),
        (
            {
                "outcome": Outcome.FAIL,
                "message": "c: 7 of 9 differ",
                "shape": "c: scattered",
                "worst_abs": 3.2,
            },
            "compare: c: 7 of 9 differ",
        ),
        (
            {"outcome": Outcome.FAIL, "message": "c: nan: 7 of 9 differ", "shape": "c: nan", "worst_abs": math.nan},
            "compare: c: nan, worst nan",
        ),
        ({"outcome": Outcome.FAIL, "error_type": "ComparatorRaised"}, "compare: ComparatorRaised"),
        ({"outcome": Outcome.CRASH, "stage": Stage.RUN, "signal": 11, "message": "gone"}, "run: SIGSEGV"),
        ({"outcome": Outcome.CRASH, "stage": Stage.RUN}, "run: crashed"),
        ({"outcome": Outcome.TIMEOUT, "stage": Stage.RUN, "signal": 9, "message": "ran for 60 s"}, "run: ran for 60 s"),
        ({"outcome": Outcome.TIMEOUT, "stage": Stage.RUN}, "run: timed out"),
        (
            {
                "outcome": Outcome.FAIL,
                "stage": Stage.COMPILE,
                "error_type": "CompileError",
                "message": "\n no TLOAD\nx",
            },
            "compile: CompileError: no TLOAD",
        ),
        (
            {"outcome": Outcome.FAIL, "stage": Stage.TEST, "error_type": "ValueError", "message": "ValueError: bad"},
            "test: ValueError: bad",
        ),
        ({"outcome": Outcome.INFRA, "signal": 9, "message": "queue time-out"}, "infrastructure: queue time-out"),
        ({"outcome": Outcome.INFRA, "error_type": "NoDevice"}, "infrastructure: NoDevice"),
        ({"outcome": Outcome.SKIPPED, "reason": "needs a card"}, "skipped: needs a card"),
        ({"outcome": Outcome.NOT_REACHED}, "not reached"),
    ],
)
def test_cause_in_one_line(make_result, facts, expected) -> None:
    assert cause_of(make_result(**facts)) == expected


def test_every_outcome_has_a_cause(make_result) -> None:
    assert all(cause_of(make_result(outcome=outcome)) for outcome in Outcome)


def test_signals_by_name_or_number() -> None:
    assert [signal_name(6), signal_name(99)] == ["SIGABRT", "signal 99"]
    assert first_line("") == ""
