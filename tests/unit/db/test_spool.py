"""Spools: written when the database is away, brought in exactly once."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from db import spool
from db.events import RunAborted, seal
from db.spool import ingest, ingest_pending, open_spool, pending
from db.store import open_store


@pytest.fixture
def envelopes(fact):
    return [seal(fact(number)) for number in range(1200)]


@pytest.fixture
def written(url, envelopes):
    """A finished spool beside a database."""
    writer = open_spool(url)
    writer.write(envelopes)
    writer.close()
    return writer.path


def test_a_spool_lies_beside_its_database(url, written):
    assert written.parent == Path(url + ".spool")
    assert pending(url) == pending(f"sqlite:///{url}") == [written]


def test_ingest_brings_everything_in_order_and_removes_the_file(sql_store, url, written, envelopes):
    done = ingest(sql_store, written)
    assert (done.events, done.damaged, done.kept) == (1200, (), False)
    found = sql_store.read()
    assert [(r.event_id, r.recorded_at, r.payload) for r in found] == [
        (e.event_id, e.recorded_at, e.payload) for e in envelopes
    ]
    assert not written.exists()
    assert not written.parent.exists()


def test_ingest_twice_stores_once(store, written, envelopes):
    text = written.read_bytes()
    ingest(store, written)
    written.parent.mkdir(exist_ok=True)
    written.write_bytes(text)
    ingest(store, str(written))
    assert store.head() == len(envelopes)


INGEST = """
import sys
from db.spool import ingest
from db.store import open_store
ingest(open_store(sys.argv[1]), sys.argv[2])
"""


def test_two_processes_ingest_at_once(url, sql_store, written, envelopes):
    copy = written.with_name("copy.jsonl")
    copy.write_bytes(written.read_bytes())
    workers = [subprocess.Popen([sys.executable, "-c", INGEST, url, path]) for path in (written, copy)]
    assert [worker.wait(60) for worker in workers] == [0, 0]
    assert [r.event_id for r in sql_store.read()] == [e.event_id for e in envelopes]


@pytest.mark.parametrize("cut", [1, 20, -2])
def test_a_truncated_last_line_costs_only_itself(sql_store, url, written, envelopes, cut):
    lines = written.read_bytes().splitlines(keepends=True)
    lines[-1] = lines[-1][:cut]
    written.write_bytes(b"".join(lines))
    done = ingest(sql_store, written)
    assert (done.events, done.damaged, done.kept) == (1199, (1200,), True)
    assert sql_store.head() == 1199
    assert pending(url) == [], "it is set aside, not tried again for ever"
    assert [path.suffix for path in written.parent.iterdir()] == [".damaged"]


def test_damaged_lines_in_the_middle_cost_only_themselves(sql_store, written):
    lines = written.read_bytes().splitlines(keepends=True)
    lines[3], lines[700], lines[701] = b"\xff\xfe\n", b'{"event_id": 3}\n', b"\n"
    written.write_bytes(b"".join(lines))
    assert ingest(sql_store, written).damaged == (4, 701, 702)
    assert sql_store.head() == 1197


def test_a_spool_still_being_written_is_kept(sql_store, url, envelopes):
    writer = open_spool(url)
    writer.write(envelopes[:10])
    assert ingest_pending(sql_store, url) == []
    assert ingest(sql_store, writer.path).kept
    assert sql_store.head() == 10
    writer.write(envelopes[10:20])
    writer.close()
    (done,) = ingest_pending(sql_store, url)
    assert (done.events, done.kept) == (20, False)
    assert [r.event_id for r in sql_store.read()] == [e.event_id for e in envelopes[:20]]


def test_lines_are_json_and_survive_hard_text(sql_store, url, fact):
    envelope = seal(fact(1, case_id="\0\ud800\n\ufdd0", run_id="\udfff", longrepr="\0\n"))
    writer = open_spool(url)
    writer.write([envelope, seal(RunAborted(run_id="r", reason="\u2028"))])
    writer.close()
    assert all(json.loads(line) for line in writer.path.read_text(encoding="utf-8").split("\n")[:-1])
    ingest(sql_store, writer.path)
    found = sql_store.read()[0]
    assert (found.stream, found.run_id, found.event.longrepr) == ("\0\ud800\n\ufdd0", "\udfff", "\0\n")


def test_without_a_writable_folder_the_next_one_serves(tmp_path, monkeypatch, envelopes):
    (tmp_path / "history.db.spool").write_text("a file where the folder should be")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    url = str(tmp_path / "history.db")
    writer = open_spool(url)
    writer.close()
    assert writer.path.is_relative_to(tmp_path / "state")
    assert pending(url) == [writer.path]
    assert pending(str(tmp_path / "other.db")) == []


def test_no_folder_at_all_is_an_os_error(tmp_path, monkeypatch):
    monkeypatch.setattr(spool, "_folders", lambda url: iter([Path("/proc/none")]))
    with pytest.raises(OSError, match="/proc/none"):
        open_spool("x.db")


def test_a_vanished_spool_is_somebody_elses_success(sql_store, url, written, monkeypatch):
    monkeypatch.setattr(spool, "pending", lambda url: [written.with_name("gone.jsonl"), written])
    assert [done.path for done in ingest_pending(sql_store, url)] == [written]


def test_the_store_keeps_the_time_of_the_event(url, written, envelopes):
    store = open_store(url)
    ingest(store, written)
    assert store.read(limit=1)[0].recorded_at == envelopes[0].recorded_at
    store.close()
