"""URLs, connections and transactions."""

import sqlite3
import threading
from pathlib import Path

import pytest

from db import engine
from db.engine import connect, redacted, sqlite_path
from db.errors import (
    DatabaseMissing,
    DatabaseUnavailable,
    DatabaseUnwritable,
    NotOurDatabase,
    UnsupportedUrl,
)


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("sqlite:///file.db", Path("file.db")),
        ("sqlite:////tmp/file.db", Path("/tmp/file.db")),
        ("sqlite+pysqlite:///a/b.db", Path("a/b.db")),
        ("sqlite:///with%20space.db", Path("with space.db")),
        ("file.db", Path("file.db")),
        ("/tmp/a b.db", Path("/tmp/a b.db")),
        ("~/h.db", Path.home() / "h.db"),
        ("100%20.db", Path("100%20.db")),
        ("postgresql://host/name", None),
        ("mysql://host/name", None),
    ],
)
def test_url_leads_to_a_path(url, path):
    assert sqlite_path(url) == path


@pytest.mark.parametrize("url", ["", "sqlite://", "sqlite:///", "sqlite:///:memory:", ":memory:", "sqlite://file.db"])
def test_urls_that_name_no_file_say_what_to_give(url):
    with pytest.raises(UnsupportedUrl, match=r"give sqlite:///path/to/file\.db or a plain path"):
        connect(url)


def test_a_folder_is_no_database(tmp_path):
    with pytest.raises(UnsupportedUrl, match="is a folder"):
        connect(str(tmp_path))


def test_other_engines_are_named_without_their_password():
    with pytest.raises(UnsupportedUrl, match="postgresql databases are not supported") as caught:
        connect("postgresql://ada:s3cret@host/name")
    assert "s3cret" not in str(caught.value)
    assert "s3cret" not in repr(caught.value.facts)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://ada:s3:cr/et@host/name", "postgresql://ada:***@host/name"),
        ("postgresql://ada@host/name", "postgresql://ada@host/name"),
        ("sqlite:///a:b@c.db", "sqlite:///a:b@c.db"),
    ],
)
def test_redacted(url, shown):
    assert redacted(url) == shown


def test_a_missing_file_is_an_error_for_a_reader(url):
    with pytest.raises(DatabaseMissing, match=f"{url}: there is no such database"):
        connect(url, create=False)
    assert not Path(url).exists()


def test_missing_folders_are_made(tmp_path):
    connect(str(tmp_path / "a" / "b" / "h.db")).close()
    assert (tmp_path / "a" / "b" / "h.db").exists()


def test_a_folder_that_cannot_be_made_is_named():
    with pytest.raises(DatabaseUnwritable, match=r"/proc/none/h\.db: cannot be written .*make its folder writable"):
        connect("/proc/none/h.db")


def test_a_read_only_file_cannot_be_written(tmp_path, url):
    connect(url).close()
    locked = sqlite3.connect(f"file:{url}?mode=ro", uri=True)
    database = connect(url)
    database._connection, ours = locked, database._connection  # as for a user without the right to write
    with pytest.raises(DatabaseUnwritable, match=url):
        database.execute("CREATE TABLE t (x)")
    ours.close()
    database.close()


def test_a_file_of_another_kind_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but long enough to be mistaken for one\n" * 100)
    before = path.read_bytes()
    with pytest.raises(NotOurDatabase, match=r"notes\.txt: is not an event database"):
        connect(str(path))
    assert path.read_bytes() == before


def test_wal_on_a_local_file_system(url, monkeypatch):
    monkeypatch.setattr(engine, "is_network", lambda path: False)
    database = connect(url)
    assert database.journal_mode == "wal"
    assert database.rows("PRAGMA synchronous") == [(1,)]
    database.close()


def test_no_wal_on_a_network_file_system(url, monkeypatch):
    monkeypatch.setattr(engine, "is_network", lambda path: True)
    database = connect(url)
    assert database.journal_mode == "delete"
    assert database.rows("PRAGMA journal_mode") == [("delete",)]
    assert database.rows("PRAGMA synchronous") == [(2,)]
    database.close()


def test_a_database_that_moved_to_a_network_leaves_wal(url, monkeypatch):
    monkeypatch.setattr(engine, "is_network", lambda path: False)
    connect(url).close()
    monkeypatch.setattr(engine, "is_network", lambda path: True)
    database = connect(url)
    assert database.journal_mode == "delete"
    database.close()


def test_a_file_system_that_refuses_wal_is_served_without(url, monkeypatch):
    class Refusing(sqlite3.Connection):
        def execute(self, sql, *parameters):
            if sql == "PRAGMA journal_mode=wal":
                raise sqlite3.OperationalError("locking protocol")
            return super().execute(sql, *parameters)

    plain = sqlite3.connect
    monkeypatch.setattr(engine.sqlite3, "connect", lambda *a, **k: plain(*a, **k, factory=Refusing))
    monkeypatch.setattr(engine, "is_network", lambda path: False)
    database = connect(url)
    assert database.journal_mode == "delete"
    assert database.rows("PRAGMA synchronous") == [(2,)]
    with database.write():
        database.execute("CREATE TABLE t (x)")
    database.close()


def test_a_write_is_undone_by_an_exception(url):
    database = connect(url)
    database.execute("CREATE TABLE t (x)")
    with pytest.raises(KeyboardInterrupt), database.write():
        database.execute("INSERT INTO t VALUES (1)")
        raise KeyboardInterrupt
    assert database.rows("SELECT * FROM t") == []
    with database.write():
        database.execute("INSERT INTO t VALUES (2)")
    assert database.rows("SELECT * FROM t") == [(2,)]
    database.close()


def test_a_write_locks_before_it_reads(url):
    """A transaction that reads first and locks later fails at once when somebody wrote in between."""
    one, other = connect(url), connect(url, busy_seconds=0.05)
    with one.write():
        with pytest.raises(DatabaseUnavailable, match=r"locked.*try again"), other.write():
            pass
        assert other.rows("SELECT 1") == [(1,)], "readers go on"
    with other.write():
        pass
    one.close()
    other.close()


def test_read_then_write_from_many_threads_loses_no_turn(url):
    setup = connect(url)
    setup.execute("CREATE TABLE t (x)")
    setup.execute("INSERT INTO t VALUES (0)")

    def count_up():
        database = connect(url)
        for _ in range(50):
            with database.write():
                ((value,),) = database.rows("SELECT x FROM t")
                database.execute("UPDATE t SET x = ?", (value + 1,))
        database.close()

    threads = [threading.Thread(target=count_up) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert setup.rows("SELECT x FROM t") == [(200,)]
    setup.close()


def test_one_connection_serves_several_threads(url):
    database = connect(url)
    database.execute("CREATE TABLE t (x)")

    def write(number):
        with database.write():
            database.executemany("INSERT INTO t VALUES (?)", [(number,)] * 10)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert database.rows("SELECT count(*) FROM t") == [(80,)]
    database.close()
