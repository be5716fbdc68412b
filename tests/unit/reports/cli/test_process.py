"""The command as a process: how fast it starts, what it imports, and how it meets closed pipes and poor terminals."""

import os
import subprocess
import sys
import time

import pytest

COMMAND = [sys.executable, "-m", "reports"]
HEAVY = ("torch", "sqlalchemy", "sqlmodel", "alembic", "plotly", "jinja2", "rich", "pypto", "pipeline", "migrations")


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    known = {key: value for key, value in os.environ.items() if key not in ("PYPTO_DB", "FORCE_COLOR", "COLUMNS")}
    return subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, timeout=120, env={**known, **environment}, check=False
    )


@pytest.fixture
def recorded(sqlite_history, first_light) -> str:
    first_light(sqlite_history)
    return sqlite_history.store.url


def test_help_comes_at_once() -> None:
    def seconds() -> float:
        start = time.perf_counter()
        assert run("--help").returncode == 0
        return time.perf_counter() - start

    assert min(seconds() for _ in range(5)) < 0.4


@pytest.mark.parametrize("command", [["--help"], ["diff", "base", "head"], ["runs"], ["show", "gelu@a5sim@default"]])
def test_commands_import_only_what_they_need(recorded, command) -> None:
    code = (
        "import sys; sys.argv[0] = 'pypto-report'\n"
        "from reports.cli import main\n"
        "try: main()\n"
        f"finally: print('imported:', *[name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, *command],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYPTO_DB": recorded},
        check=False,
    )
    assert result.stderr == "imported:\n"


def test_a_closed_pipe_changes_no_status(recorded) -> None:
    with subprocess.Popen(
        [*COMMAND, "diff", "base", "head", "--format", "json", "--db", recorded],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(timeout=120) == 1


def test_a_terminal_that_knows_only_ascii_gets_escapes(sqlite_history) -> None:
    sqlite_history.run("base", {"漢字@a5sim@default": sqlite_history.case()})
    sqlite_history.run("head", {})
    result = run("diff", "base", "head", "--db", sqlite_history.store.url, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert result.returncode == 3
    assert "\\u6f22\\u5b57@a5sim@default" in result.stdout


def test_usage_errors_end_with_two(recorded) -> None:
    for arguments in ([], ["nonsense"], ["diff", "base"], ["runs", "--format", "yaml"], ["db", "nonsense"]):
        result = run(*arguments, PYPTO_DB=recorded)
        assert result.returncode == 2, arguments
        assert "Traceback" not in result.stderr


def test_text_in_a_pipe_has_no_colour_unless_forced(recorded) -> None:
    assert "\x1b" not in run("diff", "base", "head", "--db", recorded).stdout
    assert "\x1b[1;31m" in run("diff", "base", "head", "--db", recorded, FORCE_COLOR="1").stdout
