import pytest

from db import Outcome, Stage
from reports.errors import NothingRecorded, UnknownName
from reports.render.paint import Painter
from reports.render.text.show import case_text, run_text
from reports.show import CaseReport, RunReport, show


def test_each_attempt_is_told_with_its_own_words(history) -> None:
    second = history.case(fails=Stage.RUN, message="second", traceback="File two.py")
    history.run("only", {"a@a5sim@default": history.case(fails=Stage.COMPILE, message="first", attempts=(second,))})
    report = show(history.store, "a@a5sim@default")
    assert isinstance(report, CaseReport)
    assert [(one.result.attempt, one.message, one.traceback) for one in report.attempts] == [
        (1, "first", ""),
        (2, "second", "File two.py"),
    ]
    assert [one.artifact != "" for one in report.attempts] == [False, True]
    text = case_text(report, Painter())
    assert "FAILED  attempt 1  compile: Mismatch: first\n" in text
    assert "  traceback\n    File two.py\n" in text


def test_a_whole_message_is_shown_where_the_result_keeps_its_start(history) -> None:
    message = "\n".join(f"line {number} of the compiler" for number in range(500))
    history.run("only", {"a@a5sim@default": history.case(fails=Stage.COMPILE, message=message)})
    text = case_text(show(history.store, "a@a5sim@default"), Painter())
    assert "    line 499 of the compiler\n" in text


def test_the_long_form_of_a_plain_test_is_its_traceback(history) -> None:
    history.run("only", {"t.py::one": history.test(longrepr=">   assert 0\nE   assert 0\nt.py:1: AssertionError")})
    (attempt,) = show(history.store, "t.py::one").attempts
    assert attempt.traceback.startswith(">   assert 0\n")


def test_history_holds_every_run_the_newest_first(history) -> None:
    for fails in (None, Stage.RUN, None):
        history.run("again", {"a@a5sim@default": history.case(fails=fails)})
    report = show(history.store, "a@a5sim@default")
    assert [result.outcome for _, result in report.history] == [Outcome.PASS, Outcome.FAIL, Outcome.PASS]
    assert report.run.run_id == report.history[0][1].run_id


def test_a_name_that_is_no_run_and_no_case_gets_suggestions(history) -> None:
    with pytest.raises(NothingRecorded):
        show(history.store, "a")
    history.run("first", {"softmax@a5sim@default": history.case(), "softmax@a2a3sim@default": history.case()})
    with pytest.raises(UnknownName, match="did you mean softmax@a2a3sim@default or softmax@a5sim@default"):
        show(history.store, "softmax")
    with pytest.raises(UnknownName, match="did you mean softmax@a5sim@default"):
        show(history.store, "sofmax@a5sim@default", in_run="first")
    with pytest.raises(UnknownName, match="`pypto-report runs` lists the runs"):
        show(history.store, "quite another thing")


def test_a_run_without_cases_can_be_shown(history) -> None:
    history.run("empty", {}, ends="aborted", git_commit="", host="")
    report = show(history.store, "empty")
    assert isinstance(report, RunReport)
    text = run_text(report, Painter())
    assert "\nstate    aborted: interrupted\n" in text
    assert "\nno cases\n" in text
    assert "host" not in text


def test_hostile_output_stays_inside_its_lines(history) -> None:
    hostile = history.case(
        fails=Stage.RUN, message="\x1b[2J\nHISTORY\n", traceback="a\x07b\r\n\x1b[31mred\x1b[0m", device="\n"
    )
    history.run("only\n", {"a\n@a5sim@default": hostile})
    text = case_text(show(history.store, "a\n@a5sim@default"), Painter())
    assert not set(text) & {*map(chr, range(10)), "\x1b", "\r"}
    assert text.count("\nHISTORY\n") == 1
    assert "    a\\x07b\n    red\n" in text
    assert "  a\\n@a5sim@default\n" in run_text(show(history.store, "only\n"), Painter())
