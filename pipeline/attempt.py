"""One attempt at a case: what its stages gave so far, where it stands, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass

from db.outcome import Stage
from pipeline.case import Case, RefusedCase
from pipeline.classify import StageFailure
from pipeline.comparators import Comparison
from pipeline.stages.compile import Compiled
from pipeline.stages.golden import Computed
from pipeline.stages.run import Executed
from pipeline.stages.specialize import Specialized
from pipeline.workspace import CaseFolder

SHOWN_LINES = 20  # of a message, and of a kernel's last output, in the failure text; the record keeps more


@dataclass(eq=False)
class Attempt:
    """A case on its way; each stage fills in its own result, or `failure`, and then no later one is reached."""

    case: Case | RefusedCase
    number: int
    folder: CaseFolder
    stage: Stage = Stage.COLLECT
    specialized: Specialized | None = None
    compiled: Compiled | None = None
    computed: Computed | None = None
    executed: Executed | None = None
    comparison: Comparison | None = None
    failure: StageFailure | None = None

    @property
    def result(self) -> CaseResult:
        """How it ended, once every stage was taken or one failed."""
        return CaseResult(self.case.case_id, self.folder, self.failure, self.comparison)


@dataclass(frozen=True)
class CaseResult:
    """How one attempt at a case ended."""

    case_id: str
    folder: CaseFolder
    failure: StageFailure | None = None
    comparison: Comparison | None = None

    @property
    def passed(self) -> bool:
        """Whether every stage gave its result and the outputs agree."""
        return self.failure is None

    def __str__(self) -> str:
        """Stage, message, and where the data lies."""
        failure = self.failure
        if failure is None:
            return f"{self.case_id} passed"
        kind = "" if failure.is_ours else f"{failure.error_type}: "
        blame = "infrastructure, " if failure.cause == "infra" else ""
        lines = f"{blame}{failure.stage.value}: {kind}{failure.message}".splitlines()
        if len(lines) > SHOWN_LINES:
            lines[SHOWN_LINES:] = [f"... ({len(lines) - SHOWN_LINES} more lines in the record)"]
        lines += failure.last_output.splitlines()[-SHOWN_LINES:]
        if self.folder.root.exists():
            lines.append(f"data: {self.folder.root}")
        return "\n".join(lines)
