import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.render.clean import block, cells, one_line, pad, shorten, shorten_middle

ANY_TEXT = st.text(st.characters())


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[2Jgone", "\\x1b[2Jgone"),
        ("two\nlines\r\t", "two\\nlines\\r\\t"),
        ("\x00\x07\x7f\x9b", "\\x00\\x07\\x7f\\x9b"),
        ("a\u202eb", "a\\u202eb"),
        ("lone \ud800", "lone \\ud800"),
        ("漢字 עברית é", "漢字 עברית é"),
    ],
)
def test_one_line_escapes_what_a_terminal_would_obey(hostile: str, shown: str) -> None:
    assert one_line(hostile) == shown


@given(ANY_TEXT)
def test_one_line_is_one_encodable_line(text: str) -> None:
    shown = one_line(text)
    shown.encode()
    assert len(shown.splitlines()) <= 1
    assert "\x1b" not in shown


def test_block_keeps_line_breaks_and_drops_colours() -> None:
    assert block("a\r\n\t\x1b[1;31mb\x1b[0m\x1b[2J\n") == ["a", "    b\\x1b[2J", ""]


@given(ANY_TEXT.map(one_line), st.integers(2, 60))
def test_shortened_text_fits(text: str, width: int) -> None:
    assert cells(shorten(text, width)) <= width
    assert cells(shorten_middle(text, width)) <= width
    assert cells(pad(shorten(text, width), width)) == width


def test_shorten_middle_keeps_both_ends() -> None:
    assert shorten_middle("x" * 300 + "@a2a3sim@default", 40) == "x" * 20 + "…" + "xxx@a2a3sim@default"


def test_wide_characters_take_two_cells() -> None:
    assert cells("漢字a") == 5
    assert shorten("漢字漢字", 5) == "漢字…"
    assert pad("漢", 4, right=True) == "  漢"
