from collections.abc import Callable
from dataclasses import replace

import pytest

from db import Change, Outcome, RunState, Stage
from reports.audits import Touched
from reports.diff import Conclusion, DiffReport, RunResults, diff
from reports.load import load_diff

PASS, FAIL = Outcome.PASS, Outcome.FAIL


@pytest.fixture
def compare_runs(make_run: Callable, make_result: Callable) -> Callable[..., DiffReport]:
    """Diffs two runs, each given as outcomes or results by case id."""

    def side(given: dict, **facts: object) -> RunResults:
        made = [
            make_result(key, one) if isinstance(one, Outcome) else replace(one, case_id=key)
            for key, one in given.items()
        ]
        return RunResults(make_run(**facts), made)

    def run(
        base: dict, head: dict, base_facts: dict | None = None, head_facts: dict | None = None, **options: float
    ) -> DiffReport:
        return diff(side(base, **(base_facts or {})), side(head, **(head_facts or {})), **options)

    return run


def test_the_two_runs_of_the_demonstration(history, first_light) -> None:
    first_light(history)
    report = load_diff(history.store, "base", "head")
    by_change = {change: sorted({case.known.name for case in report.of(change)}) for change in report.counts}
    assert by_change == {
        Change.NEWLY_FAILING: ["gelu", "swiglu", "tests/unit/test_util.py::test_two", "tile_add"],
        Change.FAILING_DIFFERENTLY: ["relu"],
        Change.STILL_FAILING: ["ffn"],
        Change.INCONCLUSIVE: ["task_graph"],
        Change.FIXED: ["silu"],
        Change.ADDED: ["new"],
        Change.REMOVED: ["gone"],
        Change.SAME: [
            "hello_world_add",
            "layer_norm",
            "matmul_tile",
            "rms_norm",
            "softmax",
            "task_graph",
            "tests/unit/test_util.py::test_one",
        ],
    }
    assert report.conclusion is Conclusion.NEW_FAILURES
    assert report.why == "7 new failures"
    new = [(cause.text, len(cause.cases)) for cause in report.causes if cause.change is Change.NEWLY_FAILING]
    assert new == [
        ("compare: c: all elements over limit, worst 3.2e+00", 2),
        ("compare: out: scattered, 10^2 over limit, worst 2.5e-01", 2),
        ("run: SIGSEGV", 2),
        ("test: AssertionError: assert 1 == 2", 1),
    ]


def test_a_run_against_itself_has_nothing_new(history, first_light) -> None:
    first_light(history)
    report = load_diff(history.store, "base", "base")
    assert set(report.counts) == {Change.SAME, Change.STILL_FAILING}
    assert report.conclusion is Conclusion.NOTHING_NEW
    assert not report.audits.drifts
    assert not report.audits.limits
    assert all(not identity.changed for identity in report.audits.identities)


def test_evidence_says_what_moved_in_a_case(history, first_light) -> None:
    first_light(history)
    cases = {case.case_id: case for case in load_diff(history.store, "base", "head").cases}
    assert cases["tile_add@a5sim@default"].evidence.changed == {Touched.PROGRAM, Touched.CODE}
    assert cases["swiglu@a5sim@default"].evidence.changed == {Touched.GOLDEN}
    assert cases["ffn@a5sim@default"].evidence.nothing_moved
    assert cases["relu@a5sim@default"].evidence.unknown == {Touched.CODE, Touched.GOLDEN}
    assert cases["new@a5sim@default"].evidence.unknown == set(Touched)


def test_cases_of_an_aborted_head_are_inconclusive_not_removed(compare_runs) -> None:
    for state in (RunState.ABORTED, RunState.UNFINISHED):
        report = compare_runs({"a": PASS, "b": FAIL}, {}, head_facts={"state": state})
        assert report.counts == {Change.INCONCLUSIVE: 2}
        assert report.conclusion is Conclusion.INCONCLUSIVE
        assert report.causes[0].text == "the run ended before it"


def test_cases_that_an_aborted_base_did_not_reach_are_not_added(compare_runs) -> None:
    report = compare_runs({"a": PASS}, {"a": PASS, "b": PASS, "c": FAIL}, base_facts={"state": RunState.ABORTED})
    assert report.counts == {Change.NO_BASELINE_FAILING: 1, Change.NO_BASELINE_PASS: 1, Change.SAME: 1}
    assert report.conclusion is Conclusion.INCONCLUSIVE


def test_new_failures_of_an_aborted_head_are_still_new_failures(compare_runs) -> None:
    report = compare_runs({"a": PASS, "b": PASS}, {"a": FAIL}, head_facts={"state": RunState.ABORTED})
    assert report.conclusion is Conclusion.NEW_FAILURES


def test_a_platform_that_was_not_selected_is_not_removed(compare_runs) -> None:
    base = {"add@a2a3sim@default": PASS, "add@a5sim@default": PASS}
    report = compare_runs(base, {"add@a5sim@default": PASS}, head_facts={"platforms": ("a5sim",)})
    assert report.counts == {Change.INCONCLUSIVE: 1, Change.SAME: 1}
    assert report.conclusion is Conclusion.NOTHING_NEW
    assert report.causes[0].text == "platform a2a3sim was not selected"
    assert report.causes[0].by_choice


def test_runs_without_any_verdict_allow_no_conclusion(compare_runs) -> None:
    assert compare_runs({}, {}).conclusion is Conclusion.INCONCLUSIVE
    assert compare_runs({"a": PASS}, {"a": Outcome.INFRA}).conclusion is Conclusion.INCONCLUSIVE
    assert compare_runs({"a": Outcome.INFRA}, {"a": PASS}).conclusion is Conclusion.INCONCLUSIVE


def test_too_much_lost_by_accident_allows_no_conclusion(compare_runs) -> None:
    base = {f"case{i}": PASS for i in range(100)}
    head = {**base, **{f"case{i}": Outcome.INFRA for i in range(5)}}
    report = compare_runs(base, head)
    assert report.conclusion is Conclusion.NOTHING_NEW
    assert report.why == "nothing new, though 5 of 100 cases say nothing about a change"
    report = compare_runs(base, {**head, "case5": Outcome.NOT_REACHED})
    assert report.conclusion is Conclusion.INCONCLUSIVE
    assert report.why == "6 of 100 cases say nothing about a change, more than 5%"
    assert compare_runs(base, head, max_inconclusive=0.0).conclusion is Conclusion.INCONCLUSIVE


def test_what_was_left_out_on_purpose_is_no_accident(compare_runs) -> None:
    base = {f"case{i}": PASS for i in range(100)}
    head = {**dict.fromkeys(base, Outcome.DESELECTED), "case1": PASS, "case2": Outcome.SKIPPED}
    report = compare_runs(base, head)
    assert report.counts == {Change.INCONCLUSIVE: 99, Change.SAME: 1}
    assert report.conclusion is Conclusion.NOTHING_NEW


def test_failures_without_a_baseline_are_no_proof_of_nothing_new(compare_runs) -> None:
    report = compare_runs({"a": Outcome.INFRA, "b": PASS}, {"a": FAIL, "b": PASS})
    assert report.conclusion is Conclusion.INCONCLUSIVE


def test_a_new_case_that_fails_is_a_new_failure(compare_runs) -> None:
    report = compare_runs({"a": PASS}, {"a": PASS, "b": FAIL})
    assert report.counts == {Change.BORN_RED: 1, Change.SAME: 1}
    assert report.why == "1 new failure"


def test_many_cases_of_one_signature_are_one_cause(compare_runs, make_result) -> None:
    names = [f"case{i:03}@a5sim@default" for i in range(100)]
    crash = make_result(outcome=Outcome.CRASH, stage=Stage.RUN, signature="s", signal=11, device="npu3")
    other = replace(crash, signature="t", signal=6, device="npu1")
    report = compare_runs(dict.fromkeys(names, PASS), {**dict.fromkeys(names, crash), names[7]: other})
    assert [(cause.text, len(cause.cases), cause.devices) for cause in report.causes] == [
        ("run: SIGSEGV", 99, ("npu3",)),
        ("run: SIGABRT", 1, ("npu1",)),
    ]


def test_failing_differently_tells_both_causes(compare_runs, make_result) -> None:
    was = make_result(outcome=Outcome.CRASH, stage=Stage.RUN, signature="s", signal=11)
    now = make_result(outcome=Outcome.TIMEOUT, stage=Stage.RUN, signature="t", message="ran longer than 60 s")
    (cause,) = compare_runs({"a": was}, {"a": now}).causes
    assert (cause.change, cause.was, cause.text) == (
        Change.FAILING_DIFFERENTLY,
        "run: SIGSEGV",
        "run: ran longer than 60 s",
    )


def test_every_case_is_in_the_report_once(history, first_light) -> None:
    first_light(history)
    report = load_diff(history.store, "base", "head")
    listed = [case_id for cause in report.causes for case_id in cause.cases]
    assert sorted(listed + [case.case_id for case in report.of(Change.SAME)]) == [case.case_id for case in report.cases]
    assert sum(report.counts.values()) == len(report.cases)
