"""Which variants of a case a session runs: platforms filter, markers restrict, pins exclude."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipeline.errors import UnknownPlanner, UnknownPlatform
from pypto.platforms import PLATFORMS, MemoryPlanner

DEFAULT_PLANNER = "default"


@dataclass(frozen=True)
class Variants:
    """The platforms a case runs on, and, when there are none, the one it is shown on as deselected, and why."""

    platforms: tuple[str, ...]
    excluded: str = ""
    reason: str = ""


def variants(session: Sequence[str], restrictions: Iterable[Sequence[str]], pin: str | None) -> Variants:
    """What is left of the session's platforms after markers and pin.

    A case that nothing is left of does not vanish: it is shown once, as deselected.
    """
    allowed = [pin] if pin is not None else list(PLATFORMS)
    for names in restrictions:
        allowed = [name for name in allowed if name in names]
    chosen = tuple(name for name in session if name in allowed)
    if chosen:
        return Variants(chosen)
    asked = ", ".join(session)
    if not allowed:
        where = f"pinned to {pin}" if pin is not None else "restricted by markers"
        return Variants((), pin or session[0], f"{where}, and its markers leave no platform")
    return Variants((), allowed[0], f"needs {' or '.join(allowed)}, the session runs {asked}")


def effective_planner(case: str | None, config: str | None, session: str | None) -> str:
    """Whoever says it first: the case, its config, the session; else the compiler's own default."""
    return case or config or session or DEFAULT_PLANNER


def check_platforms(names: Sequence[str], where: str) -> tuple[str, ...]:
    """The names, if each is a platform and there is one at least."""
    for name in names or [""]:
        if name not in PLATFORMS:
            raise UnknownPlatform(where=where, name=name, allowed=_choice(name, list(PLATFORMS)))
    return tuple(dict.fromkeys(names))


def check_planner(name: object, where: str) -> str | None:
    """The id of a planner, in lower case, from its name in any case or its enum member; None for the default."""
    text = name.name if isinstance(name, MemoryPlanner) else str(name)
    planner = text.lower().replace("-", "_")
    if planner == DEFAULT_PLANNER:
        return None
    if planner.upper() not in MemoryPlanner.__members__:
        allowed = [*(member.lower() for member in MemoryPlanner.__members__), DEFAULT_PLANNER]
        raise UnknownPlanner(where=where, name=text, allowed=_choice(planner, allowed))
    return planner


def planner_member(planner: str) -> MemoryPlanner | None:
    """The compiler's word for a planner id."""
    return None if planner == DEFAULT_PLANNER else MemoryPlanner[planner.upper()]


def _choice(name: str, allowed: list[str]) -> str:
    near = difflib.get_close_matches(name, allowed, n=1)
    listed = ", ".join(allowed)
    return f"{near[0]} (or another of {listed})" if near and name else f"one of {listed}"
