"""Alembic's entry point: run the migrations on the connection that `migrations.upgrade` hands over."""

from __future__ import annotations

from alembic import context

from db.tables import metadata


def run() -> None:
    """Migrate in the transaction of the given connection, which spans reading the revision and writing it."""
    connection = context.config.attributes["connection"]
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_as_batch=connection.dialect.name == "sqlite",
        compare_type=True,
        compare_server_default=True,
    )
    context.run_migrations()


run()
