"""Events that a session had to write to a file, brought into the database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from db.spool import Ingested, ingest, ingest_pending
from db.store import Store
from reports.errors import BadArgument
from reports.render import quantities
from reports.render.clean import one_line


@dataclass(frozen=True)
class IngestReport:
    """What came of each file."""

    files: tuple[Ingested, ...]


def ingest_all(store: Store, paths: Sequence[Path], url: str) -> IngestReport:
    """Bring in the given spool files, or those that wait for the database at `url` when none is given."""
    for path in paths:
        if not path.is_file():
            raise BadArgument(argument=path, problem="is no file; give the spool file that the session named")
    if not paths:
        return IngestReport(tuple(ingest_pending(store, url)))
    return IngestReport(tuple(ingest(store, path) for path in paths))


def ingest_text(report: IngestReport) -> str:
    """One line per file."""
    if not report.files:
        return "no spool file waits for this database\n"
    return "".join(f"{_line(one)}\n" for one in report.files)


def _line(one: Ingested) -> str:
    text = f"{one_line(str(one.path))}: {quantities.count(one.events, 'event')}"
    if one.damaged:
        text += f"; {quantities.count(len(one.damaged), 'line')} could not be read and are kept beside it"
    elif one.kept:
        text += "; its session still runs"
    return text


def ingest_json(report: IngestReport) -> dict[str, Any]:
    """Every file under stable keys."""
    files = [
        {"path": str(one.path), "events": one.events, "damaged_lines": list(one.damaged), "kept": one.kept}
        for one in report.files
    ]
    return {"schema": "pypto-report/ingest/1", "files": files}
