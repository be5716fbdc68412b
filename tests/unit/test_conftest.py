"""The fixture and options in tests/conftest.py, tried out in small projects of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

CONFTEST = Path(__file__).parents[1] / "conftest.py"


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A folder with our conftest, and without the options that this session was started with."""
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    pytester.makeconftest(CONFTEST.read_text(encoding="utf-8"))
    return pytester


def run(project: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return project.runpytest_inprocess("-p", "no:pypto", "-p", "no:cacheprovider", *arguments)


def test_golden_when_the_file_is_missing(project: pytest.Pytester) -> None:
    project.makepyfile(test_a="def test_text(golden): golden('one')")
    result = run(project)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*test_a/test_text.txt does not exist;*--update-golden test_a.py::test_text*"])


def test_golden_when_the_text_moved(project: pytest.Pytester) -> None:
    module = project.makepyfile(test_a="def test_text(golden): golden('one\\ntwo')")
    run(project, "--update-golden").assert_outcomes(passed=1)
    assert (project.path / "test_a/test_text.txt").read_bytes() == b"one\ntwo\n"
    run(project).assert_outcomes(passed=1)
    module.write_text("def test_text(golden): golden('one\\nthree')")
    result = run(project)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*test_a/test_text.txt differs;*make golden*", "*-two", "*+three"])


def test_golden_when_the_value_is_json(project: pytest.Pytester) -> None:
    project.makepyfile(test_a="def test_value(golden): golden({'b': [1.5], 'a': 'é'})")
    run(project, "--update-golden").assert_outcomes(passed=1)
    assert (project.path / "test_a/test_value.json").read_text("utf-8").startswith('{\n  "a": "é",\n')
    run(project).assert_outcomes(passed=1)


def test_golden_when_a_test_has_several_files(project: pytest.Pytester) -> None:
    project.makepyfile(
        test_a="""
        def test_named(golden):
            golden('x', name='before')
            golden('y', name='after', suffix='.cpp')

        def test_unnamed(golden):
            golden('x')
            golden('y')
        """
    )
    result = run(project, "--update-golden")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*test_unnamed compares twice with test_unnamed.txt; name each*"])
    written = {path.name for path in (project.path / "test_a").iterdir()}
    assert written == {"test_named-before.txt", "test_named-after.cpp", "test_unnamed.txt"}


def test_golden_when_parameters_could_leave_the_folder(project: pytest.Pytester) -> None:
    project.makepyfile(
        test_a="""
        import pytest

        @pytest.mark.parametrize("value", ["../up", "..:up", "plain"])
        def test_value(golden, value):
            golden(value)
        """
    )
    run(project, "--update-golden").assert_outcomes(passed=3)
    run(project).assert_outcomes(passed=3)
    written = sorted(path.name for path in (project.path / "test_a").iterdir())
    assert len(written) == 3 and "test_value[plain].txt" in written
    assert not list(project.path.glob("up*"))


def test_update_runs_only_tests_with_golden_files(project: pytest.Pytester) -> None:
    project.makepyfile(test_a="def test_text(golden): golden('one')\ndef test_other(): assert False")
    run(project, "--update-golden").assert_outcomes(passed=1, deselected=1)


@pytest.mark.parametrize(("ci", "derandomized"), [("true", "True"), ("", "False")])
def test_hypothesis_is_repeatable_in_ci(ci: str, derandomized: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", ci)
    assert conftest_prints("hypothesis.settings().derandomize") == derandomized


def test_conftest_imports_none_of_the_heavy_packages() -> None:
    assert (
        conftest_prints("sorted({'torch', 'sqlmodel', 'alembic', 'pypto', 'pipeline', 'db'} & set(sys.modules))")
        == "[]"
    )


def conftest_prints(expression: str) -> str:
    """What `expression` gives in a fresh Python that has run our conftest."""
    code = f"import runpy, sys, hypothesis; runpy.run_path({str(CONFTEST)!r}); print({expression})"
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()
