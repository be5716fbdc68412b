"""Everything that can go wrong between the project and its database.

DbError
├── UnsupportedUrl          the URL names no database we can open
├── DatabaseMissing         a reader was given a file that is not there
├── DatabaseUnwritable      the file or its folder cannot be written
├── NotOurDatabase          the file is no database, or somebody else's
├── DatabaseOutdated        written by an older version: upgrade it
├── DatabaseTooNew          written by a newer version: upgrade the project
├── DatabaseUnavailable     locked, full or away: the same call may work later
├── ProjectionTooNew        rows written by newer rules: upgrade the project
├── VersionConflict         the stream moved on since its version was read
├── EventError
│   ├── BadEventClass       an event class breaks the rules of the registry
│   ├── InvalidEvent        a field holds what its annotation does not allow
│   ├── UnknownEventType    a stored name that no class answers to
│   └── EventTooNew         a stored version above that of the class
└── SelectorError
    ├── RunNotFound         no run answers to the selector
    └── RunAmbiguous        several runs answer to it
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar


class DbError(Exception):
    """Base of all errors here; `facts` holds the values that the message names."""

    message: ClassVar[str] = "the database failed"

    def __init__(self, **facts: Any) -> None:
        self.facts = facts
        super().__init__(self.message.format(**facts))

    def __reduce__(self) -> tuple[Callable[[], DbError], tuple[()]]:
        # Facts are keywords, which the default protocol of exceptions does not carry between processes.
        return partial(type(self), **self.facts), ()


class UnsupportedUrl(DbError):
    """The URL names no database we can open."""

    message = "{url}: {problem}; give sqlite:///path/to/file.db or a plain path"


class DatabaseMissing(DbError):
    """A reader was given a file that is not there."""

    message = "{path}: there is no such database; record a session with --pypto-db {path}, or correct the path"


class DatabaseUnwritable(DbError):
    """The file or its folder cannot be written."""

    message = "{path}: cannot be written ({reason}); make its folder writable or give another path"


class NotOurDatabase(DbError):
    """The file is no database, or somebody else's."""

    message = "{path}: is not an event database of this project ({reason}); give the path of another or a new file"


class DatabaseOutdated(DbError):
    """Written by an older version of the project."""

    message = (
        "{url}: has schema revision {found}, this version of the project works with {expected}; "
        "run `pypto-report db upgrade --db {url}` (nothing recorded is lost)"
    )


class DatabaseTooNew(DbError):
    """Written by a newer version of the project."""

    message = (
        "{url}: has schema revision {found}, newer than the {expected} this version of the project knows; "
        "upgrade the project, or give another database"
    )


class DatabaseUnavailable(DbError):
    """Locked, full or away: the same call may work later."""

    message = "{url}: is not available ({reason}); nothing was written, try again"


class ProjectionTooNew(DbError):
    """Rows written by newer rules than ours, which we must not touch."""

    message = (
        "projection {name} was built with version {found} of its rules, this version of the project knows {known}; "
        "upgrade the project, or run `pypto-report db replay` with it to rebuild the rows"
    )


class VersionConflict(DbError):
    """The stream moved on since its version was read."""

    message = "{stream}: expected version {expected}, the stream is at {actual}; read it again and append to that"


class EventError(DbError):
    """Something is wrong with an event rather than with the database."""


class BadEventClass(EventError):
    """An event class breaks the rules of the registry."""

    message = "{cls}: {problem}"


class InvalidEvent(EventError):
    """A field holds what its annotation does not allow."""

    message = "{type}: {problem}; give every field a value of its declared type"


class UnknownEventType(EventError):
    """A stored name that no class answers to."""

    message = "event type {type!r} is unknown to this version of the project; upgrade the project"


class EventTooNew(EventError):
    """A stored version above that of the class."""

    message = "{type}: stored in version {found}, this version of the project reads up to {known}; upgrade the project"


class SelectorError(DbError):
    """A run selector does not name one run."""


class RunNotFound(SelectorError):
    """No run answers to the selector."""

    message = "{selector!r}: no run has this id, label, commit or branch; {hint}"


class RunAmbiguous(SelectorError):
    """Several runs answer to the selector."""

    message = "{selector!r}: could be {candidates}; give more characters of the run id"
