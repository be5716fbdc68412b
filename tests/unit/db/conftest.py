"""Stores to test against, and events to put into them."""

import pytest

from db.events import Event, TestReported, base
from db.store import MemoryStore, SqlStore, Store, open_store


@pytest.fixture
def url(tmp_path):
    """The path of a database that does not exist yet."""
    return str(tmp_path / "history.db")


@pytest.fixture
def sql_store(url):
    """A store in a new SQLite file."""
    store = open_store(url)
    yield store
    store.close()


@pytest.fixture(params=["memory", "sqlite"])
def store(request):
    """Every kind of store in turn: one contract for all."""
    if request.param == "sqlite":
        yield request.getfixturevalue("sql_store")
    else:
        memory: Store = MemoryStore()
        yield memory
        memory.close()


@pytest.fixture
def fact():
    """Makes small distinct events of one stream."""

    def make(number: int = 0, case_id: str = "t.py::test", run_id: str = "run-1", **fields) -> Event:
        values = {"attempt": 1, "phase": "call", "outcome": "passed", "seconds": float(number), "node_id": case_id}
        return TestReported(run_id=run_id, case_id=case_id, **{**values, **fields})

    return make


@pytest.fixture
def registry(monkeypatch):
    """Lets a test declare event classes that are gone after it."""
    monkeypatch.setattr(base, "_REGISTRY", dict(base._REGISTRY))
    return base._REGISTRY


@pytest.fixture
def reopen(url):
    """Opens further connections to the database of `sql_store`, and closes them."""
    opened: list[SqlStore] = []

    def open_another(**options) -> SqlStore:
        opened.append(open_store(url, **options))
        return opened[-1]

    yield open_another
    for store in opened:
        store.close()
