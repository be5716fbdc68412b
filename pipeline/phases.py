"""Tells the three passed phases of a plain test as one event: most tests are such, and it is a third of the cost.

A phase waits for the next ones only briefly. Of a test that takes long, or never ends, what passed so far is recorded
while it is under way.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import msgspec

from db.events import Event, TestReported

PATIENCE = 0.2  # seconds that a passed phase waits for the next one


class PassedPhases:
    """Holds the passed phases of the test under way."""

    def __init__(self, record: Callable[[Event], Any]) -> None:
        self._record = record
        self._held: list[TestReported] = []
        self._since = 0.0
        self._lock = threading.Lock()
        self._closed = threading.Event()

    def passed(self, event: TestReported, is_last: bool) -> None:
        """Take a passed phase in; the last one of a test lets all go."""
        with self._lock:
            held = self._held
            if held and held[0].case_id != event.case_id:
                self._let_go()
                held = self._held
            if not is_last:
                held.append(event)
                self._since = time.monotonic()
            elif len(held) == 2:
                setup, call = held
                held.clear()
                self._record(
                    msgspec.structs.replace(
                        call, whole=True, setup_seconds=setup.seconds, teardown_seconds=event.seconds
                    )
                )
            else:
                held.append(event)
                self._let_go()

    def release(self) -> None:
        """Record what is held, phase by phase."""
        if self._held:
            with self._lock:
                self._let_go()

    def watch(self) -> None:
        """From now on, record what is held for long."""
        threading.Thread(target=self._watch, name="pypto-phases", daemon=True).start()

    def close(self) -> None:
        """Record what is held, and stop watching."""
        self._closed.set()
        self.release()

    def _watch(self) -> None:
        while not self._closed.wait(PATIENCE):
            if self._held and time.monotonic() - self._since > PATIENCE:
                self.release()

    def _let_go(self) -> None:
        for event in self._held:
            self._record(event)
        self._held.clear()
