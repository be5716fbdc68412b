"""Real kernels through the real compiler and worker: each way a case can end is told from the others, and contained."""

from __future__ import annotations

import importlib.util
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SUITE = Path(__file__).parents[2] / "minikernels" / "suite.py"
PLATFORM = "a2a3sim"


def load_suite():
    spec = importlib.util.spec_from_file_location("minikernel_suite", SUITE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


EXPECTED = load_suite().EXPECTED


def results(outcome):
    """The result of each case by its name."""
    from db import open_store
    from db.projections import project
    from db.queries import results, runs

    store = open_store(str(outcome.database))
    try:
        project(store)
        return {result.case_id.partition("@")[0]: result for result in results(store, runs(store)[0])}
    finally:
        store.close()


@pytest.fixture(scope="module")
def outcome(shared_suite):
    work = shared_suite.folder / "work"
    return shared_suite.run("-q", str(SUITE), "--platform", PLATFORM, "--case-timeout", "5", "--pypto-work", str(work))


@pytest.fixture(scope="module")
def recorded(outcome):
    return results(outcome)


def test_every_case_has_a_result(outcome, recorded):
    assert set(recorded) == set(EXPECTED)
    count = len(EXPECTED)
    assert outcome.summary.endswith(f"collected {count} = recorded {count} + deselected 0 + missing 0")


@pytest.mark.parametrize("name", EXPECTED)
def test_a_case_ends_as_its_name_says(recorded, name):
    result = recorded[name]
    outcome, stage, error_type = EXPECTED[name]
    assert (result.outcome.value, result.stage.value) == (outcome, stage), result.message
    assert error_type == "*" or (result.error_type or "") == error_type


@pytest.mark.parametrize("name", [name for name, (outcome, *_) in EXPECTED.items() if outcome != "pass"])
def test_pytest_fails_with_the_stage_and_the_message(outcome, recorded, name):
    title = f"test_minikernel[{name}@{PLATFORM}@default]"
    rest = outcome.output.partition(f"{title} _")[2]
    section = re.split(r"\n(?:_+ (?:ERROR at \w+ of )?test_|=+ )", rest)[0]  # a long title leaves few underscores
    first_line = recorded[name].message.partition("\n")[0]
    assert first_line[:60] in section
    if recorded[name].stage.value == "collect":
        assert "suite.py:" in section
    else:
        assert f"{recorded[name].stage.value}: " in section
    assert "Traceback" not in section and "pipeline/runner.py" not in section
    assert len(section.splitlines()) < 50


def test_a_crash_tells_signal_and_last_words(outcome):
    (crash,) = outcome.of("StageFailed", f"crash@{PLATFORM}@default")
    assert (crash.signal, crash.message) == (11, "kernel crashed with SIGSEGV")
    (abort,) = outcome.of("StageFailed", f"abort@{PLATFORM}@default")
    assert abort.signal == 6
    assert "assertion 'rows > 0' failed" in abort.traceback
    assert abort.worker


def test_a_time_out_is_told_as_such(outcome):
    (hang,) = outcome.of("StageFailed", f"hang@{PLATFORM}@default")
    assert hang.timeout and hang.signal is None
    assert "after 5 s" in hang.message


def running_workers(folder):
    """Ids of the worker processes whose log lies in a folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if (
                b"pipeline.worker" in (path / "cmdline").read_bytes()
                and folder in (path / "fd" / "1").readlink().parents
            ):
                found.append(path.name)
        except OSError:
            continue
    return found


def test_no_worker_process_is_left(outcome):
    assert {e.worker for e in outcome.of("CaseExecuted")}
    assert running_workers(outcome.database.parent) == []


def test_ctrl_c_ends_promptly_and_leaves_a_finished_record(suite):
    command = [
        sys.executable, "-m", "pytest", "-q", str(SUITE), "-k", "hang", "--platform", PLATFORM,
        "--pypto-db", str(suite.folder / "record.db"), "--pypto-work", str(suite.folder / "work"),
    ]  # fmt: skip
    session = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    logs = suite.folder / "work" / f"hang@{PLATFORM}@default" / "logs" / "stdout.txt"
    deadline = time.monotonic() + 60
    while not logs.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(running_workers(suite.folder)) == 1
    session.send_signal(signal.SIGINT)
    started = time.monotonic()
    output, _ = session.communicate(timeout=30)
    assert time.monotonic() - started < 10
    assert session.returncode == 2
    assert "KeyboardInterrupt" in output
    assert running_workers(suite.folder) == []
    events = suite.outcome(session.returncode, output)
    assert len(events.of("RunAborted")) == 1
    assert not events.of("StageFailed")


def test_without_a_compiler_each_case_says_so_as_infrastructure(suite):
    suite.environment["PYPTO_CXX"] = "/nowhere/g++"
    found = suite.run(
        "-q", str(SUITE), "-k", "pass-keywords or golden-names", "--platform", PLATFORM,
        "--pypto-work", str(suite.folder / "work"),
    )  # fmt: skip
    failed = found.of("StageFailed")
    assert {(e.stage.value, e.cause, e.error_type) for e in failed} == {("compile", "infra", "CompilerMissing")}
    assert "no C++ compiler: looked for /nowhere/g++" in found.output and "install g++" in found.output
    assert {result.outcome.value for result in results(found).values()} == {"infra", "deselected"}


def test_later_stages_are_not_reached(outcome):
    assert outcome.kinds(f"outside-the-language@{PLATFORM}@default").count("CaseCompiled") == 0
    golden = outcome.kinds(f"golden-raises@{PLATFORM}@default")
    assert "CaseCompiled" in golden and "CaseExecuted" not in golden


def test_a_passing_case_leaves_every_stage_and_its_data(outcome):
    stages = [kind for kind in outcome.kinds(f"pass@{PLATFORM}@default") if kind != "TestReported"]
    assert stages == [
        "CaseCollected", "CaseSpecialized", "CaseCompiled", "GoldenComputed", "CaseExecuted", "CaseCompared",
    ]  # fmt: skip
    folder = outcome.database.parent / "work" / f"pass@{PLATFORM}@default"
    files = sorted(path.relative_to(folder / "data").as_posix() for path in (folder / "data").rglob("*.pt"))
    assert files == ["actual/out.pt", "in/out.pt", "in/x.pt", "out/out.pt"]
    (compiled,) = outcome.of("CaseCompiled", f"pass@{PLATFORM}@default")
    assert compiled.source_digest and compiled.library_digest and compiled.phases["g++"] >= 0
    assert any(name.startswith("kernels/aiv/") for name in compiled.source_files)
    assert Path(compiled.artifact) == folder / "artifact"


def test_what_a_kernel_prints_is_kept_whole(outcome):
    logs = outcome.database.parent / "work" / f"pass-chatty@{PLATFORM}@default" / "logs"
    assert (logs / "stdout.txt").stat().st_size == (logs / "stderr.txt").stat().st_size == 1 << 20


def test_margin_and_error_are_recorded(outcome):
    (compared,) = outcome.of("CaseCompared", f"mismatch@{PLATFORM}@default")
    assert not compared.passed
    assert (compared.mismatches, compared.elements, compared.shape) == (1, 1024, "out: one row, 10^4 over limit")
    assert compared.worst_abs == pytest.approx(1.0)
    (passed,) = outcome.of("CaseCompared", f"pass@{PLATFORM}@default")
    assert (passed.margin, passed.mismatches, passed.shape) == (0.0, 0, "")


def test_inline_runs_give_the_same_verdicts(suite, recorded):
    """Except for what would end the session, which is what worker processes are for."""
    inline = suite.run(
        "-q", str(SUITE), "--platform", PLATFORM, "--run-inline", "--pypto-work", str(suite.folder / "work"),
        "-k", "not crash and not abort and not exit and not hang",
    )  # fmt: skip
    found = {name: result for name, result in results(inline).items() if result.outcome.value != "deselected"}
    assert len(found) == len(EXPECTED) - 4
    for name, result in found.items():
        other = recorded[name]
        assert (result.outcome, result.stage, result.error_type) == (other.outcome, other.stage, other.error_type)
        assert result.signature == other.signature, name
        assert result.margin == other.margin
