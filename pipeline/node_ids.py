"""Node ids that stay the same wherever pytest is started: relative to the project, without object addresses.

pytest writes ids relative to its root directory, and that one follows the command line: without an ini file it is the
common folder of the arguments, and `--rootdir` moves it. History must not.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterable
from pathlib import Path

_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,16}\b")


def project_folder(rootdir: Path, ini_file: Path | None) -> Path:
    """The folder that ids are relative to: of the ini file, else of the repository, else the root directory."""
    if ini_file is not None and (rootdir == ini_file.parent or rootdir.is_relative_to(ini_file.parent)):
        return ini_file.parent
    for folder in (rootdir, *rootdir.parents):
        if (folder / ".git").exists():
            return folder
    return rootdir


class NodeIds:
    """From the node ids of one session to the ids under which plain tests are recorded."""

    def __init__(self, rootdir: Path, project: Path) -> None:
        self.project = project
        self._rootdir = rootdir
        self.unstable: list[str] = []

    def stable(self, node_id: str) -> str:
        """The node id relative to the project."""
        if self._rootdir == self.project:
            return node_id
        path, separator, rest = node_id.partition("::")
        return os.path.relpath(self._rootdir / path, self.project).replace(os.sep, "/") + separator + rest

    def assign(self, node_ids: Iterable[str]) -> dict[str, str]:
        """A stable, distinct id for each node id, in order; those that hold an address are kept in `unstable`."""
        assigned: dict[str, str] = {}
        taken: dict[str, int] = {}
        for node_id in node_ids:
            stable = self.stable(node_id)
            if "0x" in stable and _ADDRESS.search(stable):
                self.unstable.append(node_id)
                stable = _ADDRESS.sub("0x", stable)
                taken[stable] = taken.get(stable, 0) + 1
                if taken[stable] > 1:
                    stable += f"#{taken[stable]}"
            assigned[node_id] = stable
        return assigned
