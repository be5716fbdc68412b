"""Takes a case through its stages and appends the events; nothing else in the pipeline records what a stage did."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from db.events import (
    CaseCompared,
    CaseCompiled,
    CaseExecuted,
    CaseSpecialized,
    Event,
    GoldenComputed,
    StageFailed,
)
from db.outcome import Stage
from db.signature import normalize, signature
from pipeline.case import Case, RefusedCase
from pipeline.classify import StageFailure, classify
from pipeline.comparators import Comparison
from pipeline.errors import Mismatch
from pipeline.execution import Execution
from pipeline.stages.compare import compare
from pipeline.stages.compile import Compiler, compile_program
from pipeline.stages.golden import compute_golden
from pipeline.stages.run import run, write_inputs
from pipeline.stages.specialize import Digest, specialize
from pipeline.tensor_files import clear
from pipeline.workspace import CaseFolder, Workspace

SHOWN_LINES = 20  # of a message, and of a kernel's last output, in the failure text; the record keeps more


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


@dataclass
class Runner:
    """The stages with their concrete tools, and where events go."""

    run_id: str
    workspace: Workspace
    compiler: Compiler
    digest: Digest
    execution: Execution
    timeout: float
    record: Callable[[Event], Any] = field(default=lambda event: None)

    def run(self, case: Case | RefusedCase, attempt: int = 1) -> CaseResult:
        """Take a case as far as it comes; later stages of a case that failed are not reached."""
        progress = _Progress(Stage.COLLECT)
        folder = self.workspace.case(case.case_id)
        try:
            if isinstance(case, RefusedCase):
                raise case.error
            for earlier in (folder.data, folder.logs):
                clear(earlier)  # nothing of an earlier session can pass for a result of this one
            comparison = self._stages(case, attempt, folder, progress)
        except Exception as error:
            failure = classify(error, progress.stage)
            self._failed(case.case_id, attempt, failure, progress)
            return CaseResult(case.case_id, folder, failure, progress.comparison)
        return CaseResult(case.case_id, folder, None, comparison)

    def refuse(self, case: Case | RefusedCase, error: Exception, attempt: int = 1) -> CaseResult:
        """Record that a case cannot take part in the session."""
        failure = classify(error, Stage.COLLECT)
        self._failed(case.case_id, attempt, failure, _Progress(Stage.COLLECT))
        return CaseResult(case.case_id, self.workspace.case(case.case_id), failure)

    def _stages(self, case: Case, attempt: int, folder: CaseFolder, progress: _Progress) -> Comparison:
        key: dict[str, Any] = {"run_id": self.run_id, "case_id": case.case_id, "attempt": attempt}
        self.execution.prepare()  # a worker starts while this process builds

        progress.stage = Stage.SPECIALIZE
        special = specialize(case, self.digest)
        self.record(CaseSpecialized(**key, program_digest=special.digest, seconds=special.seconds))

        progress.stage = Stage.COMPILE
        built = compile_program(special.program, folder.artifact, case.platform, case.planner, self.compiler)
        self.record(
            CaseCompiled(
                **key,
                source_digest=built.source_digest,
                library_digest=built.library_digest,
                seconds=built.seconds,
                phases=built.phases,
                artifact=str(built.artifact),
                source_files=built.source_files,
            )
        )

        progress.stage = Stage.GOLDEN
        computed = compute_golden(case, folder.data / "out")
        self.record(GoldenComputed(**key, outputs=computed.outputs, seconds=computed.seconds))

        progress.stage = Stage.RUN
        write_inputs(case, folder.data / "in")
        executed = run(case, built.artifact, folder.data, folder.logs, self.timeout, self.execution)
        self.record(
            CaseExecuted(
                **key,
                outputs=executed.outputs,
                seconds=executed.seconds,
                device=executed.device,
                worker=executed.worker,
            )
        )

        progress.stage = Stage.COMPARE
        compared = compare(case, folder.data)
        comparison = progress.comparison = compared.comparison
        self.record(
            CaseCompared(
                **key,
                passed=comparison.passed,
                worst_abs=comparison.worst_abs,
                worst_rel=comparison.worst_rel,
                mismatches=comparison.mismatches,
                elements=comparison.elements,
                margin=comparison.margin,
                shape=comparison.shape,
                seconds=compared.seconds,
            )
        )
        if not comparison.passed:
            raise Mismatch(text=comparison.text, comparison=comparison)
        return comparison

    def _failed(self, case_id: str, attempt: int, failure: StageFailure, progress: _Progress) -> None:
        self.record(
            StageFailed(
                run_id=self.run_id,
                case_id=case_id,
                attempt=attempt,
                stage=failure.stage,
                cause=failure.cause,
                error_type=failure.error_type,
                message=failure.message,
                traceback=failure.traceback,
                signal=failure.signal,
                timeout=failure.timeout,
                signature=_signature(failure, progress.comparison),
                worker=failure.worker,
            )
        )

    def close(self) -> None:
        """End the worker processes and let the workspace go."""
        self.execution.close()
        self.workspace.close()


def _signature(failure: StageFailure, comparison: Comparison | None) -> str:
    """What two failures of one cause share."""
    if comparison is not None and comparison.shape:  # numbers, and the place that found them, are not the cause
        return signature(failure.stage, failure.error_type, comparison.shape)
    essence = failure.essence
    if failure.stage is Stage.COMPARE:  # taken as it is; below the first line, pytest explains an assert with values
        essence = normalize(essence.partition("\n")[0])
    return signature(failure.stage, failure.error_type, essence, failure.frame)


@dataclass
class _Progress:
    """How far a case came."""

    stage: Stage
    comparison: Comparison | None = None
