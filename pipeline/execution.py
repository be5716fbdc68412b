"""Running a built artifact: what is asked, what comes back, and the one function that does it wherever it is done."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pipeline.kernel_source import Arguments, ByName
from pipeline.tensor_files import load_tensor, save_tensors, tensor_path


@dataclass(frozen=True)
class RunRequest:
    """An artifact, the files it reads and the folders it writes. Everything is a path or a number, so it can travel."""

    artifact: Path
    arguments: Arguments
    inputs: Path
    outputs: tuple[str, ...]
    actual: Path
    logs: Path
    timeout: float

    def as_json(self) -> dict[str, Any]:
        """The request as plain values."""
        return {
            "artifact": str(self.artifact),
            "arguments": {
                name: {"tensor": value.tensor} if isinstance(value, ByName) else {"value": value}
                for name, value in self.arguments.items()
            },
            "inputs": str(self.inputs),
            "outputs": list(self.outputs),
            "actual": str(self.actual),
            "logs": str(self.logs),
            "timeout": self.timeout,
        }

    @staticmethod
    def from_json(data: dict[str, Any]) -> RunRequest:
        """The request behind plain values."""
        return RunRequest(
            artifact=Path(data["artifact"]),
            arguments={
                name: ByName(value["tensor"]) if "tensor" in value else value["value"]
                for name, value in data["arguments"].items()
            },
            inputs=Path(data["inputs"]),
            outputs=tuple(data["outputs"]),
            actual=Path(data["actual"]),
            logs=Path(data["logs"]),
            timeout=data["timeout"],
        )


@dataclass(frozen=True)
class RunReply:
    """A run that came to its end; the outputs are in the files."""

    seconds: float
    device: str
    worker: str


class Execution(Protocol):
    """A way to run artifacts. It raises a `KernelError` for what the kernel did, an `InfraError` for all else."""

    def prepare(self) -> None:
        """Get ready in the background, so that a later run need not wait."""

    def execute(self, request: RunRequest) -> RunReply:
        """Run one artifact to its end."""

    def close(self) -> None:
        """Give up what is held."""


class Program(Protocol):
    """A loaded artifact."""

    @property
    def param_names(self) -> Sequence[str]:
        """What it is called with, in order."""

    def __call__(self, *args: Any) -> Any:
        """Run on tensors, in place."""


Load = Callable[[Path], Program]


def loader(name: str) -> Load:
    """The function behind `module:qualified.name` that makes a callable from an artifact folder."""
    module, _, path = name.partition(":")
    found: Any = importlib.import_module(module)
    for part in path.split("."):
        found = getattr(found, part)
    return found


def execute(request: RunRequest, load: Load) -> float:
    """Run the artifact on tensors read from its files and keep its outputs; gives the seconds of the call itself."""
    program = load(request.artifact)
    # Constants of the specialization are arguments of the case, and no parameters of the program any more.
    chosen = {name: request.arguments[name] for name in program.param_names}
    tensors = {
        a.tensor: load_tensor(tensor_path(request.inputs, a.tensor)) for a in chosen.values() if isinstance(a, ByName)
    }
    arguments = [tensors[a.tensor] if isinstance(a, ByName) else a for a in chosen.values()]
    started = time.perf_counter()
    program(*arguments)
    seconds = time.perf_counter() - started
    save_tensors(request.actual, {name: tensors[name] for name in request.outputs})
    return seconds


class InlineExecution:
    """Runs in the calling process: for debugging, since a crash takes the session with it."""

    def __init__(self, load: Load, device: str = "cpu") -> None:
        self._load = load
        self._device = device

    def prepare(self) -> None:
        """Nothing is needed."""

    def execute(self, request: RunRequest) -> RunReply:
        """Run one artifact here."""
        return RunReply(execute(request, self._load), self._device, "inline")

    def close(self) -> None:
        """Nothing is held."""
