"""pytest's hooks while a session is recorded: reads plain values from pytest's objects and hands them to `Session`.

Three kinds of process use it: a session in one process, the controller of pytest-xdist, and its workers. Workers write
nothing: their events travel to the controller on the reports, since one process alone may write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pipeline.facts import LONGEST_TEXT, CaseFacts, Phase, PhaseOutcome, TestFailure, Totals
from pipeline.node_ids import NodeIds
from pipeline.session import Session

CASE = pytest.StashKey[tuple[str, CaseFacts]]()  # case id and facts of an item that runs a case
_SHOWN = 20


class Recording:
    """The hooks of a session in one process, and what all kinds of process share."""

    def __init__(self, config: pytest.Config, session: Session, node_ids: NodeIds) -> None:
        self.config = config
        self.project = str(node_ids.project)
        self.session = session
        self.node_ids = node_ids
        self._aborted = ""
        self._filter = _filters(config)

    # Collection

    def announce(self, item: pytest.Item, case_id: str, facts: CaseFacts) -> None:
        """An item runs a case, and is recorded under the id of the case."""
        item.stash[CASE] = (case_id, facts)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Every item counts, also one that a filter takes out after this."""
        plain = self.node_ids.assign(item.nodeid for item in items if CASE not in item.stash)
        for item in items:
            case_id, facts = item.stash.get(CASE, (None, None))
            self.session.collected(item.nodeid, case_id or plain[item.nodeid], facts, item.name)

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        """A filter took these out."""
        for item in items:
            self.session.deselected(item.nodeid, self._filter)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A file that failed, or skipped itself, leaves a trace of its own."""
        if report.failed:
            failure = _failure_in(report)
            self.session.collection_failed(
                report.nodeid, self.node_ids.stable(report.nodeid), failure, report.longreprtext[:LONGEST_TEXT]
            )
        elif report.skipped:
            self.session.collection_skipped(
                report.nodeid, self.node_ids.stable(report.nodeid), _skip_reason(report) or "skipped"
            )

    # Tests

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[Any]) -> Any:
        """Only here is the exception at hand; its class and place travel on with the report."""
        report = yield
        if report.failed and call.excinfo is not None:
            report.pypto_failure = _describe(call.excinfo)
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """One phase of one test ended."""
        self._report(report)

    def _report(self, report: pytest.TestReport) -> None:
        phase: Phase = report.when if report.when in ("setup", "call", "teardown") else "call"
        is_last = report.when not in ("setup", "call")  # pytest-xdist says "???" for a worker that crashed
        if report.passed:
            if getattr(report, "context", None) is None:  # a passing subtest says nothing about its test
                self.session.reported(report.nodeid, phase, "passed", report.duration, is_last=is_last)
            return
        outcome: PhaseOutcome = "skipped" if report.skipped else "failed"  # a rerun plugin says "rerun"
        expected = getattr(report, "wasxfail", None)
        failure, reason = None, ""
        if outcome == "failed":
            told = getattr(report, "pypto_failure", None)
            failure = TestFailure(*told) if told else _failure_in(report)
            text = report.longreprtext[:LONGEST_TEXT]
        elif expected is not None:
            text = f"expected failure: {expected}"
        else:
            text = reason = _skip_reason(report)
        seconds = getattr(report, "duration", 0.0)
        self.session.reported(report.nodeid, phase, outcome, seconds, text, reason, failure, is_last)

    # The end

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Ctrl-C, `pytest.exit`, or too many errors at collection."""
        self._aborted = str(excinfo.value) or type(excinfo.value).__name__

    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """pytest itself, or a plugin, failed."""
        self._aborted = f"internal error: {excinfo.exconly()}"


class RecordingWriter(Recording):
    """The hooks of the process that writes: it starts and ends the run, and says so."""

    def __init__(
        self,
        config: pytest.Config,
        session: Session,
        node_ids: NodeIds,
        start: Callable[[], None],
        close: Callable[[], str],
        database: str,
    ) -> None:
        super().__init__(config, session, node_ids)
        self._start = start
        self._close = close
        self._database = database
        self._totals: Totals | None = None
        self._trouble = ""

    def header(self) -> str:
        """The line above the tests."""
        return f"pypto: recording run {self.session.run_id} in {self._database}"

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """The run begins."""
        self._start()

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Count, fail the session when items are missing, and write what is left."""
        stopped = exitstatus in (
            pytest.ExitCode.INTERRUPTED,
            pytest.ExitCode.INTERNAL_ERROR,
            pytest.ExitCode.USAGE_ERROR,
        )
        missing = self.session.totals().missing
        if missing and not stopped and exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            exitstatus = session.exitstatus = pytest.ExitCode.TESTS_FAILED
        aborted = (self._aborted or f"ended with exit status {int(exitstatus)}") if stopped else ""
        self._totals = self.session.finish(int(exitstatus), aborted)
        self._trouble = self._close()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(self, terminalreporter: Any) -> Iterator[None]:
        """The last word: the run id, and what became of everything collected."""
        yield
        if self._totals is not None:
            self._summarize(terminalreporter, self._totals)

    def _summarize(self, terminalreporter: Any, totals: Totals) -> None:
        line = f"pypto: run {self.session.run_id}: {totals}"
        terminalreporter.write_line(line, red=bool(totals.missing), bold=True)
        for name in totals.missing[:_SHOWN]:
            terminalreporter.write_line(f"  missing: {name}", red=True)
        if len(totals.missing) > _SHOWN:
            terminalreporter.write_line(f"  and {len(totals.missing) - _SHOWN} more", red=True)
        for node_id in self.node_ids.unstable[:_SHOWN]:
            terminalreporter.write_line(f"  id holds an object address, recorded without it: {node_id}", yellow=True)
        if self._trouble:
            terminalreporter.write_line(f"pypto: {self._trouble}", yellow=True, bold=True)


def _filters(config: pytest.Config) -> str:
    """The filters in force: pytest does not say which of them took an item out."""
    given = [
        f"{flag} {value!r}" if isinstance(value, str) else flag
        for flag, value in (
            ("-k", config.getoption("keyword", "")),
            ("-m", config.getoption("markexpr", "")),
            ("--deselect", config.getoption("deselect", None)),
            ("--lf", config.getoption("lf", False)),
            ("--stepwise", config.getoption("stepwise", False)),
        )
        if value
    ]
    return ", ".join(given) or "deselected by a plugin"


def _skip_reason(report: pytest.CollectReport | pytest.TestReport) -> str:
    """Why a test was skipped, without pytest's own prefix."""
    if not report.skipped:
        return ""
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return text.removeprefix("Skipped: ") or "skipped"


def _describe(excinfo: pytest.ExceptionInfo[BaseException]) -> tuple[str, str, str]:
    """Class, message and last frame of an exception."""
    kind = excinfo.type
    name = kind.__qualname__ if kind.__module__ in ("builtins", "") else f"{kind.__module__}.{kind.__qualname__}"
    try:
        message = str(excinfo.value)
    except Exception as error:
        message = f"<message raised {type(error).__name__}>"
    frame = ""
    for entry in excinfo.traceback:
        frame = f"{entry.path.name if hasattr(entry.path, 'name') else entry.path}:{entry.name}"
    return name, message[:LONGEST_TEXT], frame


def _failure_in(report: pytest.CollectReport | pytest.TestReport) -> TestFailure:
    """What a report alone tells: the line of the crash, else its last line."""
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash is not None else (report.longreprtext.strip().split("\n") or [""])[-1]
    kind, separator, message = text.partition(":")
    if separator and kind.removeprefix("E").strip().replace(".", "").isidentifier():
        return TestFailure(kind.removeprefix("E").strip(), message.strip())
    return TestFailure("Failed", text)
