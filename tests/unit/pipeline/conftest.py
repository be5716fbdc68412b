"""What the pipeline's tests share: a compiler made of Python, and pytest sessions in a process of their own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

SUPPORT = Path(__file__).parent / "support"

# `stand_in` is imported by name in worker processes and inner sessions too, so it is a module on the path, no fixture.
sys.path.insert(0, str(SUPPORT))


ENVIRONMENT = os.environ | {"PYTHONPATH": str(SUPPORT), "COLUMNS": "200", "NO_COLOR": "1"}
ENVIRONMENT.pop("PYTEST_ADDOPTS", None)


@dataclass
class Outcome:
    """What an inner session did."""

    status: int
    output: str
    database: Path

    @property
    def events(self) -> list[Any]:
        """Every recorded event, in order."""
        from db import open_store

        store = open_store(str(self.database), create=False)
        try:
            return [recorded.event for recorded in store.read()]
        finally:
            store.close()

    def of(self, kind: str, case_id: str | None = None) -> list[Any]:
        """The events of a class, of one case if given."""
        return [e for e in self.events if type(e).__name__ == kind and case_id in (None, getattr(e, "case_id", None))]

    def kinds(self, case_id: str) -> list[str]:
        """The names of the event classes of a case, in order."""
        return [type(e).__name__ for e in self.events if getattr(e, "case_id", None) == case_id]

    @property
    def summary(self) -> str:
        """The line about the run."""
        return next(line for line in self.output.splitlines() if line.startswith("pypto: run "))


class WarmPytest:
    """Runs sessions in forks of a process that has imported torch; see `support/warm_pytest.py`."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(SUPPORT / "warm_pytest.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=ENVIRONMENT,
            text=True,
        )

    def run(self, folder: Path, arguments: list[str], output: Path) -> int:
        """The exit status of a session."""
        assert self._process.stdin is not None and self._process.stdout is not None
        request = {"folder": str(folder), "arguments": arguments, "output": str(output)}
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        with self._process:
            self._process.terminate()


@dataclass
class Suite:
    """A folder with test files, and a way to run pytest on it."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)
    warm: WarmPytest | None = None

    def write(self, name: str, text: str) -> Path:
        """Put a file into the folder."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def outcome(self, status: int, output: str) -> Outcome:
        """What a session did whose record lies here."""
        return Outcome(status, output, self.folder / "record.db")

    def run(self, *arguments: str, record: bool = True, cwd: Path | None = None) -> Outcome:
        """Run pytest there."""
        database = self.folder / "record.db"
        options = ["--pypto-db", str(database)] if record else []
        options = ["-p", "no:hypothesispytest", *options, *arguments]
        if self.warm is not None:
            output = self.folder / "output.txt"
            return Outcome(self.warm.run(cwd or self.folder, options, output), output.read_text(), database)
        environment = ENVIRONMENT | self.environment
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options],
            cwd=cwd or self.folder,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=120,
            check=False,
        )
        return Outcome(done.returncode, done.stdout + done.stderr, database)


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database as a first session makes it, since making one takes longer than most sessions here."""
    from db import open_store

    path = tmp_path_factory.mktemp("empty") / "record.db"
    open_store(str(path)).close()
    return path


@pytest.fixture(scope="session")
def warm_pytest() -> Iterator[WarmPytest]:
    """One for all tests."""
    warm = WarmPytest()
    yield warm
    warm.close()


@pytest.fixture
def warm_suite(suite: Suite, warm_pytest: WarmPytest) -> Suite:
    """A suite whose sessions find torch imported; for tests that are not about imports or processes."""
    suite.warm = warm_pytest
    return suite


@pytest.fixture
def suite(tmp_path: Path, empty_database: Path) -> Suite:
    """An empty suite with an ini file, so that nothing above it counts."""
    return new_suite(tmp_path, empty_database)


@pytest.fixture(scope="module")
def shared_suite(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Suite:
    """A suite that the tests of a module run once and look at together."""
    return new_suite(tmp_path_factory.mktemp("suite"), empty_database)


def new_suite(folder: Path, database: Path) -> Suite:
    suite = Suite(folder)
    suite.write("pytest.ini", "[pytest]\n")
    shutil.copy(database, folder / "record.db")
    return suite


@pytest.fixture(scope="module")
def support_on_path() -> Iterator[None]:
    """Let worker processes find `stand_in`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(SUPPORT))
        yield


@pytest.fixture
def import_in_new_process() -> Callable[[str], set[str]]:
    """The names of all modules that a statement leaves imported in a new process."""

    def run(statement: str) -> set[str]:
        code = f"import sys; {statement}; print('\\n'.join(sys.modules))"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
        return set(done.stdout.split())

    return run
