"""What can go wrong for a person who asks for a report.

    ReportError                 the command prints the message, without a traceback, and ends with status 2
    ├── NoDatabase              neither option, environment nor ini names a database
    ├── BadSetting              an ini file that cannot be used
    ├── CannotOpen              the named database does not open; says why, and who named it
    ├── UnknownName             no run and no case answers to a name
    ├── NothingRecorded         the database holds no run yet
    ├── BadArgument             an argument the command cannot use
    └── CannotWrite             a page cannot be written where it was asked for

Errors of the database itself, such as a run that does not exist, are `db.errors`; the command treats both alike.
"""

from __future__ import annotations

from typing import Any, ClassVar


class ReportError(Exception):
    """Base of every error a user of `pypto-report` can act on; `facts` holds the values that the message names."""

    message: ClassVar[str] = "the report failed"

    def __init__(self, **facts: Any) -> None:
        self.facts = facts
        super().__init__(self.message.format(**facts))


class NoDatabase(ReportError):
    """Neither option, environment nor ini names a database."""

    message = (
        "no database given: use --db URL, or set the environment variable PYPTO_DB, or write the key pypto_db into the "
        "pytest section of pyproject.toml, pytest.ini or tox.ini (looked in {folder} and the folders above it); "
        "for example --db sqlite:///runs.db"
    )


class BadSetting(ReportError):
    """An ini file that cannot be used."""

    message = "{path}: {problem}; correct the file, or give --db"


class CannotOpen(ReportError):
    """The named database does not open."""

    message = "{problem} (the database was named by {source})"


class UnknownName(ReportError):
    """No run and no case answers to a name."""

    message = "{name!r}: no run and no case is recorded under this name; {hint}"


class NothingRecorded(ReportError):
    """The database holds no run yet."""

    message = "{url}: holds no run yet; record one with `pytest --pypto-db {url}`"


class BadArgument(ReportError):
    """An argument the command cannot use."""

    message = "{argument}: {problem}"


class CannotWrite(ReportError):
    """A page cannot be written where it was asked for."""

    message = "{path}: cannot be written ({problem}); give another place with --out"
