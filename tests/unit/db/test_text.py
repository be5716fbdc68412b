"""Text survives the databases."""

from hypothesis import example, given
from hypothesis import strategies as st

from db.text import MARK, restored, storable

ANY_TEXT = st.text(st.characters(exclude_categories=()))


@given(ANY_TEXT)
@example("a\0b\ud800c")
@example(MARK)
@example(f"{MARK}0000")
def test_text_comes_back(text):
    stored = storable(text)
    assert restored(stored) == text
    assert "\0" not in stored
    stored.encode()


@given(ANY_TEXT, ANY_TEXT)
def test_different_texts_stay_different(one, other):
    assert (storable(one) == storable(other)) == (one == other)


def test_plain_text_is_not_copied():
    text = "tests/unit/test_x.py::test_y[a-b]"
    assert storable(text) is text
