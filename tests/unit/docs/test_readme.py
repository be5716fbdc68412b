"""What the documents say runs as written: python blocks as scripts, and README.md's commands in its order.

Fences say what a block is. ```python runs by itself; ```python test_add.py is a file that the commands use, and is run
too; ```python no-run is a fragment. ```sh runs, but for `make`, whose targets need only exist; of ```sh no-run the
commands need only be there.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from itertools import dropwhile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
README = ROOT / "README.md"
PAGES = sorted([README, *(ROOT / "docs").rglob("*.md")])
PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
FENCE = re.compile(r"^```(?P<kind>[^\n`]*)\n(?P<text>.*?)^```\s*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """One fenced block: where it stands, what its fence says, and its text."""

    page: Path
    line: int
    kind: str
    text: str

    @property
    def file(self) -> str:
        """The file a python block is, or "" when it is no block to run."""
        match = re.fullmatch(r"python( (?P<name>\w+\.py))?", self.kind)
        return (match["name"] or "example.py") if match else ""

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page: Path, text: str) -> list[Block]:
    """The fenced blocks of a page."""
    return [
        Block(page, text.count("\n", 0, match.start()) + 1, match["kind"].strip(), match["text"])
        for match in FENCE.finditer(text)
    ]


ALL = [block for page in PAGES if page.exists() for block in blocks(page, page.read_text("utf-8"))]
RUNNABLE = [block for block in ALL if block.file]
SHELL = [block for block in ALL if block.page == README and block.kind in {"sh", "sh no-run"}]


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command as a reader with the environment activated would."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYPTO_", "PYTEST_"))}
    environment["PATH"] = PATH
    return subprocess.run(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300
    )


def test_readme_shows_a_kernel_and_the_commands() -> None:
    assert any(block.page == README for block in RUNNABLE), "README.md has no ```python block"
    assert SHELL, "README.md has no ```sh block"


@pytest.mark.parametrize("block", RUNNABLE, ids=lambda block: block.place)
def test_block_runs(block: Block, tmp_path: Path) -> None:
    """A block with test functions is given to pytest, as its reader would do; any other is run as a script."""
    (tmp_path / block.file).write_text(block.text, encoding="utf-8")
    is_suite = re.search(r"^def test_", block.text, re.MULTILINE)
    done = run([sys.executable, *(["-m", "pytest"] if is_suite else []), block.file], tmp_path)
    assert done.returncode == 0, f"{block.place} does not run as written:\n{done.stdout[-4000:]}{done.stderr[-4000:]}"


def test_readme_can_be_followed(tmp_path: Path) -> None:
    """Its files and commands in one folder, in the order of the page."""
    for block in (block for block in ALL if block.page == README):
        if block.file:
            (tmp_path / block.file).write_text(block.text, encoding="utf-8")
        if block.kind == "sh":
            lines = [line for line in block.text.splitlines() if not line.startswith("make ")]
            done = run(["bash", "-euo", "pipefail", "-c", "\n".join(lines)], tmp_path)
            output = f"{done.stdout[-4000:]}{done.stderr[-4000:]}"
            assert done.returncode == 0, f"{block.place} ends with {done.returncode}:\n{block.text}\n{output}"


@pytest.mark.parametrize("block", SHELL, ids=lambda block: block.place)
def test_commands_exist(block: Block) -> None:
    problems = [problem for words in commands(block.text) if (problem := missing(words))]
    assert not problems, f"{block.place}: {problems}"


def commands(text: str) -> list[list[str]]:
    """The commands of a shell block as words, without comments and settings of variables."""
    found: list[list[str]] = []
    for line in text.replace("\\\n", " ").splitlines():
        for part in re.split(r"&&|\||;", line):
            words = list(dropwhile(re.compile(r"[A-Z_]+=").match, shlex.split(part, comments=True)))
            found += [words] if words else []
    return found


def missing(words: list[str]) -> str:
    """What there is not: the program, the make target or the subcommand; "" when all is there."""
    name, *rest = words
    if name == "make":
        known = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
        unknown = [word for word in rest if "=" not in word and not word.startswith("-") and word not in known]
        return f"the Makefile has no target {unknown[0]}" if unknown else ""
    if name not in {"cd", "export", "source"} and not shutil.which(name, path=PATH):
        return f"{name} is not installed"
    if name == "pypto-report" and rest and run([name, rest[0], "--help"], ROOT).returncode != 0:
        return f"pypto-report has no {rest[0]}"
    return ""


def test_missing_commands_are_found() -> None:
    assert (
        missing(["make", "test", "ARGS=-k softmax"]) == missing(["cd", "x"]) == missing(["pypto-report", "runs"]) == ""
    )
    assert missing(["make", "tset"]) == "the Makefile has no target tset"
    assert missing(["no-such-program"]) == "no-such-program is not installed"
    assert missing(["pypto-report", "rnus"]) == "pypto-report has no rnus"


def test_commands_are_told_apart() -> None:
    assert commands("A=1 make test && make lint  # both\n\ncd x; ls \\\n -l 'a b'") == [
        ["make", "test"],
        ["make", "lint"],
        ["cd", "x"],
        ["ls", "-l", "a b"],
    ]


def test_blocks_are_found_with_their_lines() -> None:
    text = "# a\n\n```python\nx\n```\ntext\n```python no-run\ny\n```\n```python test_a.py\nz\n```\n```sh\nmake\n```\n"
    assert [(block.line, block.file, block.kind, block.text) for block in blocks(README, text)] == [
        (3, "example.py", "python", "x\n"),
        (7, "", "python no-run", "y\n"),
        (10, "test_a.py", "python test_a.py", "z\n"),
        (13, "", "sh", "make\n"),
    ]
