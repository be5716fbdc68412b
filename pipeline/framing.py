"""Messages between a session and its worker: JSON, each behind its length, over pipes that kernels do not know of."""

from __future__ import annotations

import json
import os
import select
import struct
import time
from typing import Any

_LENGTH = struct.Struct(">I")
LONGEST = 16 << 20  # bytes; a length above it means that something else wrote into the pipe


class Closed(Exception):
    """The other side is gone."""


def send(descriptor: int, message: dict[str, Any]) -> None:
    """Write one message; `Closed` when nobody reads."""
    body = json.dumps(message).encode()
    data = memoryview(_LENGTH.pack(len(body)) + body)
    try:
        while data:
            data = data[os.write(descriptor, data) :]
    except BrokenPipeError:
        raise Closed from None


def receive(descriptor: int) -> dict[str, Any]:
    """Wait for one message; `Closed` when none will come."""
    return _parse(_exactly(descriptor, _LENGTH.unpack(_exactly(descriptor, _LENGTH.size))[0]))


def _exactly(descriptor: int, count: int) -> bytes:
    parts = bytearray()
    while len(parts) < count:
        part = os.read(descriptor, min(count - len(parts), 1 << 20))
        if not part:
            raise Closed
        parts += part
    return bytes(parts)


def _parse(body: bytes) -> dict[str, Any]:
    message = json.loads(body)
    if not isinstance(message, dict):
        raise ValueError(f"expected a JSON object, got {body[:80]!r}")
    return message


class Inbox:
    """Receives messages from a process that may die, hang, or leave children that hold the pipe open."""

    def __init__(self, descriptor: int, process_descriptor: int) -> None:
        self._descriptor = descriptor
        self._process = process_descriptor
        self._data = bytearray()
        os.set_blocking(descriptor, False)

    def receive(self, deadline: float) -> dict[str, Any] | None:
        """The next message; None when the deadline (in `time.monotonic`) passed; `Closed` when the process ended."""
        waiting = select.poll()
        waiting.register(self._descriptor, select.POLLIN)
        waiting.register(self._process, select.POLLIN)
        while True:
            message = self._take()
            if message is not None:
                return message
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                return None
            ready = dict(waiting.poll(remaining * 1000))
            if self._descriptor in ready and self._fill():
                continue
            if ready:
                self._fill()
                message = self._take()  # written just before the end
                if message is not None:
                    return message
                raise Closed

    def _fill(self) -> bool:
        """Read what is there; False at the end of the pipe or when nothing is."""
        try:
            part = os.read(self._descriptor, 1 << 20)
        except BlockingIOError:
            return False
        self._data += part
        return bool(part)

    def _take(self) -> dict[str, Any] | None:
        if len(self._data) < _LENGTH.size:
            return None
        length = _LENGTH.unpack_from(self._data)[0]
        if length > LONGEST:
            raise Closed
        end = _LENGTH.size + length
        if len(self._data) < end:
            return None
        body = bytes(self._data[_LENGTH.size : end])
        del self._data[:end]
        return _parse(body)
