"""pytest's hooks once a test declares a case: duplicates, platforms, and the `case_run` of each item."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from pipeline.attempt import CaseResult
from pipeline.case import Case, RefusedCase
from pipeline.case_run import CaseFailed, CaseRun
from pipeline.collection import case_of, exclusion, find_duplicates
from pipeline.errors import CaseError
from pipeline.runner import Runner
from pipeline.stages.collect import collect

if TYPE_CHECKING:
    from pipeline.bootstrap import Tools
    from pipeline.recording import Recording

NEVER_RUN = "the test never asked for the result of its case; call case_run.assert_passed()"


class CaseHooks:
    """Holds what the cases of a session share; registered when the first one is declared."""

    def __init__(self, tools: Tools, recording: Recording | None) -> None:
        self._tools = tools
        self._recording = recording
        self._runner: Runner | None = None
        self._problems: dict[str, CaseError] = {}

    # Collection

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
        """Tell the record what each item is, and take out the cases that no platform of the session is left for."""
        self._problems = find_duplicates(items)
        if self._recording is not None:
            self._announce(items, self._recording)
        yield
        reasons = {item.nodeid: exclusion(item) for item in items if case_of(item) is not None}
        excluded = [item for item in items if reasons.get(item.nodeid)]
        if not excluded:
            return
        items[:] = [item for item in items if not reasons.get(item.nodeid)]
        if self._recording is not None:
            for item in excluded:
                self._recording.session.deselected(item.nodeid, reasons[item.nodeid])
        config.hook.pytest_deselected(items=excluded)

    def _announce(self, items: list[pytest.Item], recording: Recording) -> None:
        """Facts of each case; of two under one id only the first has the id, the others count as plain tests."""
        taken = set()
        for item in items:
            case = case_of(item)
            if case is not None and case.case_id not in taken:
                taken.add(case.case_id)
                recording.announce(item, case.case_id, collect(case, recording.project))

    # Tests

    def case_run(self, item: pytest.Item, case: Case | RefusedCase) -> CaseRun:
        """What the fixture gives; a case that cannot take part fails here."""
        recording = self._recording
        attempt = recording.session.upcoming(item.nodeid) if recording is not None else 1
        problem = self._problems.get(item.nodeid) or (case.error if isinstance(case, RefusedCase) else None)
        if problem is not None:
            if recording is None or recording.session.knows_as(item.nodeid, case.case_id):
                self._told(item, self.runner.refuse(case, problem, attempt), attempt)
            raise CaseFailed(f"{case.place}: {problem}")
        return CaseRun(case, partial(self._run, item, case, attempt))

    def _run(self, item: pytest.Item, case: Case | RefusedCase, attempt: int) -> CaseResult:
        return self._told(item, self.runner.run(case, attempt), attempt)

    def _told(self, item: pytest.Item, result: CaseResult, attempt: int) -> CaseResult:
        if not result.passed and self._recording is not None:
            self._recording.session.stage_told(item.nodeid, attempt)
        return result

    @property
    def runner(self) -> Runner:
        """The runner, made when it is first needed: imports and folders cost time."""
        if self._runner is None:
            self._runner = self._tools.runner()
        return self._runner

    @pytest.hookimpl(wrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Iterator[Any]:
        """A test that passes without having asked for its case has tested nothing."""
        result = yield
        case_run = pyfuncitem.funcargs.get("case_run")
        if isinstance(case_run, CaseRun) and not case_run.was_run:
            raise CaseFailed(f"{case_run.case.case_id}: {NEVER_RUN}")
        return result

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """End worker processes."""
        if self._runner is not None:
            self._runner.close()
            self._runner = None
