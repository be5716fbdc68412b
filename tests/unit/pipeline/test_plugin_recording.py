"""What the record holds of a session of plain tests."""

from __future__ import annotations

import sqlite3

import pytest

TESTS = """
import pytest

def test_passes(): pass
def test_fails():
    value = 1
    assert value == 2, "one is not two"
@pytest.mark.skip(reason="not today")
def test_skipped(): pass
def test_skips_itself(): pytest.skip("seen inside")
@pytest.mark.xfail(reason="known")
def test_expected_to_fail(): assert 0
@pytest.mark.xfail(strict=True)
def test_unexpected_pass(): pass
@pytest.fixture
def broken(): raise RuntimeError("no luck")
def test_setup_fails(broken): pass
@pytest.fixture
def messy():
    yield
    raise OSError("left a mess")
def test_teardown_fails(messy): pass
@pytest.mark.parametrize("text", ["\\x00\\x1f</script>", "\\udc80 |", "\\u4e2d\\u6587"])
def test_hostile(text): raise ValueError(text)
def test_with_subtests(subtests):
    for i in range(3):
        with subtests.test(i=i): assert i != 1
def test_not_wanted(): pass
"""


@pytest.fixture(scope="module")
def recorded(shared_suite):
    shared_suite.write("test_a.py", TESTS)
    shared_suite.write("test_broken.py", "import no_such_module\n")
    shared_suite.write("test_whole.py", "import pytest\npytest.skip('whole file', allow_module_level=True)\n")
    return shared_suite.run("-q", "-k", "not wanted", "--continue-on-collection-errors", "--pypto-label", "a label")


def results(recorded):
    """Outcome and stage of each case, as the projection sees it."""
    from db import open_store
    from db.projections import project
    from db.queries import results, runs

    store = open_store(str(recorded.database))
    try:
        project(store)
        (run,) = runs(store)
        return {result.case_id: result for result in results(store, run)}
    finally:
        store.close()


def test_the_summary_counts_every_item(recorded):
    assert recorded.status == 1
    assert recorded.summary.endswith("collected 15 = recorded 14 + deselected 1 + missing 0")
    assert recorded.of("RunStarted")[0].run_id in recorded.summary


def test_the_run_says_where_it_comes_from(recorded):
    (started,) = recorded.of("RunStarted")
    assert started.label == "a label"
    assert started.command.startswith("pytest ") and "not wanted" in started.command
    assert started.root == str(recorded.database.parent)
    assert started.environment["python"] and started.environment["torch"] and started.environment["compiler"]
    assert started.options["case_timeout"] == 60.0
    (finished,) = recorded.of("RunFinished")
    assert (finished.collected, finished.recorded, finished.deselected, finished.missing) == (15, 14, 1, [])
    assert finished.exit_status == 1


def test_each_phase_is_recorded(recorded):
    (told,) = recorded.of("TestReported", "test_a.py::test_passes")
    assert (told.phase, told.outcome, told.whole) == ("call", "passed", True)
    assert told.setup_seconds > 0 and told.seconds > 0 and told.teardown_seconds > 0
    told = [(e.phase, e.outcome) for e in recorded.of("TestReported", "test_a.py::test_teardown_fails")]
    assert told == [("setup", "passed"), ("call", "passed"), ("teardown", "failed")]


@pytest.mark.parametrize(
    ("test", "error_type", "message"),
    [
        ("test_fails", "AssertionError", "one is not two\nassert 1 == 2"),
        ("test_setup_fails", "RuntimeError", "no luck"),
        ("test_teardown_fails", "OSError", "left a mess"),
        ("test_unexpected_pass", "Failed", "[XPASS(strict)]"),
    ],
)
def test_a_failure_names_class_and_message(recorded, test, error_type, message):
    (failed,) = recorded.of("StageFailed", f"test_a.py::{test}")
    assert (failed.stage.value, failed.cause, failed.error_type, failed.message) == (
        "test", "test", error_type, message,
    )  # fmt: skip
    assert failed.signature


def test_reasons_are_kept(recorded):
    assert recorded.of("CaseSkipped", "test_a.py::test_skipped")[0].reason == "not today"
    assert recorded.of("CaseSkipped", "test_a.py::test_skips_itself")[0].reason == "seen inside"
    assert recorded.of("CaseSkipped", "test_whole.py")[0].reason == "whole file"
    assert recorded.of("CaseDeselected", "test_a.py::test_not_wanted")[0].reason == "-k 'not wanted'"
    expected = recorded.of("TestReported", "test_a.py::test_expected_to_fail")[1]
    assert (expected.outcome, expected.longrepr) == ("skipped", "expected failure: known")
    assert not recorded.of("CaseSkipped", "test_a.py::test_expected_to_fail")


def test_a_file_that_cannot_be_collected_is_an_item(recorded):
    (failed,) = recorded.of("StageFailed", "test_broken.py")
    assert failed.stage.value == "collect"
    assert "no_such_module" in failed.message


def test_hostile_text_comes_through_whole(recorded):
    found = [e for e in recorded.of("StageFailed") if "test_hostile" in e.case_id]
    assert [e.message for e in found] == ["\x00\x1f</script>", "\udc80 |", "\u4e2d\u6587"]


def test_a_failing_subtest_fails_its_test(recorded):
    assert results(recorded)["test_a.py::test_with_subtests"].outcome.value == "fail"


def test_the_projection_agrees(recorded):
    outcomes = {case_id.removeprefix("test_a.py::"): r.outcome.value for case_id, r in results(recorded).items()}
    assert outcomes["test_passes"] == "pass"
    assert outcomes["test_fails"] == outcomes["test_setup_fails"] == outcomes["test_teardown_fails"] == "fail"
    assert outcomes["test_skipped"] == outcomes["test_skips_itself"] == outcomes["test_whole.py"] == "skipped"
    assert outcomes["test_not_wanted"] == "deselected"
    assert outcomes["test_broken.py"] == "fail"


def test_what_a_stopped_session_left_out_is_named(suite):
    suite.write("test_a.py", "def test_bad(): assert 0\ndef test_late(): pass\ndef test_later(): pass\n")
    outcome = suite.run("-q", "-x")
    assert outcome.status == 1
    assert outcome.summary.endswith("collected 3 = recorded 1 + deselected 0 + missing 2")
    assert "missing: test_a.py::test_late" in outcome.output
    assert outcome.of("RunFinished")[0].missing == ["test_a.py::test_late", "test_a.py::test_later"]


def test_an_item_that_vanishes_fails_the_session(suite):
    suite.write("conftest.py", "def pytest_collection_modifyitems(items): del items[0]\n")
    suite.write("test_a.py", "def test_gone(): pass\ndef test_there(): pass\n")
    outcome = suite.run("-q")
    assert outcome.status == 1
    assert outcome.summary.endswith("collected 2 = recorded 1 + deselected 0 + missing 1")
    assert "missing: test_a.py::test_gone" in outcome.output


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("raise KeyboardInterrupt('by hand')", "by hand"),
        ("import pytest; pytest.exit('enough')", "enough"),
    ],
)
def test_an_interrupted_session_is_aborted(suite, body, reason):
    suite.write("test_a.py", f"def test_first(): pass\ndef test_stop(): {body}\ndef test_late(): pass\n")
    outcome = suite.run("-q")
    assert outcome.status == 2
    (aborted,) = outcome.of("RunAborted")
    assert reason in aborted.reason
    assert not outcome.of("RunFinished")
    assert outcome.of("TestReported", "test_a.py::test_first")


def test_a_session_that_cannot_collect_is_aborted(suite):
    suite.write("test_a.py", "def test_first(): pass\n")
    suite.write("test_broken.py", "1 / 0\n")
    outcome = suite.run("-q")
    assert "1 error during collection" in outcome.of("RunAborted")[0].reason
    assert outcome.of("StageFailed", "test_broken.py")[0].error_type == "ZeroDivisionError"


def test_a_killed_session_leaves_what_it_did(suite):
    suite.write(
        "test_a.py",
        "import os, time\ndef test_first(): pass\n"
        "def test_killed():\n    time.sleep(1.0)\n    os.kill(os.getpid(), 9)\n",
    )
    outcome = suite.run("-q")
    assert outcome.status == -9
    assert [e.whole for e in outcome.of("TestReported", "test_a.py::test_first")] == [True]
    assert [e.phase for e in outcome.of("TestReported", "test_a.py::test_killed")] == ["setup"]
    assert not outcome.of("RunFinished") and not outcome.of("RunAborted")


def test_the_ini_file_can_name_the_database(suite):
    suite.write("pytest.ini", "[pytest]\npypto_db = kept/here.db\n")
    suite.write("tests/test_a.py", "def test_one(): pass\n")
    outcome = suite.run("-q", record=False, cwd=suite.folder / "tests")
    assert outcome.status == 0 and "pypto: run " in outcome.output
    assert (suite.folder / "kept" / "here.db").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--platform", "a7sim"], ["--platform", "'a7sim'", "a2a3sim, a5, a5sim"]),
        (["--platform", ""], ["--platform", "one of a2a3"]),
        (["--memory-planner", "best"], ["--memory-planner", "'best'", "pypto", "ptoas"]),
        (["--case-timeout", "0"], ["--case-timeout 0", "above 0"]),
        (["--pypto-db", "mysql://host/base"], ["--pypto-db", "mysql", "sqlite:///"]),
        (["--pypto-db", "/proc/nowhere/record.db"], ["--pypto-db", "/proc/nowhere/record.db", "cannot be written"]),
    ],
)
def test_a_wrong_option_ends_with_advice(suite, arguments, words):
    suite.write("test_a.py", "def test_one(): pass\n")
    outcome = suite.run("-q", *arguments, record=False)
    assert outcome.status == 4, outcome.output
    for word in words:
        assert word in outcome.output
    assert "Traceback" not in outcome.output


def test_a_locked_database_costs_nothing_but_a_note(suite):
    suite.write("test_a.py", "def test_one(): pass\n")
    suite.run("-q")
    with sqlite3.connect(suite.folder / "record.db", isolation_level=None) as holder:
        holder.execute("BEGIN IMMEDIATE")
        outcome = suite.run("-q")
        assert outcome.status == 0, outcome.output
        assert "events wait in" in outcome.output and "pypto-report ingest" in outcome.output
        holder.execute("ROLLBACK")
    third = suite.run("-q")
    assert len(third.of("RunFinished")) == 3  # the next session brought the second one in


def test_a_foreign_package_of_our_name_is_named(suite):
    suite.write("db/__init__.py", "")
    suite.write("test_a.py", "def test_one(): pass\n")
    suite.environment["PYTHONPATH"] = str(suite.folder)
    outcome = suite.run("-q")
    assert outcome.status == 4
    assert "'db'" in outcome.output and str(suite.folder / "db") in outcome.output
    assert suite.run("-q", record=False).status == 0  # who does not record is not bothered


def test_history_does_not_depend_on_where_pytest_starts(suite):
    path = suite.write("tests/deep/test_a.py", "def test_one(): pass\n")
    tests = suite.folder / "tests"
    suite.run("-q")
    suite.run("-q", "deep", cwd=tests)
    suite.run("-q", str(path), cwd=suite.folder.parent)
    last = suite.run("-q", "-c", str(suite.folder / "pytest.ini"), "--rootdir", str(tests), str(path))
    collected = [e.case_id for e in last.of("CaseCollected")]
    assert collected == ["tests/deep/test_a.py::test_one"] * 4


def test_object_addresses_in_ids_are_left_out(suite):
    suite.write(
        "test_a.py",
        "import pytest\nclass Thing: pass\n"
        "@pytest.mark.parametrize('thing', [Thing(), Thing()], ids=repr)\ndef test_one(thing): pass\n",
    )
    outcome = suite.run("-q")
    ids = [e.case_id for e in outcome.of("CaseCollected")]
    assert len(set(ids)) == 2
    assert [e.case_id for e in suite.run("-q").of("CaseCollected")] == ids * 2
    assert "id holds an object address" in outcome.output


def test_attempts_of_a_rerun_plugin_are_told_apart(suite):
    suite.write(
        "conftest.py",
        "from _pytest.runner import runtestprotocol\n"
        "def pytest_runtest_protocol(item, nextitem):\n"
        "    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)\n"
        "    for _ in range(2):\n"
        "        reports = runtestprotocol(item, nextitem=nextitem, log=False)\n"
        "        failed = [report for report in reports if report.failed]\n"
        "        for report in reports:\n"
        "            report.outcome = 'rerun' if report.failed and not _ else report.outcome\n"
        "            item.ihook.pytest_runtest_logreport(report=report)\n"
        "        if not failed: break\n"
        "        item._initrequest()\n"
        "    return True\n",
    )
    suite.write("test_a.py", "tries = []\ndef test_flaky():\n    tries.append(1)\n    assert len(tries) > 1\n")
    outcome = suite.run("-q")
    told = [(e.attempt, e.phase, e.outcome) for e in outcome.of("TestReported")]
    assert [t for t in told if t[1] == "call"] == [(1, "call", "failed"), (2, "call", "passed")]
    assert outcome.of("StageFailed")[0].attempt == 1
    assert outcome.summary.endswith("collected 1 = recorded 1 + deselected 0 + missing 0")
