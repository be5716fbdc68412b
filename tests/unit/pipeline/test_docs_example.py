"""The example of the page on cases runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path

from pipeline.plugin import pytest_addoption

PAGE = (Path(__file__).parents[3] / "docs" / "cases.md").read_text()


def test_the_example_passes_on_both_simulators(suite):
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    suite.write("test_scale.py", example)
    outcome = suite.run("-q", "test_scale.py")
    assert outcome.status == 0, outcome.output
    assert {e.case_id for e in outcome.of("CaseCompared") if e.passed} == {
        f"{name}@{platform}@default" for name in ("scale_two", "scale_half") for platform in ("a2a3sim", "a5sim")
    }


def test_the_page_names_every_option():
    class Group:
        names: list[str] = []  # noqa: RUF012

        def addoption(self, name, **_):
            self.names.append(name)

    class Parser:
        def getgroup(self, *_):
            return Group()

        def addini(self, *_):
            pass

    pytest_addoption(Parser())
    table = re.findall(r"^\| `(--[a-z-]+)", PAGE, re.MULTILINE)
    assert sorted(table) == sorted(Group.names)
