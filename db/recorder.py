"""Recording from inside a session: never fails it, never holds it up, loses nothing.

`record` seals the event and puts it in a queue; one thread writes batches. When the database is away the batches go to
a spool, which is brought in as soon as the database is back: by this recorder, by the next one, or by hand.
"""

from __future__ import annotations

import atexit
import os
import threading
from collections import deque
from dataclasses import dataclass
from pathlib import Path

from db.events import Envelope, Event, salvage, seal
from db.events.codec import describe
from db.sink import Sink

BATCH = 500  # events; the rate hardly rises above 100
INTERVAL = 0.1  # seconds an event waits for company
QUEUE = 50_000  # events in memory (about 40 MB) before the caller itself moves them to the spool


@dataclass(frozen=True)
class Counts:
    """What became of the events of a session."""

    recorded: int  # given to `record`
    stored: int  # in the database
    spooled: int  # in the spool file, to be brought in
    lost: int  # in neither: no spool could be written, or it was no event at all
    repaired: tuple[str, ...]  # "type: fields" of events that held values of the wrong type


class Recorder:
    """Records events in the background.

    A URL that cannot work (unwritable path, another schema) raises here, at the start of the session; after that
    nothing raises. A database that is locked or away is waited for.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self._sink = Sink(url)
        self._recorded = self._refused = 0
        self._repaired: list[str] = []
        self._queue: deque[Envelope] = deque()
        self._some, self._full, self._idle = threading.Event(), threading.Event(), threading.Condition()
        self._lock = threading.Lock()
        self._closed = False
        self._pid = os.getpid()
        self._thread = threading.Thread(target=self._work, name="pypto-recorder", daemon=True)
        self._thread.start()
        atexit.register(self.close)

    @property
    def spool(self) -> Path | None:
        """The file with the events that are not in the database, None when all are."""
        return self._sink.spool

    @property
    def problem(self) -> str:
        """Why events went to the spool, "" if none had to."""
        return self._sink.problem

    def record(self, event: Event) -> None:
        """Take an event in; returns at once, whatever happens."""
        if os.getpid() != self._pid:
            self._become_child()
        try:
            envelope: Envelope | None = seal(event)
        except Exception:  # mostly InvalidEvent: one value of the wrong type must not cost the fact
            envelope = self._repaired_envelope(event)
        with self._lock:
            self._recorded += 1
            if envelope is None:
                self._refused += 1
            elif self._closed:
                self._sink.put_aside([envelope])
            else:
                self._queue.append(envelope)
        waiting = len(self._queue)
        if waiting >= QUEUE:
            self._sink.put_aside(self._take(QUEUE))
        elif waiting >= BATCH:
            self._full.set()
        if not self._some.is_set():
            self._some.set()

    def flush(self, timeout: float = 10.0) -> bool:
        """Wait until all that was recorded so far is stored or spooled; False when that took too long."""
        goal = self._recorded
        self._full.set()
        self._some.set()
        with self._idle:
            return self._idle.wait_for(lambda: self._settled() >= goal, timeout)

    def close(self, timeout: float = 30.0) -> Counts:
        """Write what is left and end; a second call only counts."""
        with self._lock:
            first, self._closed = not self._closed, True
        if first and os.getpid() == self._pid:
            atexit.unregister(self.close)
            self._full.set()
            self._some.set()
            self._thread.join(timeout)
        return self.counts()

    def counts(self) -> Counts:
        """What became of the events so far."""
        sink = self._sink
        return Counts(self._recorded, sink.stored, sink.spooled, sink.lost + self._refused, tuple(self._repaired))

    def _repaired_envelope(self, event: Event) -> Envelope | None:
        try:
            repaired, fields = salvage(event)
            envelope = seal(repaired)
        except Exception as error:
            self._repaired.append(f"{describe(event)}: {error}")
            return None
        self._repaired.append(f"{event.type}: {', '.join(fields)}")
        return envelope

    def _work(self) -> None:
        self._sink.bring_in_earlier()
        while not (self._closed and not self._queue):
            self._some.wait()
            self._some.clear()
            if not self._closed:
                self._full.wait(INTERVAL)
                self._full.clear()
            while batch := self._take(BATCH):
                self._sink.write(batch)
            with self._idle:
                self._idle.notify_all()
        self._sink.finish()

    def _take(self, count: int) -> list[Envelope]:
        taken: list[Envelope] = []
        while len(taken) < count:
            try:
                taken.append(self._queue.popleft())
            except IndexError:
                break
        return taken

    def _settled(self) -> int:
        return self._sink.stored + self._sink.spooled + self._sink.lost + self._refused

    def _become_child(self) -> None:
        """A forked child has no writer thread, and neither the parent's queue nor its connection belong to it."""
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._queue = deque()
        self._recorded = self._refused = 0
        self._sink.start_over()
        self._closed = True  # from here on every event is put aside as it comes
