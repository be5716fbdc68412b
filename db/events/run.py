"""Facts about a whole run: one session that collected cases and worked through them."""

from __future__ import annotations

from typing import Any

from db.events.base import RunEvent


class RunStarted(RunEvent, frozen=True, kw_only=True):
    """A session began."""

    type = "run.started"
    version = 1

    label: str = ""
    command: str
    root: str
    git_commit: str = ""
    git_branch: str = ""
    git_dirty: bool = False
    diff_digest: str = ""
    host: str
    platforms: list[str]
    options: dict[str, Any]
    environment: dict[str, str]


class RunFinished(RunEvent, frozen=True, kw_only=True):
    """A session came to its own end; `collected = recorded + deselected + len(missing)`."""

    type = "run.finished"
    version = 1

    exit_status: int
    collected: int
    recorded: int
    deselected: int
    missing: list[str]
    seconds: float


class RunAborted(RunEvent, frozen=True, kw_only=True):
    """A session was stopped before its end, and could still say so."""

    type = "run.aborted"
    version = 1

    reason: str
