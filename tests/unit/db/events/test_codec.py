"""Payloads: what goes in comes out, and nothing goes in that would not come out."""

import math
import pathlib

import msgspec
import numpy
import pytest
from hypothesis import example as with_example
from hypothesis import given
from hypothesis import strategies as st

from db.errors import EventTooNew, InvalidEvent, UnknownEventType
from db.events import (
    CaseCollected,
    CaseCompared,
    CaseCompiled,
    RunStarted,
    StageFailed,
    decode,
    encode,
    event_classes,
    from_json,
    salvage,
    to_json,
)
from db.events.examples import EXAMPLES
from db.outcome import Stage

ANY_TEXT = st.text(st.characters(exclude_categories=()))
ANY_FLOAT = st.floats()
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | ANY_FLOAT | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=10,
)


def same(one, other) -> bool:
    """Equal, with NaN equal to itself and zeros told apart by sign."""
    return repr(one) == repr(other)


def back(event):
    return decode(event.type, event.version, encode(event))


def compiled(**fields):
    values = {"attempt": 1, "source_digest": "s", "library_digest": "l", "seconds": 0.5, "phases": {}}
    return CaseCompiled(run_id="r", case_id="c", **{**values, "artifact": "a", "source_files": {}, **fields})


def test_every_class_has_an_example():
    assert {type(event) for event in EXAMPLES} == set(event_classes())


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: event.type)
def test_every_event_comes_back(event):
    assert same(back(event), event)


@given(ANY_TEXT, ANY_TEXT, ANY_FLOAT)
@with_example("\0\ud800", "\ufdd0nan", math.nan)
@with_example("\\u0000", "\ufdd0", -0.0)
@with_example("\\", "null", math.inf)
@with_example("\ufdd0nan", "\ufdd0-inf", 0.5)
@with_example("\ufdd00000", "\ufdd0fdd0", 0.5)
@with_example("\0", "", 0.5)
@with_example("", "", 5e-324)
def test_hard_text_and_floats_come_back(name, text, number):
    event = compiled(artifact=text, seconds=number, phases={name: number}, source_files={text: name})
    assert same(back(event), event)
    assert "\0" not in str(msgspec.json.decode(encode(event))), "PostgreSQL takes no NUL, escaped or not"
    encode(event).encode()


@given(ANY_FLOAT | st.none(), ANY_FLOAT | st.none())
def test_optional_floats_keep_none_and_nan_apart(absolute, relative):
    event = CaseCompared(
        run_id="r",
        case_id="c",
        attempt=1,
        passed=False,
        worst_abs=absolute,
        worst_rel=relative,
        mismatches=1,
        elements=1,
        seconds=0.0,
    )
    assert same(back(event), event)


@given(st.dictionaries(ANY_TEXT, PLAIN, max_size=4))
@with_example({"a": [math.nan, {"b": -math.inf}], "\ufdd0nan": "\ufdd0nan"})
def test_free_form_options_come_back(options):
    event = RunStarted(run_id="r", command="", root="", host="", platforms=[], options=options, environment={})
    assert same(back(event), event)
    assert same(from_json(to_json(options)), options)


def test_a_megabyte_of_text_comes_back():
    event = StageFailed(
        run_id="r",
        case_id="c",
        attempt=1,
        stage=Stage.RUN,
        cause="test",
        error_type="E",
        message="x\x1b\n" * 350_000,
        signature="s",
    )
    assert back(event) == event


def test_array_scalars_and_paths_become_plain():
    event = compiled(
        attempt=numpy.int64(2),
        seconds=numpy.float32(0.25),
        phases={"g++": numpy.float64("nan")},
        artifact=pathlib.Path("a/b"),
    )
    found = back(event)
    assert (found.attempt, found.seconds, found.artifact) == (2, 0.25, "a/b")
    assert math.isnan(found.phases["g++"])


WRONG = {
    "text for a number": {"seconds": "soon"},
    "none for a number": {"attempt": None},
    "number for text": {"artifact": 3},
    "object for a number": {"seconds": object()},
    "object in a dict": {"phases": {"a": object()}},
    "list for a dict": {"source_files": ["a"]},
    "fraction for an integer": {"attempt": 1.5},
}


@pytest.mark.parametrize("fields", WRONG.values(), ids=WRONG)
def test_a_wrong_type_is_refused_by_name_and_salvaged(fields):
    event = compiled(**fields)
    with pytest.raises(InvalidEvent, match=f"case.compiled: .*{next(iter(fields))}"):
        encode(event)
    repaired, lost = salvage(event)
    assert lost == list(fields)
    found = back(repaired)
    assert found.source_digest == "s", "one bad value costs at most itself"
    assert found.case_id == "c"


class Awkward:
    def __repr__(self):
        raise RuntimeError("no")


def test_salvage_keeps_a_description_of_a_text_field():
    cyclic: list = []
    cyclic.append(cyclic)
    repaired, lost = salvage(compiled(artifact=[Awkward()], library_digest=["x"], phases=cyclic))
    assert lost == ["library_digest", "phases", "artifact"]
    assert repaired.library_digest == "['x']"
    assert repaired.artifact == "<list whose repr raised RuntimeError>"
    assert repaired.phases == {}


def test_salvage_keeps_the_good_entries_of_a_dict():
    repaired, lost = salvage(compiled(phases={"passes": 0.5, "g++": "long", 3: 0.25}))
    assert lost == ["phases"]
    assert back(repaired).phases["passes"] == 0.5
    assert "g++" not in repaired.phases


def test_an_object_without_a_repr_becomes_its_type():
    assert "Awkward" in back(compiled(artifact=Awkward())).artifact


def test_a_value_outside_its_words_is_refused():
    event = CaseCollected(run_id="r", case_id="c", node_id="n", name="n", kind="suite")
    with pytest.raises(InvalidEvent, match="suite"):
        encode(event)
    repaired, lost = salvage(event)
    assert lost == ["kind"]
    assert back(repaired).kind in ("case", "test")


def test_a_newer_payload_says_what_to_do():
    with pytest.raises(EventTooNew, match=r"run\.aborted: stored in version 9.*upgrade the project"):
        decode("run.aborted", 9, "{}")


def test_an_unknown_type_says_what_to_do():
    with pytest.raises(UnknownEventType, match=r"'run\.paused' is unknown.*upgrade the project"):
        decode("run.paused", 1, "{}")


def test_added_fields_of_a_payload_are_ignored():
    payload = msgspec.json.encode({"run_id": "r", "reason": "x", "later": 1}).decode()
    assert decode("run.aborted", 1, payload).reason == "x"
