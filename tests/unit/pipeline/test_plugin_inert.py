"""Installed but not asked for, the plugin must cost nothing and change nothing."""

from __future__ import annotations

HEAVY = {"torch", "numpy", "sqlmodel", "sqlalchemy", "alembic", "msgspec", "pypto", "db", "sqlite3"}


def test_importing_the_plugin_imports_nothing_heavy(import_in_new_process):
    loaded = import_in_new_process("import pipeline.plugin")
    assert "pipeline.plugin" in loaded
    assert not HEAVY & loaded


def test_a_plain_session_imports_nothing_heavy(suite):
    suite.write(
        "test_it.py",
        "import sys\ndef test_modules():\n    assert 'pipeline.plugin' in sys.modules\n"
        f"    assert not {HEAVY!r} & set(sys.modules)\n",
    )
    outcome = suite.run("-q", record=False)
    assert outcome.status == 0, outcome.output
    assert "pypto" not in outcome.output


def test_a_recorded_session_imports_no_torch_and_no_orm(suite):
    suite.write(
        "test_it.py",
        "import sys\ndef test_modules():\n    assert not {'torch', 'sqlmodel', 'pypto'} & set(sys.modules)\n",
    )
    outcome = suite.run("-q")
    assert outcome.status == 0, outcome.output


def test_nothing_is_written_when_nothing_is_asked_for(suite):
    suite.write("test_it.py", "def test_one(): pass\n")
    before = {path.name for path in suite.folder.iterdir()}
    suite.run("-q", "-p", "no:cacheprovider", record=False)
    assert {path.name for path in suite.folder.iterdir()} - before <= {"__pycache__"}


def test_looking_at_tests_records_nothing(suite):
    suite.write("test_it.py", "def test_one(): pass\n")
    for option in ("--collect-only", "--fixtures", "--markers", "--help", "--version"):
        assert not suite.run("-q", option).events
