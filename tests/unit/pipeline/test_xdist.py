"""Under pytest-xdist one process writes, and the record is as complete as without."""

from __future__ import annotations

import pytest

TESTS = """
import pytest
def test_passes(): pass
def test_fails(): assert 0, "for a reason"
@pytest.mark.skip(reason="not today")
def test_skipped(): pass
def test_not_wanted(): pass
@pytest.mark.parametrize("i", range(6))
def test_many(i): pass
"""


@pytest.fixture(scope="module")
def recorded(shared_suite):
    shared_suite.write("test_a.py", TESTS)
    shared_suite.write("test_broken.py", "1 / 0\n")
    return shared_suite.run("-q", "-n", "2", "-k", "not wanted", "--continue-on-collection-errors")


def test_every_item_is_counted_once(recorded):
    assert recorded.summary.endswith("collected 11 = recorded 10 + deselected 1 + missing 0"), recorded.output
    collected = [e.case_id for e in recorded.of("CaseCollected")]
    assert len(collected) == len(set(collected)) == 11


def test_one_run_is_recorded(recorded):
    assert len(recorded.of("RunStarted")) == len(recorded.of("RunFinished")) == 1
    assert {e.run_id for e in recorded.events} == {recorded.of("RunStarted")[0].run_id}


def test_events_of_an_item_keep_their_order(recorded):
    assert recorded.kinds("test_a.py::test_fails") == [
        "CaseCollected", "TestReported", "StageFailed", "TestReported", "TestReported",
    ]  # fmt: skip
    assert recorded.of("StageFailed", "test_a.py::test_fails")[0].message == "for a reason\nassert 0"
    assert recorded.of("CaseDeselected")[0].case_id == "test_a.py::test_not_wanted"
    assert recorded.of("StageFailed", "test_broken.py")[0].stage.value == "collect"


def test_a_crashing_worker_is_blamed_on_its_test(suite):
    suite.write(
        "test_a.py",
        "import os, signal, time\ndef test_dies(): os.kill(os.getpid(), signal.SIGSEGV)\n"
        "def test_one(): pass\ndef test_two(): pass\ndef test_three(): pass\n",
    )
    outcome = suite.run("-q", "-n", "2")
    assert outcome.status == 1
    assert outcome.summary.endswith("collected 4 = recorded 4 + deselected 0 + missing 0"), outcome.output
    (failed,) = outcome.of("StageFailed")
    assert failed.case_id == "test_a.py::test_dies"
    assert "crashed while running" in failed.message


def test_a_report_that_xdist_loses_is_missed(suite):
    suite.write("test_a.py", "def test_lost(): raise ValueError('\\udc80')\ndef test_kept(): pass\n")
    outcome = suite.run("-q", "-n", "2")
    assert outcome.status == 1
    assert "missing: test_a.py::test_lost" in outcome.output


def test_ids_that_differ_between_workers_end_the_run_with_their_names(suite):
    suite.write(
        "test_a.py",
        "import os, pytest\n@pytest.mark.parametrize('x', [os.getpid()])\ndef test_one(x): pass\n",
    )
    outcome = suite.run("-q", "-n", "2")
    assert outcome.status != 0
    assert "Different tests were collected" in outcome.output
    assert not outcome.of("TestReported")


def test_cases_run_in_the_workers(suite):
    suite.write("conftest.py", "import stand_in\nstand_in.install()\n")
    suite.write(
        "test_cases.py",
        "import torch, pipeline.st as st\nfrom stand_in import Kernel\n"
        "a, c = torch.ones(4), torch.zeros(4)\n"
        "good = Kernel('good', 'a, c', ['c'], 'c[:] = a')\n"
        "bad = Kernel('bad', 'a, c', ['c'], 'c[:] = a + 1')\n"
        "golden = lambda _: a\n"
        "@st.cases(st.case(good, a, c, name='good', golden=golden), st.case(bad, a, c, name='bad', golden=golden))\n"
        "def test_it(case_run): case_run.assert_passed()\n",
    )
    outcome = suite.run("-q", "-n", "2", "--platform", "a2a3sim", "--run-inline")
    assert outcome.kinds("good@a2a3sim@default") == [
        "CaseCollected", "TestReported", "CaseSpecialized", "CaseCompiled", "GoldenComputed", "CaseExecuted",
        "CaseCompared", "TestReported", "TestReported",
    ]  # fmt: skip
    assert [e.stage.value for e in outcome.of("StageFailed")] == ["compare"]
    folders = {path.name for path in (suite.folder / "build_output").iterdir()}
    assert folders == {"cases"}, "both workers belong to one session and share its folder"
