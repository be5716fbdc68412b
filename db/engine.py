"""Connections, transactions and every difference between databases; the rest of `db` speaks plain SQL through here.

We use the drivers themselves. SQLAlchemy takes longer to import than a session of thousands of tests may spend on being
recorded, and its executemany reaches 0.7 of the driver's; it serves the table declarations and the migrations.

A new engine is one more subclass of `Database` and one more row in `connect`.
"""

from __future__ import annotations

import re
import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import unquote

from msgspec import json

from db.errors import DatabaseMissing, DatabaseUnavailable, DatabaseUnwritable, NotOurDatabase, UnsupportedUrl
from db.filesystem import is_network

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

Row = tuple[Any, ...]

# How long a write waits for other writers. SQLite is not fair: among eight writers, waits of 5 s were measured.
BUSY_SECONDS = 30.0


class Database(ABC):
    """One connection to one database, usable from several threads, one at a time."""

    url: str

    @contextmanager
    @abstractmethod
    def write(self) -> Iterator[None]:
        """A transaction that may read and then write: committed at the end, rolled back on an exception."""

    @abstractmethod
    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> None:
        """Run one statement."""

    @abstractmethod
    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each row of parameters."""

    @abstractmethod
    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """All rows that a query gives."""

    @abstractmethod
    def reserve_positions(self, count: int) -> range:
        """The next positions of the log, for use within the present write transaction."""

    @abstractmethod
    def lock_streams(self, names: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Key and present version of each named stream, new ones included, none of which can move until commit."""

    @abstractmethod
    def tables(self) -> set[str]:
        """Names of the tables that exist."""

    @abstractmethod
    def is_duplicate(self, error: Exception) -> bool:
        """Whether an error says that a unique value is there already."""

    # Completes "column ..." to "is one of the values of `array(...)`, the next parameter".
    in_array: ClassVar[str]

    @abstractmethod
    def array(self, values: Sequence[int] | Sequence[str]) -> Any:
        """The parameter that goes with `in_array`."""

    @abstractmethod
    def close(self) -> None:
        """Give the connection up."""

    def row(self, sql: str, parameters: Sequence[Any] = ()) -> Row | None:
        """The first row that a query gives."""
        found = self.rows(sql, parameters)
        return found[0] if found else None

    def revision(self) -> str | None:
        """The schema revision the database records, None for one that records none."""
        if "alembic_version" not in self.tables():
            return None
        found = self.row("SELECT version_num FROM alembic_version")
        return str(found[0]) if found else None


_STREAM_HEADS = """
    SELECT name, stream_key, coalesce((SELECT max(version) FROM events WHERE events.stream_key = streams.stream_key), 0)
    FROM streams WHERE name IN (SELECT value FROM json_each(?))
"""


class SqliteDatabase(Database):
    """A SQLite file: WAL where the file system allows it, writers take their lock before they read."""

    def __init__(self, path: Path, *, create: bool = True, busy_seconds: float = BUSY_SECONDS) -> None:
        self.path = path
        self.url = f"sqlite:///{path}"
        self.busy_seconds = busy_seconds
        if not path.exists():
            if not create:
                raise DatabaseMissing(path=path)
            _make_folder(path)
        self._open(f"{path.absolute().as_uri()}?mode={'rwc' if create else 'rw'}")
        try:
            self._prepare()
        except sqlite3.Error as error:
            self.close()
            raise self._translated(error) from error

    def _open(self, uri: str) -> None:
        self._lock = threading.RLock()
        try:
            self._connection = sqlite3.connect(
                uri, uri=True, timeout=self.busy_seconds, isolation_level=None, check_same_thread=False
            )
        except sqlite3.Error as error:
            raise self._translated(error) from error

    def _prepare(self) -> None:
        """WAL needs shared memory between its users, which network file systems do not give (they corrupt the file)."""
        wanted = "delete" if is_network(self.path) else "wal"
        present = self._connection.execute("PRAGMA journal_mode").fetchone()[0]
        if present != wanted:
            # Another user of the file, or a file system without locks, may refuse; the present mode then serves.
            with suppress(sqlite3.OperationalError):
                present = self._connection.execute(f"PRAGMA journal_mode={wanted}").fetchone()[0]
        # Else REPLACE would remove rows of the log without the triggers that refuse it.
        self._connection.execute("PRAGMA recursive_triggers=ON")
        # In WAL, NORMAL survives the death of any process; a rollback journal needs FULL for that.
        self._connection.execute(f"PRAGMA synchronous={'NORMAL' if present == 'wal' else 'FULL'}")
        self.journal_mode = str(present)

    @contextmanager
    def write(self) -> Iterator[None]:
        """BEGIN IMMEDIATE: a transaction that reads first and locks later fails at once among several writers."""
        with self._lock:
            self.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    with suppress(sqlite3.Error):
                        self._connection.execute("ROLLBACK")
                raise

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> None:
        """Run one statement."""
        with self._lock:
            try:
                self._connection.execute(sql, parameters)
            except sqlite3.Error as error:
                raise self._translated(error) from error

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each row of parameters."""
        with self._lock:
            try:
                self._connection.executemany(sql, rows)
            except sqlite3.Error as error:
                raise self._translated(error) from error

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """All rows that a query gives."""
        with self._lock:
            try:
                return self._connection.execute(sql, parameters).fetchall()
            except sqlite3.Error as error:
                raise self._translated(error) from error

    def reserve_positions(self, count: int) -> range:
        """The numbers after the last one: the write lock makes them ours, and free of gaps."""
        first = self.rows("SELECT coalesce(max(position), 0) + 1 FROM events")[0][0]
        return range(first, first + count)

    def lock_streams(self, names: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Keys and versions; the write lock already holds every stream still."""
        found = {name: (key, version) for name, key, version in self.rows(_STREAM_HEADS, (self.array(names),))}
        new = [name for name in names if name not in found]
        if new:
            first = self.rows("SELECT coalesce(max(stream_key), 0) + 1 FROM streams")[0][0]
            self.executemany("INSERT INTO streams (stream_key, name) VALUES (?, ?)", list(enumerate(new, first)))
            found.update((name, (key, 0)) for key, name in enumerate(new, first))
        return found

    # One statement text whatever the number of values, so that it is parsed once.
    in_array = "IN (SELECT value FROM json_each(?))"

    def array(self, values: Sequence[int] | Sequence[str]) -> str:
        """The values as JSON, which SQLite takes apart."""
        return json.encode(values).decode()

    def tables(self) -> set[str]:
        """Names of the tables that exist."""
        return {name for (name,) in self.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}

    def is_duplicate(self, error: Exception) -> bool:
        """Whether an error says that a unique value is there already."""
        return isinstance(error, sqlite3.IntegrityError) and error.sqlite_errorcode in (
            sqlite3.SQLITE_CONSTRAINT_UNIQUE,
            sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY,
        )

    def close(self) -> None:
        """Close the file; the last one to leave folds the WAL into it."""
        with self._lock:
            self._connection.close()

    def _translated(self, error: sqlite3.Error) -> Exception:
        """The error in our terms; a breach of a constraint stays as it is, for `is_duplicate`."""
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            return NotOurDatabase(path=self.path, reason=error)
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
            return DatabaseUnwritable(path=self.path, reason=error)
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            return DatabaseUnavailable(url=self.url, reason=error)
        return error


class MemoryDatabase(SqliteDatabase):
    """SQLite in memory, with the tables of the code rather than of the migrations: for projections in tests."""

    def __init__(self) -> None:
        self.path = Path(":memory:")
        self.busy_seconds = 0.0
        self.url = "memory://"
        self._open(":memory:")
        from sqlalchemy.dialects import sqlite
        from sqlalchemy.schema import CreateIndex, CreateTable

        from db.tables import metadata

        for table in metadata.sorted_tables:
            self.execute(str(CreateTable(table).compile(dialect=sqlite.dialect())))
            for index in table.indexes:
                self.execute(str(CreateIndex(index).compile(dialect=sqlite.dialect())))


def memory_database() -> Database:
    """A database in memory that has every table."""
    return MemoryDatabase()


def connect(url: str, *, create: bool = True, busy_seconds: float = BUSY_SECONDS) -> Database:
    """A connection to the database that a URL or a plain path names; `create` allows a new file."""
    path = sqlite_path(url)
    if path is None:
        scheme = url.partition(":")[0]
        raise UnsupportedUrl(url=redacted(url), problem=f"{scheme} databases are not supported")
    return SqliteDatabase(path, create=create, busy_seconds=busy_seconds)


def sqlite_path(url: str) -> Path | None:
    """The file behind `sqlite:///file.db`, `sqlite:////absolute/file.db` or a plain path; None for other engines."""
    scheme = _SCHEME.match(url)
    if scheme is None:
        name = url
    elif scheme[1] not in ("sqlite", "sqlite+pysqlite"):
        return None
    else:
        rest = url[scheme.end() :]
        if not rest.startswith("/"):
            raise UnsupportedUrl(url=url, problem=_SLASHES if rest else _VANISHES)
        name = unquote(rest[1:])
    if name in ("", ":memory:"):
        raise UnsupportedUrl(url=url, problem=_VANISHES)
    path = Path(name).expanduser()
    if path.is_dir():
        raise UnsupportedUrl(url=url, problem="is a folder")
    return path


def redacted(url: str) -> str:
    """The URL without its password, fit for logs, errors and pages."""
    return _PASSWORD.sub(r"\1***@", url)


_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_PASSWORD = re.compile(r"(://[^:/@]*:)[^@]*@")
_SLASHES = "a SQLite URL has three slashes before the path"
_VANISHES = "a database in memory would vanish with its connection"


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseUnwritable(path=path, reason=error.strerror or error) from error


@contextmanager
def alembic_connection(url: str) -> Iterator[Connection]:
    """A SQLAlchemy connection inside a write transaction, for migrations: they happen wholly or not at all."""
    import sqlalchemy

    path = sqlite_path(url)
    if path is None:
        raise UnsupportedUrl(url=redacted(url), problem="such databases are not supported")
    SqliteDatabase(path).close()  # a new file gets its folder and journal mode, an unwritable one its clear error
    engine = sqlalchemy.create_engine(
        sqlalchemy.URL.create("sqlite", database=str(path.absolute())),
        connect_args={"timeout": BUSY_SECONDS, "isolation_level": None},
        poolclass=sqlalchemy.NullPool,
    )
    # The driver's own habit is to begin late, and not for DDL; a second process must wait from the first read on.
    sqlalchemy.event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    try:
        with engine.begin() as connection:
            yield connection
    except sqlalchemy.exc.OperationalError as error:
        raise DatabaseUnavailable(url=str(path), reason=error.orig) from error
    finally:
        engine.dispose()
