"""The tables, declared once: Alembic compares the migrations with these classes, and tests compare the statements.

Nothing here is imported while a session records or a report reads: SQLModel costs a third of a second at start, more
than the whole of a small session. Those speak SQL through `db.engine`.

Text columns hold what `db.text.storable` makes of a text. Times are integer nanoseconds, UTC. Enumerations are text
with a named CHECK, which survives a table being rebuilt and leaves no type behind in PostgreSQL.
"""

from __future__ import annotations

from enum import Enum

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

from db.outcome import Outcome, RunState, Stage

# A rowid table of SQLite wants INTEGER exactly; everything else that counts is 64 bits wide.
Key = BigInteger().with_variant(Integer(), "sqlite")
# PostgreSQL's JSON keeps the text as it came; JSONB would lose the sign of -0.0.
Json = Text().with_variant(JSON(), "postgresql")

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class Table(SQLModel, registry=registry(metadata=metadata)):
    """Base of all tables, with metadata of our own, so that other users of SQLModel in the process do not meet us."""

    metadata = metadata


def one_of(column: str, values: type[Enum]) -> CheckConstraint:
    """A named check that a column holds a member of an enumeration."""
    listed = ", ".join(f"'{member.value}'" for member in values)
    return CheckConstraint(f"{column} IN ({listed})", name=column)


class StreamRow(Table, table=True):
    """Names of streams: case ids and run ids, each with the small integer that events carry."""

    __tablename__ = "streams"
    __table_args__ = (UniqueConstraint("name"),)

    stream_key: int = Field(sa_column=Column(Key, primary_key=True))
    name: str = Field(sa_column=Column(String, nullable=False))


class EventRow(Table, table=True):
    """The log. Rows are never changed or removed; triggers see to it.

    No foreign keys: every append would pay twice for a check of what the same transaction has just written.
    """

    __tablename__ = "events"
    __table_args__ = (
        UniqueConstraint("event_id"),
        UniqueConstraint("stream_key", "version"),
        Index(None, "run_key", "position"),
    )

    position: int = Field(sa_column=Column(Key, primary_key=True))
    event_id: bytes = Field(sa_column=Column(LargeBinary(16), nullable=False))
    stream_key: int = Field(sa_column=Column(Key, nullable=False))
    version: int = Field(sa_column=Column(BigInteger, nullable=False))
    type: str = Field(sa_column=Column(String, nullable=False))
    schema_version: int = Field(sa_column=Column(BigInteger, nullable=False))
    run_key: int = Field(sa_column=Column(Key, nullable=False))
    recorded_at: int = Field(sa_column=Column(BigInteger, nullable=False))
    payload: str = Field(sa_column=Column(Json, nullable=False))


class ProjectionRow(Table, table=True):
    """How far each projection has followed the log, and with which version of its rules."""

    __tablename__ = "projections"

    name: str = Field(sa_column=Column(String, primary_key=True))
    version: int = Field(sa_column=Column(BigInteger, nullable=False))
    position: int = Field(sa_column=Column(BigInteger, nullable=False))


class RunRow(Table, table=True):
    """Projection `results`: one row per run."""

    __tablename__ = "runs"
    __table_args__ = (UniqueConstraint("run_id"), Index(None, "label"), one_of("state", RunState))

    run_key: int = Field(sa_column=Column(Key, primary_key=True, autoincrement=False))
    run_id: str = Field(sa_column=Column(String, nullable=False))
    state: str = Field(sa_column=Column(String, nullable=False))
    reason: str = Field(sa_column=Column(String, nullable=False))
    label: str = Field(sa_column=Column(String, nullable=False))
    command: str = Field(sa_column=Column(String, nullable=False))
    root: str = Field(sa_column=Column(String, nullable=False))
    git_commit: str = Field(sa_column=Column(String, nullable=False))
    git_branch: str = Field(sa_column=Column(String, nullable=False))
    git_dirty: bool = Field(sa_column=Column(Boolean, nullable=False))
    diff_digest: str = Field(sa_column=Column(String, nullable=False))
    host: str = Field(sa_column=Column(String, nullable=False))
    platforms: str = Field(sa_column=Column(Json, nullable=False))
    options: str = Field(sa_column=Column(Json, nullable=False))
    environment: str = Field(sa_column=Column(Json, nullable=False))
    started_at: int = Field(sa_column=Column(BigInteger, nullable=False))
    finished_at: int | None = Field(sa_column=Column(BigInteger))
    seconds: float | None = Field(sa_column=Column(Double))
    exit_status: int | None = Field(sa_column=Column(BigInteger))
    collected: int | None = Field(sa_column=Column(BigInteger))
    recorded: int | None = Field(sa_column=Column(BigInteger))
    deselected: int | None = Field(sa_column=Column(BigInteger))
    missing: str = Field(sa_column=Column(Json, nullable=False))
    outcomes: str = Field(sa_column=Column(Json, nullable=False))


class CaseRow(Table, table=True):
    """Projection `results`: one row per case."""

    __tablename__ = "cases"
    __table_args__ = (UniqueConstraint("case_id"), CheckConstraint("kind IN ('case', 'test')", name="kind"))

    case_key: int = Field(sa_column=Column(Key, primary_key=True, autoincrement=False))
    case_id: str = Field(sa_column=Column(String, nullable=False))
    kind: str = Field(sa_column=Column(String, nullable=False))
    name: str = Field(sa_column=Column(String, nullable=False))
    platform: str = Field(sa_column=Column(String, nullable=False))
    planner: str = Field(sa_column=Column(String, nullable=False))


class ResultRow(Table, table=True):
    """Projection `results`: one row per run, case and attempt."""

    __tablename__ = "results"
    __table_args__ = (
        one_of("outcome", Outcome),
        one_of("stage", Stage),
        Index(None, "case_key", "run_key"),
        # A diff reads only these: 2 to 6 ms where the whole of two runs takes 37.
        Index(
            "ix_results_not_passed",
            "run_key",
            "case_key",
            sqlite_where=text("outcome <> 'pass'"),
            postgresql_where=text("outcome <> 'pass'"),
        ),
    )

    run_key: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    case_key: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    attempt: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    final: bool = Field(sa_column=Column(Boolean, nullable=False))
    outcome: str = Field(sa_column=Column(String, nullable=False))
    stage: str = Field(sa_column=Column(String, nullable=False))
    reason: str = Field(sa_column=Column(String, nullable=False))
    signature: str = Field(sa_column=Column(String, nullable=False))
    error_type: str = Field(sa_column=Column(String, nullable=False))
    message: str = Field(sa_column=Column(String, nullable=False))
    signal: int | None = Field(sa_column=Column(BigInteger))
    seconds: float = Field(sa_column=Column(Double, nullable=False))
    seconds_specialize: float | None = Field(sa_column=Column(Double))
    seconds_compile: float | None = Field(sa_column=Column(Double))
    seconds_golden: float | None = Field(sa_column=Column(Double))
    seconds_run: float | None = Field(sa_column=Column(Double))
    seconds_compare: float | None = Field(sa_column=Column(Double))
    seconds_test: float | None = Field(sa_column=Column(Double))
    node_id: str = Field(sa_column=Column(String, nullable=False))
    source_file: str = Field(sa_column=Column(String, nullable=False))
    source_line: int = Field(sa_column=Column(BigInteger, nullable=False))
    declaration: str = Field(sa_column=Column(String, nullable=False))
    inputs_digest: str = Field(sa_column=Column(String, nullable=False))
    program_digest: str = Field(sa_column=Column(String, nullable=False))
    source_digest: str = Field(sa_column=Column(String, nullable=False))
    library_digest: str = Field(sa_column=Column(String, nullable=False))
    golden_digest: str = Field(sa_column=Column(String, nullable=False))
    outputs_digest: str = Field(sa_column=Column(String, nullable=False))
    comparison: str = Field(sa_column=Column(String, nullable=False))
    rtol: float | None = Field(sa_column=Column(Double))
    atol: float | None = Field(sa_column=Column(Double))
    margin: float | None = Field(sa_column=Column(Double))
    worst_abs: float | None = Field(sa_column=Column(Double))
    worst_rel: float | None = Field(sa_column=Column(Double))
    mismatches: int | None = Field(sa_column=Column(BigInteger))
    elements: int | None = Field(sa_column=Column(BigInteger))
    shape: str = Field(sa_column=Column(String, nullable=False))
    device: str = Field(sa_column=Column(String, nullable=False))
    worker: str = Field(sa_column=Column(String, nullable=False))
    origin_run: str = Field(sa_column=Column(String, nullable=False))
