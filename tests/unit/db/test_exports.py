"""The public face of the package, and what importing it costs."""

import subprocess
import sys

import pytest

import db
import db.events
import db.projections
import db.queries
from db.store import open_store


@pytest.mark.parametrize("module", [db, db.events, db.projections, db.queries], ids=lambda module: module.__name__)
def test_all_is_sorted_and_resolves(module):
    assert module.__all__ == sorted(module.__all__)
    for name in module.__all__:
        assert getattr(module, name) is not None


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = db.Nothing


def test_dir_shows_lazy_names():
    assert set(db.__all__) <= set(dir(db))


HEAVY = {"sqlalchemy", "sqlmodel", "pydantic", "alembic", "torch", "numpy"}


def loaded_after(code: str) -> set[str]:
    """The top-level modules a fresh interpreter holds after running some code."""
    code += "\nimport sys; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_import_db_is_light():
    loaded = loaded_after("import db")
    assert "msgspec" not in loaded
    assert not HEAVY & loaded


def test_recording_and_reporting_load_no_sqlalchemy(url):
    open_store(url).close()  # made here, since only making a new database needs Alembic
    code = f"""
import db, db.queries
from db.events import RunAborted
recorder = db.Recorder({url!r})
recorder.record(RunAborted(run_id="r", reason="x"))
assert recorder.close().stored == 1
store = db.open_store({url!r})
assert db.queries.find_run(store, "@latest").reason == "x"
"""
    assert not HEAVY & loaded_after(code)
