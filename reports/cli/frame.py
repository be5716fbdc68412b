"""What every command shares: its options, how it opens the database, how it prints and how it fails.

Exit status 1 and 3 are verdicts of `diff`, so nothing else may end with them: errors of any kind end with 2.
"""

from __future__ import annotations

import functools
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from db.errors import DbError
from reports.errors import CannotOpen, ReportError
from reports.locate import Location, locate
from reports.render.clean import one_line
from reports.render.paint import Painter, painter_for

if TYPE_CHECKING:
    from db import SqlStore

ERROR = 2
INTERRUPTED = 130


class Format(StrEnum):
    """How an answer is written."""

    TEXT = "text"
    JSON = "json"


Db = Annotated[
    str | None,
    typer.Option(
        "--db", metavar="URL", help="The database; else PYPTO_DB, else pypto_db in the pytest ini.", show_default=False
    ),
]
As = Annotated[Format, typer.Option("--format", case_sensitive=False, help="For people or for machines.")]


def answering(command: Callable[..., int | None]) -> Callable[..., None]:
    """A command that ends with the status its function returns, and tells errors in one line."""

    @functools.wraps(command)
    def answer(*arguments: object, **options: object) -> None:
        try:
            status = command(*arguments, **options) or 0
        except (ReportError, DbError) as error:
            status = fail(str(error))
        except KeyboardInterrupt:
            status = INTERRUPTED
        except Exception:
            traceback.print_exc()
            status = fail("this is a fault of pypto-report itself; please report it with the lines above")
        raise typer.Exit(status)

    return answer


def fail(message: str) -> int:
    """Tell an error on the error stream; the status to end with."""
    print(f"pypto-report: {one_line(message)}", file=sys.stderr)
    return ERROR


def emit(text: str) -> None:
    """Print an answer whole. A reader that closed the pipe has seen enough: that changes no exit status."""
    try:
        encoding = sys.stdout.encoding or "utf-8"
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes once more at its end, and would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def painter() -> Painter:
    """The painter for standard output."""
    return painter_for(sys.stdout)


def location_of(context: typer.Context, db: str | None) -> Location:
    """The database named after the command, before it, or elsewhere."""
    return locate(db or context.find_root().params.get("db"))


@contextmanager
def opened(context: typer.Context, db: str | None, create: bool = False) -> Iterator[SqlStore]:
    """The store to read from. Only a command that writes creates one: a misspelt path is no empty database."""
    from db.store import open_store

    location = location_of(context, db)
    try:
        store = open_store(location.url, create=create)
    except DbError as error:
        raise CannotOpen(problem=error, source=location.source) from error
    try:
        yield store
    finally:
        store.close()
