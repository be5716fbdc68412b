"""One cause, one signature; two causes, two signatures."""

import time

import pytest

from db.outcome import Stage
from db.signature import normalize, signature

SAME_CAUSE = {
    "paths": ("/tmp/pytest-3/k_1/kernel.cpp: no such file", "/home/ada/build/x.cpp: no such file"),
    "relative paths": ("build_output/a1/kernel.cpp broke", "build_output/b2/other.cpp broke"),
    "windows paths": (r"cannot open C:\build\1\k.cpp", r"cannot open D:\other\k.cpp"),
    "places": ("/a/kernel.py:14:3: bad tile", "/b/kernel.py:207:11: bad tile"),
    "lines": ("unexpected end, line 12", "unexpected end, line 9"),
    "addresses": ("null pointer at 0x7f12ab", "null pointer at 0x55e0"),
    "uuids": ("run 0199d1f0-6f7a-7c3e-9f00-3f6f1d2c4b5a died", "run 0199d1f1-0000-7c3e-9f00-3f6f1d2c4b5b died"),
    "digests": ("artifact 9f86d081884c7d65 damaged", "artifact 1a79a4d60de6718e damaged"),
    "times": ("timed out at 2026-01-02T03:04:05.678Z", "timed out at 2026-11-30 13:14:15"),
    "numbers": ("needs 131072 bytes, has 65536.5", "needs 1 bytes, has 2e-3"),
    "negative numbers": ("index -1 outside", "index 300 outside"),
    "shapes": ("tile 128x64 too large", "tile 16x16x4 too large"),
    "generated names": ("tmp_12 was not declared", "tmp_7 was not declared"),
    "colours": ("\x1b[31merror\x1b[0m: boom", "error: boom"),
    "blanks": ("a  b\n c", "a b c"),
}
OTHER_CAUSE = {
    "words": ("tile is misaligned", "tile is too large"),
    "dtypes": ("expected float32", "expected int8"),
    "platforms": ("no such op on a2a3sim", "no such op on a5sim"),
    "names": ("missing output 'c'", "missing output 'd'"),
}


@pytest.mark.parametrize("pair", SAME_CAUSE.values(), ids=SAME_CAUSE)
def test_noise_does_not_count(pair):
    one, other = (signature(Stage.COMPILE, "BuildError", message) for message in pair)
    assert one == other, [normalize(message) for message in pair]


@pytest.mark.parametrize("pair", OTHER_CAUSE.values(), ids=OTHER_CAUSE)
def test_the_cause_counts(pair):
    one, other = (signature(Stage.COMPILE, "BuildError", message) for message in pair)
    assert one != other


def test_stage_type_and_frame_count():
    base = signature(Stage.RUN, "E", "m", "kernel.py:softmax")
    assert base != signature(Stage.GOLDEN, "E", "m", "kernel.py:softmax")
    assert base != signature(Stage.RUN, "F", "m", "kernel.py:softmax")
    assert base != signature(Stage.RUN, "E", "m", "kernel.py:relu")
    assert base == signature("run", "E", "m", "kernel.py:softmax")


def test_the_decade_of_a_mismatch_counts():
    shapes = ["c: scattered, 10^3 over limit", "c: scattered, 10^4 over limit", "c: all, 10^3 over limit"]
    assert len({signature(Stage.COMPARE, "Mismatch", shape) for shape in shapes}) == 3


def test_any_text_has_a_signature_soon():
    hostile = ["\ud800\0", "a/" * 500_000, "a." * 500_000, "1" * 1_000_000, "-" * 1_000_000, ""]
    start = time.perf_counter()
    assert len({signature(Stage.TEST, "E", text) for text in hostile}) == len(hostile)
    assert time.perf_counter() - start < 5


def test_signatures_are_pinned():
    """A changed rule gives every failure in every history another signature: do it knowingly."""
    assert signature("compile", "BuildError", "/a/b.cpp:3:1: error: x_1") == "5676eb3f6b0a60ed831daf69863af93a"
