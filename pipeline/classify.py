"""From an error to what the record says of it: stage, whose fault, class, message. One table decides."""

from __future__ import annotations

import sysconfig
import traceback
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Literal

from db.outcome import Stage
from pipeline.errors import KernelRaised, PipelineError
from pipeline.facts import LONGEST_TEXT

Cause = Literal["test", "infra"]


@dataclass(frozen=True)
class Row:
    """What a class of errors means. Without a stage, it means that wherever it was raised."""

    error: str
    cause: Cause
    stage: Stage | None = None
    within: Stage | None = None  # the row holds only for errors raised there


# By name, so that nothing is imported for it and errors told by a worker count the same. The first row of the most
# derived class wins.
TABLE = (
    Row("pipeline.errors.CaseError", "test", Stage.COLLECT),
    Row("pipeline.errors.GoldenError", "test", Stage.GOLDEN),
    Row("pipeline.errors.KernelError", "test", Stage.RUN),
    Row("pipeline.errors.ComparisonError", "test", Stage.COMPARE),
    Row("pipeline.errors.InfraError", "infra"),
    Row("pypto.errors.SimulatorError", "test", Stage.RUN),
    Row("pypto.errors.CompilerMissing", "infra", Stage.COMPILE),
    Row("pypto.errors.ToolchainError", "test", Stage.COMPILE),
    Row("pypto.errors.LoweringError", "test", Stage.COMPILE),
    Row("pypto.errors.PyptoError", "test"),
    Row("builtins.OSError", "test", within=Stage.SPECIALIZE),  # the kernel's source cannot be read
    Row("builtins.OSError", "infra"),
    Row("builtins.MemoryError", "infra"),
    Row("builtins.Exception", "test"),
)


@dataclass(frozen=True)
class StageFailure:
    """Why a case did not pass, in words that can be stored."""

    stage: Stage
    cause: Cause
    error_type: str
    message: str
    traceback: str = ""
    frame: str = ""
    signal: int | None = None
    timeout: bool = False
    worker: str = ""
    last_output: str = ""
    is_ours: bool = False  # a message of the pipeline's own, which needs no class beside it

    @property
    def essence(self) -> str:
        """The message without the commands that were tried, whose words are full of folders of this machine."""
        return "\n".join(line for line in self.message.splitlines() if not line.startswith("command: "))


def classify(error: BaseException, stage: Stage) -> StageFailure:
    """What an error raised in a stage means."""
    names = _names(error)
    row = find_row(names, stage)
    facts = error.facts if isinstance(error, PipelineError) else {}
    return StageFailure(
        stage=row.stage or stage,
        cause=row.cause,
        error_type=_short(names[0]),
        message=_message(error),
        traceback=_traceback(error),
        frame="" if stage is Stage.RUN else _frame(error.__traceback__),  # a worker's frames are not at hand
        signal=facts.get("signal"),
        timeout=names[0].endswith(".KernelTimedOut"),
        worker=facts.get("worker", ""),
        last_output=facts.get("last_output", ""),
        is_ours=names[0].startswith("pipeline."),
    )


def find_row(names: list[str], stage: Stage) -> Row:
    """The row for an error whose classes, most derived first, have these names."""
    for name in names:
        for row in TABLE:
            if row.error == name and row.within in (None, stage):
                return row
    return TABLE[-1]


def _names(error: BaseException) -> list[str]:
    if isinstance(error, KernelRaised):
        return error.error_types
    return [f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__]


def _short(name: str) -> str:
    """The class as a person knows it: our own and Python's without their module."""
    module, _, kind = name.rpartition(".")
    return kind if module == "builtins" or module.partition(".")[0] in ("pypto", "pipeline", "db") else name


def _message(error: BaseException) -> str:
    try:
        text = str(error).strip()
    except Exception as failure:
        text = f"<message raised {type(failure).__name__}>"
    return (text or type(error).__name__)[:LONGEST_TEXT]


def _traceback(error: BaseException) -> str:
    """Where it came from: as a worker tells it, else as Python does. Our own errors say all in their message."""
    text = ""
    if isinstance(error, PipelineError):
        text = error.facts.get("traceback") or error.facts.get("last_output") or ""
        error_or_cause = error.__cause__
    else:
        error_or_cause = error
    if not text and error_or_cause is not None:
        text = "".join(traceback.format_exception(error_or_cause))
    return text[-LONGEST_TEXT:]


_ELSEWHERE = tuple({str(Path(sysconfig.get_path(name)).resolve()) for name in ("stdlib", "purelib", "platlib")})


def _frame(trace: TracebackType | None) -> str:
    """The innermost frame of the user's code, else of ours: "kernel.py:softmax"."""
    ours = users = ""
    home = str(Path(__file__).resolve().parent.parent)
    for frame, _ in traceback.walk_tb(trace):
        path = frame.f_code.co_filename
        if path.startswith(_ELSEWHERE) or path.startswith("<"):
            continue
        name = f"{Path(path).name}:{frame.f_code.co_name}"
        if any(path.startswith(f"{home}/{package}/") for package in ("pipeline", "pypto", "db")):
            ours = name
        else:
            users = name
    return users or ours
