"""What the page shows, as frozen values: the template reads these and decides nothing.

Text from tests stands here as it is; the template engine escapes it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Token:
    """A colour by name, for outcomes and changes, on a light and on a dark page."""

    name: str
    light: str
    dark: str


@dataclass(frozen=True)
class Mark:
    """An outcome as it stands in a table."""

    token: str
    label: str
    symbol: str


@dataclass(frozen=True)
class RunRow:
    """One run in the headline."""

    title: str
    role: str  # "base", "head", or nothing
    run_id: str
    commit: str
    started: str
    seconds: str
    state: str
    total: int
    counts: dict[str, int]  # by outcome token


@dataclass(frozen=True)
class Card:
    """How many cases changed in one way."""

    token: str
    label: str
    count: int


@dataclass(frozen=True)
class CauseRow:
    """One cause with the number of its cases."""

    token: str
    change: str
    text: str
    was: str
    cases: int
    touched: str


@dataclass(frozen=True)
class Fact:
    """A name and what it stands for."""

    name: str
    text: str


@dataclass(frozen=True)
class PairSection:
    """What changed between the two compared runs."""

    base: str
    head: str
    cards: tuple[Card, ...]
    token: str
    verdict: str
    causes: tuple[CauseRow, ...]
    audits: tuple[Fact, ...]


@dataclass(frozen=True)
class Chart:
    """A figure with the same numbers as a table, for those who cannot see it."""

    name: str
    title: str
    figure: str  # JSON
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True)
class Cell:
    """One case over the runs shown."""

    marks: tuple[Mark, ...]
    change: str = ""
    token: str = ""
    touched: str = ""
    failure: str = ""  # the anchor of its details


@dataclass(frozen=True)
class CaseRow:
    """One name, with a cell per platform."""

    name: str
    planner: str
    cells: tuple[Cell | None, ...]
    changes: str  # tokens of all its changes, for the filter


@dataclass(frozen=True)
class CaseTable:
    """Cases by platform, or plain tests in one column."""

    title: str
    columns: tuple[str, ...]
    planners: bool
    rows: tuple[CaseRow, ...]


@dataclass(frozen=True)
class FailureDetail:
    """One failure with all that was recorded about it."""

    anchor: str
    token: str
    outcome: str
    case_id: str
    run: str
    cause: str
    facts: tuple[Fact, ...]
    message: str
    traceback: str


@dataclass(frozen=True)
class Page:
    """The whole page."""

    title: str
    runs: tuple[RunRow, ...]
    runs_left_out: int
    outcomes: tuple[Mark, ...]  # those that occur, in order of the enumeration
    pair: PairSection | None
    charts: tuple[Chart, ...]
    tables: tuple[CaseTable, ...]
    rows_left_out: int
    failures: tuple[FailureDetail, ...]
    failures_left_out: int
    tokens: tuple[Token, ...]
