"""Streams and the append-only log of events.

Revision ID: 0001
Revises:
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
JSON = sa.Text().with_variant(sa.JSON(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "streams",
        sa.Column("stream_key", KEY, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("stream_key", name="pk_streams"),
        sa.UniqueConstraint("name", name="uq_streams_name"),
    )
    op.create_table(
        "events",
        sa.Column("position", KEY, nullable=False),
        sa.Column("event_id", sa.LargeBinary(16), nullable=False),
        sa.Column("stream_key", KEY, nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("schema_version", sa.BigInteger(), nullable=False),
        sa.Column("run_key", KEY, nullable=False),
        sa.Column("recorded_at", sa.BigInteger(), nullable=False),
        sa.Column("payload", JSON, nullable=False),
        sa.PrimaryKeyConstraint("position", name="pk_events"),
        sa.UniqueConstraint("event_id", name="uq_events_event_id"),
        sa.UniqueConstraint("stream_key", "version", name="uq_events_stream_key_version"),
    )
    op.create_index("ix_events_run_key_position", "events", ["run_key", "position"])
    for statement in _REFUSE_CHANGES[op.get_bind().dialect.name]:
        op.execute(statement)


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP TRIGGER events_append_only ON events")
        op.execute("DROP FUNCTION refuse_change_of_events()")
    op.drop_table("events")
    op.drop_table("streams")


# Written out for each engine, and never edited: this is history.
_REFUSE_CHANGES = {
    "sqlite": (
        """
        CREATE TRIGGER events_no_update BEFORE UPDATE ON events
        BEGIN SELECT RAISE(ABORT, 'events are append-only: they cannot be changed'); END
        """,
        """
        CREATE TRIGGER events_no_delete BEFORE DELETE ON events
        BEGIN SELECT RAISE(ABORT, 'events are append-only: they cannot be removed'); END
        """,
    ),
    "postgresql": (
        """
        CREATE FUNCTION refuse_change_of_events() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'events are append-only: they cannot be changed or removed'; END $$
        """,
        """
        CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON events
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_events()
        """,
    ),
}
