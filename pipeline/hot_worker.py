"""The session's side of a worker process: starts it, gives it work, and tells what became of it.

A kernel that crashes, exits or hangs ends its worker; the next request starts a new one.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pipeline import framing
from pipeline.errors import KernelCrashed, KernelExited, KernelRaised, KernelTimedOut, WorkerUnavailable
from pipeline.execution import RunReply, RunRequest

START_SECONDS = 120.0  # importing torch on a busy machine
_TAIL = 4000


@dataclass
class _Process:
    child: subprocess.Popen[bytes]
    requests: int
    replies: int
    descriptor: int
    inbox: framing.Inbox
    ready: bool = False


class HotWorker:
    """One worker process, kept over many runs."""

    def __init__(self, loader: str, folder: Path, name: str = "worker-1", device: str = "cpu") -> None:
        self.name = name
        self._loader = loader
        self._folder = folder
        self._device = device
        self._process: _Process | None = None

    @property
    def pid(self) -> int | None:
        """The process id, None when there is no process."""
        return self._process.child.pid if self._process is not None else None

    def prepare(self) -> None:
        """Start the process, without waiting until it is ready."""
        if self._process is None:
            self._process = self._start()

    def execute(self, request: RunRequest) -> RunReply:
        """Run one artifact; a `KernelError` tells what the kernel did to itself or its process."""
        process = self._ready()
        try:
            framing.send(process.requests, request.as_json())
            reply = process.inbox.receive(time.monotonic() + request.timeout)
        except framing.Closed:
            raise self._ended(request) from None
        except BaseException:
            self.close()  # Ctrl-C: the worker may be in the middle of anything
            raise
        if reply is None:
            self._kill()
            raise KernelTimedOut(seconds=request.timeout, last_output=_tail(request.logs), worker=self.name)
        if "error" in reply:
            error = reply["error"]
            raise KernelRaised(
                text=error["text"], error_types=error["types"], traceback=error["traceback"], worker=self.name
            )
        return RunReply(reply["seconds"], self._device, self.name)

    def close(self) -> None:
        """End the process."""
        self._kill()

    def _start(self) -> _Process:
        self._folder.mkdir(parents=True, exist_ok=True)
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        try:
            with self._log.open("wb") as log:
                child = subprocess.Popen(
                    # -P: the folder pytest was started from must not offer modules to the worker.
                    [sys.executable, "-P", "-m", "pipeline.worker", str(theirs_in), str(theirs_out), self._loader],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    pass_fds=(theirs_in, theirs_out),
                    start_new_session=True,  # Ctrl-C is the session's business, and a time-out kills the whole group
                )
        except OSError as error:
            os.close(ours_in)
            os.close(ours_out)
            raise WorkerUnavailable(problem=error, last_output="") from error
        finally:
            os.close(theirs_in)
            os.close(theirs_out)
        descriptor = os.pidfd_open(child.pid)
        return _Process(child, ours_out, ours_in, descriptor, framing.Inbox(ours_in, descriptor))

    def _ready(self) -> _Process:
        if self._process is not None and self._process.ready and self._process.child.poll() is not None:
            self._kill()  # it ended between two runs; that is no fault of the next one
        self.prepare()
        process = self._process
        assert process is not None
        if not process.ready:
            try:
                greeting = process.inbox.receive(time.monotonic() + START_SECONDS)
            except framing.Closed:
                status = process.child.wait()
                self._kill()
                raise WorkerUnavailable(problem=f"exit status {status}", last_output=_read_tail(self._log)) from None
            except BaseException:
                self.close()
                raise
            if greeting is None:
                self._kill()
                raise WorkerUnavailable(
                    problem=f"not ready after {START_SECONDS:g} s", last_output=_read_tail(self._log)
                )
            process.ready = True
        return process

    @property
    def _log(self) -> Path:
        return self._folder / f"{self.name}.log"

    def _ended(self, request: RunRequest) -> KernelCrashed | KernelExited:
        """What ended the process during a run."""
        process = self._process
        assert process is not None
        try:
            status = process.child.wait(10)
        except subprocess.TimeoutExpired:  # it closed its pipe and lives on
            status = 0
        self._kill()
        last_output = _tail(request.logs)
        if status >= 0:
            return KernelExited(status=status, last_output=last_output, worker=self.name)
        return KernelCrashed(
            signal_name=_signal_name(-status), signal=-status, last_output=last_output, worker=self.name
        )

    def _kill(self) -> None:
        """End the process and whatever it started."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.child.pid, signal.SIGKILL)
        process.child.wait()
        for descriptor in (process.requests, process.replies, process.descriptor):
            os.close(descriptor)


def _signal_name(number: int) -> str:
    try:
        name = signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
    return f"{name} (killed from outside; out of memory?)" if number == signal.SIGKILL else name


def _tail(logs: Path) -> str:
    """The last words of a kernel, errors last."""
    parts = [(stream, _read_tail(logs / f"{stream}.txt")) for stream in ("stdout", "stderr")]
    return "\n".join(f"last {stream}:\n{text}" for stream, text in parts if text)


def _read_tail(path: Path) -> str:
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - _TAIL))
            lines = file.read().decode(errors="replace").strip().splitlines()
    except OSError:
        return ""
    return "\n".join(line for line in lines if not line.startswith("Extension modules: "))
