"""What the documents say runs: python blocks as scripts, and the commands of README.md as far as their words go.

A fence of `python no-run` is a fragment and stays unrun.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
README = ROOT / "README.md"
SCRIPTS = Path(sys.executable).parent
PAGES = sorted([README, *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^```(?P<kind>[^\n`]*)\n(?P<text>.*?)^```\s*$", re.MULTILINE | re.DOTALL)
SHELL_WORDS = {"cd", "export", "source", "."}


@dataclass(frozen=True)
class Block:
    """One fenced block: where it stands, what its fence says, and its text."""

    page: Path
    line: int
    kind: str
    text: str

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
RUNNABLE = [block for block in ALL if block.kind == "python"]


def commands(text: str) -> list[list[str]]:
    """The commands of a shell block as words, without prompts, comments and settings of variables."""
    lines = text.replace("\\\n", " ").splitlines()
    words = [shlex.split(line.removeprefix("$ "), comments=True) for line in lines]
    parts = [part for line in words for part in split_at(line, {"&&", "|", ";"})]
    return [bare for part in parts if (bare := without_settings(part))]


def split_at(words: list[str], separators: set[str]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for word in words:
        if word in separators:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def without_settings(words: list[str]) -> list[str]:
    while words and re.match(r"[A-Z_]+=", words[0]):
        words = words[1:]
    return words


SHELL = [
    (block, words) for block in ALL if block.page == README and block.kind == "sh" for words in commands(block.text)
]


def test_readme_shows_a_kernel_that_runs() -> None:
    assert any(block.page == README for block in RUNNABLE), "README.md has no ```python block"
    assert SHELL, "README.md has no ```sh block"


@pytest.mark.parametrize("block", RUNNABLE, ids=lambda block: block.place)
def test_block_runs(block: Block, tmp_path: Path) -> None:
    """A block with test functions is given to pytest, as its reader would do; any other is run as a script."""
    script = tmp_path / "test_example.py"
    script.write_text(block.text, encoding="utf-8")
    is_suite = re.search(r"^def test_", block.text, re.MULTILINE)
    command = [sys.executable, *(["-m", "pytest", "-p", "no:cacheprovider"] if is_suite else []), script.name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, f"{block.place} does not run as written:\n{done.stdout[-4000:]}{done.stderr[-4000:]}"


@pytest.mark.parametrize(("block", "words"), SHELL, ids=[f"{b.place} {' '.join(w)[:60]}" for b, w in SHELL])
def test_command_exists(block: Block, words: list[str]) -> None:
    problem = check(words)
    assert problem is None, f"{block.place}: {shlex.join(words)}: {problem}"


def check(words: list[str]) -> str | None:
    """What is wrong with a command, as far as can be told without running it."""
    name = words[0].removeprefix(".venv/bin/")
    if name == "make":
        return unknown_target(words[1:])
    if name in SHELL_WORDS:
        return None
    program = next((found for path in (str(SCRIPTS), None) if (found := shutil.which(name, path=path))), None)
    if program is None:
        return f"{name} is not installed"
    if name in {"pypto-report", "pytest"}:
        return unknown_word(program, words[1:])
    return None


def unknown_target(words: list[str]) -> str | None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    unknown = [word for word in words if "=" not in word and not word.startswith("-") and word not in targets]
    return f"the Makefile has no target {unknown}" if unknown else None


def unknown_word(program: str, words: list[str]) -> str | None:
    """Follow subcommands as far as `--help` knows them, then look for each option there."""
    path: tuple[str, ...] = ()
    if Path(program).name == "pypto-report":
        while len(path) < len(words) and words[len(path)] in subcommands(program, path):
            path = (*path, words[len(path)])
        if not path and words and not words[0].startswith("-"):
            return f"no subcommand {words[0]}"
    options = {word.split("=")[0] for word in words if word.startswith("--")}
    missing = sorted(option for option in options if not re.search(rf"{option}(?![\w-])", help_text(program, path)))
    return f"no option {missing}" if missing else None


def subcommands(program: str, path: tuple[str, ...]) -> set[str]:
    """The words that open a row of the help's list of commands."""
    _, _, listed = help_text(program, path).partition("Commands")
    return set(re.findall(r"^\W*([a-z][\w-]*)\s{2,}", listed, re.MULTILINE))


@cache
def help_text(program: str, path: tuple[str, ...]) -> str:
    wide = {**os.environ, "COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb"}
    done = subprocess.run([program, *path, "--help"], capture_output=True, text=True, cwd=ROOT, env=wide)
    assert done.returncode == 0, f"{program} {' '.join(path)} --help: {done.stderr[-2000:]}"
    return done.stdout


def test_checks_of_commands_can_fail() -> None:
    assert check(["make", "test", "ARGS=-k softmax"]) is None
    assert check(["make", "tset"]) == "the Makefile has no target ['tset']"
    assert check(["no-such-program"]) == "no-such-program is not installed"
    assert check(["pytest", "--no-such-option=1"]) == "no option ['--no-such-option']"
    assert commands("$ A=1 make test && make lint  # both\n\ncd x; ls \\\n -l") == [
        ["make", "test"],
        ["make", "lint"],
        ["cd", "x;", "ls", "-l"],
    ]


def test_blocks_are_found_with_their_lines() -> None:
    found = blocks(README, "# a\n\n```python\nx = 1\n```\ntext\n```python no-run\ny\n```\n```sh\nmake\n```\n")
    assert [(block.line, block.kind, block.text) for block in found] == [
        (3, "python", "x = 1\n"),
        (7, "python no-run", "y\n"),
        (10, "sh", "make\n"),
    ]
