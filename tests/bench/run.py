"""Runs the benchmarks beside it, one process after the other, and prints one table: `make bench`.

A benchmark is a script `bench_<what>.py` with a `main()` that returns rows `(name, value, unit, ratio or None)`, and
with `if __name__ == "__main__": run.show(main())` at its end, so that it can be run alone. A value is the median of its
repeats; a ratio is taken against what the row's name says. On shared machines compare ratios.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parent


class Row(NamedTuple):
    """One measured figure. `ratio` is None where there is nothing to compare with."""

    name: str
    value: float
    unit: str
    ratio: float | None = None


def table(rows: Iterable[Row]) -> str:
    """The rows in aligned columns."""
    cells = [(row.name, number(row.value), row.unit, "" if row.ratio is None else number(row.ratio)) for row in rows]
    cells = [("benchmark", "median", "", "ratio"), *cells]
    name, value, unit, ratio = (max(len(cell[column]) for cell in cells) for column in range(4))
    return "\n".join(f"{a:{name}}  {b:>{value}} {c:{unit}}  {d:>{ratio}}".rstrip() for a, b, c, d in cells)


def number(value: float) -> str:
    """Three significant digits, thousands with commas, never an exponent."""
    digits = next((digits for digits in (3, 2, 1) if abs(value) < 10 ** (3 - digits)), 0)
    return f"{value:,.{digits}f}"


def show(rows: Iterable[tuple]) -> None:
    """Print the table of one benchmark."""
    print(table(Row(*row) for row in rows))


def run_alone(script: Path) -> list[Row] | None:
    """The rows of a benchmark, run in a process of its own; None when it failed. What it prints goes to stderr."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "rows.json"
        command = [sys.executable, __file__, "--rows-to", str(answer), str(script)]
        done = subprocess.run(command, stdout=sys.stderr, stdin=subprocess.DEVNULL)
        return [Row(*row) for row in json.loads(answer.read_text())] if done.returncode == 0 else None


def write_rows(script: Path, answer: Path) -> None:
    """Import a benchmark and leave its rows for `run_alone`."""
    spec = importlib.util.spec_from_file_location(script.stem, script)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.argv = [str(script)]  # it may read options of its own when it runs alone; here it takes its defaults
    spec.loader.exec_module(module)
    answer.write_text(json.dumps([Row(*row) for row in module.main()]))


def chosen(words: list[str]) -> list[Path]:
    """The benchmarks whose name has one of the words; all without words."""
    scripts = sorted(FOLDER.glob("bench_*.py"))
    found = [script for script in scripts if not words or any(word in script.stem for word in words)]
    if not found:
        raise SystemExit(f"no benchmark has {words} in its name; there are: {[script.stem for script in scripts]}")
    return found


def main() -> int:
    """Run what the command line chooses; 1 when a benchmark failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="run only benchmarks with one of these in their name")
    parser.add_argument("--rows-to", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.rows_to:
        write_rows(Path(arguments.words[0]), arguments.rows_to)
        return 0
    rows: list[Row] = []
    failed: list[str] = []
    for script in chosen(arguments.words):
        print(f"{script.stem} …", end="", file=sys.stderr, flush=True)
        start = time.monotonic()
        measured = run_alone(script)
        print(f" {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
        rows += measured or []
        failed += [script.name] if measured is None else []
    print(table(rows))
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
