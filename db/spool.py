"""Where events wait while their database is away: JSON lines, one envelope each, brought in later exactly once.

A spool lies beside its SQLite file, else in the user's state folder, else in the temporary one. Its writer holds a lock
on it, so that whoever brings it in knows whether more is to come.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO

import msgspec

from db.engine import sqlite_path
from db.events import Envelope
from db.store import Store
from db.text import restored, storable

_SUFFIX = ".jsonl"
_DAMAGED = ".damaged"
_BATCH = 500
_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Envelope)


@dataclass(frozen=True)
class Ingested:
    """What came of bringing one spool in."""

    path: Path
    events: int  # readable lines, whether their events were new to the log or not
    damaged: tuple[int, ...]  # numbers of the lines that could not be read
    kept: bool  # the file is still there: being written to, or damaged


class SpoolWriter:
    """A spool file in the making."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self.path = path
        self._file = file
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def write(self, envelopes: Iterable[Envelope]) -> None:
        """Append envelopes; they survive the death of this process once this returns."""
        self._file.write(b"".join(_ENCODER.encode(_plain(envelope)) + b"\n" for envelope in envelopes))
        self._file.flush()

    def close(self) -> None:
        """End the file."""
        self._file.close()


def open_spool(url: str) -> SpoolWriter:
    """A new spool file for the database at a URL, in the first folder that can be written."""
    name = f"{time.time_ns()}-{os.getpid()}-{os.urandom(3).hex()}{_SUFFIX}"
    for folder in _folders(url):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / name
            return SpoolWriter(path, path.open("xb"))
        except OSError as error:
            problem = error
    raise problem


def pending(url: str) -> list[Path]:
    """The spool files that wait for the database at a URL, the oldest first."""
    found = [path for folder in _folders(url) if folder.is_dir() for path in folder.glob(f"*{_SUFFIX}")]
    return sorted(found, key=lambda path: path.name)


def ingest(store: Store, path: Path | str) -> Ingested:
    """Bring a spool into the store, each event once however often and by however many processes that is done.

    A file that was read to the end is removed, unless its writer still lives; one with unreadable lines is set aside
    under the suffix `.damaged`.
    """
    path = Path(path)
    events, damaged = 0, []
    with path.open("rb") as file:
        live = _is_live(file)
        lines = enumerate(file, 1)
        while chunk := list(islice(lines, _BATCH)):
            envelopes = []
            for number, line in chunk:
                try:
                    envelopes.append(_restored(_DECODER.decode(line)))
                except (msgspec.MsgspecError, UnicodeDecodeError):
                    damaged.append(number)
            store.append_many(envelopes)
            events += len(envelopes)
        if not live:
            _put_away(path, bool(damaged))
    return Ingested(path=path, events=events, damaged=tuple(damaged), kept=live or bool(damaged))


def ingest_pending(store: Store, url: str) -> list[Ingested]:
    """Bring in every spool that waits for the database at a URL, except those still being written."""
    done = []
    for path in pending(url):
        with suppress(FileNotFoundError):  # another process was quicker
            with path.open("rb") as file:
                live = _is_live(file)
            if not live:
                done.append(ingest(store, path))
    return done


def _folders(url: str) -> Iterator[Path]:
    path = sqlite_path(url)
    if path is not None:
        yield path.with_name(path.name + ".spool")
    name = hashlib.blake2b(str(path.absolute() if path else url).encode("utf-8", "replace"), digest_size=8).hexdigest()
    import platformdirs  # rarely needed

    yield Path(platformdirs.user_state_dir("pypto")) / "spool" / name
    yield Path(tempfile.gettempdir()) / f"pypto-spool-{os.getuid()}" / name


def _is_live(file: IO[bytes]) -> bool:
    """Whether the writer of a spool still holds it; if not, it is ours while the file is open."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def _put_away(path: Path, damaged: bool) -> None:
    if damaged:
        with suppress(FileNotFoundError):
            path.rename(path.with_name(path.name + _DAMAGED))
    else:
        path.unlink(missing_ok=True)
        with suppress(OSError):
            path.parent.rmdir()  # only when it was the last


def _plain(envelope: Envelope) -> Envelope:
    return msgspec.structs.replace(envelope, stream=storable(envelope.stream), run_id=storable(envelope.run_id))


def _restored(envelope: Envelope) -> Envelope:
    return msgspec.structs.replace(envelope, stream=restored(envelope.stream), run_id=restored(envelope.run_id))
