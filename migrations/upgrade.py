"""Bring a database to a revision of the schema, or ask which one it has."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy.engine import Connection

from db.engine import alembic_connection
from db.engine import connect as connect_database


def upgrade(url: str, revision: str = "head") -> None:
    """Upgrade a database, creating it when it is not there; safe when several processes do so at once."""
    with alembic_connection(url) as connection:
        command.upgrade(configuration(connection), revision)


def downgrade(url: str, revision: str) -> None:
    """Take a database back to an earlier revision; what only later revisions hold is lost."""
    with alembic_connection(url) as connection:
        command.downgrade(configuration(connection), revision)


def check(url: str) -> None:
    """Raise `alembic.util.CommandError` when the tables of the code differ from those of the database."""
    with alembic_connection(url) as connection:
        command.check(configuration(connection))


def current(url: str) -> str | None:
    """The revision a database has, None for one without any."""
    database = connect_database(url, create=False)
    try:
        return database.revision()
    finally:
        database.close()


def head() -> str:
    """The newest revision there is."""
    newest = ScriptDirectory.from_config(configuration()).get_current_head()
    assert newest is not None
    return newest


def configuration(connection: Connection | None = None) -> Config:
    """Alembic's configuration, made here rather than read from a file, for the package may lie anywhere."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "newline")
    config.attributes["connection"] = connection
    return config
