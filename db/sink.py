"""Where a recorder's batches go: the database, or the spool while the database is away."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path

from db.errors import DatabaseUnavailable
from db.events import Envelope
from db.spool import SpoolWriter, ingest, ingest_pending, open_spool
from db.store import SqlStore, open_store

BUSY_SECONDS = 3.0  # that a batch waits for other writers before it goes to the spool
RETRY_SECONDS = 5.0  # between two looks whether the database is back


class Sink:
    """Takes every batch. Once one had to be spooled the later ones follow it, until the spool has been brought in."""

    def __init__(self, url: str) -> None:
        """Open the database; only what waiting cannot cure (an unwritable path, another schema) raises."""
        self.url = url
        self.problem = ""
        self.stored = self.spooled = self.lost = 0
        self._lock = threading.RLock()  # guards the spool, never held while waiting to append a batch
        self._spool: SpoolWriter | None = None
        self._next_try = 0.0
        self._store: SqlStore | None = None
        try:
            self._store = open_store(url, busy_seconds=BUSY_SECONDS)
        except DatabaseUnavailable as error:
            self._postpone(error)

    @property
    def spool(self) -> Path | None:
        """The spool file, None while there is nothing in one."""
        return self._spool.path if self._spool else None

    def bring_in_earlier(self) -> None:
        """Bring in what earlier sessions had to leave in a spool."""
        if self._store is not None:
            try:
                ingest_pending(self._store, self.url)
            except Exception as error:  # those spools stay where they are
                self.problem = str(error)

    def write(self, batch: Sequence[Envelope]) -> None:
        """Store a batch, or spool it."""
        if self._is_ready():
            assert self._store is not None
            try:
                self._store.append_many(batch)
                self.stored += len(batch)
                return
            except Exception as error:  # whatever it is, the session goes on
                self._postpone(error)
        self.put_aside(batch)

    def put_aside(self, batch: Sequence[Envelope]) -> None:
        """Spool a batch at once."""
        with self._lock:
            try:
                if self._spool is None:
                    self._spool = open_spool(self.url)
                self._spool.write(batch)
                self.spooled += len(batch)
            except Exception as error:  # no folder to write to, or the disk is full
                self.lost += len(batch)
                self.problem = f"{self.problem}; no spool either: {error}"

    def finish(self) -> None:
        """Bring the spool in if that can be done now, and give everything up."""
        self._next_try = 0.0
        self._is_ready()
        with self._lock:
            if self._spool is not None:
                self._spool.close()
        if self._store is not None:
            self._store.close()

    def start_over(self) -> None:
        """In a forked child: connection and spool are the parent's, so everything goes to a new spool."""
        self.problem = "recorded in a forked process"
        self.stored = self.spooled = self.lost = 0
        self._lock = threading.RLock()
        self._spool, self._store = None, None

    def _postpone(self, error: Exception) -> None:
        self.problem = str(error)
        self._next_try = time.monotonic() + RETRY_SECONDS

    def _is_ready(self) -> bool:
        """Whether batches can go to the database, bringing in the spool first if there is one."""
        if self._store is not None and self._spool is None:
            return True
        if time.monotonic() < self._next_try:
            return False
        try:
            if self._store is None:
                self._store = open_store(self.url, busy_seconds=BUSY_SECONDS)
            with self._lock:
                if self._spool is not None:
                    self._spool.close()
                    ingest(self._store, self._spool.path)
                    self.stored, self.spooled, self._spool = self.stored + self.spooled, 0, None
            return True
        except Exception as error:
            self._postpone(error)
            return False
