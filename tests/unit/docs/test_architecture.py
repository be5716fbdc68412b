"""ARCHITECTURE.md has a line for every module, and none for a module that is gone."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
PACKAGES = ("pypto", "db", "migrations", "pipeline", "reports")


def test_every_module_has_its_line():
    listed, folder = set(), ""
    for line in (ROOT / "ARCHITECTURE.md").read_text("utf-8").splitlines():
        if heading := re.match(r"#+ `([\w/]+)/`", line):
            folder = heading[1]
        elif entry := re.match(r"\* `([\w.]+\.py)`", line):
            listed.add(f"{folder}/{entry[1]}")
    modules = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        if path.name != "__init__.py"
    }
    assert not modules - listed, f"without a line: {sorted(modules - listed)}"
    assert not listed - modules, f"a line for what is not there: {sorted(listed - modules)}"
