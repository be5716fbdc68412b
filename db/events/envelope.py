"""What travels with a payload: identity, stream, type, run and time; and, once stored, its place in the log."""

from __future__ import annotations

import time

import msgspec

from db.events.base import Event
from db.events.codec import decode, encode
from db.identity import new_event_id


class Envelope(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An event on its way to the log. Delivering the same envelope twice stores it once."""

    event_id: bytes
    stream: str
    type: str
    schema_version: int
    run_id: str
    recorded_at: int  # UTC, nanoseconds since 1970
    payload: str

    @property
    def event(self) -> Event:
        """The decoded event."""
        return decode(self.type, self.schema_version, self.payload)


class Recorded(Envelope, frozen=True, kw_only=True, gc=False):
    """An event in the log, at its global position and at its version in its stream (both from 1)."""

    position: int
    version: int


def seal(event: Event, recorded_at: int | None = None) -> Envelope:
    """The event in a new envelope: from here on the fact has an identity and a time."""
    cls = type(event)
    return Envelope(
        event_id=new_event_id(),
        stream=event.stream,
        type=cls.type,
        schema_version=cls.version,
        run_id=event.run_id,
        recorded_at=time.time_ns() if recorded_at is None else recorded_at,
        payload=encode(event),
    )
