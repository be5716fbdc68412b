"""The main job in one go: two commits of a kernel suite, recorded, compared, shown on a page.

``python tests/demo/run.py [FOLDER]`` writes into FOLDER (default ``demo_output``), which it empties first.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from edits import EDITS, EXPECTED

ROOT = Path(__file__).resolve().parents[2]
PLATFORMS = ("a2a3sim", "a5sim")


def main() -> int:
    """Run the demo; 0 when the diff names exactly what the head changed."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "demo_output").resolve()
    shutil.rmtree(folder, ignore_errors=True)
    suite = folder / "suite"
    shutil.copytree(ROOT / "tests" / "system", suite, ignore=shutil.ignore_patterns("__pycache__", "models"))
    (suite / "pytest.ini").write_text("[pytest]\naddopts = --import-mode=importlib\n", encoding="utf-8")
    database = f"sqlite:///{folder / 'pypto.db'}"
    start = time.perf_counter()

    say("base: the kernel suite as it is")
    commit(suite, "base")
    if record(suite, database, "base") != 0:
        say("the base run failed; the diff below would say nothing")
        return 1
    say("head: " + "; ".join(edit.what for edit in EDITS))
    for edit in EDITS:
        edit.apply(suite)
    commit(suite, "head")
    record(suite, database, "head")

    say("pypto-report diff base head")
    report("diff", "base", "head", database=database)
    found = json.loads(report("diff", "base", "head", "--format", "json", database=database, capture=True))
    page = folder / "report.html"
    report("dashboard", "--out", str(page), database=database, capture=True)
    wrong = mistakes(found)
    for line in wrong:
        say(line)
    say(f"done in {time.perf_counter() - start:.0f} s; open the page in a browser:")
    print(page)
    return 1 if wrong else 0


def say(text: str) -> None:
    """Tell what happens next."""
    print(f"\n=== {text}", flush=True)


def commit(suite: Path, message: str) -> None:
    """Commit the suite, so that the runs carry commits; without git they carry labels alone."""
    if shutil.which("git") is None:
        return
    identity = ["-c", "user.name=pypto demo", "-c", "user.email=demo@localhost", "-c", "commit.gpgsign=false"]
    for arguments in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-q", "-m", message]):
        subprocess.run(["git", *arguments], cwd=suite, check=True)


def record(suite: Path, database: str, label: str) -> int:
    """Run the suite once on both simulators and record it; the exit status of pytest."""
    options = ["--pypto-db", database, "--pypto-label", label, "--platform", ",".join(PLATFORMS), "--tb=no", "-q"]
    work = suite.parent / "work" / label
    command = [sys.executable, "-m", "pytest", *options, "--pypto-work", str(work), "-p", "no:cacheprovider", "."]
    return subprocess.run(command, cwd=suite, env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}).returncode


def report(*arguments: str, database: str, capture: bool = False) -> str:
    """Run ``pypto-report``; its output when captured. Status 1, new failures, is what the demo is about."""
    command = [sys.executable, "-m", "reports", *arguments, "--db", database]
    done = subprocess.run(command, stdout=subprocess.PIPE if capture else None, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"pypto-report {arguments[0]} ended with status {done.returncode}")
    return done.stdout or ""


def mistakes(found: dict[str, Any]) -> list[str]:
    """Where the diff differs from what the head really changed."""
    named: dict[str, set[str]] = {}
    for cause in found["causes"]:
        named.setdefault(cause["change"], set()).update(cause["cases"])
    wanted = {
        change: {f"{name}@{platform}@default" for name in names for platform in PLATFORMS}
        for change, names in EXPECTED.items()
    }
    return [
        f"{change}: expected {sorted(wanted.get(change, ()))}, the diff names {sorted(named.get(change, ()))}"
        for change in sorted(wanted.keys() | named.keys())
        if wanted.get(change) != named.get(change)
    ]


if __name__ == "__main__":
    sys.exit(main())
