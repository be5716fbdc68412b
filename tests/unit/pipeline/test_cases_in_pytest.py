"""Cases as pytest items: variants, ids, marks, duplicates, and what happens to each."""

from __future__ import annotations

import pytest

HEADER = """
import pytest, torch
import pipeline.st as st
from stand_in import Kernel
double = Kernel("double", "a, c", ["c"], "c[:] = 2 * a")
a, c = torch.tensor([1.0, 2.0]), torch.zeros(2)
def case(name, **settings): return st.case(double, a, c, name=name, golden=lambda _: 2 * a, **settings)
"""
ALL = ("--platform", "a2a3,a2a3sim,a5,a5sim")


@pytest.fixture
def cases(warm_suite):
    """Write cases into a file and run them inline, with the compiler made of Python."""

    def run(body, *arguments, **options):
        warm_suite.write("conftest.py", "import stand_in\nstand_in.install()\n")
        warm_suite.write("test_cases.py", HEADER + body)
        return warm_suite.run("-q", "--run-inline", *arguments, **options)

    return run


def artifacts(suite):
    """The platform written into each artifact, by case id."""
    found = {}
    for path in (suite.folder / "build_output" / "cases").glob("*/artifact/kernel.cpp"):
        found[path.parent.parent.name] = path.read_text().split()[1]
    return found


def test_each_variant_has_its_own_copy_key_and_folder(cases, suite):
    outcome = cases(
        """
@st.cases(case("plain"), case("pinned", platform="a5"))
def test_free(case_run): case_run.result
@pytest.mark.platforms("a2a3sim", "a5sim")
@st.cases(case("marked"))
def test_marked(case_run): case_run.result
@st.cases(pytest.param(case("param"), marks=pytest.mark.platforms("a5sim")))
def test_param(case_run): case_run.result
""",
        *ALL,
    )
    assert artifacts(suite) == {
        "plain@a2a3@default": "a2a3",
        "plain@a2a3sim@default": "a2a3sim",
        "plain@a5@default": "a5",
        "plain@a5sim@default": "a5sim",
        "pinned@a5@default": "a5",
        "marked@a2a3sim@default": "a2a3sim",
        "marked@a5sim@default": "a5sim",
        "param@a5sim@default": "a5sim",
    }
    infra = {e.case_id: e.message for e in outcome.of("StageFailed")}
    assert set(infra) == {"plain@a2a3@default", "plain@a5@default", "pinned@a5@default"}
    assert "needs an accelerator card" in infra["plain@a5@default"] and "--platform a5sim" in infra["plain@a5@default"]
    assert all(e.cause == "infra" for e in outcome.of("StageFailed"))


def test_both_simulators_are_the_default(cases, suite):
    outcome = cases("@st.cases(case('x'))\ndef test_it(case_run): case_run.assert_passed()\n")
    assert outcome.status == 0, outcome.output
    assert set(artifacts(suite)) == {"x@a2a3sim@default", "x@a5sim@default"}


def test_planners_are_part_of_the_id(cases, suite):
    cases(
        "@st.cases(case('own', memory_planner='DSA_RP'), case('free'))\n"
        "def test_it(case_run): case_run.assert_passed()\n",
        "--platform", "a5sim", "--memory-planner", "PTOAS",
    )  # fmt: skip
    assert set(artifacts(suite)) == {"own@a5sim@dsa_rp", "free@a5sim@ptoas"}


def test_a_case_no_platform_is_left_for_is_deselected_with_the_reason(cases):
    outcome = cases(
        "@st.cases(case('card', platform='a5'), case('x'))\ndef test_it(case_run): case_run.assert_passed()\n",
        "--platform", "a2a3sim",
    )  # fmt: skip
    assert outcome.status == 0 and "1 deselected" in outcome.output
    assert outcome.of("CaseDeselected", "card@a5@default")[0].reason == "needs a5, the session runs a2a3sim"
    assert outcome.summary.endswith("collected 2 = recorded 1 + deselected 1 + missing 0")


def test_a_skipped_case_is_never_compiled(cases, suite):
    outcome = cases(
        """
@st.cases(pytest.param(case("one"), marks=pytest.mark.skip(reason="later")), case("two"))
def test_it(case_run): case_run.assert_passed()
@pytest.mark.skipif(True, reason="never")
@st.cases(case("three"))
def test_other(case_run): case_run.assert_passed()
""",
        "--platform", "a5sim",
    )  # fmt: skip
    assert set(artifacts(suite)) == {"two@a5sim@default"}
    assert outcome.of("CaseSkipped", "one@a5sim@default")[0].reason == "later"
    assert outcome.of("CaseSkipped", "three@a5sim@default")[0].reason == "never"


def test_ids_name_case_platform_and_planner(cases):
    outcome = cases(
        "@st.cases(case('x'), pytest.param(case('y'), id='mine'))\ndef test_it(case_run): case_run.assert_passed()\n",
        "--platform", "a5sim",
    )  # fmt: skip
    collected = {e.case_id: e.node_id for e in outcome.of("CaseCollected")}
    assert collected == {
        "x@a5sim@default": "test_cases.py::test_it[x@a5sim@default]",
        "y@a5sim@default": "test_cases.py::test_it[mine@a5sim@default]",
    }


def test_the_declaration_is_recorded(cases):
    outcome = cases("@st.cases(case('x', rtol=0, atol=0.5))\ndef test_it(case_run): case_run.assert_passed()\n")
    (collected,) = outcome.of("CaseCollected", "x@a5sim@default")
    assert (collected.kind, collected.name, collected.platform, collected.planner) == ("case", "x", "a5sim", "default")
    assert (collected.rtol, collected.atol, collected.comparison) == (0.0, 0.5, "elementwise rtol=0 atol=0.5")
    assert (collected.source_file, collected.source_line) == ("test_cases.py", 7)
    assert set(collected.inputs) == {"a", "c"} and len(collected.declaration) == 64


@pytest.mark.parametrize("arguments", [(), ("-k", "test_second or test_other")])
def test_two_declarations_of_one_id_both_fail_and_name_each_other(cases, suite, arguments):
    suite.write(
        "test_more.py",
        HEADER + "@st.cases(case('same'))\ndef test_second(case_run): case_run.assert_passed()\n"
        "def test_other(): pass\n",
    )
    outcome = cases(
        "@st.cases(case('same'), case('lone'))\ndef test_first(case_run): case_run.assert_passed()\n",
        "--platform", "a5sim", *arguments,
    )  # fmt: skip
    assert outcome.status == 1
    for failure in outcome.of("StageFailed"):
        assert "same@a5sim@default" in failure.message
        assert "test_cases.py:7" in failure.message and "test_more.py:7" in failure.message
    assert len(outcome.of("StageFailed")) == (1 if arguments else 2)
    assert outcome.of("TestReported", "test_more.py::test_other")
    assert not outcome.of("CaseCompiled", "same@a5sim@default")
    assert "missing 0" in outcome.summary


def test_one_case_run_by_two_tests_is_a_duplicate(cases):
    outcome = cases(
        "shared = case('shared')\n@st.cases(shared)\ndef test_one(case_run): case_run.assert_passed()\n"
        "@st.cases(shared)\ndef test_two(case_run): case_run.assert_passed()\n",
        "--platform", "a5sim",
    )  # fmt: skip
    assert outcome.status == 1
    assert "declared twice" in outcome.output and "test_one" in outcome.output and "test_two" in outcome.output


def test_a_wrong_declaration_fails_its_own_test_only(cases):
    outcome = cases(
        """
@st.cases(case("wrong", tolerence=1), case("right"), case("nowhere", platform="a7"))
def test_it(case_run): case_run.assert_passed()
@pytest.mark.platforms("a7")
@st.cases(case("marked"))
def test_marked(case_run): case_run.assert_passed()
""",
        "--platform", "a5sim",
    )  # fmt: skip
    assert outcome.status == 1
    failed = {e.case_id: (e.stage.value, e.message) for e in outcome.of("StageFailed")}
    assert {case_id: stage for case_id, (stage, _) in failed.items()} == dict.fromkeys(
        ["wrong@a5sim@default", "nowhere@a5sim@default", "marked@a5sim@default"], "collect"
    )
    assert "did you mean rtol or atol?" in failed["wrong@a5sim@default"][1]
    assert "unknown platform 'a7'" in failed["nowhere@a5sim@default"][1]
    assert "unknown platform 'a7'" in failed["marked@a5sim@default"][1]
    assert outcome.kinds("right@a5sim@default")[-2:] == ["TestReported", "TestReported"]
    assert outcome.of("CaseCompared", "right@a5sim@default")[0].passed


def test_a_test_that_never_asks_has_not_passed(cases):
    outcome = cases(
        """
@st.cases(case("idle"))
def test_idle(case_run): pass
@st.cases(case("absent"))
def test_absent(): pass
@st.cases(case("skips"))
def test_skips(case_run): pytest.skip("by itself")
def test_without(case_run): case_run.assert_passed()
""",
        "--platform", "a5sim",
    )  # fmt: skip
    assert outcome.status == 1
    messages = {e.case_id: e.message for e in outcome.of("StageFailed")}
    assert set(messages) == {"idle@a5sim@default", "absent@a5sim@default", "test_cases.py::test_without"}
    assert "never asked for the result" in messages["idle@a5sim@default"]
    assert "declare one with @st.cases" in messages["test_cases.py::test_without"]


def test_the_failure_text_is_short_and_says_where_the_data_lies(cases, suite):
    outcome = cases(
        "@st.cases(st.case(double, a, c, name='bad', golden=lambda _: a))\n"
        "def test_it(case_run):\n    case_run.assert_passed()\n",
        "--platform", "a5sim",
    )  # fmt: skip
    folder = suite.folder / "build_output" / "cases" / "bad@a5sim@default"
    text = outcome.output.partition("FAILURES")[2].partition("short test summary")[0].splitlines()
    assert text[2:4] == [
        "compare: c: all, 10^4 over limit: 2 of 2 elements differ; first c[0] = 2.0, expected 1.0",
        f"data: {folder}",
    ]
    assert {path.name for path in (folder / "data").iterdir()} == {"in", "out", "actual"}


def test_a_failure_of_the_test_body_is_told_beside_a_good_case(cases):
    outcome = cases(
        "@st.cases(case('x'))\ndef test_it(case_run):\n    case_run.assert_passed()\n    assert 1 == 2\n",
        "--platform", "a5sim",
    )  # fmt: skip
    (failed,) = outcome.of("StageFailed")
    assert (failed.stage.value, failed.error_type, failed.case_id) == ("test", "AssertionError", "x@a5sim@default")


def test_cases_run_without_a_record_too(cases, suite):
    outcome = cases("@st.cases(case('x'))\ndef test_it(case_run): case_run.assert_passed()\n", record=False)
    assert outcome.status == 0 and "2 passed" in outcome.output
    assert not outcome.events


def test_a_case_that_should_fail_can_say_so(cases):
    outcome = cases(
        "@st.cases(pytest.param(st.case(double, a, c, name='bad', golden=lambda _: a), marks=pytest.mark.xfail))\n"
        "def test_it(case_run): case_run.assert_passed()\n",
        "--platform", "a5sim",
    )  # fmt: skip
    assert outcome.status == 0 and "1 xfailed" in outcome.output


def test_the_tools_of_the_case_are_at_hand_in_the_test(cases):
    outcome = cases(
        "@st.cases(case('x'))\ndef test_it(case_run):\n"
        "    assert case_run.case.case_id == 'x@a5sim@default'\n"
        "    assert case_run.result is case_run.result and case_run.result.passed\n",
        "--platform", "a5sim",
    )  # fmt: skip
    assert outcome.status == 0, outcome.output
    assert len(outcome.of("CaseCompiled")) == 1


def test_work_can_lie_elsewhere(cases, suite):
    cases("@st.cases(case('x'))\ndef test_it(case_run): case_run.assert_passed()\n", "--pypto-work", "elsewhere")
    assert (suite.folder / "elsewhere" / "x@a5sim@default" / "data").is_dir()
    assert not (suite.folder / "build_output").exists()
