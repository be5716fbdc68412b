"""From cases declared with `st.cases` to pytest items: one per case and platform, each with its own copy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pytest

from pipeline.case import Case, RefusedCase
from pipeline.errors import BadSetting, CaseError, DuplicateCase, UsageProblem
from pipeline.matrix import check_platforms, variants
from pipeline.options import Options

ARGUMENT = "_st_case"
EXCLUDED = "pypto_excluded"  # the mark, with its reason, of an item that stands for a case no platform is left for


def parametrize(metafunc: pytest.Metafunc, entries: Iterable[Any], options: Options) -> None:
    """Make the items of one test function."""
    marks = list(metafunc.definition.iter_markers("platforms"))
    params = [param for entry in entries for param in _params(entry, marks, options)]
    metafunc.parametrize(ARGUMENT, params)


def _params(entry: Any, platform_marks: Sequence[Any], options: Options) -> Iterator[Any]:
    """The parameters of one declared case, with the marks and the id that `pytest.param` gave it."""
    case, marks, given_id = entry, [], None
    if not isinstance(entry, Case | RefusedCase):
        case, marks, given_id = entry.values[0], list(entry.marks), entry.id
    own = [mark.mark if hasattr(mark, "mark") else mark for mark in marks]
    try:
        restrictions = [_platforms_in(mark) for mark in [*platform_marks, *own] if mark.name == "platforms"]
    except UsageProblem as error:
        restrictions = []
        problem = BadSetting(kernel=case.name, key="@pytest.mark.platforms", value="...", problem=f"({error})")
        case = RefusedCase(case.name, problem, case.place, case.settings)
    found = variants(options.platforms, restrictions, case.settings.pin)
    if not found.platforms:
        marks.append(pytest.mark.pypto_excluded(found.reason))
    for platform in found.platforms or (found.excluded,):
        bound = case.for_platform(platform, options.planner)
        name = given_id if isinstance(given_id, str) else bound.name
        yield pytest.param(bound, marks=marks, id=f"{name}@{bound.platform}@{bound.planner}")


def _platforms_in(mark: Any) -> tuple[str, ...]:
    return check_platforms([str(name) for name in mark.args], "@pytest.mark.platforms")


def case_of(item: pytest.Item) -> Case | RefusedCase | None:
    """The case that an item runs; None for a plain test."""
    callspec = getattr(item, "callspec", None)
    found = callspec.params.get(ARGUMENT) if callspec is not None else None
    return found if isinstance(found, Case | RefusedCase) else None


def exclusion(item: pytest.Item) -> str:
    """Why no platform of this session is left for the case of an item; empty when one is."""
    mark = item.get_closest_marker(EXCLUDED)
    return str(mark.args[0]) if mark is not None else ""


def find_duplicates(items: Iterable[pytest.Item]) -> dict[str, CaseError]:
    """What is wrong with items, by node id: those that share a case id with another test."""
    first: dict[str, pytest.Item] = {}
    problems: dict[str, CaseError] = {}
    for item in items:
        case = case_of(item)
        if case is None:
            continue
        known = first.setdefault(case.case_id, item)
        if known.nodeid != item.nodeid:
            error = DuplicateCase(case_id=case.case_id, first=_declared(known), second=_declared(item))
            problems.setdefault(known.nodeid, error)
            problems[item.nodeid] = error
    return problems


def _declared(item: pytest.Item) -> str:
    case = case_of(item)
    return f"{case.place if case else '?'} (run by {item.nodeid})"
