"""A folder of built libraries named by what they were built from, safe to share between processes.

An entry ends in the digest of its own content, which the loader ignores and every read verifies: a file that was
damaged or cut short counts as absent and is built anew.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from pypto.errors import ToolchainError

SEAL = b"pypto-sealed:"
SEAL_SIZE = len(SEAL) + hashlib.sha256().digest_size


def cache_dir() -> Path:
    """Where libraries are kept: PYPTO_CACHE_DIR, else the user's cache folder."""
    named = os.environ.get("PYPTO_CACHE_DIR")
    if named:
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_cache_dir("pypto"))


def is_sound(path: Path) -> bool:
    """Whether an entry is there and as complete as when it was published."""
    try:
        content = path.read_bytes()
    except OSError:
        return False
    seal = content[-SEAL_SIZE:]
    return seal == SEAL + hashlib.sha256(content[:-SEAL_SIZE]).digest()


def publish(built: Path, path: Path) -> None:
    """Seal a built file and put it in its place at once; of two processes that publish one entry, either wins."""
    content = built.read_bytes()
    with built.open("ab") as file:
        file.write(SEAL + hashlib.sha256(content).digest())
    built.replace(path)


@contextlib.contextmanager
def workspace(beside: Path) -> Iterator[Path]:
    """A temporary folder on the file system of an entry, so that publishing is a rename."""
    with _writable(beside.parent):
        beside.parent.mkdir(parents=True, exist_ok=True)
        folder = tempfile.TemporaryDirectory(dir=beside.parent, prefix=".building-")
    with folder as name:
        yield Path(name)


@contextlib.contextmanager
def lock(path: Path) -> Iterator[None]:
    """Hold the lock that belongs to an entry; others wait. It falls with the process, however that ends."""
    with _writable(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.with_suffix(".lock").open("w")
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def _writable(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ToolchainError(
            f"cannot write to the folder of built libraries {folder}: {error.strerror}",
            hint="name another folder in PYPTO_CACHE_DIR",
        ) from error
