"""What a projection is, and how it follows the log.

Rows and checkpoint change in one transaction, which reads the checkpoint under the writers' lock: however many
processes project at once, each event counts once. A projection whose version changed starts again from zero by itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from db.engine import Database
from db.errors import ProjectionTooNew
from db.events import Event, Recorded
from db.store import Store

# Long enough to spread the cost of a commit, short enough not to keep a recording session waiting (about 0.1 s).
BATCH = 5000


class Projection(ABC):
    """Tables that follow from the log alone: the same events give the same rows, in whatever batches they come."""

    name: ClassVar[str]
    version: ClassVar[int]  # raise it when the same events should give other rows
    tables: ClassVar[tuple[str, ...]]
    events: ClassVar[tuple[type[Event], ...]]

    @abstractmethod
    def apply(self, database: Database, batch: Sequence[Recorded]) -> None:
        """Change the rows as a batch says; it holds only `events`, in order, and comes inside a transaction."""

    def clear(self, database: Database) -> None:
        """Remove all rows."""
        for table in self.tables:
            database.execute(f"DELETE FROM {table}")


def catch_up(store: Store, projection: Projection, batch: int = BATCH) -> int:
    """Bring a projection up to the head of the log; gives the number of events it took in."""
    taken = 0
    while not is_current(store, projection):
        taken += _step(store, projection, batch)
    return taken


def rebuild(store: Store, projection: Projection, batch: int = BATCH) -> int:
    """Rebuild a projection from the first event on."""
    database = store.projected()
    with database.write():
        _restart(database, projection)
    return catch_up(store, projection, batch)


def is_current(store: Store, projection: Projection) -> bool:
    """Whether a projection has taken in the whole log, with the present version of its rules."""
    return _checkpoint(store.projected(), projection) == (projection.version, store.head())


def _step(store: Store, projection: Projection, batch: int) -> int:
    database = store.projected()
    with database.write():
        version, position = _checkpoint(database, projection)
        if version > projection.version:
            raise ProjectionTooNew(name=projection.name, found=version, known=projection.version)
        if version < projection.version:
            _restart(database, projection)
            position = 0
        head = store.head()  # before reading: what is appended meanwhile is left for the next step
        events = store.read(position, batch, types=[cls.type for cls in projection.events])
        events = [event for event in events if event.position <= head]
        projection.apply(database, events)
        reached = events[-1].position if len(events) == batch else head
        database.execute("UPDATE projections SET position = ? WHERE name = ?", (reached, projection.name))
    return len(events)


def _checkpoint(database: Database, projection: Projection) -> tuple[int, int]:
    found = database.row("SELECT version, position FROM projections WHERE name = ?", (projection.name,))
    return (int(found[0]), int(found[1])) if found else (0, 0)


def _restart(database: Database, projection: Projection) -> None:
    projection.clear(database)
    database.execute(
        "INSERT INTO projections (name, version, position) VALUES (?, ?, 0) "
        "ON CONFLICT (name) DO UPDATE SET version = excluded.version, position = 0",
        (projection.name, projection.version),
    )
