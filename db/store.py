"""The event store: append to streams, read in global order. One contract, kept by SQL databases and by memory."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from importlib import import_module
from itertools import islice
from typing import Any, Protocol

import msgspec

from db.engine import BUSY_SECONDS, Database, connect, memory_database
from db.errors import DatabaseOutdated, DatabaseTooNew, NotOurDatabase, VersionConflict
from db.events import Envelope, Event, Recorded, seal
from db.revision import HEAD
from db.text import restored, storable


class Store(Protocol):
    """What every event store does."""

    url: str

    def append(self, stream: str, events: Sequence[Event | Envelope], expected_version: int | None = None) -> list[int]:
        """Append to one stream, all or nothing, and give the positions.

        With `expected_version` (0 for a new stream) the append holds only if the stream is still at that version, else
        `VersionConflict`. An envelope that is in the log already is not written again; its old position comes back.
        """

    def append_many(self, events: Iterable[Event | Envelope]) -> list[int]:
        """Append each event to its own stream, all or nothing, in the order given, which the positions share."""

    def read(
        self,
        after: int = 0,
        limit: int | None = None,
        *,
        types: Sequence[str] = (),
        run_id: str | None = None,
    ) -> list[Recorded]:
        """Events above a position in global order, at most `limit`, of the given stored names and of one run."""

    def read_stream(self, stream: str, after_version: int = 0, *, run_id: str | None = None) -> list[Recorded]:
        """The events of one stream in order, above a version, of one run if given."""

    def head(self) -> int:
        """The last position, 0 in an empty log. All events up to it can be read."""

    def version(self, stream: str) -> int:
        """The version of a stream, 0 for one that does not exist."""

    def projected(self) -> Database:
        """The database in which the projections of this log lie."""

    def close(self) -> None:
        """Give up what the store holds."""


def open_store(url: str, *, create: bool = True, busy_seconds: float = BUSY_SECONDS) -> SqlStore:
    """The store at a URL or path. A new database is made ready; one of another schema is refused with the way out.

    `create=False` is for readers: a path with nothing there is then an error. A write waits `busy_seconds` for others.
    """
    database = connect(url, create=create, busy_seconds=busy_seconds)
    try:
        _check_schema(database)
    except BaseException:
        database.close()
        raise
    return SqlStore(database)


def _check_schema(database: Database) -> None:
    found = database.revision()
    if found == HEAD:
        return
    if found is None:
        others = database.tables()
        if others:
            raise NotOurDatabase(path=database.url, reason=f"it holds the tables {', '.join(sorted(others)[:5])}")
        # By name: the migrations know us, not we them, and their import costs more than all else at start.
        import_module("migrations.upgrade").upgrade(database.url)
    elif found < HEAD:
        raise DatabaseOutdated(url=database.url, found=found, expected=HEAD)
    else:
        raise DatabaseTooNew(url=database.url, found=found, expected=HEAD)


_INSERT = """
    INSERT INTO events
        (position, event_id, stream_key, version, type, schema_version, run_key, recorded_at, payload)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_SELECT = """
    SELECT e.event_id, s.name, e.type, e.schema_version, r.name, e.recorded_at, e.payload, e.position, e.version
    FROM events AS e
    JOIN streams AS s ON s.stream_key = e.stream_key
    JOIN streams AS r ON r.stream_key = e.run_key
"""


class SqlStore:
    """The store over a database connection."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.url = database.url

    def append(self, stream: str, events: Sequence[Event | Envelope], expected_version: int | None = None) -> list[int]:
        """Append to one stream; see `Store.append`."""
        sealed = [_sealed(event, stream) for event in events]
        return self._append(sealed, None if expected_version is None else {stream: expected_version})

    def append_many(self, events: Iterable[Event | Envelope]) -> list[int]:
        """Append each event to its own stream; see `Store.append_many`."""
        return self._append([event if isinstance(event, Envelope) else seal(event) for event in events], None)

    def _append(self, envelopes: list[Envelope], expected: dict[str, int] | None) -> list[int]:
        if not envelopes:
            return []
        try:
            with self.database.write():
                return self._write(envelopes, expected)
        except Exception as error:
            if not (isinstance(error, VersionConflict) or self.database.is_duplicate(error)):
                raise
        with self.database.write():
            return self._write_unseen(envelopes, expected)

    def _write(self, envelopes: list[Envelope], expected: dict[str, int] | None) -> list[int]:
        seen = dict.fromkeys([e.stream for e in envelopes] + [e.run_id for e in envelopes])
        names = {name: storable(name) for name in seen}
        heads = self.database.lock_streams(list(dict.fromkeys(names.values())))
        streams = {name: list(heads[stored]) for name, stored in names.items()}
        for name, version in (expected or {}).items():
            if streams[name][1] != version:
                raise VersionConflict(stream=name, expected=version, actual=streams[name][1])
        positions = self.database.reserve_positions(len(envelopes))
        rows = []
        for position, e in zip(positions, envelopes, strict=True):
            stream = streams[e.stream]
            stream[1] += 1
            key, version = stream
            run = streams[e.run_id][0]
            rows.append((position, e.event_id, key, version, e.type, e.schema_version, run, e.recorded_at, e.payload))
        self.database.executemany(_INSERT, rows)
        return list(positions)

    def _write_unseen(self, envelopes: list[Envelope], expected: dict[str, int] | None) -> list[int]:
        """The way when some are in the log already (or twice in the batch): leave those out, and find their places."""
        places: dict[bytes, int] = {}
        for envelope in envelopes:
            found = self.database.row("SELECT position FROM events WHERE event_id = ?", (envelope.event_id,))
            if found is not None:
                places[envelope.event_id] = found[0]
        unseen = {e.event_id: e for e in envelopes if e.event_id not in places}
        if unseen:
            places.update(zip(unseen, self._write(list(unseen.values()), expected), strict=True))
        return [places[e.event_id] for e in envelopes]

    def read(
        self,
        after: int = 0,
        limit: int | None = None,
        *,
        types: Sequence[str] = (),
        run_id: str | None = None,
    ) -> list[Recorded]:
        """Events above a position in global order; see `Store.read`."""
        where = "WHERE e.position > ?"
        parameters: list[Any] = [after]
        if run_id is not None:
            where += " AND e.run_key = (SELECT stream_key FROM streams WHERE name = ?)"
            parameters.append(storable(run_id))
        if types:
            where += f" AND e.type IN ({', '.join('?' * len(types))})"
            parameters.extend(types)
        where += " ORDER BY e.position"
        if limit is not None:
            where += " LIMIT ?"
            parameters.append(limit)
        return self._recorded(where, parameters)

    def read_stream(self, stream: str, after_version: int = 0, *, run_id: str | None = None) -> list[Recorded]:
        """The events of one stream in order; see `Store.read_stream`."""
        where = "WHERE s.name = ? AND e.version > ?"
        parameters: list[Any] = [storable(stream), after_version]
        if run_id is not None:
            where += " AND r.name = ?"
            parameters.append(storable(run_id))
        return self._recorded(where + " ORDER BY e.version", parameters)

    def _recorded(self, where: str, parameters: list[Any]) -> list[Recorded]:
        return [
            Recorded(
                event_id=event_id,
                stream=restored(stream),
                type=type_name,
                schema_version=schema_version,
                run_id=restored(run_id),
                recorded_at=recorded_at,
                payload=payload,
                position=position,
                version=version,
            )
            for (
                event_id,
                stream,
                type_name,
                schema_version,
                run_id,
                recorded_at,
                payload,
                position,
                version,
            ) in self.database.rows(_SELECT + where, parameters)
        ]

    def head(self) -> int:
        """The last position, 0 in an empty log."""
        return int(self.database.rows("SELECT coalesce(max(position), 0) FROM events")[0][0])

    def version(self, stream: str) -> int:
        """The version of a stream, 0 for one that does not exist."""
        sql = "SELECT coalesce(max(version), 0) FROM events WHERE stream_key = "
        found = self.database.rows(sql + "(SELECT stream_key FROM streams WHERE name = ?)", (storable(stream),))
        return int(found[0][0])

    def projected(self) -> Database:
        """The very database of the log, so that rows and checkpoint change with one commit."""
        return self.database

    def close(self) -> None:
        """Close the connection."""
        self.database.close()


class MemoryStore:
    """The store as a list: what the contract means, and quick in tests that are not about SQL."""

    def __init__(self) -> None:
        self.url = "memory://"
        self._log: list[Recorded] = []
        self._places: dict[bytes, int] = {}
        self._versions: dict[str, int] = {}
        self._lock = threading.RLock()
        self._database: Database | None = None

    def append(self, stream: str, events: Sequence[Event | Envelope], expected_version: int | None = None) -> list[int]:
        """Append to one stream; see `Store.append`."""
        sealed = [_sealed(event, stream) for event in events]
        with self._lock:
            actual = self.version(stream)
            known = all(envelope.event_id in self._places for envelope in sealed)
            if expected_version not in (None, actual) and not known:
                raise VersionConflict(stream=stream, expected=expected_version, actual=actual)
            return [self._add(envelope) for envelope in sealed]

    def append_many(self, events: Iterable[Event | Envelope]) -> list[int]:
        """Append each event to its own stream; see `Store.append_many`."""
        sealed = [event if isinstance(event, Envelope) else seal(event) for event in events]
        with self._lock:
            return [self._add(envelope) for envelope in sealed]

    def _add(self, envelope: Envelope) -> int:
        position = self._places.setdefault(envelope.event_id, len(self._log) + 1)
        if position > len(self._log):
            version = self._versions[envelope.stream] = self.version(envelope.stream) + 1
            self._log.append(Recorded(**msgspec.structs.asdict(envelope), position=position, version=version))
        return position

    def read(
        self,
        after: int = 0,
        limit: int | None = None,
        *,
        types: Sequence[str] = (),
        run_id: str | None = None,
    ) -> list[Recorded]:
        """Events above a position in global order; see `Store.read`."""
        wanted = (r for r in self._log[max(after, 0) :] if not types or r.type in types)
        return list(islice((r for r in wanted if run_id in (None, r.run_id)), limit))

    def read_stream(self, stream: str, after_version: int = 0, *, run_id: str | None = None) -> list[Recorded]:
        """The events of one stream in order; see `Store.read_stream`."""
        own = (r for r in self._log if r.stream == stream and r.version > after_version)
        return [r for r in own if run_id in (None, r.run_id)]

    def head(self) -> int:
        """The last position, 0 in an empty log."""
        return len(self._log)

    def version(self, stream: str) -> int:
        """The version of a stream, 0 for one that does not exist."""
        return self._versions.get(stream, 0)

    def projected(self) -> Database:
        """A database in memory, made when it is first asked for."""
        with self._lock:
            if self._database is None:
                self._database = memory_database()
            return self._database

    def close(self) -> None:
        """Give up the projections; the log lasts as long as the object."""
        with self._lock:
            if self._database is not None:
                self._database.close()
                self._database = None


def _sealed(event: Event | Envelope, stream: str) -> Envelope:
    envelope = event if isinstance(event, Envelope) else seal(event)
    if envelope.stream != stream:
        raise ValueError(f"event of stream {envelope.stream!r} appended to stream {stream!r}; give its own stream")
    return envelope
