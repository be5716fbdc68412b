"""Recording under pytest-xdist: workers write nothing, their events travel to the controller on pytest's reports."""

from __future__ import annotations

from typing import Any

import pytest

from db.events import CaseCollected, CaseDeselected, Event, decode, encode
from pipeline.node_ids import NodeIds
from pipeline.recording import CASE, Recording, RecordingWriter
from pipeline.session import Session

RUN = "pypto_run"  # what the controller tells a worker
OUTPUT = "pypto_deselected"  # what a worker tells at its end

Packed = tuple[str, int, str]


def pack(event: Event) -> Packed:
    """An event as values that pytest-xdist can carry."""
    return event.type, event.version, encode(event)


class RecordingRelay(Recording):
    """The hooks of a worker."""

    def __init__(self, config: pytest.Config, run_id: str, node_ids: NodeIds) -> None:
        super().__init__(config, Session(run_id, self._keep), node_ids)
        self._waiting: list[Packed] = []
        self._collected: dict[str, CaseCollected] = {}
        self._deselected: list[CaseDeselected] = []
        self._cases: dict[str, str] = {}

    def _keep(self, event: Event) -> None:
        """All workers collect everything, so an item is told of by the one that runs it."""
        if isinstance(event, CaseCollected):
            self._collected[event.node_id] = event
        elif isinstance(event, CaseDeselected):
            self._deselected.append(event)
        else:
            self._waiting.append(pack(event))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """The controller gets these reports too."""

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Case ids travel ahead with the first report, for items that a dying worker cannot tell of."""
        self._cases = {item.nodeid: item.stash[CASE][0] for item in session.items if CASE in item.stash}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: Any) -> None:
        """Put the events on the report before pytest-xdist sends it."""
        self._report(report)
        collected = self._collected.pop(report.nodeid, None)
        first = [pack(collected)] if collected is not None else []
        report.pypto_events = [*first, *self._waiting]
        self._waiting.clear()
        if self._cases:
            report.pypto_cases = self._cases
            self._cases = {}

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Tell what was deselected, which no report tells."""
        by_case = {event.case_id: event for event in self._collected.values()}
        told = [pack(event) for gone in self._deselected for event in (by_case.get(gone.case_id), gone) if event]
        session.config.workeroutput[OUTPUT] = told  # type: ignore[attr-defined]


class RecordingController(RecordingWriter):
    """The hooks of the controller, which runs no test and writes what the workers tell."""

    _knows_deselected = False

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Workers record for this run."""
        node.workerinput[RUN] = self.session.run_id

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        """What a worker collected; all workers collect the same."""
        for node_id, case_id in self.node_ids.assign(ids).items():
            self.session.expected(node_id, case_id)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record what the worker sent along; a report without that was made here, for a worker that crashed."""
        for node_id, case_id in getattr(report, "pypto_cases", {}).items():
            self.session.is_case(node_id, case_id)
        packed = getattr(report, "pypto_events", None)
        if packed is None:
            self._report(report)
        else:
            self._relay(packed)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A worker ended; the first that did so in good order tells what was deselected."""
        packed = getattr(node, "workeroutput", {}).get(OUTPUT)
        if packed is not None and not self._knows_deselected:
            self._knows_deselected = True
            self._relay(packed)

    def _relay(self, packed: list[Packed]) -> None:
        for type_name, version, payload in packed:
            self.session.relayed(decode(type_name, version, payload))
