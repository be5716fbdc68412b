"""Takes a case through its stages and appends the events; nothing else in the pipeline records what a stage did.

A stage is a job, which may run in another thread or process, and its settling here: the outcome of the job becomes an
event and part of the attempt. `run` takes all stages one after the other; who builds ahead or runs in batches takes the
same jobs in another order, and settles each as it comes back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
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
from pipeline.attempt import Attempt, CaseResult
from pipeline.case import Case, RefusedCase
from pipeline.classify import StageFailure, classify
from pipeline.comparators import Comparison
from pipeline.errors import Mismatch
from pipeline.execution import Execution
from pipeline.stages.compare import Compared, compare
from pipeline.stages.compile import Compiled, Compiler, compile_program
from pipeline.stages.golden import Computed, compute_golden
from pipeline.stages.run import Executed, run
from pipeline.stages.specialize import Digest, Specialized, specialize
from pipeline.tensor_files import clear
from pipeline.workspace import Workspace

Job = Callable[[], Any]
STAGES = (Stage.SPECIALIZE, Stage.COMPILE, Stage.GOLDEN, Stage.RUN, Stage.COMPARE)


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

    def run(self, case: Case | RefusedCase, number: int = 1) -> CaseResult:
        """Take a case as far as it comes; later stages of a case that failed are not reached."""
        attempt = self.begin(case, number)
        if attempt.failure is None:
            self.execution.prepare()  # a worker starts while this process builds
        for stage in STAGES:
            self.take(attempt, stage)
        return attempt.result

    def refuse(self, case: Case | RefusedCase, error: Exception, number: int = 1) -> CaseResult:
        """Record that a case cannot take part in the session."""
        attempt = Attempt(case, number, self.workspace.case(case.case_id))
        self._fail(attempt, error)
        return attempt.result

    def begin(self, case: Case | RefusedCase, number: int) -> Attempt:
        """A new attempt in a folder where nothing of an earlier one can pass for a result of this one."""
        attempt = Attempt(case, number, self.workspace.case(case.case_id))
        try:
            if isinstance(case, RefusedCase):
                raise case.error
            for earlier in (attempt.folder.data, attempt.folder.logs):
                clear(earlier)
        except Exception as error:
            self._fail(attempt, error)
        return attempt

    def take(self, attempt: Attempt, stage: Stage) -> None:
        """Do a stage here and now; nothing happens once an earlier one failed."""
        if attempt.failure is None:
            self.settle(attempt, stage, self.job(attempt, stage))

    def settle(self, attempt: Attempt, stage: Stage, outcome: Job) -> None:
        """Keep and record what a stage gave; `outcome` gives its result, or raises what went wrong."""
        attempt.stage = stage
        try:
            _KEEP[stage](self, attempt, outcome())
        except Exception as error:
            self._fail(attempt, error)

    def job(self, attempt: Attempt, stage: Stage) -> Job:
        """What a stage has to do, given that the stages before it are settled."""
        return partial(_DO[stage], self, attempt)

    def _specialize(self, attempt: Attempt) -> Specialized:
        return specialize(_case(attempt), self.digest)

    def _compile(self, attempt: Attempt) -> Compiled:
        assert attempt.specialized is not None
        case = _case(attempt)
        return compile_program(
            attempt.specialized.program, attempt.folder.artifact, case.platform, case.planner, self.compiler
        )

    def _compute(self, attempt: Attempt) -> Computed:
        return compute_golden(_case(attempt), attempt.folder.data / "out")

    def _execute(self, attempt: Attempt) -> Executed:
        assert attempt.compiled is not None
        folder = attempt.folder
        return run(_case(attempt), attempt.compiled.artifact, folder.data, folder.logs, self.timeout, self.execution)

    def _compare(self, attempt: Attempt) -> Compared:
        return compare(_case(attempt), attempt.folder.data)

    def _specialized(self, attempt: Attempt, done: Specialized) -> None:
        attempt.specialized = done
        self.record(CaseSpecialized(**self._key(attempt), program_digest=done.digest, seconds=done.seconds))

    def _compiled(self, attempt: Attempt, done: Compiled) -> None:
        attempt.compiled = done
        self.record(
            CaseCompiled(
                **self._key(attempt),
                source_digest=done.source_digest,
                library_digest=done.library_digest,
                seconds=done.seconds,
                phases=done.phases,
                artifact=str(done.artifact),
                source_files=done.source_files,
            )
        )

    def _computed(self, attempt: Attempt, done: Computed) -> None:
        attempt.computed = done
        self.record(GoldenComputed(**self._key(attempt), outputs=done.outputs, seconds=done.seconds))

    def _executed(self, attempt: Attempt, done: Executed) -> None:
        attempt.executed = done
        self.record(
            CaseExecuted(
                **self._key(attempt),
                outputs=done.outputs,
                seconds=done.seconds,
                device=done.device,
                worker=done.worker,
            )
        )

    def _compared(self, attempt: Attempt, done: Compared) -> None:
        comparison = attempt.comparison = done.comparison
        self.record(
            CaseCompared(
                **self._key(attempt),
                passed=comparison.passed,
                worst_abs=comparison.worst_abs,
                worst_rel=comparison.worst_rel,
                mismatches=comparison.mismatches,
                elements=comparison.elements,
                margin=comparison.margin,
                shape=comparison.shape,
                seconds=done.seconds,
            )
        )
        if not comparison.passed:
            raise Mismatch(text=comparison.text, comparison=comparison)

    def _key(self, attempt: Attempt) -> dict[str, Any]:
        return {"run_id": self.run_id, "case_id": attempt.case.case_id, "attempt": attempt.number}

    def _fail(self, attempt: Attempt, error: Exception) -> None:
        failure = attempt.failure = classify(error, attempt.stage)
        self.record(
            StageFailed(
                **self._key(attempt),
                stage=failure.stage,
                cause=failure.cause,
                error_type=failure.error_type,
                message=failure.message,
                traceback=failure.traceback,
                signal=failure.signal,
                timeout=failure.timeout,
                signature=_signature(failure, attempt.comparison),
                worker=failure.worker,
            )
        )

    def close(self) -> None:
        """End the worker processes and let the workspace go."""
        self.execution.close()
        self.workspace.close()


_DO: dict[Stage, Callable[[Runner, Attempt], Any]] = {
    Stage.SPECIALIZE: Runner._specialize,
    Stage.COMPILE: Runner._compile,
    Stage.GOLDEN: Runner._compute,
    Stage.RUN: Runner._execute,
    Stage.COMPARE: Runner._compare,
}
_KEEP: dict[Stage, Callable[[Runner, Attempt, Any], None]] = {
    Stage.SPECIALIZE: Runner._specialized,
    Stage.COMPILE: Runner._compiled,
    Stage.GOLDEN: Runner._computed,
    Stage.RUN: Runner._executed,
    Stage.COMPARE: Runner._compared,
}


def _case(attempt: Attempt) -> Case:
    """The case of an attempt that got past its beginning."""
    assert isinstance(attempt.case, Case)
    return attempt.case


def _signature(failure: StageFailure, comparison: Comparison | None) -> str:
    """What two failures of one cause share."""
    if comparison is not None and comparison.shape:  # numbers, and the place that found them, are not the cause
        return signature(failure.stage, failure.error_type, comparison.shape)
    essence = failure.essence
    if failure.stage is Stage.COMPARE:  # taken as it is; below the first line, pytest explains an assert with values
        essence = normalize(essence.partition("\n")[0])
    return signature(failure.stage, failure.error_type, essence, failure.frame)
