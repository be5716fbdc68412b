"""Recording: never in the way, never a loss."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time

import pytest

from db import recorder as recorder_module
from db import sink
from db.errors import DatabaseTooNew, DatabaseUnwritable
from db.recorder import Recorder
from db.spool import pending
from db.store import open_store


@pytest.fixture
def recorder(url):
    recorder = Recorder(url)
    yield recorder
    recorder.close()


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(sink, "BUSY_SECONDS", 0.05)
    monkeypatch.setattr(sink, "RETRY_SECONDS", 0.05)


@pytest.fixture
def lock(url):
    """Another process's grip on the database: call `take` and `release`."""

    class Lock:
        def take(self):
            self.connection = sqlite3.connect(url, isolation_level=None)
            self.connection.execute("BEGIN IMMEDIATE")

        def release(self):
            self.connection.execute("ROLLBACK")
            self.connection.close()

    return Lock()


def stored(url) -> list[float]:
    store = open_store(url, create=False)
    try:
        return [recorded.event.seconds for recorded in store.read()]
    finally:
        store.close()


def test_everything_is_stored_in_order(recorder, url, fact):
    for number in range(1234):
        recorder.record(fact(number))
    counts = recorder.close()
    assert (counts.recorded, counts.stored, counts.spooled, counts.lost) == (1234, 1234, 0, 0)
    assert stored(url) == list(range(1234))
    assert recorder.spool is None
    assert recorder.problem == ""


def test_events_are_stored_within_moments_without_a_flush(recorder, url, fact):
    recorder.record(fact(1))
    until = time.monotonic() + 5
    while time.monotonic() < until and recorder.counts().stored == 0:
        time.sleep(0.02)
    assert stored(url) == [1]


def test_flush_waits_for_what_was_recorded(recorder, url, fact):
    recorder.record(fact(1))
    assert recorder.flush()
    assert stored(url) == [1]
    assert recorder.flush(), "nothing to wait for"


def test_close_twice_is_harmless(recorder, fact):
    recorder.record(fact(1))
    assert recorder.close() == recorder.close()


def test_threads_record_without_loss(recorder, url, fact):
    def work(base):
        for number in range(300):
            recorder.record(fact(base + number))

    threads = [threading.Thread(target=work, args=(1000 * number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert recorder.close().stored == 1200
    assert len(set(stored(url))) == 1200


def test_a_bad_value_costs_itself(recorder, url, fact):
    recorder.record(fact(1, seconds="soon"))
    recorder.record(fact(2))
    recorder.record("no event")  # type: ignore[arg-type]
    counts = recorder.close()
    assert (counts.recorded, counts.stored, counts.lost) == (3, 2, 1)
    assert counts.repaired[0] == "test.reported: seconds"
    assert "'no event'" in counts.repaired[1]
    assert stored(url)[1] == 2


def test_what_waiting_cannot_cure_raises_at_the_start(url):
    with pytest.raises(DatabaseUnwritable):
        Recorder("/proc/none/h.db")
    open_store(url).close()
    connection = sqlite3.connect(url)
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()
    with pytest.raises(DatabaseTooNew):
        Recorder(url)


def test_a_locked_database_sends_events_to_a_spool(recorder, url, fact, impatient, lock):
    recorder._sink._store.close()
    recorder._sink._store = open_store(url, busy_seconds=0.05)
    lock.take()
    start = time.perf_counter()
    for number in range(1000):
        recorder.record(fact(number))
    assert time.perf_counter() - start < 1, "recording does not wait for the database"
    assert recorder.flush()
    assert recorder.spool is not None and recorder.spool.exists()
    assert "locked" in recorder.problem
    counts = recorder.close()
    assert (counts.stored, counts.spooled, counts.lost) == (0, 1000, 0)
    assert recorder.spool.exists()
    lock.release()

    following = Recorder(url)
    following.record(fact(5000))
    assert following.close().stored == 1
    assert stored(url) == [*range(1000), 5000], "the next session brings it in, once and first"
    assert pending(url) == []


def test_a_database_that_comes_back_gets_all_in_order(recorder, url, fact, impatient, lock):
    recorder._sink._store.close()
    recorder._sink._store = open_store(url, busy_seconds=0.05)
    lock.take()
    recorder.record(fact(0))
    assert recorder.flush()
    recorder.record(fact(1))
    assert recorder.flush()
    assert recorder.spool is not None
    lock.release()
    time.sleep(0.1)
    recorder.record(fact(2))
    assert recorder.flush()
    assert recorder.spool is None
    counts = recorder.close()
    assert (counts.stored, counts.spooled) == (3, 0)
    assert stored(url) == [0, 1, 2]
    assert pending(url) == []


def test_a_database_locked_from_the_start_is_waited_for(url, fact, impatient, lock):
    open_store(url).close()
    lock.take()
    recorder = Recorder(url)
    recorder.record(fact(1))
    assert recorder.flush()
    lock.release()
    assert recorder.close().stored == 1
    assert stored(url) == [1]


def test_memory_is_bounded_while_the_database_hangs(recorder, url, fact, monkeypatch):
    monkeypatch.setattr(recorder_module, "QUEUE", 100)
    gate = threading.Event()
    append = recorder._sink._store.append_many

    def hang(batch):
        gate.wait(10)
        return append(batch)

    monkeypatch.setattr(recorder._sink._store, "append_many", hang)
    for number in range(1000):
        recorder.record(fact(number))
        assert len(recorder._queue) <= 100
    assert recorder.spool is not None
    gate.set()
    counts = recorder.close()
    assert (counts.recorded, counts.lost) == (1000, 0)
    assert sorted(stored(url)) == list(range(1000))


def test_neither_database_nor_spool_is_counted_as_lost(recorder, fact, monkeypatch):
    def fail(*arguments):
        raise OSError("no space left on device")

    monkeypatch.setattr(recorder._sink._store, "append_many", fail)
    monkeypatch.setattr(sink, "open_spool", fail)
    recorder.record(fact(1))
    assert recorder.flush()
    assert recorder.close().lost == 1
    assert "no space left on device" in recorder.problem


def test_an_event_after_close_goes_to_the_spool(recorder, url, fact):
    recorder.close()
    recorder.record(fact(1))
    assert recorder.counts().spooled == 1
    assert pending(url) == [recorder.spool]


RECORD = """
import os, sys, time
from db import Recorder
from db.events import TestReported
def fact(number):
    return TestReported(run_id="r", case_id="c", attempt=1, phase="call", outcome="passed", seconds=number, node_id="c")
recorder = Recorder(sys.argv[1])
"""


def run(url, code):
    command = [sys.executable, "-c", RECORD + code, url]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_a_process_that_forgets_to_close_loses_nothing(url):
    done = run(url, "for number in range(700): recorder.record(fact(number))\nraise SystemExit(3)")
    assert done.returncode == 3, done.stderr
    assert stored(url) == list(range(700))


def test_a_killed_process_keeps_what_is_older_than_the_interval(url):
    code = """
for number in range(700): recorder.record(fact(number))
time.sleep(1)
os.kill(os.getpid(), 9)
"""
    assert run(url, code).returncode == -signal.SIGKILL
    assert stored(url) == list(range(700))


def test_a_forked_child_writes_to_its_own_spool(url):
    code = """
recorder.record(fact(0))
recorder.flush()
child = os.fork()
if child == 0:
    recorder.record(fact(1))
    recorder.record(fact(2))
    os._exit(0)
os.waitpid(child, 0)
recorder.record(fact(3))
counts = recorder.close()
assert (counts.recorded, counts.stored) == (2, 2), counts
"""
    done = run(url, code)
    assert done.returncode == 0, done.stderr
    assert stored(url) == [0, 3]
    assert len(pending(url)) == 1
    Recorder(url).close()
    assert stored(url) == [0, 3, 1, 2]


def test_recording_is_cheap(recorder, fact):
    """Far from a benchmark: it must not have become slow by an order of magnitude."""
    events = [fact(number) for number in range(3000)]
    start = time.process_time()
    for event in events:
        recorder.record(event)
    assert (time.process_time() - start) / len(events) < 500e-6
    assert os.getpid() == recorder._pid
