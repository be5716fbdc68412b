"""Where cases keep what they make: one folder per case id, one workspace per session."""

from __future__ import annotations

import fcntl
import time
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import IO

_LOCK = ".session"
_LOOKS = 10


@dataclass(frozen=True)
class CaseFolder:
    """The folders of one variant of a case."""

    root: Path

    @property
    def artifact(self) -> Path:
        """What the compiler made."""
        return self.root / "artifact"

    @property
    def data(self) -> Path:
        """`in`, `out` (golden) and `actual`, one tensor file each."""
        return self.root / "data"

    @property
    def logs(self) -> Path:
        """What the kernel printed."""
        return self.root / "logs"


class Workspace:
    """A folder that one session alone writes to, with all processes of pytest-xdist that belong to it."""

    def __init__(self, root: Path, lock: IO[bytes]) -> None:
        self.root = root
        self._lock = lock

    @staticmethod
    def claim(wanted: Path, session: str) -> Workspace:
        """The wanted folder, or, while another session works there, one beside it."""
        for number in count(1):
            root = wanted if number == 1 else wanted.with_name(f"{wanted.name}-{number}")
            root.mkdir(parents=True, exist_ok=True)
            lock = (root / _LOCK).open("a+b")
            if _take(lock, session):
                return Workspace(root, lock)
            lock.close()
        raise AssertionError("unreachable: the numbers do not end")

    def case(self, case_id: str) -> CaseFolder:
        """The folders of a case; names were checked, so the id is one plain folder name."""
        if not case_id or Path(case_id).name != case_id:
            raise ValueError(f"case id {case_id!r} is no folder name")
        return CaseFolder(self.root / case_id)

    @property
    def workers(self) -> Path:
        """Where worker processes write what they say outside of runs."""
        return self.root / ".workers"

    def close(self) -> None:
        """Let others have it."""
        self._lock.close()


def _take(lock: IO[bytes], session: str) -> bool:
    """Hold the lock together with the other processes of this session; False when it is another session's.

    Who finds it free writes the session's name into it. All hold it shared, so it is free when the last of them ends.
    """
    if _try(lock, fcntl.LOCK_EX):
        lock.truncate(0)
        lock.write(session.encode())
        lock.flush()
        return _try(lock, fcntl.LOCK_SH)
    for _ in range(_LOOKS):
        lock.seek(0)
        if lock.read() == session.encode() and _try(lock, fcntl.LOCK_SH):
            return True
        if _try(lock, fcntl.LOCK_EX):  # it became free meanwhile
            return _take(lock, session)
        time.sleep(0.01)  # the first process may be about to write the name
    return False


def _try(lock: IO[bytes], kind: int) -> bool:
    try:
        fcntl.flock(lock, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
