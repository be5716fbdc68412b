"""The command line in the process of the test: what each command prints, and with which status it ends."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from db import Stage
from db.engine import connect
from db.events import RunStarted, seal
from db.recorder import Recorder
from db.spool import open_spool
from reports.cli import app

Invoke = Callable[..., Result]


@pytest.fixture
def invoke(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Invoke:
    monkeypatch.delenv("PYPTO_DB", raising=False)
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(app, list(arguments), prog_name="pypto-report")


@pytest.fixture
def recorded(sqlite_history, first_light, monkeypatch: pytest.MonkeyPatch, invoke: Invoke) -> str:
    """A SQLite database with the two runs of the demonstration, named by the environment."""
    first_light(sqlite_history)
    sqlite_history.run("broken", {}, ends="aborted")
    monkeypatch.setenv("PYPTO_DB", sqlite_history.store.url)
    return sqlite_history.store.url


@pytest.mark.parametrize(
    ("base", "head", "status"),
    [("base", "base", 0), ("base", "head", 1), ("base", "broken", 3), ("base", "nowhere", 2), ("", "head", 2)],
)
def test_diff_ends_with_the_status_of_its_conclusion(recorded, invoke, base, head, status) -> None:
    result = invoke("diff", base, head)
    assert result.exit_code == status
    assert result.stderr.startswith("pypto-report: ") == (status == 2)
    assert "Traceback" not in result.stderr


def test_diff_as_text_and_as_json(recorded, invoke) -> None:
    assert "NEWLY FAILING  7 cases, 4 causes\n" in invoke("diff", "base", "head").stdout
    data = json.loads(invoke("diff", "base", "head", "--format", "JSON").stdout)
    assert data["counts"]["newly_failing"] == 7
    assert invoke("diff", "base", "head", "--format", "xml").exit_code == 2


def test_the_share_that_may_be_lost_is_an_option(recorded, invoke, sqlite_history) -> None:
    passing, lost = sqlite_history.case(), sqlite_history.case(fails=Stage.RUN, infra=True)
    sqlite_history.run("before", {f"case{i}@a5sim@default": passing for i in range(4)})
    sqlite_history.run("after", {f"case{i}@a5sim@default": passing if i else lost for i in range(4)})
    assert invoke("diff", "before", "after").exit_code == 3
    assert invoke("diff", "before", "after", "--max-inconclusive", "0.25").exit_code == 0
    assert invoke("diff", "before", "after", "--max-inconclusive", "2").exit_code == 2


def test_runs_can_be_named_in_every_way(recorded, invoke) -> None:
    for selector in ("base", "019d4001-0000", "ec28e577c"):
        assert json.loads(invoke("show", selector, "--format", "json").stdout)["run"]["label"] == "base"
    assert json.loads(invoke("show", "faster-add", "--format", "json").stdout)["run"]["label"] == "head"
    assert json.loads(invoke("show", "@latest", "--format", "json").stdout)["run"]["label"] == "broken"


def test_runs_lists_the_newest_first(recorded, invoke) -> None:
    lines = invoke("runs").stdout.splitlines()
    assert [line.split()[:2] for line in lines[1:]] == [
        ["019d4003-0000", "broken"],
        ["019d4002-0000", "head"],
        ["019d4001-0000", "base"],
    ]
    assert max(map(len, lines)) <= 100
    assert len(json.loads(invoke("runs", "-n", "1", "--format", "json").stdout)["runs"]) == 1
    assert invoke("runs", "-n", "0").exit_code == 2


def test_show_tells_a_run(recorded, invoke) -> None:
    text = invoke("show", "head").stdout
    assert "CRASHED  2 cases\n  gelu@a2a3sim@default\n    run: SIGSEGV\n" in text
    assert "PASSED" not in text
    assert "PASSED  16 cases\n" in invoke("show", "head", "--all").stdout


def test_show_tells_a_case_in_its_latest_run_or_in_another(recorded, invoke) -> None:
    text = invoke("show", "gelu@a5sim@default").stdout
    assert "CRASHED  run: SIGSEGV\n" in text
    assert "    the kernel ended its process with SIGSEGV\n" in text
    assert "PASSED  passed\n" in invoke("show", "gelu@a5sim@default", "--run", "base").stdout
    assert invoke("show", "new@a5sim@default", "--run", "base").exit_code == 2


def test_show_suggests_names_for_a_typing_error(recorded, invoke) -> None:
    result = invoke("show", "gelo@a5sim@default", "--run", "head")
    assert result.exit_code == 2
    assert "did you mean gelu@a5sim@default" in result.stderr


def test_dashboard_prints_where_it_is(recorded, invoke, tmp_path) -> None:
    result = invoke("dashboard", "base", "head", "--out", "report.html", "--title", "<Demo>")
    assert result.stdout == f"{tmp_path}/report.html\n"
    assert "<title>&lt;Demo&gt;</title>" in Path("report.html").read_text()
    assert invoke("dashboard", "--out", "report.html/page.html").exit_code == 2


def test_the_database_comes_from_before_or_after_the_command(recorded, invoke, monkeypatch) -> None:
    monkeypatch.delenv("PYPTO_DB")
    assert invoke("--db", recorded, "runs").exit_code == 0
    assert invoke("runs", "--db", recorded).exit_code == 0
    assert invoke("--db", recorded, "db", "info").exit_code == 0
    assert invoke("--db", "elsewhere.db", "runs", "--db", recorded).exit_code == 0
    Path("pytest.ini").write_text(f"[pytest]\npypto_db = {recorded}\n")
    assert invoke("runs").exit_code == 0


def test_no_database_is_one_line_with_all_three_places(invoke) -> None:
    result = invoke("runs")
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert all(place in line for place in ("--db", "PYPTO_DB", "pypto_db", "pyproject.toml"))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, "there is no such database"),
        (b"no database at all, but long enough to be read as one" * 30, "is not an event database"),
    ],
)
def test_what_cannot_be_opened_is_one_line_that_tells_who_named_it(invoke, monkeypatch, content, expected) -> None:
    if content is not None:
        Path("runs.db").write_bytes(content)
    monkeypatch.setenv("PYPTO_DB", "runs.db")
    for command in (["runs"], ["diff", "a", "b"], ["show", "a"], ["dashboard"], ["db", "check"], ["db", "replay"]):
        result = invoke(*command)
        assert result.exit_code == 2, command
        (line,) = result.stderr.splitlines()
        assert "named by PYPTO_DB" in line
        assert content is not None or expected in line
    assert Path("runs.db").exists() == (content is not None)


def test_unsupported_and_hostile_urls_are_one_line(invoke) -> None:
    for url in ("mysql://user:secret@host/db", "sqlite://", "sqlite:///:memory:", ".", "a\x1b[31m\n.db"):
        result = invoke("runs", "--db", url)
        assert result.exit_code == 2
        assert len(result.stderr.splitlines()) == 1
        assert "secret" not in result.stderr
        assert "\x1b" not in result.stderr


def test_an_empty_database_says_so(invoke) -> None:
    assert invoke("db", "upgrade", "--db", "new.db").exit_code == 0
    assert invoke("runs", "--db", "new.db").stdout == "no run is recorded yet\n"
    assert invoke("dashboard", "--db", "new.db").exit_code == 2
    assert "nothing is recorded yet" in invoke("diff", "@latest", "@latest", "--db", "new.db").stderr
    assert "holds no run yet" in invoke("show", "x", "--db", "new.db").stderr


def test_upgrade_creates_once_and_spares_foreign_databases(invoke) -> None:
    assert "now, new" in invoke("db", "upgrade", "--db", "new.db").stdout
    assert "already" in invoke("db", "upgrade", "--db", "new.db").stdout
    foreign = connect("foreign.db")
    foreign.execute("CREATE TABLE accounts (id INTEGER)")
    foreign.close()
    result = invoke("db", "upgrade", "--db", "foreign.db")
    assert result.exit_code == 2
    assert "accounts" in result.stderr


def test_an_older_or_newer_schema_says_what_to_do(recorded, invoke, sqlite_history) -> None:
    sqlite_history.store.database.execute("UPDATE alembic_version SET version_num = '0000'")
    assert "pypto-report db upgrade" in invoke("runs").stderr
    info = json.loads(invoke("db", "info", "--format", "json").stdout)
    assert (info["revision"], info["events"]) == ("0000", None)
    sqlite_history.store.database.execute("UPDATE alembic_version SET version_num = '9999'")
    assert invoke("db", "upgrade").exit_code == 2
    assert "upgrade the project" in invoke("runs").stderr


def test_info_check_and_replay_of_a_sound_database(recorded, invoke) -> None:
    info = json.loads(invoke("db", "info", "--format", "json").stdout)
    assert (info["url"], info["source"], info["runs"], info["results"]) == (recorded, "PYPTO_DB", 3, 56)
    assert invoke("db", "check").stdout.startswith("sound: ")
    assert invoke("db", "replay").stdout == f"rebuilt from {info['events']:,} events\n"


def test_check_finds_rows_that_do_not_follow_and_replay_mends_them(recorded, invoke, sqlite_history) -> None:
    assert invoke("db", "check").exit_code == 0
    sqlite_history.store.database.execute("UPDATE results SET outcome = 'pass' WHERE outcome = 'crash'")
    result = invoke("db", "check")
    assert result.exit_code == 2
    assert "table results: 2 rows do not follow from the events; run `pypto-report db replay`" in result.stdout
    assert invoke("db", "replay").exit_code == 0
    assert invoke("db", "check").exit_code == 0


def test_check_finds_events_that_cannot_be_read(recorded, invoke, sqlite_history) -> None:
    database = sqlite_history.store.database
    for (name,) in database.rows("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'events'"):
        database.execute(f"DROP TRIGGER {name}")
    database.execute("UPDATE events SET payload = '{}' WHERE position = 2")
    database.execute("UPDATE events SET version = 99 WHERE position = 3")
    result = invoke("db", "check", "--format", "json")
    assert result.exit_code == 2
    problems = json.loads(result.stdout)["problems"]
    assert any("event 2 of" in problem and "cannot be read" in problem for problem in problems)
    assert any("event 3 of" in problem and "version 99" in problem for problem in problems)


def test_ingest_brings_a_spool_in_once(invoke, tmp_path) -> None:
    spool = open_spool("runs.db")
    started = RunStarted(
        run_id="r1", label="away", command="pytest", root="/", host="h", platforms=[], options={}, environment={}
    )
    spool.write([seal(started)])
    spool.close()
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(spool.path.read_bytes() + b"damaged\n")
    assert "1 event\n" in invoke("ingest", str(spool.path), "--db", "runs.db").stdout
    result = invoke("ingest", str(copy), "--db", "runs.db")
    assert "1 event; 1 line could not be read" in result.stdout
    runs = json.loads(invoke("runs", "--db", "runs.db", "--format", "json").stdout)["runs"]
    assert [run["label"] for run in runs] == ["away"]
    assert json.loads(invoke("db", "info", "--db", "runs.db", "--format", "json").stdout)["events"] == 1


def test_ingest_finds_what_waits_beside_the_database(invoke) -> None:
    assert invoke("ingest", "--db", "runs.db").stdout == "no spool file waits for this database\n"
    spool = open_spool("runs.db")
    spool.close()
    files = json.loads(invoke("ingest", "--db", "runs.db", "--format", "json").stdout)["files"]
    assert [(Path(one["path"]).name, one["events"]) for one in files] == [(spool.path.name, 0)]
    assert invoke("ingest", "nowhere.jsonl", "--db", "runs.db").exit_code == 2


def test_a_running_session_shows_as_unfinished(invoke) -> None:
    facts = {"command": "pytest", "root": "/", "host": "h", "platforms": [], "options": {}, "environment": {}}
    recorder = Recorder("runs.db")
    recorder.record(RunStarted(run_id="r1", label="now", **facts))
    recorder.flush()
    try:
        assert "unfinished" in invoke("runs", "--db", "runs.db").stdout
        assert invoke("diff", "now", "now", "--db", "runs.db").exit_code == 3
    finally:
        recorder.close()


def test_a_fault_of_our_own_does_not_look_like_a_verdict(recorded, invoke, monkeypatch) -> None:
    monkeypatch.setattr("reports.load.load_diff", lambda *_: 1 / 0)
    result = invoke("diff", "base", "head")
    assert result.exit_code == 2
    assert "ZeroDivisionError" in result.stderr
    assert "fault of pypto-report itself" in result.stderr


def test_an_interrupted_command_does_not_look_like_a_verdict(recorded, invoke, monkeypatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("reports.load.load_diff", interrupt)
    assert invoke("diff", "base", "head").exit_code == 130
