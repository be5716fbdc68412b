"""The contract that every store keeps."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from db.errors import VersionConflict
from db.events import RunAborted, seal
from db.store import MemoryStore

HARD_NAMES = ["a\0b", "\ud800", "\ufdd0", "\ufdd00000", "日本 ‮ </script>\n|", "x" * 10_000, "A", "a", " a", ""]


def test_an_empty_store_is_empty(store):
    assert store.read() == []
    assert store.read_stream("nothing") == []
    assert store.head() == 0
    assert store.version("nothing") == 0
    assert store.append_many([]) == []
    assert store.append("nothing", []) == []


def test_events_come_back_in_order_with_their_places(store, fact):
    events = [fact(number, case_id=f"t.py::{number % 2}") for number in range(6)]
    assert store.append_many(events) == [1, 2, 3, 4, 5, 6]
    found = store.read()
    assert [recorded.event for recorded in found] == events
    assert [recorded.position for recorded in found] == [1, 2, 3, 4, 5, 6]
    assert [recorded.version for recorded in found] == [1, 1, 2, 2, 3, 3]
    assert {recorded.run_id for recorded in found} == {"run-1"}
    assert store.head() == 6
    assert store.version("t.py::0") == 3
    assert [recorded.event for recorded in store.read_stream("t.py::1", 1)] == [events[3], events[5]]


def test_an_envelope_is_stored_as_it_is(store, fact):
    envelope = seal(fact(1), recorded_at=123)
    store.append_many([envelope])
    (found,) = store.read()
    assert (found.event_id, found.recorded_at, found.payload) == (envelope.event_id, 123, envelope.payload)
    assert (found.type, found.schema_version, found.stream) == ("test.reported", 1, "t.py::test")


def test_read_takes_up_where_it_stopped(store, fact):
    store.append_many([fact(number) for number in range(10)])
    first = store.read(limit=4)
    rest = store.read(first[-1].position)
    assert [recorded.event.seconds for recorded in first + rest] == list(range(10))
    assert store.read(10) == []
    assert store.read(limit=0) == []


def test_read_by_type_and_run(store, fact):
    store.append_many([fact(1), RunAborted(run_id="run-1", reason="x"), fact(2, run_id="run-2"), fact(3)])
    assert [r.position for r in store.read(types=["run.aborted"])] == [2]
    assert [r.position for r in store.read(types=["run.aborted", "test.reported"], limit=3)] == [1, 2, 3]
    assert [r.position for r in store.read(run_id="run-2")] == [3]
    assert [r.position for r in store.read(1, run_id="run-1", types=["test.reported"])] == [4]
    assert store.read(run_id="run-3") == []
    assert [r.position for r in store.read_stream("t.py::test", run_id="run-2")] == [3]


def test_the_expected_version_holds(store, fact):
    assert store.append("t.py::test", [fact(1), fact(2)], expected_version=0) == [1, 2]
    assert store.append("t.py::test", [fact(3)], expected_version=2) == [3]


@pytest.mark.parametrize("expected", [0, 1, 3])
def test_another_version_is_a_conflict_that_writes_nothing(store, fact, expected):
    store.append("t.py::test", [fact(1), fact(2)])
    with pytest.raises(VersionConflict, match=f"expected version {expected}, the stream is at 2"):
        store.append("t.py::test", [fact(3)], expected_version=expected)
    assert store.head() == 2


def test_delivery_twice_stores_once(store, fact):
    envelopes = [seal(fact(number)) for number in range(3)]
    assert store.append_many(envelopes) == [1, 2, 3]
    assert store.append_many(envelopes) == [1, 2, 3]
    mixed = [envelopes[2], seal(fact(9)), envelopes[0]]
    assert store.append_many(mixed) == [3, 4, 1]
    assert store.head() == 4
    assert [recorded.version for recorded in store.read()] == [1, 2, 3, 4]


def test_one_envelope_twice_in_a_batch_is_stored_once(store, fact):
    envelope = seal(fact(1))
    assert store.append_many([envelope, envelope, seal(fact(2)), envelope]) == [1, 1, 2, 1]
    assert store.head() == 2


def test_delivery_twice_is_no_conflict(store, fact):
    envelope = seal(fact(1))
    assert store.append("t.py::test", [envelope], expected_version=0) == [1]
    assert store.append("t.py::test", [envelope], expected_version=0) == [1]


def test_an_event_of_another_stream_is_refused(store, fact):
    with pytest.raises(ValueError, match=r"'t\.py::test' appended to stream 'other'"):
        store.append("other", [fact(1)])
    assert store.head() == 0


def test_a_bad_event_spoils_its_batch_before_anything_is_written(store, fact):
    with pytest.raises(Exception, match="seconds"):
        store.append_many([fact(1), fact(2, seconds="soon")])
    assert store.head() == 0


def test_hard_names_stay_apart_and_come_back(store, fact):
    store.append_many([fact(number, case_id=name, run_id=name) for number, name in enumerate(HARD_NAMES)])
    assert [recorded.stream for recorded in store.read()] == HARD_NAMES
    assert [recorded.run_id for recorded in store.read()] == HARD_NAMES
    for number, name in enumerate(HARD_NAMES):
        assert [recorded.event.seconds for recorded in store.read_stream(name)] == [number]
        assert [recorded.position for recorded in store.read(run_id=name)] == [number + 1]
        assert store.version(name) == 1


def test_an_odd_character_in_a_payload_comes_back(store, fact):
    text = "".join(map(chr, [*range(0x20), 0x7F, 0x85, 0x2028, 0xD800, 0xDFFF, 0xFDD0, 0xFFFF, 0x10FFFF]))
    store.append_many([fact(1, longrepr=text), fact(2, seconds=float("-inf"))])
    first, second = store.read()
    assert first.event.longrepr == text
    assert second.event.seconds == float("-inf")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(st.data())
def test_sql_does_what_memory_does(sql_store, fact, data):
    """Random batches, with deliveries repeated, give the same log in both stores."""
    memory = MemoryStore()
    start = sql_store.head()
    streams = data.draw(st.lists(st.integers(0, 2), min_size=1, max_size=8))
    sealed = [seal(fact(number, case_id=f"{start}-{stream}")) for number, stream in enumerate(streams)]
    for _ in range(data.draw(st.integers(1, 4))):
        batch = data.draw(st.lists(st.sampled_from(sealed), max_size=6))
        places = memory.append_many(batch)
        assert [place - start for place in sql_store.append_many(batch)] == places
    ours = [(r.position - start, r.stream, r.version, r.event_id) for r in sql_store.read(start)]
    assert ours == [(r.position, r.stream, r.version, r.event_id) for r in memory.read()]
