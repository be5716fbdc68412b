"""Append rate of the store against raw `sqlite3.executemany`, as a ratio within one run.

    python tests/bench/bench_append.py [--events 20000] [--rounds 7]

The store starts from event objects: it encodes and checks them, gives ids, finds streams and versions. The raw side
starts from finished tuples. Both write to WAL databases with synchronous=NORMAL, one transaction per batch, in rounds
that take turns. `raw` writes the same rows into the same table with the same indexes; `raw, bare` into a table that has
nothing but its primary key, the most that SQLite can do.
"""

from __future__ import annotations

import argparse
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import run

from db.events import (
    CaseCollected,
    CaseCompared,
    CaseCompiled,
    CaseExecuted,
    CaseSpecialized,
    Event,
    GoldenComputed,
    TestReported,
)
from db.store import open_store

BATCHES = (1, 100, 1000)
_INSERT = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_BARE = "CREATE TABLE events (position INTEGER PRIMARY KEY, e BLOB, s, v, t TEXT, sv, r, at, payload TEXT)"


def main() -> list[run.Row]:
    """Rates by batch size; the bar for the store is 0.6 of raw from batches of 100 on."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    rows: list[run.Row] = []
    for batch in BATCHES:
        count = options.events if batch > 1 else options.events // 10
        raw, bare, store = measure(count, batch, options.rounds)
        rows += [
            run.Row(f"append, batch {batch}: raw sqlite3, same table", raw, "events/s"),
            run.Row(f"append, batch {batch}: store; ratio: raw sqlite3, same table", store, "events/s", store / raw),
            run.Row(f"append, batch {batch}: store; ratio: raw sqlite3, bare table", store, "events/s", store / bare),
        ]
    return rows


def measure(count: int, batch: int, rounds: int) -> tuple[float, float, float]:
    """Events per second, medians of the rounds: raw, raw into a bare table, store."""
    events = history(count)
    rates: dict[str, list[float]] = {"raw": [], "bare": [], "store": []}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds + 1):
            place = Path(folder) / str(number)
            place.mkdir()
            seconds, rows = time_store(place / "store.db", events, batch)
            taken = {
                "store": seconds,
                "raw": time_raw(place / "raw.db", schema_of(place / "store.db"), rows, batch),
                "bare": time_raw(place / "bare.db", [_BARE], rows, batch),
            }
            if number:  # the first round warms up
                for name, duration in taken.items():
                    rates[name].append(count / duration)
    return tuple(statistics.median(rates[name]) for name in ("raw", "bare", "store"))  # type: ignore[return-value]


def history(count: int) -> list[Event]:
    """What a session records: the whole life of one case after the other, payloads of 150 to 650 bytes."""
    events: list[Event] = []
    for number in range(count // 9 + 1):
        events += life_of_a_case(f"basic_elementwise_add_{number}@a2a3sim@default")
    return events[:count]


def life_of_a_case(case_id: str) -> list[Event]:
    """The nine events of a case that passes."""
    case: dict[str, Any] = {"run_id": "0199d1f0-6f7a-7c3e-9f00-3f6f1d2c4b5a", "case_id": case_id}
    node_id = f"tests/system/test_elementwise.py::test_add[{case_id}]"
    digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    events: list[Event] = [
        CaseCollected(
            **case,
            node_id=node_id,
            name=case_id.partition("@")[0],
            platform="a2a3sim",
            planner="default",
            kind="case",
            inputs={"a": digest, "b": digest},
            declaration=digest,
            comparison="elementwise",
            rtol=1e-5,
            atol=1e-8,
            source_file="tests/system/test_elementwise.py",
            source_line=31,
        ),
        CaseSpecialized(**case, attempt=1, program_digest=digest, seconds=0.0123),
        CaseCompiled(
            **case,
            attempt=1,
            source_digest=digest,
            library_digest=digest,
            seconds=0.0731,
            phases={"passes": 0.002, "codegen": 0.001, "g++": 0.07},
            artifact=f"build_output/{digest}",
            source_files={"kernel.cpp": digest, "orchestration.cpp": digest},
        ),
        GoldenComputed(**case, attempt=1, outputs={"c": digest}, seconds=0.0004),
        CaseExecuted(**case, attempt=1, outputs={"c": digest}, seconds=0.0011, device="sim:0", worker="gw0"),
        CaseCompared(**case, attempt=1, passed=True, mismatches=0, elements=16384, margin=0.01, seconds=0.0002),
    ]
    phases: tuple[Literal["setup", "call", "teardown"], ...] = ("setup", "call", "teardown")
    for phase in phases:
        events.append(TestReported(**case, attempt=1, phase=phase, outcome="passed", seconds=0.0901, node_id=node_id))
    return events


def time_store(path: Path, events: Sequence[Event], batch: int) -> tuple[float, list[tuple[Any, ...]]]:
    """Seconds for appending all events, and the rows that this wrote."""
    store = open_store(str(path))
    seconds = clock(lambda part: store.append_many(part), events, batch)
    rows = store.database.rows("SELECT * FROM events ORDER BY position")
    assert len(rows) == len(events)
    store.close()
    return seconds, rows


def time_raw(path: Path, schema: Sequence[str], rows: Sequence[tuple[Any, ...]], batch: int) -> float:
    """Seconds for writing finished rows with the driver."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    for statement in schema:
        connection.execute(statement)

    def write(part: Sequence[tuple[Any, ...]]) -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(_INSERT, part)
        connection.execute("COMMIT")

    seconds = clock(write, rows, batch)
    connection.close()
    return seconds


def schema_of(path: Path) -> list[str]:
    """The statements that make the event table of a database and its indexes."""
    connection = sqlite3.connect(path)
    found = connection.execute("SELECT sql FROM sqlite_master WHERE tbl_name = 'events' AND sql IS NOT NULL").fetchall()
    connection.close()
    return [sql for (sql,) in found]


def clock(write: Callable[[Any], object], items: Sequence[Any], batch: int) -> float:
    """Seconds for writing all items in batches."""
    parts = list(chunks(items, batch))
    start = time.perf_counter()
    for part in parts:
        write(part)
    return time.perf_counter() - start


def chunks(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    """The items in slices of one size."""
    return (items[start : start + size] for start in range(0, len(items), size))


if __name__ == "__main__":
    run.show(main())
