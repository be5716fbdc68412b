"""Answers kept ready: tables that follow from the log of events, and can be rebuilt from it at any time."""

from db.projections.base import Projection, catch_up, is_current, rebuild
from db.projections.results import Results
from db.store import Store

__all__ = ["PROJECTIONS", "Projection", "Results", "catch_up", "is_current", "project", "rebuild", "replay"]

PROJECTIONS: tuple[Projection, ...] = (Results(),)


def project(store: Store) -> int:
    """Bring every projection up to date; gives the number of events taken in."""
    return sum(catch_up(store, projection) for projection in PROJECTIONS)


def replay(store: Store) -> int:
    """Rebuild every projection from the first event on."""
    return sum(rebuild(store, projection) for projection in PROJECTIONS)
