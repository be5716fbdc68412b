"""The options of the plugin, as plain values. Imported at each start of pytest: standard library only."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

DEFAULT_PLATFORMS = ("a2a3sim", "a5sim")
DEFAULT_TIMEOUT = 60.0
WORK_FOLDER = Path("build_output") / "cases"


@dataclass(frozen=True)
class Options:
    """What the command line and the ini file ask for."""

    database: str | None = None
    label: str = ""
    platforms: tuple[str, ...] = DEFAULT_PLATFORMS
    planner: str | None = None
    timeout: float = DEFAULT_TIMEOUT
    inline: bool = False
    work: Path = WORK_FOLDER

    def as_facts(self) -> dict[str, Any]:
        """What the record keeps of them; the label and the database have their own places."""
        return {
            "platforms": list(self.platforms),
            "memory_planner": self.planner or "default",
            "case_timeout": self.timeout,
            "run_inline": self.inline,
        }


def names_in(text: str) -> tuple[str, ...]:
    """The distinct names of a comma-separated list, in order."""
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def database_url(value: str, folder: Path) -> str:
    """A database URL from a URL or a path; relative SQLite paths start at `folder`."""
    scheme, separator, path = value.partition(":///")
    if separator:
        return f"{scheme}:///{folder / Path(path).expanduser()}" if scheme.startswith("sqlite") and path else value
    return value if "://" in value else f"sqlite:///{folder / Path(value).expanduser()}"
