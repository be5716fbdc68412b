"""Rows of projections as mutable records, and their way into tables and back.

The fields of a record are the columns of its table (a test compares them with `db.tables`); its annotations say how a
value is kept: text through `db.text`, enumerations by value, lists and dicts as JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from enum import Enum
from types import NoneType, UnionType
from typing import Any, ClassVar, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

from db.engine import Database, Row
from db.events import from_json, to_json
from db.outcome import Outcome, RunState, Stage
from db.text import restored, storable


class Record:
    """Base of the records."""

    table: ClassVar[str]
    key: ClassVar[tuple[str, ...]]


AnyRecord = TypeVar("AnyRecord", bound=Record)


@dataclass(slots=True)
class RunRecord(Record):
    """One run; `outcomes` counts the last attempts of its cases by outcome."""

    table: ClassVar[str] = "runs"
    key: ClassVar[tuple[str, ...]] = ("run_key",)

    run_key: int
    run_id: str
    state: RunState = RunState.UNFINISHED
    reason: str = ""
    label: str = ""
    command: str = ""
    root: str = ""
    git_commit: str = ""
    git_branch: str = ""
    git_dirty: bool = False
    diff_digest: str = ""
    host: str = ""
    platforms: list[str] = field(default_factory=list)
    options: dict[str, Any] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    started_at: int = 0
    finished_at: int | None = None
    seconds: float | None = None
    exit_status: int | None = None
    collected: int | None = None
    recorded: int | None = None
    deselected: int | None = None
    missing: list[str] = field(default_factory=list)
    outcomes: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class CaseRecord(Record):
    """One case, as it was declared last."""

    table: ClassVar[str] = "cases"
    key: ClassVar[tuple[str, ...]] = ("case_key",)

    case_key: int
    case_id: str
    kind: str
    name: str
    platform: str = ""
    planner: str = ""


@dataclass(slots=True)
class ResultRecord(Record):
    """One attempt at one case in one run."""

    table: ClassVar[str] = "results"
    key: ClassVar[tuple[str, ...]] = ("run_key", "case_key", "attempt")

    run_key: int
    case_key: int
    attempt: int
    final: bool = True
    outcome: Outcome = Outcome.NOT_REACHED
    stage: Stage = Stage.COLLECT
    reason: str = ""
    signature: str = ""
    error_type: str = ""
    message: str = ""
    signal: int | None = None
    seconds: float = 0.0
    seconds_specialize: float | None = None
    seconds_compile: float | None = None
    seconds_golden: float | None = None
    seconds_run: float | None = None
    seconds_compare: float | None = None
    seconds_test: float | None = None
    node_id: str = ""
    source_file: str = ""
    source_line: int = 0
    declaration: str = ""
    inputs_digest: str = ""
    program_digest: str = ""
    source_digest: str = ""
    library_digest: str = ""
    golden_digest: str = ""
    outputs_digest: str = ""
    comparison: str = ""
    rtol: float | None = None
    atol: float | None = None
    margin: float | None = None
    worst_abs: float | None = None
    worst_rel: float | None = None
    mismatches: int | None = None
    elements: int | None = None
    shape: str = ""
    device: str = ""
    worker: str = ""
    origin_run: str = ""


_Converters: TypeAlias = tuple[tuple[int, Callable[[Any], Any]], ...]


@dataclass(frozen=True)
class _Layout:
    """How the fields of a record lie in its table."""

    columns: tuple[str, ...]
    upsert: str
    read: _Converters
    write: _Converters


_LAYOUTS: dict[str, _Layout] = {}


def columns(cls: type[Record]) -> tuple[str, ...]:
    """The column names of a record, in the order of its fields."""
    return _layout(cls).columns


def select(cls: type[Record], condition: str) -> str:
    """A query for whole records."""
    return f"SELECT {', '.join(columns(cls))} FROM {cls.table} WHERE {condition}"


def load(cls: type[AnyRecord], row: Row) -> AnyRecord:
    """The record behind a row that lists the columns in order."""
    values = list(row)
    for index, read in _layout(cls).read:
        values[index] = read(values[index])
    return cls(*values)


def save(database: Database, cls: type[AnyRecord], records: Iterable[AnyRecord]) -> None:
    """Insert the records, or update those whose key is there."""
    layout = _layout(cls)
    rows = []
    for record in records:
        values = [getattr(record, name) for name in layout.columns]
        for index, write in layout.write:
            values[index] = write(values[index])
        rows.append(values)
    database.executemany(layout.upsert, rows)


def _layout(cls: type[Record]) -> _Layout:
    if cls.table not in _LAYOUTS:
        _LAYOUTS[cls.table] = _lay_out(cls)
    return _LAYOUTS[cls.table]


def _lay_out(cls: Any) -> _Layout:
    names = tuple(f.name for f in fields(cls))
    updates = ", ".join(f"{name} = excluded.{name}" for name in names if name not in cls.key)
    return _Layout(
        columns=names,
        upsert=f"INSERT INTO {cls.table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))}) "
        f"ON CONFLICT ({', '.join(cls.key)}) DO UPDATE SET {updates}",
        read=_converters(cls, {str: restored, bool: bool, float: _read_float, dict: from_json}, read=True),
        write=_converters(cls, {str: storable, int: _fit, float: _write_float, dict: to_json}, read=False),
    )


def _converters(cls: Any, by_kind: dict[type, Callable[[Any], Any]], *, read: bool) -> _Converters:
    """What to do with the columns where the driver's value is not yet that of the field."""
    hints = get_type_hints(cls)
    found: list[tuple[int, Callable[[Any], Any]]] = []
    for index, field_ in enumerate(fields(cls)):
        kind = hints[field_.name]
        if get_origin(kind) is UnionType:
            (kind,) = (member for member in get_args(kind) if member is not NoneType)
        if get_origin(kind) in (list, dict):
            kind = dict
        if issubclass(kind, Enum):
            found.append((index, kind if read else _enum_value))
        elif kind in by_kind:
            found.append((index, by_kind[kind]))
    return tuple(found)


def _enum_value(member: Enum) -> str:
    return str(member.value)


_LARGEST = 2**63 - 1


def _fit(value: int | None) -> int | None:
    """No integer is too large for its column; one that is would stop the projection for good."""
    return value if value is None else max(-_LARGEST, min(value, _LARGEST))


def _write_float(value: float | None) -> float | str | None:
    """SQLite makes NULL of a NaN, so it is written as text, which both databases take in a column of floats."""
    return "nan" if value is not None and value != value else value


def _read_float(value: float | str | None) -> float | None:
    return None if value is None else float(value)
