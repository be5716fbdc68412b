"""What a database holds, whether it is sound, and how it gets to the newest schema."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from importlib import import_module
from typing import Any

import msgspec

from db.engine import Database, connect, memory_database, redacted, sqlite_path
from db.errors import DatabaseTooNew, DbError, NotOurDatabase
from db.events import Recorded
from db.projections import PROJECTIONS, Projection, catch_up, project
from db.revision import HEAD
from db.store import SqlStore, Store
from reports.errors import CannotOpen
from reports.locate import Location
from reports.render import quantities
from reports.render.clean import one_line
from reports.render.paint import Painter

BATCH = 5000
SHOWN = 20  # problems told one by one
TRIES = 5  # a session that records meanwhile moves the log on


@dataclass(frozen=True)
class DatabaseInfo:
    """Where a database is and what it holds; counts are None under a schema this version cannot read."""

    url: str
    source: str
    revision: str | None
    newest_revision: str
    bytes: int | None
    events: int | None
    runs: int | None
    results: int | None


@dataclass(frozen=True)
class CheckReport:
    """What was looked at, and every problem that was found."""

    events: int
    rows: int
    problems: tuple[str, ...]


def upgrade(url: str) -> str:
    """Bring a database to the newest schema, creating it if it is not there; says what was done."""
    database = connect(url)
    try:
        found = database.revision()
        tables = database.tables()
    finally:
        database.close()
    if found is None and tables:
        # Alembic would add our tables to whatever this is.
        raise NotOurDatabase(path=redacted(url), reason=f"it holds the tables {', '.join(sorted(tables)[:5])}")
    if found is not None and found > HEAD:
        raise DatabaseTooNew(url=redacted(url), found=found, expected=HEAD)
    if found == HEAD:
        return f"{redacted(url)} is at schema revision {HEAD} already"
    import_module("migrations.upgrade").upgrade(url)  # by name: reports import db alone
    return f"{redacted(url)} is at schema revision {HEAD} now" + (f", from {found}" if found else ", new")


def info(location: Location) -> DatabaseInfo:
    """What a database holds; one of another schema is described as far as that goes."""
    try:
        database = connect(location.url, create=False)
    except DbError as error:
        raise CannotOpen(problem=error, source=location.source) from error
    try:
        revision = database.revision()
        if revision is None and database.tables():
            raise NotOurDatabase(path=redacted(location.url), reason="it records no schema revision")
        counts = _counts(SqlStore(database)) if revision == HEAD else (None, None, None)
    finally:
        database.close()
    path = sqlite_path(location.url)
    size = path.stat().st_size if path else None
    return DatabaseInfo(redacted(location.url), location.source, revision, HEAD, size, *counts)


def _counts(store: SqlStore) -> tuple[int, int, int]:
    project(store)
    tables = ("events", "runs", "results")
    events, runs, results = (int(store.database.rows(f"SELECT count(*) FROM {table}")[0][0]) for table in tables)
    return events, runs, results


class _Shadow:
    """A store with the log of another and tables of its own, to project into without touching the real ones."""

    def __init__(self, store: Store) -> None:
        self.url = store.url
        self.read = store.read
        self.head = store.head
        self._database = memory_database()

    def projected(self) -> Database:
        """The tables in memory."""
        return self._database


def check(store: SqlStore) -> CheckReport:
    """Read every event, and compare the tables with what those events give; again, when a session records meanwhile."""
    for _ in range(TRIES):
        head = store.head()
        events, problems = _check_log(store)
        # Rules cannot be applied to events that cannot be read.
        rows, wrong = (0, []) if problems else _check_tables(store)
        if store.head() == head:
            break
    return CheckReport(events, rows, (*problems, *wrong))


def _check_tables(store: SqlStore) -> tuple[int, list[str]]:
    project(store)
    rows, problems = 0, []
    for projection in PROJECTIONS:
        compared, found = _check_projection(store, projection)
        rows += compared
        problems += found
    return rows, problems


def _check_log(store: Store) -> tuple[int, list[str]]:
    problems: list[str] = []
    versions: Counter[str] = Counter()
    events = position = 0
    while batch := store.read(position, BATCH):
        position = batch[-1].position
        events += len(batch)
        for recorded in batch:
            versions[recorded.stream] += 1
            problems += _event_problems(recorded, versions[recorded.stream])
    return events, problems


def _event_problems(recorded: Recorded, expected: int) -> list[str]:
    problems = []
    if recorded.version != expected:
        problems.append(f"event {recorded.position} of {recorded.stream}: version {recorded.version}, not {expected}")
    try:
        _ = recorded.event
    except (DbError, msgspec.MsgspecError) as error:
        problems.append(f"event {recorded.position} of {recorded.stream}: cannot be read ({error})")
    return problems


def _check_projection(store: SqlStore, projection: Projection) -> tuple[int, list[str]]:
    shadow: Any = _Shadow(store)
    catch_up(shadow, projection)
    rows, problems = 0, []
    for table in projection.tables:
        query = f"SELECT * FROM {table}"
        kept, rebuilt = Counter(store.database.rows(query)), Counter(shadow.projected().rows(query))
        rows += kept.total()
        wrong = max((kept - rebuilt).total(), (rebuilt - kept).total())
        if wrong:
            problems.append(f"table {table}: {wrong} rows do not follow from the events; run `pypto-report db replay`")
    return rows, problems


def info_text(report: DatabaseInfo) -> str:
    """The facts, one a line."""
    old = "" if report.revision == report.newest_revision else f", this version works with {report.newest_revision}"
    facts = {
        "database": report.url,
        "named by": report.source,
        "schema": (report.revision or "none") + old,
        "size": f"{report.bytes:,} bytes" if report.bytes is not None else "",
        "events": "" if report.events is None else f"{report.events:,}",
        "runs": "" if report.runs is None else f"{report.runs:,}",
        "results": "" if report.results is None else f"{report.results:,}",
    }
    return "".join(f"{name:<9} {one_line(text)}\n" for name, text in facts.items() if text)


def check_text(report: CheckReport, painter: Painter) -> str:
    """The verdict first, then what is wrong."""
    looked = f"{quantities.count(report.events, 'event')}, {quantities.count(report.rows, 'row')} of tables"
    if not report.problems:
        return f"{painter('sound', 'bold green')}: {looked}\n"
    lines = [f"{painter('NOT SOUND', 'bold red')}: {quantities.count(len(report.problems), 'problem')} in {looked}"]
    lines += [f"  {one_line(problem)}" for problem in report.problems[:SHOWN]]
    return "\n".join(lines) + "\n"


def info_json(report: DatabaseInfo) -> dict[str, Any]:
    """The facts under stable keys."""
    return {"schema": "pypto-report/info/1", **asdict(report)}


def check_json(report: CheckReport) -> dict[str, Any]:
    """The verdict and every problem."""
    facts = {"events": report.events, "rows": report.rows, "problems": list(report.problems)}
    return {"schema": "pypto-report/check/1", "sound": not report.problems, **facts}
