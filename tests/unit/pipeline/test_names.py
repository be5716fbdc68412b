"""Case names: what could leave a folder or break an id is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import BadName
from pipeline.names import LONGEST, check_name, shortened


@pytest.mark.parametrize("name", ["add", "add-2", "relu[64,64]", "a.b_c=d+e", "größe", "two words", "x" * LONGEST])
def test_ordinary_names_are_taken(name):
    assert check_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "", " ", ".", "..", "../x", "/etc", "a/b", "a\\b", ".hidden", " a", "a ", "a@b", "a::b", "a\nb", "a\0b",
        "\udc80", "x" * (LONGEST + 1), "ü" * LONGEST, 7, None, b"add",
    ],
)  # fmt: skip
def test_names_that_cannot_be_folders_or_ids_are_refused(name):
    with pytest.raises(BadName, match="case name"):
        check_name(name)


@given(st.text())
def test_every_text_shortens_to_a_name(text):
    check_name(shortened(text))


@given(st.text(min_size=1, max_size=40), st.text(min_size=1, max_size=40))
def test_different_texts_shorten_to_different_names(a, b):
    assert (shortened(a) == shortened(b)) == (a == b)


def test_a_shortened_name_starts_like_the_long_one():
    long = "kernel-" + "a=float32[64,64]," * 30
    assert shortened(long).startswith("kernel-a=float32[64,64],")
    assert len(shortened(long).encode()) <= LONGEST
