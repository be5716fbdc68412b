"""The tables, declared once: Alembic compares the migrations with these classes, and tests compare the statements.

Nothing here is imported while a session records or a report reads (SQLModel costs more start-up time than the whole of
a small session, see `shared/measured.md`); those speak SQL through `db.engine`.

Text columns hold what `db.text.storable` makes of a text. Times are integer nanoseconds, UTC. Enumerations are text
with a named CHECK, which survives a table being rebuilt and leaves no type behind in PostgreSQL.
"""

from __future__ import annotations

from enum import Enum

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

# A rowid table of SQLite wants INTEGER exactly; everything else that counts is 64 bits wide.
# PostgreSQL's JSON keeps the text as it came; JSONB would lose the sign of -0.0.
Json = Text().with_variant(JSON(), "postgresql")
Key = BigInteger().with_variant(Integer(), "sqlite")

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
    schema_version: int = Field(sa_column=Column(Integer, nullable=False))
    run_key: int = Field(sa_column=Column(Key, nullable=False))
    recorded_at: int = Field(sa_column=Column(BigInteger, nullable=False))
    payload: str = Field(sa_column=Column(Json, nullable=False))
