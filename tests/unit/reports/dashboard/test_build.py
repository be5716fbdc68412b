"""The data of the page; `test_page.py` is about its HTML."""

from dataclasses import asdict

from db import Change, Outcome, Stage
from reports.dashboard import build as building
from reports.dashboard import select as selecting
from reports.dashboard.build import build
from reports.dashboard.colours import on_dark, tokens
from reports.dashboard.select import select


def test_the_demonstration_as_page_data(history, first_light, golden) -> None:
    first_light(history)
    data = asdict(build(select(history.store, ["base", "head"])))
    for chart in data["charts"]:
        del chart["figure"]  # tested with the figures
    del data["tokens"]
    golden(data)


def test_changed_rows_come_first_and_only_others_are_left_out(history, monkeypatch) -> None:
    monkeypatch.setattr(building, "MAX_ROWS", 3)
    cases = {f"case{i}@a5sim@default": history.case() for i in range(6)}
    history.run("base", {**cases, "t.py::one": history.test()})
    history.run("head", {**cases, "case4@a5sim@default": history.case(fails=Stage.RUN), "t.py::one": history.test()})
    page = build(select(history.store, []))
    assert [row.name for table in page.tables for row in table.rows] == ["case4", "case0", "case1"]
    assert page.rows_left_out == 4


def test_failures_are_told_most_important_first_and_bounded(history, monkeypatch) -> None:
    monkeypatch.setattr(selecting, "MAX_FAILURES", 3)
    monkeypatch.setattr(building, "MAX_TEXT", 10)
    broken = history.case(fails=Stage.COMPILE, message="m" * 40, traceback="t" * 40)
    history.run("base", {"a@a5sim@default": broken, "b@a5sim@default": history.case(), "c@a5sim@default": broken})
    history.run("head", {"a@a5sim@default": broken, "b@a5sim@default": broken, "c@a5sim@default": history.case()})
    page = build(select(history.store, []))
    assert [(one.case_id[0], one.run) for one in page.failures] == [("b", "head"), ("a", "head"), ("a", "base")]
    assert page.failures_left_out == 1
    assert page.failures[0].message == "mmmmmmmmmm\n… 30 more characters; `pypto-report show` prints all"
    (row,) = [row for row in page.tables[0].rows if row.name == "c"]
    assert row.cells[0].failure == ""


def test_older_runs_beyond_the_limit_are_counted(history, monkeypatch) -> None:
    monkeypatch.setattr(selecting, "MAX_RUNS", 2)
    for index in range(5):
        history.run(f"run{index}", {"a@a5sim@default": history.case()})
    page = build(select(history.store, []))
    assert [(run.title, run.role) for run in page.runs] == [("run3", "base"), ("run4", "head")]
    assert page.runs_left_out == 3


def test_cases_of_several_planners_have_rows_of_their_own(history) -> None:
    history.run(
        "only", {"a@a5sim@default": history.case(), "a@a5sim@pypto": history.case(), "a@a2a3sim@pypto": history.case()}
    )
    (table,) = build(select(history.store, [])).tables
    assert table.columns == ("a2a3sim", "a5sim")
    assert table.planners
    assert [(row.planner, [cell is not None for cell in row.cells]) for row in table.rows] == [
        ("default", [False, True]),
        ("pypto", [True, True]),
    ]


def test_a_retried_case_tells_its_last_attempt(history) -> None:
    first = history.case(fails=Stage.RUN, message="first", attempts=(history.case(fails=Stage.RUN, message="second"),))
    history.run("only", {"a@a5sim@default": first})
    (failure,) = build(select(history.store, [])).failures
    assert failure.message == "second"


def test_every_outcome_and_change_has_a_colour_on_both_pages() -> None:
    known = {token.name: token for token in tokens()}
    assert set(known) == {one.value for one in (*Outcome, *Change)}
    assert on_dark("#000000") == "#737373"
    assert on_dark("#ffffff") == "#ffffff"
