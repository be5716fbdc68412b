"""What recording costs a plain test, against plain pytest and other plugins that write reports.

Each configuration runs a session of 2,000 trivial tests and one of a single test; the difference of their CPU times is
the cost of 1,999 tests, free of start-up. The configurations take turns, in another order each round, so that a busy
machine hits all alike. CPU time is that of the session's process and its threads. Plain pytest is measured twice: what
the second seems to add is the noise below which nothing is resolved.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median

import run

TESTS = 2000
ROUNDS = int(os.environ.get("ROUNDS", "5"))
# Where bytecode is not kept, a start costs 0.8 s of compiling pytest's plugins, and that noise hides what is measured.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
PLAIN = "plain pytest"
WITHOUT = ["-p", "no:pypto"]
CONFIGURATIONS: dict[str, Callable[[Path], list[str]]] = {
    PLAIN: lambda _: WITHOUT,
    "plain pytest again": lambda _: WITHOUT,
    "plugin, inert": lambda _: [],
    "plugin, --pypto-db": lambda folder: ["--pypto-db", f"sqlite:///{folder}/record.db"],
    "pytest-reportlog": lambda folder: [*WITHOUT, "--report-log", f"{folder}/report.jsonl"],
    "--junitxml": lambda folder: [*WITHOUT, "--junitxml", f"{folder}/report.xml"],
}


def cpu_seconds(command: list[str], folder: Path) -> float:
    """User and system time of a command that must succeed."""
    with (folder / "output.txt").open("w+") as output:
        process = subprocess.Popen(
            command, cwd=folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            output.seek(0)
            raise SystemExit(f"{' '.join(command)} ended with {process.returncode}:\n{output.read()[-3000:]}")
    return usage.ru_utime + usage.ru_stime


def session(options: Callable[[Path], list[str]], tests: int) -> float:
    """CPU seconds of one session in a folder of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pytest.ini").write_text("[pytest]\n")
        (folder / "test_trivial.py").write_text("".join(f"def test_{i}(): pass\n" for i in range(tests)))
        return cpu_seconds([sys.executable, "-m", "pytest", "-q", *options(folder)], folder)


def main() -> list[run.Row]:
    """CPU time per test and at start of each configuration, with its ratio to plain pytest."""
    per_test: dict[str, list[float]] = {name: [] for name in CONFIGURATIONS}
    start: dict[str, list[float]] = {name: [] for name in CONFIGURATIONS}
    session(CONFIGURATIONS[PLAIN], 1)  # leaves the bytecode that all the others find
    for turn in range(ROUNDS):
        for name, options in rotated(list(CONFIGURATIONS.items()), turn):
            single = session(options, 1)
            start[name].append(single)
            per_test[name].append((session(options, TESTS) - single) / (TESTS - 1))
    return [
        *(row(f"per test: {name}", per_test[name], per_test[PLAIN], 1e6, "us") for name in CONFIGURATIONS),
        *(added(name, per_test) for name in CONFIGURATIONS if name != PLAIN),
        *(row(f"session of one test: {name}", start[name], start[PLAIN], 1e3, "ms") for name in CONFIGURATIONS),
    ]


def rotated(configurations: list[tuple], turn: int) -> list[tuple]:
    """The configurations from another one on each turn."""
    first = turn % len(configurations)
    return configurations[first:] + configurations[:first]


def row(name: str, seconds: list[float], plain: list[float], scale: float, unit: str) -> run.Row:
    """The median, and its ratio to plain pytest's."""
    return run.Row(name, median(seconds) * scale, f"{unit} CPU", median(seconds) / median(plain))


def added(name: str, per_test: dict[str, list[float]]) -> run.Row:
    """What a configuration adds to a plain test: the median of the differences within each round."""
    differences = [with_it - plain for with_it, plain in zip(per_test[name], per_test[PLAIN], strict=True)]
    return run.Row(f"added per test: {name}", median(differences) * 1e6, "us CPU")


if __name__ == "__main__":
    run.show(main())
