from collections.abc import Callable

import pytest

from db import Outcome, Stage
from reports.audits import Audits, Items, LimitChange, MarginDrift, Touched, audit, evidence_between
from reports.render.words import audit_lines, evidence

MADE = {
    "inputs_digest": "i",
    "program_digest": "p",
    "source_digest": "s",
    "golden_digest": "g",
    "comparison": "elementwise",
    "rtol": 1e-3,
    "atol": 1e-5,
}


@pytest.fixture
def audited(make_run, make_result) -> Callable[..., Audits]:
    """Audits of cases given as facts of base and of head, or None for a side without the case."""

    def run(*cases: tuple[dict | None, dict | None], **head_run: object) -> Audits:
        pairs = []
        for index, sides in enumerate(cases):
            made = [
                make_result(f"case{index}@a5sim@default", **{**MADE, **facts}) if facts is not None else None
                for facts in sides
            ]
            pairs.append((*made, evidence_between(*made)))
        return audit(pairs, make_run("base"), make_run("head", **head_run))

    return run


def test_identical_cases_have_nothing_to_report(audited) -> None:
    audits = audited(({}, {}), ({}, {}))
    assert [(one.same, one.changed, one.unknown) for one in audits.identities] == [(2, (), 0)] * len(Touched)
    assert (audits.limits, audits.drifts, audits.times) == ((), (), ())


@pytest.mark.parametrize(
    ("what", "name"),
    [
        (Touched.INPUTS, "inputs_digest"),
        (Touched.PROGRAM, "program_digest"),
        (Touched.CODE, "source_digest"),
        (Touched.GOLDEN, "golden_digest"),
        (Touched.LIMITS, "comparison"),
    ],
)
def test_each_content_is_the_same_changed_or_unknown(audited, what, name) -> None:
    audits = audited(({}, {}), ({}, {name: "other"}), ({name: ""}, {}), ({}, {name: ""}), ({name: ""}, {name: ""}))
    found = {one.what: one for one in audits.identities}
    assert (found[what].same, found[what].changed, found[what].unknown) == (1, ("case1@a5sim@default",), 3)
    assert all(one.same == 5 for one in audits.identities if one.what is not what)


def test_cases_of_one_run_only_are_items_but_compare_nothing(audited) -> None:
    audits = audited(({}, {}), ({}, None), (None, {}), (None, {"platform": "a2a3sim"}))
    assert audits.items == (Items("a2a3sim", 0, 1), Items("a5sim", 2, 2))
    assert all(one.same == 1 for one in audits.identities)


def test_plain_tests_have_no_contents_to_be_unknown(audited) -> None:
    nothing = dict.fromkeys(MADE, "") | {"kind": "test", "rtol": None, "atol": None}
    audits = audited((nothing, nothing))
    assert all((one.same, one.unknown) == (0, 0) for one in audits.identities)
    assert [name for name, _ in audit_lines(audits)] == ["items", "stage times"]


def test_limits_are_told_before_and_after(audited) -> None:
    audits = audited(({}, {"rtol": 1e-2}), ({}, {"comparison": "rel_err_under", "rtol": None, "atol": None}))
    assert audits.limits == (
        LimitChange("case0@a5sim@default", "elementwise rtol=0.001 atol=1e-05", "elementwise rtol=0.01 atol=1e-05"),
        LimitChange("case1@a5sim@default", "elementwise rtol=0.001 atol=1e-05", "rel_err_under"),
    )


def test_a_margin_drifts_by_the_rule(audited) -> None:
    failed = {"outcome": Outcome.FAIL}
    audits = audited(
        ({"margin": 0.06}, {"margin": 0.12}),  # twice as much, over a tenth: drifts
        ({"margin": 0.06}, {"margin": 0.11}),  # less than twice
        ({"margin": 0.01}, {"margin": 0.1}),  # not over a tenth
        ({"margin": 0.0}, {"margin": 0.9}),  # from exact: drifts
        ({"margin": 0.2, **failed}, {"margin": 0.9}),  # base failed
        ({"margin": 0.2}, {"margin": 9.0, **failed}),  # head failed
        ({}, {"margin": 0.9}),  # base unknown
    )
    assert audits.drifts == (
        MarginDrift("case3@a5sim@default", 0.0, 0.9),
        MarginDrift("case0@a5sim@default", 0.06, 0.12),
    )


def times(cases: int, base: float, head: float) -> list[tuple[dict, dict]]:
    return [({"stage_seconds": {Stage.RUN: base}}, {"stage_seconds": {Stage.RUN: head}})] * cases


@pytest.mark.parametrize(
    ("cases", "base", "head", "matters"),
    [
        (5, 0.1, 0.13, True),
        (5, 0.13, 0.1, True),
        (4, 0.1, 0.13, False),  # too few cases
        (5, 0.1, 0.125, False),  # within the ratios
        (5, 0.001, 0.002, False),  # too little time
        (5, 0.0, 0.1, False),  # nothing to compare with
    ],
)
def test_a_time_matters_by_the_rule(audited, cases, base, head, matters) -> None:
    (time,) = audited(*times(cases, base, head)).times
    assert (time.stage, time.cases, time.matters) == (Stage.RUN, cases, matters)
    assert (time.base_seconds, time.head_seconds) == pytest.approx((cases * base, cases * head))


def test_one_odd_case_does_not_make_a_stage_slower(audited) -> None:
    (time,) = audited(*times(10, 0.1, 0.1), *times(1, 0.1, 9.0)).times
    assert not time.matters


def test_stages_that_one_side_did_not_measure_are_left_out(audited) -> None:
    assert audited(({"stage_seconds": {Stage.RUN: 1.0}}, {})).times == ()


def test_times_of_another_host_are_not_compared(audited) -> None:
    audits = audited(*times(5, 0.1, 0.2), host="elsewhere")
    assert dict(audit_lines(audits))["stage times"] == "not compared: the runs were recorded on different hosts"
    assert dict(audit_lines(audited(*times(5, 0.1, 0.2))))["stage times"] == "run 500 ms -> 1 s (slower: x2.00)"


def test_evidence_in_words(make_result) -> None:
    base = make_result(**MADE)
    assert evidence(evidence_between(base, base)) == "nothing it is made of changed"
    assert evidence(evidence_between(base, make_result(**{**MADE, "golden_digest": ""}))) == ""
    moved = make_result(**{**MADE, "golden_digest": "", "source_digest": "t", "inputs_digest": "j"})
    assert evidence(evidence_between(base, moved)) == "changed: inputs, emitted code"
    assert evidence(evidence_between(base, None)) == ""
    assert evidence(None) == ""
