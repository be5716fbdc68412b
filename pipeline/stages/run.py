"""Run: the artifact on the inputs in the files, its outputs into files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pipeline.case import Case
from pipeline.errors import NoDevice
from pipeline.execution import Execution, RunRequest
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


def run(case: Case, artifact: Path, data: Path, logs: Path, timeout: float, execution: Execution) -> Executed:
    """Run the artifact of a case; whatever an earlier run left is removed first."""
    if not PLATFORMS[case.platform].is_simulator:
        raise NoDevice(platform=case.platform, simulator=f"{case.platform}sim")
    actual = data / "actual"
    clear(actual)
    clear(logs)
    names = tuple(tensor.name for tensor in case.outputs)
    request = RunRequest(artifact, case.arguments, data / "in", names, actual, logs, timeout)
    reply = execution.execute(request)
    return Executed(digests(load_tensors(actual, names)), reply.device, reply.worker, reply.seconds)
