"""Answers from a small history of two runs."""

import pytest

from db.errors import RunAmbiguous, RunNotFound
from db.events import CaseCollected, CaseCompared, RunAborted, RunFinished, RunStarted, StageFailed
from db.outcome import Outcome, RunState, Stage
from db.queries import attempts, case_history, find_run, results, runs, stage_events

ADD, MUL = "add@a2a3sim@default", "mul@a5sim@default"
BASE = "0199d1f0-6f7a-7c3e-9f00-3f6f1d2c4b5a"
HEAD = "0199d1f0-7a00-7c3e-9f00-3f6f1d2c4b5b"
AGAIN = "0199e000-0000-7c3e-9f00-3f6f1d2c4b5c"


def started(run_id, label, commit="c0ffee11", branch="main", **fields):
    return RunStarted(
        run_id=run_id,
        label=label,
        command="pytest",
        root="/",
        host="h",
        git_commit=commit,
        git_branch=branch,
        platforms=["a2a3sim", "a5sim"],
        options={},
        environment={},
        **fields,
    )


def collected(run_id, case_id):
    name, platform, planner = case_id.split("@")
    return CaseCollected(
        run_id=run_id,
        case_id=case_id,
        node_id=f"t.py::{name}",
        name=name,
        platform=platform,
        planner=planner,
        kind="case",
        rtol=1e-5,
    )


def passed(run_id, case_id, attempt=1):
    return CaseCompared(
        run_id=run_id, case_id=case_id, attempt=attempt, passed=True, mismatches=0, elements=4, margin=0.1, seconds=0.5
    )


def crashed(run_id, case_id, attempt=1):
    return StageFailed(
        run_id=run_id,
        case_id=case_id,
        attempt=attempt,
        stage=Stage.RUN,
        cause="test",
        error_type="KernelCrashed",
        message="SIGSEGV",
        traceback="long",
        signal=11,
        signature="5" * 32,
    )


def finished(run_id, **fields):
    values = {"exit_status": 0, "collected": 2, "recorded": 2, "deselected": 0, "missing": [], "seconds": 1.5}
    return RunFinished(run_id=run_id, **{**values, **fields})


@pytest.fixture
def history(store):
    store.append_many(
        [
            started(BASE, "base"),
            collected(BASE, ADD),
            collected(BASE, MUL),
            passed(BASE, ADD),
            passed(BASE, MUL),
            finished(BASE),
            started(HEAD, "head", commit="c0ffee22", branch="faster", git_dirty=True),
            collected(HEAD, ADD),
            collected(HEAD, MUL),
            crashed(HEAD, ADD),
            passed(HEAD, ADD, attempt=2),
            crashed(HEAD, MUL),
            finished(HEAD, exit_status=1, missing=["t.py::gone"], collected=3),
        ]
    )
    return store


def test_runs_come_newest_first(history):
    assert [run.label for run in runs(history)] == ["head", "base"]
    assert [run.label for run in runs(history, limit=1)] == ["head"]


def test_a_run_tells_everything_about_itself(history):
    head = runs(history)[0]
    assert (head.run_id, head.state, head.exit_status, head.seconds) == (HEAD, RunState.FINISHED, 1, 1.5)
    assert (head.git_commit, head.git_branch, head.git_dirty) == ("c0ffee22", "faster", True)
    assert (head.platforms, head.missing) == (("a2a3sim", "a5sim"), ("t.py::gone",))
    assert head.outcomes == {Outcome.PASS: 1, Outcome.CRASH: 1}
    assert (head.cases, head.failures) == (2, 1)
    assert head.finished_at >= head.started_at > 10**18


def test_an_empty_history_has_no_runs(store):
    assert runs(store) == []
    with pytest.raises(RunNotFound, match="nothing is recorded yet"):
        find_run(store, "@latest")
    with pytest.raises(RunNotFound, match="nothing is recorded yet"):
        find_run(store, "base")


@pytest.mark.parametrize(
    ("selector", "run_id"),
    [
        ("@latest", HEAD),
        (BASE, BASE),
        (BASE[:11], BASE),
        ("base", BASE),
        ("head", HEAD),
        ("c0ffee11", BASE),
        ("c0ffee2", HEAD),
        ("main", BASE),
        ("faster", HEAD),
    ],
)
def test_a_selector_finds_its_run(history, selector, run_id):
    assert find_run(history, selector).run_id == run_id


def test_of_several_runs_of_one_name_the_newest_is_meant(history):
    history.append_many([started(AGAIN, "base", commit="c0ffee11")])
    for selector in ("base", "c0ffee11", "c0ffee1", "main", "@latest"):
        assert find_run(history, selector).run_id == AGAIN


@pytest.mark.parametrize("selector", ["", "nope", "0", "%", "_ase", "BASE", "\ud800", "0199d1f0' OR 1=1 --"])
def test_a_selector_that_names_nothing_says_what_there_is(history, selector):
    with pytest.raises(RunNotFound, match="the newest are head, base"):
        find_run(history, selector)


def test_a_prefix_of_several_runs_lists_them(history):
    with pytest.raises(RunAmbiguous, match=f"could be {HEAD}, {BASE}; give more characters"):
        find_run(history, "0199d1f0")
    with pytest.raises(RunAmbiguous, match="commit c0ffee11, commit c0ffee22"):
        find_run(history, "c0ffee")


def test_results_are_the_last_attempts_by_case_id(history):
    base = results(history, BASE)
    assert [(r.case_id, r.outcome, r.attempt) for r in base] == [(ADD, Outcome.PASS, 1), (MUL, Outcome.PASS, 1)]
    head = results(history, find_run(history, "head"))
    assert [(r.case_id, r.outcome, r.attempt) for r in head] == [(ADD, Outcome.PASS, 2), (MUL, Outcome.CRASH, 1)]
    assert all(result.final for result in head)


def test_a_result_tells_everything_about_itself(history):
    result = results(history, HEAD)[1]
    assert (result.run_id, result.name, result.platform, result.planner) == (HEAD, "mul", "a5sim", "default")
    assert (result.node_id, result.kind, result.rtol, result.atol) == ("t.py::mul", "case", 1e-5, None)
    assert (result.stage, result.signal, result.error_type) == (Stage.RUN, 11, "KernelCrashed")
    assert (result.message, result.signature) == ("SIGSEGV", "5" * 32)
    assert results(history, BASE)[0].stage_seconds == {Stage.COMPARE: 0.5}
    assert results(history, BASE)[0].seconds == 0.5


def test_attempts_come_in_order(history):
    assert [(a.attempt, a.outcome, a.final) for a in attempts(history, HEAD, ADD)] == [
        (1, Outcome.CRASH, False),
        (2, Outcome.PASS, True),
    ]
    assert attempts(history, HEAD, "nothing") == []


def test_the_history_of_a_case_comes_newest_first(history):
    assert [(r.run_id, r.outcome) for r in case_history(history, MUL)] == [
        (HEAD, Outcome.CRASH),
        (BASE, Outcome.PASS),
    ]
    assert [r.run_id for r in case_history(history, ADD, limit=1)] == [HEAD]
    assert case_history(history, "nothing") == []


def test_stage_events_are_those_of_the_case_in_the_run(history):
    found = stage_events(history, find_run(history, "head"), MUL)
    assert [recorded.type for recorded in found] == ["case.collected", "case.stage_failed"]
    assert found[1].event.traceback == "long"
    assert stage_events(history, BASE, "nothing") == []


def test_a_run_id_that_is_not_whole_is_refused(history):
    with pytest.raises(RunNotFound, match="a whole run id is expected here"):
        results(history, BASE[:11])


def test_answers_follow_the_log(history):
    assert find_run(history, "head").state is RunState.FINISHED
    history.append_many([started(AGAIN, "third"), RunAborted(run_id=AGAIN, reason="SIGTERM")])
    third = find_run(history, "@latest")
    assert (third.label, third.state, third.reason) == ("third", RunState.ABORTED, "SIGTERM")


def test_a_run_without_a_last_word_is_unfinished(history):
    history.append_many([started(AGAIN, "killed"), collected(AGAIN, ADD)])
    killed = find_run(history, "killed")
    assert (killed.state, killed.finished_at, killed.exit_status) == (RunState.UNFINISHED, None, None)
    assert killed.outcomes == {Outcome.NOT_REACHED: 1}


def test_hostile_names_are_found_and_come_back(store):
    for number, name in enumerate(["a\0b", "\ud800", "'; DROP TABLE runs; --", "日本", "</script>|\n"]):
        run_id = f"{number}-{name}"
        store.append_many([started(run_id, name), crashed(run_id, name)])
        assert find_run(store, name).run_id == run_id
        assert find_run(store, run_id).label == name
        (result,) = results(store, run_id)
        assert result.case_id == name
        assert [r.run_id for r in case_history(store, name)] == [run_id]
        assert len(stage_events(store, run_id, name)) == 1
