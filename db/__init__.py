"""The memory of the project: events, their store, and the answers projected from them.

Names are imported when they are first used, so that `import db` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from db.errors import DbError
    from db.identity import new_run_id
    from db.outcome import Change, Outcome, RunState, Stage
    from db.recorder import Recorder
    from db.store import MemoryStore, SqlStore, Store, open_store
    from db.views import ResultView, RunView

__all__ = [
    "Change",
    "DbError",
    "MemoryStore",
    "Outcome",
    "Recorder",
    "ResultView",
    "RunState",
    "RunView",
    "SqlStore",
    "Stage",
    "Store",
    "new_run_id",
    "open_store",
]

_HOMES = {
    "errors": ("DbError",),
    "identity": ("new_run_id",),
    "outcome": ("Change", "Outcome", "RunState", "Stage"),
    "recorder": ("Recorder",),
    "store": ("MemoryStore", "SqlStore", "Store", "open_store"),
    "views": ("ResultView", "RunView"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'db' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"db.{_HOME_OF[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
