"""The worker process: many runs in one, and whatever a kernel does to it ends there."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import torch
from stand_in import Kernel, compile_artifact

from pipeline.errors import KernelCrashed, KernelExited, KernelRaised, KernelTimedOut, WorkerUnavailable
from pipeline.execution import InlineExecution, RunRequest, loader
from pipeline.hot_worker import HotWorker
from pipeline.kernel_source import ByName
from pipeline.tensor_files import load_tensor, save_tensors

pytestmark = pytest.mark.usefixtures("support_on_path")
LOADER = "stand_in:load"


@pytest.fixture(scope="module")
def worker(tmp_path_factory):
    found = HotWorker(LOADER, tmp_path_factory.mktemp("worker"))
    yield found
    found.close()


def ask(folder, body, timeout=30.0, alpha=2.0):
    """A request to run a kernel with this body on x = [1, 2]."""
    kernel = Kernel("k", "x, alpha, out", ["out"], body)
    artifact = folder / "artifact"
    artifact.mkdir(parents=True)
    compile_artifact(kernel.specialize(), artifact, "a2a3sim", "default")
    save_tensors(folder / "in", {"x": torch.tensor([1.0, 2.0]), "out": torch.zeros(2)})
    arguments = {"x": ByName("x"), "constant": 7, "alpha": alpha, "out": ByName("out")}
    return RunRequest(artifact, arguments, folder / "in", ("out",), folder / "actual", folder / "logs", timeout)


def test_a_run_reads_and_writes_files(worker, tmp_path):
    reply = worker.execute(ask(tmp_path, "out[:] = x * alpha"))
    assert load_tensor(tmp_path / "actual" / "out.pt").tolist() == [2.0, 4.0]
    assert (reply.device, reply.worker) == ("cpu", "worker-1")
    assert 0 <= reply.seconds < 10


def test_one_process_runs_many(worker, tmp_path):
    worker.execute(ask(tmp_path / "first", "out[:] = x"))
    pid = worker.pid
    started = time.perf_counter()
    for number in range(20):
        worker.execute(ask(tmp_path / str(number), "out[:] = x"))
    assert worker.pid == pid
    assert time.perf_counter() - started < 10


@pytest.mark.parametrize("alpha", [True, 3, 2**62, -0.0, 1e-300, float("inf")])
def test_scalars_arrive_as_they_are(worker, tmp_path, alpha):
    body = f"assert type(alpha).__name__ == '{type(alpha).__name__}' and repr(alpha) == '{alpha!r}', repr(alpha)"
    worker.execute(ask(tmp_path, body, alpha=alpha))


def test_an_error_of_the_kernel_is_told_whole_and_the_process_lives(worker, tmp_path):
    worker.execute(ask(tmp_path / "first", "out[:] = x"))
    pid = worker.pid
    with pytest.raises(KernelRaised, match="bad index 7") as caught:
        worker.execute(ask(tmp_path / "second", "raise IndexError('bad index 7')"))
    assert caught.value.error_types[:3] == ["builtins.IndexError", "builtins.LookupError", "builtins.Exception"]
    assert "in kernel" in caught.value.facts["traceback"]
    assert worker.pid == pid


@pytest.mark.parametrize(
    ("body", "error", "words"),
    [
        ("import ctypes; print('before', flush=True); ctypes.string_at(0)", KernelCrashed, "SIGSEGV"),
        ("import os; print('before', flush=True); os.abort()", KernelCrashed, "SIGABRT"),
        ("import os; print('before', flush=True); os.kill(os.getpid(), 9)", KernelCrashed, "SIGKILL"),
        ("import os; print('before', flush=True); os._exit(0)", KernelExited, "exit status 0"),
        ("import os; print('before', flush=True); os._exit(3)", KernelExited, "exit status 3"),
        ("import sys; print('before', flush=True); sys.exit(4)", KernelExited, "exit status 4"),
        (
            "import os, time\nprint('before', flush=True)\nif os.fork() == 0: time.sleep(60)\nos.kill(os.getpid(), 11)",
            KernelCrashed,
            "SIGSEGV",
        ),
    ],
)
def test_the_end_of_the_process_is_told_with_the_last_words(worker, tmp_path, body, error, words):
    started = time.monotonic()
    with pytest.raises(error, match=words) as caught:
        worker.execute(ask(tmp_path / "bad", body))
    assert "before" in caught.value.facts["last_output"]
    assert time.monotonic() - started < 30
    assert worker.execute(ask(tmp_path / "good", "out[:] = x")).seconds >= 0


def test_a_hanging_kernel_is_stopped_with_all_it_started(worker, tmp_path):
    worker.execute(ask(tmp_path / "first", "out[:] = x"))
    body = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "print(child.pid, flush=True)\ntime.sleep(60)"
    )
    with pytest.raises(KernelTimedOut, match=r"after 1\.5 s .*--case-timeout") as caught:
        worker.execute(ask(tmp_path / "bad", body, timeout=1.5))
    child = int(caught.value.facts["last_output"].split()[-1])
    deadline = time.monotonic() + 5
    while is_running(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(child)


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_mebibyte_on_both_streams_blocks_nothing(worker, tmp_path):
    body = (
        "import ctypes, sys\nlibc = ctypes.CDLL(None)\n"
        "for i in range(1 << 14):\n    libc.printf(b'%063d\\n', i)\n    print(f'{i:063}', file=sys.stderr)\nout[:] = x"
    )
    worker.execute(ask(tmp_path, body))
    for stream in ("stdout", "stderr"):
        lines = (tmp_path / "logs" / f"{stream}.txt").read_text().splitlines()
        assert len(lines) == 1 << 14 and lines[-1].endswith("16383")


def test_a_worker_that_ended_between_runs_is_no_fault_of_the_next(worker, tmp_path):
    worker.execute(ask(tmp_path / "first", "out[:] = x"))
    os.kill(worker.pid, 9)
    time.sleep(0.1)
    worker.execute(ask(tmp_path / "second", "out[:] = x"))


def test_a_worker_that_cannot_start_is_told_with_its_words(tmp_path):
    worker = HotWorker("no_such_module:load", tmp_path / "worker")
    with pytest.raises(WorkerUnavailable, match="exit status 1") as caught:
        worker.execute(ask(tmp_path / "case", "out[:] = x"))
    assert "no_such_module" in caught.value.facts["last_output"]
    assert worker.pid is None


def test_closing_leaves_no_process_and_no_descriptor(tmp_path):
    descriptors = Path("/proc/self/fd")
    before = len(list(descriptors.iterdir()))
    worker = HotWorker(LOADER, tmp_path / "worker")
    worker.prepare()
    pid = worker.pid
    worker.close()
    worker.close()
    assert not is_running(pid)
    assert len(list(descriptors.iterdir())) == before


def test_a_worker_does_not_outlive_its_session(tmp_path):
    """Killed outright, the session can close nothing; even a kernel that never returns must not stay behind."""
    request = ask(tmp_path / "case", "import time\ntime.sleep(60)")
    script = tmp_path / "session.py"
    script.write_text(
        "import os, sys, threading, time\nfrom pathlib import Path\n"
        "from pipeline.execution import RunRequest\nfrom pipeline.hot_worker import HotWorker\n"
        f"request = RunRequest.from_json({request.as_json()!r})\n"
        f"worker = HotWorker({LOADER!r}, Path({str(tmp_path / 'worker')!r}))\n"
        "threading.Thread(target=worker.execute, args=(request,), daemon=True).start()\n"
        "while not (worker._process and worker._process.ready): time.sleep(0.05)\n"
        "time.sleep(0.5)\nprint(worker.pid, flush=True)\nos.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=False)
    pid = int(done.stdout)
    deadline = time.monotonic() + 10
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(pid)


def test_ctrl_c_during_a_run_ends_the_worker(worker, tmp_path):
    worker.execute(ask(tmp_path / "first", "out[:] = x"))
    pid = worker.pid
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), 2))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        worker.execute(ask(tmp_path / "bad", "import time; time.sleep(60)"))
    assert worker.pid is None and not is_running(pid)


def test_inline_does_the_same_in_this_process(tmp_path):
    inline = InlineExecution(loader(LOADER))
    assert inline.execute(ask(tmp_path / "good", "out[:] = x * alpha")).worker == "inline"
    assert load_tensor(tmp_path / "good" / "actual" / "out.pt").tolist() == [2.0, 4.0]
    with pytest.raises(IndexError):
        inline.execute(ask(tmp_path / "bad", "raise IndexError"))
