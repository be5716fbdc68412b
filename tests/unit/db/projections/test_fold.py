"""What each event does to the record of an attempt, as tables of short histories."""

import pytest

from db.events import (
    CaseCollected,
    CaseCompared,
    CaseCompiled,
    CaseDeselected,
    CaseExecuted,
    CaseSkipped,
    CaseSpecialized,
    GoldenComputed,
    RunAborted,
    RunFinished,
    RunStarted,
    StageFailed,
    TestReported,
    event_classes,
)
from db.outcome import Outcome, RunState, Stage
from db.projections.fold import CaseInRun, case_record, fold_case, fold_run, mapping_digest
from db.projections.rows import RunRecord
from db.signature import signature

CASE = {"run_id": "r", "case_id": "add@a2a3sim@default"}


def collected(kind="case", **fields):
    return CaseCollected(
        **CASE, node_id="t.py::x", name="add", platform="a2a3sim", planner="default", kind=kind, **fields
    )


def specialized(attempt=1):
    return CaseSpecialized(**CASE, attempt=attempt, program_digest="p", seconds=1.0)


def compiled(attempt=1):
    return CaseCompiled(
        **CASE,
        attempt=attempt,
        source_digest="s",
        library_digest="l",
        seconds=2.0,
        phases={},
        artifact="",
        source_files={},
    )


def golden(attempt=1):
    return GoldenComputed(**CASE, attempt=attempt, outputs={"c": "g"}, seconds=4.0)


def executed(attempt=1):
    return CaseExecuted(**CASE, attempt=attempt, outputs={"c": "o"}, seconds=8.0, device="sim:0", worker="w1")


def compared(passed=True, attempt=1, shape=""):
    return CaseCompared(
        **CASE, attempt=attempt, passed=passed, mismatches=0, elements=9, margin=0.5, shape=shape, seconds=16.0
    )


def failed(stage=Stage.COMPILE, cause="test", attempt=1, **fields):
    values = {"error_type": "E", "message": "m", "signature": "sig", **fields}
    return StageFailed(**CASE, attempt=attempt, stage=stage, cause=cause, **values)


def reported(outcome="passed", phase="call", attempt=1, longrepr="", seconds=0.5):
    return TestReported(
        **CASE, attempt=attempt, phase=phase, outcome=outcome, seconds=seconds, longrepr=longrepr, node_id="t.py::x"
    )


def fold(*events):
    """The attempts after a history, as a list."""
    group = CaseInRun(case_record(1, CASE["case_id"]), run_key=1)
    for event in events:
        fold_case(event, group)
    return [group.attempts[number] for number in sorted(group.attempts)]


ALL_STAGES = (collected(), specialized(), compiled(), golden(), executed())
HISTORIES = {
    "collected only": ((collected(),), Outcome.NOT_REACHED, Stage.COLLECT),
    "killed on the way": ((collected(), specialized(), compiled()), Outcome.ABORTED, Stage.COMPILE),
    "all stages": ((*ALL_STAGES, compared()), Outcome.PASS, Stage.COMPARE),
    "a mismatch": ((*ALL_STAGES, compared(False)), Outcome.FAIL, Stage.COMPARE),
    "a mismatch, said twice": (
        (*ALL_STAGES, compared(False), failed(Stage.COMPARE)),
        Outcome.FAIL,
        Stage.COMPARE,
    ),
    "a stage fails": ((collected(), specialized(), failed()), Outcome.FAIL, Stage.COMPILE),
    "the first failure decides": (
        (collected(), failed(Stage.COMPILE), failed(Stage.RUN, cause="infra")),
        Outcome.FAIL,
        Stage.COMPILE,
    ),
    "infrastructure": ((collected(), failed(cause="infra", signal=9)), Outcome.INFRA, Stage.COMPILE),
    "a signal": ((collected(), failed(Stage.RUN, signal=11)), Outcome.CRASH, Stage.RUN),
    "a time-out ends in a signal too": (
        (collected(), failed(Stage.RUN, signal=9, timeout=True)),
        Outcome.TIMEOUT,
        Stage.RUN,
    ),
    "a failed stage, then pytest's report": (
        (collected(), failed(), reported("passed", "setup"), reported("failed")),
        Outcome.FAIL,
        Stage.COMPILE,
    ),
    "pytest's report, then the failed stage": (
        (collected(), reported("failed"), failed()),
        Outcome.FAIL,
        Stage.COMPILE,
    ),
    "a passing case whose test fails": (
        (*ALL_STAGES, compared(), reported("failed")),
        Outcome.FAIL,
        Stage.TEST,
    ),
    "a passing case whose teardown fails": (
        (*ALL_STAGES, compared(), reported(), reported("failed", "teardown")),
        Outcome.FAIL,
        Stage.TEST,
    ),
    "a passing case": (
        (reported("passed", "setup"), *ALL_STAGES, compared(), reported(), reported("passed", "teardown")),
        Outcome.PASS,
        Stage.COMPARE,
    ),
    "an expected failure": (
        (*ALL_STAGES, compared(False), reported("skipped", longrepr="known")),
        Outcome.SKIPPED,
        Stage.COMPARE,
    ),
    "infrastructure is no expected failure": (
        (collected(), failed(cause="infra"), reported("skipped")),
        Outcome.INFRA,
        Stage.COMPILE,
    ),
    "deselected": ((collected(), CaseDeselected(**CASE, reason="-k")), Outcome.DESELECTED, Stage.COLLECT),
    "deselected, never collected": ((CaseDeselected(**CASE, reason="-k"),), Outcome.DESELECTED, Stage.COLLECT),
    "skipped": ((collected(), CaseSkipped(**CASE, reason="card")), Outcome.SKIPPED, Stage.COLLECT),
    "a plain test passes": (
        (collected("test"), reported("passed", "setup"), reported(), reported("passed", "teardown")),
        Outcome.PASS,
        Stage.TEST,
    ),
    "a plain test was killed": ((collected("test"), reported("passed", "setup")), Outcome.ABORTED, Stage.TEST),
    "a plain test fails": (
        (collected("test"), reported("passed", "setup"), reported("failed")),
        Outcome.FAIL,
        Stage.TEST,
    ),
    "a fixture fails": ((collected("test"), reported("failed", "setup")), Outcome.FAIL, Stage.TEST),
    "a teardown fails": (
        (collected("test"), reported(), reported("failed", "teardown")),
        Outcome.FAIL,
        Stage.TEST,
    ),
    "a test skips itself": (
        (collected("test"), reported("passed", "setup"), reported("skipped"), reported("passed", "teardown")),
        Outcome.SKIPPED,
        Stage.TEST,
    ),
}


@pytest.mark.parametrize(("history", "outcome", "stage"), HISTORIES.values(), ids=HISTORIES)
def test_outcome_and_stage_of_a_history(history, outcome, stage):
    (record,) = fold(*history)
    assert (record.outcome, record.stage) == (outcome, stage)


def test_every_outcome_is_reached_by_some_history():
    assert {outcome for _, outcome, _ in HISTORIES.values()} == set(Outcome)


def test_every_event_has_a_rule():
    for cls in event_classes():
        assert cls in fold_case.registry or cls in fold_run.registry, f"db/projections/fold.py: no rule for {cls.type}"


def test_a_passing_case_keeps_all_its_facts():
    (record,) = fold(
        collected(
            inputs={"b": "2", "a": "1"},
            declaration="d",
            comparison="elementwise",
            rtol=1e-3,
            atol=0.0,
            source_file="t.py",
            source_line=7,
        ),
        *ALL_STAGES[1:],
        compared(),
    )
    assert record.inputs_digest == mapping_digest({"a": "1", "b": "2"}) != mapping_digest({"a": "2", "b": "1"})
    assert (record.program_digest, record.source_digest, record.library_digest) == ("p", "s", "l")
    assert record.golden_digest == mapping_digest({"c": "g"})
    assert record.outputs_digest == mapping_digest({"c": "o"})
    assert (record.comparison, record.rtol, record.atol, record.declaration) == ("elementwise", 1e-3, 0.0, "d")
    assert (record.margin, record.elements, record.device, record.worker) == (0.5, 9, "sim:0", "w1")
    assert (record.node_id, record.source_file, record.source_line) == ("t.py::x", "t.py", 7)
    assert (record.seconds, record.seconds_golden, record.seconds_test) == (31.0, 4.0, None)


def test_the_time_of_a_plain_test_is_that_of_its_phases():
    (record,) = fold(collected("test"), reported(phase="setup"), reported(), reported(phase="teardown"))
    assert (record.seconds, record.seconds_test) == (1.5, 1.5)


def test_the_time_of_a_failed_stage_counts():
    (record,) = fold(collected(), specialized(), failed(seconds=3.0))
    assert (record.seconds, record.seconds_compile) == (4.0, 3.0)


def test_each_attempt_has_its_record_and_the_last_is_final():
    first, second, third = fold(
        collected(rtol=0.5), specialized(1), failed(attempt=1), specialized(2), failed(attempt=2), compared(attempt=3)
    )
    assert [record.outcome for record in (first, second, third)] == [Outcome.FAIL, Outcome.FAIL, Outcome.PASS]
    assert [record.final for record in (first, second, third)] == [False, False, True]
    assert [record.rtol for record in (first, second, third)] == [0.5, 0.5, 0.5]


def test_a_declaration_that_comes_late_reaches_every_attempt():
    records = fold(specialized(1), specialized(2), collected(rtol=0.5))
    assert [record.rtol for record in records] == [0.5, 0.5]
    assert [record.outcome for record in records] == [Outcome.ABORTED, Outcome.ABORTED]


def test_the_signature_of_a_mismatch_is_that_of_its_shape():
    (record,) = fold(*ALL_STAGES, compared(False, shape="c: all, 10^3 over limit"))
    assert record.signature == signature(Stage.COMPARE, "Mismatch", "c: all, 10^3 over limit")
    (said,) = fold(*ALL_STAGES, compared(False), failed(Stage.COMPARE, signature="given"))
    assert said.signature == "given"


LONGREPRS = {
    "E       assert 1 == 2\nE        +  where 1 = f()\n\nt.py:3: AssertionError": ("AssertionError", "assert 1 == 2"),
    "    def f():\n>       g()\nE   ValueError: boom\n\nt.py:3: ValueError": ("ValueError", "boom"),
    "E   db.errors.DbError: away\n\n/a/b.py:3: DbError": ("db.errors.DbError", "away"),
    "Failed: DID NOT RAISE": ("", "Failed: DID NOT RAISE"),
    "": ("", ""),
}


@pytest.mark.parametrize(("longrepr", "expected"), LONGREPRS.items())
def test_pytest_s_report_gives_type_and_message(longrepr, expected):
    (record,) = fold(collected("test"), reported("failed", longrepr=longrepr))
    assert (record.error_type, record.message) == expected
    assert record.signature


def test_messages_are_cut():
    (record,) = fold(collected(), failed(message="x" * 10_000))
    assert record.message == "x" * 500
    (skipped,) = fold(CaseSkipped(**CASE, reason="y" * 10_000))
    assert skipped.reason == "y" * 500


@pytest.mark.parametrize(
    ("case_id", "expected"),
    [
        ("add@a2a3sim@default", ("case", "add", "a2a3sim", "default")),
        ("odd@name@a5@pypto", ("case", "odd@name", "a5", "pypto")),
        ("tests/t.py::test_x[a@b@c]", ("test", "tests/t.py::test_x[a@b@c]", "", "")),
        ("plain", ("test", "plain", "", "")),
    ],
)
def test_a_case_id_says_this_much_by_itself(case_id, expected):
    case = case_record(1, case_id)
    assert (case.kind, case.name, case.platform, case.planner) == expected


def run_after(*events):
    run = RunRecord(1, "r")
    for time, event in enumerate(events, 100):
        fold_run(event, run, time)
    return run


STARTED = RunStarted(
    run_id="r",
    label="base",
    command="pytest",
    root="/",
    git_commit="abc",
    host="h",
    platforms=["a2a3sim"],
    options={"x": 1},
    environment={"python": "3.11"},
)
FINISHED = RunFinished(
    run_id="r", exit_status=1, collected=3, recorded=1, deselected=1, missing=["t.py::gone"], seconds=9.0
)


def test_a_run_that_only_started_is_unfinished():
    run = run_after(STARTED)
    assert (run.state, run.label, run.git_commit, run.started_at) == (RunState.UNFINISHED, "base", "abc", 100)
    assert (run.finished_at, run.options, run.environment) == (None, {"x": 1}, {"python": "3.11"})


def test_a_run_that_finished():
    run = run_after(STARTED, FINISHED)
    assert (run.state, run.exit_status, run.missing, run.finished_at) == (RunState.FINISHED, 1, ["t.py::gone"], 101)


def test_a_run_that_was_aborted():
    run = run_after(STARTED, RunAborted(run_id="r", reason="SIGTERM"))
    assert (run.state, run.reason, run.finished_at) == (RunState.ABORTED, "SIGTERM", 101)


def test_a_start_that_comes_late_is_taken_in():
    run = run_after(FINISHED, STARTED)
    assert (run.state, run.label) == (RunState.FINISHED, "base")
