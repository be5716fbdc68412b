"""Run: the artifact on the inputs in the files, its outputs into files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pipeline.case import Case
from pipeline.errors import NoDevice
from pipeline.execution import Execution, RunReply, RunRequest
from pipeline.tensor_files import clear, load_tensors, save_tensors
from pipeline.tensors import digests
from pypto.platforms import PLATFORMS


@dataclass(frozen=True)
class Executed:
    """The digest of each output that the kernel wrote, and the seconds of the call; the values are in the files."""

    outputs: dict[str, str]
    device: str
    worker: str
    seconds: float


def write_inputs(case: Case, folder: Path) -> None:
    """Keep the starting value of every tensor, outputs too."""
    save_tensors(folder, {tensor.name: tensor.sample for tensor in case.tensors})


def request(case: Case, artifact: Path, data: Path, logs: Path, timeout: float) -> RunRequest:
    """What to run, with the inputs in their files; whatever an earlier run left is removed first."""
    if not PLATFORMS[case.platform].is_simulator:
        raise NoDevice(platform=case.platform, simulator=f"{case.platform}sim")
    actual = data / "actual"
    clear(actual)
    clear(logs)
    write_inputs(case, data / "in")
    names = tuple(tensor.name for tensor in case.outputs)
    return RunRequest(artifact, case.arguments, data / "in", names, actual, logs, timeout)


def executed(asked: RunRequest, reply: RunReply) -> Executed:
    """What a run that came to its end gave, from the files it wrote."""
    outputs = digests(load_tensors(asked.actual, asked.outputs))
    return Executed(outputs, reply.device, reply.worker, reply.seconds)


def run(case: Case, artifact: Path, data: Path, logs: Path, timeout: float, execution: Execution) -> Executed:
    """Run the artifact of a case to its end."""
    asked = request(case, artifact, data, logs, timeout)
    return executed(asked, execution.execute(asked))
