"""What every test has: the `golden` fixture with its option, and one hypothesis profile.

Imported at each start of pytest, so it imports nothing of ours and never torch.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

UPDATE = "--update-golden"

# Examples are the same in every CI run, so that a red build means a change, not a dice roll. Elsewhere they are random
# and found failures are kept in .hypothesis/. No deadline: the machines are shared, and time limits would be noise.
settings.register_profile("local", max_examples=50, deadline=None, derandomize=False)
settings.register_profile("repeatable", max_examples=50, deadline=None, derandomize=True, database=None)
settings.load_profile("repeatable" if os.environ.get("CI") else "local")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("golden").addoption(
        UPDATE, action="store_true", help="write the golden files of the chosen tests anew instead of comparing"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """When golden files are written, only the tests that have some need to run."""
    if not config.getoption(UPDATE):
        return
    others = [item for item in items if "golden" not in getattr(item, "fixturenames", ())]
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if "golden" in getattr(item, "fixturenames", ())]


class Golden:
    """Compares with a file at the path of its test: `test_print.py::test_loop` has `test_print/test_loop.txt`.

    A text is kept as it is, anything else as JSON. A test with several files names each one.
    """

    def __init__(self, node: pytest.Item) -> None:
        self._folder = node.path.with_suffix("")
        self._node = node
        self._update = node.config.getoption(UPDATE)
        self._used: set[Path] = set()

    def __call__(self, actual: Any, name: str = "", suffix: str = "") -> None:
        """Fail unless `actual` equals the golden file; write the file when `--update-golden` is given."""
        is_text = isinstance(actual, str)
        text = actual if is_text else json.dumps(actual, indent=2, sort_keys=True, ensure_ascii=False)
        text = text if text.endswith("\n") else text + "\n"
        path = self.path(name, suffix or (".txt" if is_text else ".json"))
        if path in self._used:
            pytest.fail(f"{self._node.nodeid} compares twice with {path.name}; name each: golden(text, name='after')")
        self._used.add(path)
        if self._update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        else:
            self._compare(path, text)

    def path(self, name: str = "", suffix: str = ".txt") -> Path:
        """Where the file of this test lies."""
        stem = self._node.name + (f"-{name}" if name else "")
        return self._folder / (_file_name(stem) + suffix)

    def _compare(self, path: Path, text: str) -> None:
        place = path.relative_to(self._node.config.rootpath)
        node = shlex.quote(self._node.nodeid)
        advice = f"to accept what came: .venv/bin/python -m pytest {UPDATE} {node}  (all: make golden)"
        if not path.exists():
            pytest.fail(f"{place} does not exist; {advice}", pytrace=False)
        expected = path.read_bytes().decode()
        if expected != text:
            pytest.fail(f"{place} differs; {advice}\n{_diff(expected, text)}", pytrace=False)


def _file_name(stem: str) -> str:
    """A name that stays in its folder; one that had to be changed gets a digest, so two never share a file."""
    safe = re.sub(r"[^\w.=,+\[\]-]", "_", stem, flags=re.ASCII)[:120]
    return safe if safe == stem else f"{safe}-{hashlib.sha256(stem.encode()).hexdigest()[:8]}"


def _diff(expected: str, actual: str) -> str:
    lines = difflib.unified_diff(expected.split("\n"), actual.split("\n"), "golden", "actual", lineterm="")
    return "\n".join(lines)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compare a text or a JSON value with the golden file of this test: `golden(print_ir(program))`."""
    return Golden(request.node)
