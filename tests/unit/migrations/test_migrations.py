"""The history of the schema: it leads to the tables of the code, up and down, with data in it."""

import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy
from alembic.script import ScriptDirectory

import migrations.upgrade as upgrade_module
from db import tables
from db.errors import DatabaseMissing, DatabaseOutdated, DatabaseUnwritable
from db.events import RunAborted
from db.projections import project
from db.queries import find_run
from db.revision import HEAD
from db.store import open_store
from migrations.upgrade import check, configuration, current, downgrade, head, upgrade

SCRIPTS = list(ScriptDirectory.from_config(configuration()).walk_revisions())
REVISIONS = [script.revision for script in reversed(SCRIPTS)]


@pytest.fixture
def url(tmp_path):
    return str(tmp_path / "history.db")


def schema(connection: sqlite3.Connection) -> dict[str, list[str]]:
    """What a database is made of: the lines of each statement, in any order, by the name of what it makes."""
    found = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    return {
        name: sorted(line.strip().rstrip(",").replace(chr(34), "") for line in sql.splitlines())
        for name, sql in found
        if name != "alembic_version"
    }


def test_the_code_knows_the_newest_revision():
    assert head() == HEAD, "db/revision.py must name the newest of migrations/versions"


def test_revisions_are_one_line_of_numbers():
    """`open_store` tells an older database from a newer one by comparing them."""
    assert REVISIONS == sorted(REVISIONS)
    assert all(re.fullmatch(r"\d{4}", revision) for revision in REVISIONS)
    assert [script.down_revision for script in reversed(SCRIPTS)] == [None, *REVISIONS[:-1]]


def test_alembic_finds_no_difference(url):
    upgrade(url)
    check(url)


def test_check_finds_a_difference(url):
    upgrade(url)
    connection = sqlite3.connect(url)
    connection.execute("ALTER TABLE runs ADD COLUMN mood TEXT")
    connection.close()
    with pytest.raises(Exception, match="mood"):
        check(url)


def test_migrated_and_declared_tables_are_the_same_to_the_letter(url):
    """Alembic compares neither CHECK constraints nor their names; this does."""
    upgrade(url)
    migrated = sqlite3.connect(url)
    engine = sqlalchemy.create_engine("sqlite://")
    tables.metadata.create_all(engine)
    declared = schema(engine.raw_connection().driver_connection)
    found = {name: lines for name, lines in schema(migrated).items() if not name.startswith("events_no_")}
    migrated.close()
    assert found == declared


def test_the_log_is_guarded_by_triggers(url):
    upgrade(url)
    connection = sqlite3.connect(url)
    triggers = {name for name, lines in schema(connection).items() if "TRIGGER" in " ".join(lines)}
    connection.close()
    assert triggers == {"events_no_update", "events_no_delete"}


def test_upgrading_twice_changes_nothing(url):
    upgrade(url)
    store = open_store(url)
    store.append_many([RunAborted(run_id="r", reason="x")])
    store.close()
    upgrade(url)
    store = open_store(url)
    assert store.head() == 1
    store.close()


def insert_event(url: str) -> None:
    """One event, in SQL that every revision so far understands."""
    connection = sqlite3.connect(url)
    connection.execute("INSERT INTO streams VALUES (1, 'r')")
    payload = '{"run_id":"r","reason":"x"}'
    connection.execute("INSERT INTO events VALUES (1, x'00', 1, 1, 'run.aborted', 1, 1, 7, ?)", (payload,))
    connection.commit()
    connection.close()


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_database_of_every_revision_comes_up_with_its_data(url, revision):
    upgrade(url, revision)
    assert current(url) == revision
    insert_event(url)
    if revision != HEAD:
        with pytest.raises(DatabaseOutdated, match="run `pypto-report db upgrade"):
            open_store(url)
    upgrade(url)
    store = open_store(url, create=False)
    assert find_run(store, "r").reason == "x"
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        store.database.execute("DELETE FROM events")
    store.close()
    check(url)


@pytest.mark.parametrize("revision", REVISIONS[:-1])
def test_down_and_up_again_keeps_the_log(url, revision):
    upgrade(url)
    insert_event(url)
    store = open_store(url)
    project(store)
    store.close()
    downgrade(url, revision)
    assert current(url) == revision
    upgrade(url)
    store = open_store(url)
    assert [recorded.event.reason for recorded in store.read()] == ["x"]
    assert find_run(store, "r").reason == "x", "projections are rebuilt from the log"
    store.close()
    check(url)


def test_all_the_way_down_leaves_nothing(url):
    upgrade(url)
    insert_event(url)
    downgrade(url, "base")
    connection = sqlite3.connect(url)
    assert schema(connection) == {}
    connection.close()
    assert current(url) is None
    upgrade(url)
    assert current(url) == HEAD


def test_a_failing_migration_leaves_the_database_as_it_was(url, monkeypatch):
    upgrade(url, REVISIONS[0])
    insert_event(url)
    before = Path(url).read_bytes()

    def fail(*arguments, **options):
        raise RuntimeError("in the middle")

    monkeypatch.setattr("alembic.op.create_index", fail)
    with pytest.raises(RuntimeError):
        upgrade(url)
    monkeypatch.undo()
    assert current(url) == REVISIONS[0]
    connection = sqlite3.connect(url)
    assert "runs" not in schema(connection)
    connection.close()
    assert len(Path(url).read_bytes()) >= len(before)
    upgrade(url)
    check(url)


def test_current_of_a_missing_file_is_an_error_and_makes_nothing(url):
    with pytest.raises(DatabaseMissing):
        current(url)
    assert not Path(url).exists()


def test_an_unwritable_place_is_named():
    with pytest.raises(DatabaseUnwritable, match=r"/proc/none/h\.db"):
        upgrade("/proc/none/h.db")


def test_processes_that_create_at_once_agree(url):
    code = "import sys; from migrations.upgrade import upgrade; upgrade(sys.argv[1])"
    workers = [subprocess.Popen([sys.executable, "-c", code, url], stderr=subprocess.PIPE, text=True) for _ in range(3)]
    for worker in workers:
        _, errors = worker.communicate(timeout=60)
        assert worker.returncode == 0, errors
    assert current(url) == HEAD
    check(url)


def test_it_works_from_an_installed_package(tmp_path, url):
    """Copied elsewhere, under a path with characters that configuration files treat specially, and run from there."""
    root = tmp_path / "100% site packages"
    for package in ("db", "migrations"):
        source = Path(upgrade_module.__file__).parents[1] / package
        for path in source.rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                target = root / path.relative_to(source.parent)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(path.read_bytes())
    code = f"""
import sys
sys.path.insert(0, {str(root)!r})
import db, migrations.upgrade
assert db.__file__.startswith({str(root)!r}) and migrations.__file__.startswith({str(root)!r})
store = db.open_store({url!r})
assert store.head() == 0
"""
    (tmp_path / "elsewhere").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path / "elsewhere", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert current(url) == HEAD
