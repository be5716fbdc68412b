"""What only a real file can show: immutability, schemas, other processes, sudden death."""

import os
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

from db.errors import DatabaseMissing, DatabaseOutdated, DatabaseTooNew, NotOurDatabase
from db.revision import HEAD
from db.store import open_store


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET payload = '{}'",
        "UPDATE events SET position = position + 100",
        "DELETE FROM events",
        "DELETE FROM events WHERE position = 1",
    ],
)
def test_the_database_itself_refuses_to_change_the_log(sql_store, url, fact, statement):
    sql_store.append_many([fact(1), fact(2)])
    stranger = sqlite3.connect(url)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        stranger.execute(statement)
    stranger.close()
    assert [recorded.event.seconds for recorded in sql_store.read()] == [1, 2]


def test_replacing_an_event_is_refused_too(sql_store, fact):
    """REPLACE removes the old row, which triggers only notice on a connection that asks for it, as ours does."""
    sql_store.append_many([fact(1)])
    before = sql_store.read()
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        sql_store.database.execute("INSERT OR REPLACE INTO events SELECT * FROM events")
    assert sql_store.read() == before


def test_reopening_finds_everything(url, fact):
    store = open_store(url)
    store.append_many([fact(1)])
    store.close()
    store = open_store(f"sqlite:///{url}", create=False)
    assert [recorded.event for recorded in store.read()] == [fact(1)]
    store.close()


def test_a_reader_does_not_make_a_database(url):
    with pytest.raises(DatabaseMissing):
        open_store(url, create=False)


def set_revision(url: str, revision: str) -> None:
    connection = sqlite3.connect(url)
    connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))
    connection.commit()
    connection.close()


def test_an_older_database_says_how_to_upgrade(url):
    open_store(url).close()
    set_revision(url, "0001")
    with pytest.raises(
        DatabaseOutdated, match=f"revision 0001.*{HEAD}; run `pypto-report db upgrade --db sqlite:///{url}`"
    ):
        open_store(url)


@pytest.mark.parametrize("revision", ["9999", "feedface"])
def test_a_newer_database_says_what_to_do(url, revision):
    open_store(url).close()
    set_revision(url, revision)
    with pytest.raises(DatabaseTooNew, match=f"revision {revision}, newer than the {HEAD}.*upgrade the project"):
        open_store(url)


def test_somebody_elses_database_is_left_alone(url):
    connection = sqlite3.connect(url)
    connection.execute("CREATE TABLE albums (title)")
    connection.close()
    with pytest.raises(NotOurDatabase, match="it holds the tables albums"):
        open_store(url)
    connection = sqlite3.connect(url)
    assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("albums",)]
    connection.close()


def test_opening_a_ready_database_is_quick(url):
    open_store(url).close()
    start = time.perf_counter()
    for _ in range(20):
        open_store(url).close()
    assert (time.perf_counter() - start) / 20 < 0.05


APPEND = """
import sys
from db.events import TestReported
from db.store import open_store
url, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
store = open_store(url)
for number in range(count):
    facts = [
        TestReported(run_id=name, case_id=stream, attempt=1, phase="call", outcome="passed", seconds=number, node_id="")
        for stream in ("shared", name)
    ]
    store.append_many(facts)
    print(number, flush=True)
store.close()
"""


def start_writer(url: str, name: str, count: int) -> subprocess.Popen:
    command = [sys.executable, "-c", APPEND, url, name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def check(url: str) -> list:
    """The whole log of a database that must be sound."""
    store = open_store(url, create=False)
    assert store.database.rows("PRAGMA integrity_check") == [("ok",)]
    log = store.read()
    assert [recorded.position for recorded in log] == list(range(1, len(log) + 1))
    for stream in {recorded.stream for recorded in log}:
        versions = [recorded.version for recorded in log if recorded.stream == stream]
        assert versions == list(range(1, len(versions) + 1))
    assert len({recorded.event_id for recorded in log}) == len(log)
    store.close()
    return log


@pytest.mark.parametrize(("processes", "exists"), [(8, True), (3, False)])
def test_processes_at_once_lose_and_double_nothing(url, processes, exists):
    """Appending to one file, which they may also have to create between them."""
    if exists:
        open_store(url).close()
    names = [f"writer-{number}" for number in range(processes)]
    writers = [start_writer(url, name, 40) for name in names]
    for writer in writers:
        _, errors = writer.communicate(timeout=120)
        assert writer.returncode == 0, errors
    log = check(url)
    for name in names:
        assert [r.event.seconds for r in log if r.run_id == name and r.stream == name] == list(range(40))
        assert [r.event.seconds for r in log if r.run_id == name and r.stream == "shared"] == list(range(40))


def test_a_killed_writer_loses_nothing_that_was_appended(url):
    """Kill at several moments; all that `append_many` returned from is there, whole batches only."""
    said: dict[str, int] = {}
    for round_, lines in enumerate([1, 2, 9, 30, 75, 150]):
        name = f"victim-{round_}"
        writer = start_writer(url, name, 100_000)
        assert writer.stdout is not None
        for _ in range(lines):
            said[name] = int(writer.stdout.readline())
        os.kill(writer.pid, signal.SIGKILL)
        rest = writer.stdout.read()
        writer.communicate(timeout=30)
        whole = rest[: rest.rfind("\n") + 1].split()
        said[name] = int(whole[-1]) if whole else said[name]
    log = check(url)
    for name, last in said.items():
        own = [r.event.seconds for r in log if r.run_id == name and r.stream == name]
        shared = [r.event.seconds for r in log if r.run_id == name and r.stream == "shared"]
        assert own == shared == list(range(len(own)))
        assert len(own) in (last + 1, last + 2), "one more may have been written before the word got out"
