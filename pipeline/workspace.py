"""Where cases keep what they make: one folder per case id, one workspace per session."""

from __future__ import annotations

import fcntl
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_LOCK = ".session"


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
    """A folder that this session alone writes to."""

    def __init__(self, root: Path, lock: IO[bytes] | None = None) -> None:
        self.root = root
        self._lock = lock

    @staticmethod
    def claim(wanted: Path) -> Workspace:
        """The wanted folder, or, while another session works there, one beside it."""
        number = 1
        while True:
            root = wanted if number == 1 else wanted.with_name(f"{wanted.name}-{number}")
            root.mkdir(parents=True, exist_ok=True)
            lock = (root / _LOCK).open("ab")
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.close()
                number += 1
                continue
            return Workspace(root, lock)

    def case(self, case_id: str) -> CaseFolder:
        """The folders of a case; names were checked, so the id is one plain folder name."""
        if Path(case_id).name != case_id:
            raise ValueError(f"case id {case_id!r} is no folder name")
        return CaseFolder(self.root / case_id)

    @property
    def workers(self) -> Path:
        """Where worker processes write what they say outside of runs."""
        return self.root / ".workers"

    def close(self) -> None:
        """Let others have it."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None
