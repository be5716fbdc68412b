import re

from db import Outcome, Stage
from reports.load import load_diff
from reports.render.clean import cells
from reports.render.paint import Painter
from reports.render.text.diff import LISTED, diff_text

ANSI = re.compile(r"\x1b\[[\d;]*m")


def test_the_demonstration_reads_well(history, first_light, golden) -> None:
    first_light(history)
    golden(diff_text(load_diff(history.store, "base", "head"), Painter()))


def test_no_line_is_wider_than_the_terminal(history, first_light) -> None:
    first_light(history)
    report = load_diff(history.store, "base", "head")
    for width in (80, 100, 140):
        assert max(cells(line) for line in diff_text(report, Painter(width=width)).splitlines()) <= width


def test_colour_adds_nothing_but_colour(history, first_light) -> None:
    first_light(history)
    report = load_diff(history.store, "base", "head")
    coloured = diff_text(report, Painter(colour=True))
    assert "\x1b[1;31mNEWLY FAILING" in coloured
    assert ANSI.sub("", coloured) == diff_text(report, Painter())


def test_hostile_ids_and_messages_cannot_reach_the_terminal(history) -> None:
    hostile = "evil\x1b[2J\u202e\n</script>\ud800 漢字"
    failing = history.case(fails=None)
    history.run(hostile, {f"{hostile}@a5sim@default": failing, "t.py::\x9b1m": history.test()})
    broken = history.test(longrepr="E   ValueError: \x1b]0;owned\x07\nt.py:1: ValueError")
    history.run("head", {f"{hostile}@a5sim@default": failing, "t.py::\x9b1m": broken}, git_branch="\x1b[31mred\n")
    text = diff_text(load_diff(history.store, history_id(1), "head"), Painter())
    assert not set(text) & {chr(code) for code in [*range(10), *range(11, 32), *range(127, 160), 0x202E, 0xD800]}
    assert "t.py::\\x9b1m" in text
    assert "test: ValueError: \\x1b]0;owned\\x07" in text
    text.encode()


def test_long_lists_are_cut_and_say_so(history) -> None:
    cases = {f"case{i:03}@a5sim@default": history.case() for i in range(100)}
    history.run("base", cases)
    history.run("head", {})
    report = load_diff(history.store, "base", "head")
    text = diff_text(report, Painter())
    assert text.count("@a5sim@default\n") == LISTED
    assert f"and {100 - LISTED} more (--all names them)" in text
    assert diff_text(report, Painter(), everything=True).count("@a5sim@default\n") == 100


def test_cases_left_out_by_choice_are_counted_not_listed(history) -> None:
    history.run("base", {f"case{i}@a5sim@default": history.case() for i in range(9)})
    history.run("head", {f"case{i}@a5sim@default": history.case(deselected="-k softmax") for i in range(9)})
    text = diff_text(load_diff(history.store, "base", "head"), Painter())
    assert "INCONCLUSIVE  9 cases\n  deselected: -k softmax\n    9 cases, by choice (--all names them)\n" in text


def test_a_device_is_named_when_it_narrows_the_search(history) -> None:
    names = [f"case{i}@a5sim@default" for i in range(6)]
    history.run("base", {name: history.case() for name in names})
    crash = history.case(fails=Stage.RUN, signal=11, device="npu3", message="gone")
    history.run("head", {name: crash if i < 3 else history.case(device="npu1") for i, name in enumerate(names)})
    text = diff_text(load_diff(history.store, "base", "head"), Painter())
    assert "  run: SIGSEGV\n    nothing it is made of changed; all on device npu3\n" in text


def test_an_empty_diff_says_so(history) -> None:
    history.run("base", {})
    history.run("head", {})
    text = diff_text(load_diff(history.store, "base", "head"), Painter())
    assert "no cases" in text
    assert text.endswith("base holds no verdict: there is nothing to compare (exit status 3)\n")


def test_every_outcome_has_a_column(history) -> None:
    history.run("base", {"a@a5sim@default": history.case(skipped="needs a card")})
    history.run("head", {"a@a5sim@default": history.case()})
    lines = diff_text(load_diff(history.store, "base", "head"), Painter()).splitlines()
    assert lines[3].split() == ["cases", Outcome.PASS.label, Outcome.SKIPPED.label]


def history_id(number: int) -> str:
    return f"019d4{number:03x}-0000-7000-8000-{number:012x}"
