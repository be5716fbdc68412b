"""What a test gets as `case_run`: the case of its platform, and the way to its verdict."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pipeline.attempt import CaseResult
from pipeline.case import Case, RefusedCase

_Failed: Any = pytest.fail.Exception


class CaseFailed(_Failed, AssertionError):
    """A case did not pass: stage, message, and where the data lies. pytest shows just that."""

    __module__ = "builtins"  # spares the one-line summary a module name

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.pytrace = False


class CaseRun:
    """Runs a case when its result is first asked for, once per attempt."""

    def __init__(self, case: Case | RefusedCase, run: Callable[[], CaseResult]) -> None:
        self.case = case
        self._run = run
        self._result: CaseResult | None = None

    @property
    def was_run(self) -> bool:
        """Whether anybody asked for the result."""
        return self._result is not None

    @property
    def result(self) -> CaseResult:
        """The result of all stages."""
        if self._result is None:
            self._result = self._run()
        return self._result

    def assert_passed(self) -> None:
        """Raise `CaseFailed`, with stage, message and where the data lies, unless the case passed."""
        __tracebackhide__ = True
        result = self.result
        if not result.passed:
            raise CaseFailed(str(result)) from None

    def __repr__(self) -> str:
        return f"<case_run {self.case.case_id}>"
