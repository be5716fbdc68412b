"""Documents point only at what exists: links between pages, and paths of the repository in backticks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FENCED = re.compile(r"^```.*?^```\s*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")
PATH = re.compile(r"`((?:db|docs|migrations|pipeline|pypto|reports|tests)/[\w./*-]*)`")


def dangling(page: Path, text: str) -> list[str]:
    """Links and paths of a page that lead nowhere. A path may hold `*`; one with `<what>` is no path."""
    prose = FENCED.sub("", text)
    links = [target for target in LINK.findall(prose) if not (page.parent / target).exists()]
    return links + [path for path in PATH.findall(prose) if not any(ROOT.glob(path.rstrip("/")))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_references_lead_somewhere(page: Path) -> None:
    missing = dangling(page, page.read_text("utf-8"))
    assert not missing, f"{page.relative_to(ROOT)} points at what does not exist: {missing}"


def test_dangling_references_are_found() -> None:
    text = "[a](README.md) [b](no.md#x) `tests/bench/` `tests/none.py` `tests/b*/run.py` `tests/<x>.py`\n"
    text += "```\n[c](fenced.md)\n```\n"
    assert dangling(ROOT / "x.md", text) == ["no.md", "tests/none.py"]


def test_index_names_every_page() -> None:
    index = ROOT / "docs/index.md"
    named = {(index.parent / link).resolve() for link in LINK.findall(index.read_text("utf-8"))}
    absent = [page for page in PAGES if page != index and not named & {page, *page.parents[: -len(ROOT.parts)]}]
    assert not absent, f"docs/index.md names neither these pages nor a folder of theirs: {absent}"
