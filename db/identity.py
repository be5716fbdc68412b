"""Identifiers: time-ordered (UUIDv7) for runs and events."""

from __future__ import annotations

import uuid_utils


def new_run_id() -> str:
    """A new run id: a UUIDv7 in its usual text form."""
    return str(uuid_utils.uuid7())


def new_event_id() -> bytes:
    """A new event id: the 16 bytes of a UUIDv7, so that ids of one session are near each other in the index."""
    return uuid_utils.uuid7().bytes
