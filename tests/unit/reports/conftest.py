"""Hand-written histories of runs with fixed ids and times, recorded through the real API of `db`."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterator
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any

import pytest

from db import Outcome, ResultView, RunState, RunView, Stage
from db.events import (
    CaseCollected,
    CaseCompared,
    CaseCompiled,
    CaseDeselected,
    CaseExecuted,
    CaseSkipped,
    CaseSpecialized,
    Event,
    GoldenComputed,
    RunAborted,
    RunFinished,
    RunStarted,
    StageFailed,
    TestReported,
    seal,
)
from db.signature import signature
from db.store import MemoryStore, SqlStore, open_store

STARTED = 1_774_747_805_000_000_000  # 2026-03-29 01:30:05 UTC
SECOND = 1_000_000_000
STAGES = (Stage.SPECIALIZE, Stage.COMPILE, Stage.GOLDEN, Stage.RUN, Stage.COMPARE)


def digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


@dataclass(frozen=True)
class Case:
    """How one case goes in one run: passes, unless it is told to fail at a stage, to be skipped or to be left out."""

    program: str = "program"
    code: str = "code"
    golden: str = "golden"
    inputs: str = "inputs"
    comparison: str = "elementwise"
    rtol: float | None = 1e-3
    atol: float | None = 1e-5
    margin: float = 0.01
    slow: float = 1.0  # factor on all stage times
    fails: Stage | None = None
    error_type: str = "Mismatch"
    message: str = "c: all elements over limit"
    traceback: str = ""
    shape: str = "c: all elements over limit"
    worst: float = 3.2
    signal: int | None = None
    timeout: bool = False
    infra: bool = False
    device: str = "cpu0"
    skipped: str = ""
    deselected: str = ""
    stops_after: Stage | None = None  # a killed session: later events are missing
    attempts: tuple[Case, ...] = ()  # further attempts after this one


@dataclass(frozen=True)
class Test:
    """How one plain test goes."""

    longrepr: str = ""  # empty: passes
    seconds: float = 0.01


@dataclass
class History:
    """A store, and the means to record runs in it."""

    store: SqlStore | MemoryStore
    runs: int = 0
    case: type[Case] = field(default=Case, init=False)
    test: type[Test] = field(default=Test, init=False)

    def run(
        self,
        label: str,
        cases: dict[str, Case | Test],
        *,
        ends: str = "finished",
        platforms: tuple[str, ...] = (),
        **facts: Any,
    ) -> str:
        """Record a run; `ends` is `finished`, `aborted` or `killed`."""
        self.runs += 1
        run_id = f"019d4{self.runs:03x}-0000-7000-8000-{self.runs:012x}"
        known: dict[str, Any] = {
            "git_commit": digest(label) * 2,
            "git_branch": "main",
            "host": "bench-1",
            "command": "pytest tests/system --pypto-db runs.db",
            "root": "/src/project",
            "options": {},
            "environment": {"python": "3.11.9", "torch": "2.13.0", "compiler": "g++ 12.2.0", "toolchain": "5f3a"},
        }
        events: list[Event] = [RunStarted(run_id=run_id, label=label, platforms=list(platforms), **{**known, **facts})]
        for case_id, case in cases.items():
            events += _test(run_id, case_id, case) if isinstance(case, Test) else _case(run_id, case_id, case)
        deselected = sum(isinstance(case, Case) and bool(case.deselected) for case in cases.values())
        if ends == "finished":
            events.append(
                RunFinished(
                    run_id=run_id,
                    exit_status=0,
                    collected=len(cases),
                    recorded=len(cases) - deselected,
                    deselected=deselected,
                    missing=[],
                    seconds=12.5,
                )
            )
        elif ends == "aborted":
            events.append(RunAborted(run_id=run_id, reason="interrupted"))
        at = STARTED + self.runs * 60 * SECOND
        self.store.append_many(seal(event, at + index * 1_000_000) for index, event in enumerate(events))
        return run_id


def _case(run_id: str, case_id: str, case: Case) -> list[Event]:
    name, platform, planner = [*case_id.rsplit("@", 2), "", ""][:3]
    key = {"run_id": run_id, "case_id": case_id}
    collected = CaseCollected(
        **key,
        node_id=f"tests/system/test_suite.py::test_{name}[{platform}]",
        name=name,
        platform=platform,
        planner=planner,
        kind="case",
        inputs={"a": digest(case.inputs)},
        declaration=digest(name),
        comparison=case.comparison,
        rtol=case.rtol,
        atol=case.atol,
        source_file="tests/system/test_suite.py",
        source_line=12,
    )
    if case.deselected:
        return [collected, CaseDeselected(**key, reason=case.deselected)]
    if case.skipped:
        return [collected, CaseSkipped(**key, reason=case.skipped)]
    events: list[Event] = [collected]
    for number, attempt in enumerate((case, *case.attempts), 1):
        events += _stages({**key, "attempt": number}, case_id, attempt)
    return events


def _stages(key: dict[str, Any], case_id: str, case: Case) -> list[Event]:
    events: list[Event] = []
    for stage in STAGES:
        if case.fails is stage and not (stage is Stage.COMPARE and not case.infra):
            return [*events, _failed(key, stage, case)]
        events.append(_succeeded(key, case_id, stage, case))
        if case.stops_after is stage:
            return events
    return events


def _succeeded(key: dict[str, Any], case_id: str, stage: Stage, case: Case) -> Event:
    base = (1 + len(case_id) % 3) * case.slow
    if stage is Stage.SPECIALIZE:
        return CaseSpecialized(**key, program_digest=digest(case.program + case_id), seconds=0.002 * base)
    if stage is Stage.COMPILE:
        return CaseCompiled(
            **key,
            source_digest=digest(case.code + case_id),
            library_digest=digest("library" + case.code + case_id),
            seconds=0.05 * base,
            phases={"passes": 0.004, "codegen": 0.002, "g++": 0.044},
            artifact=f"build_output/{digest(case_id)}",
            source_files={"kernel.cpp": digest(case.code)},
        )
    if stage is Stage.GOLDEN:
        return GoldenComputed(**key, outputs={"c": digest(case.golden + case_id)}, seconds=0.001 * base)
    if stage is Stage.RUN:
        outputs = {"c": digest("actual" + case_id)}
        return CaseExecuted(**key, outputs=outputs, seconds=0.004 * base, device=case.device, worker="w1")
    failed = case.fails is Stage.COMPARE
    return CaseCompared(
        **key,
        passed=not failed,
        worst_abs=case.worst if failed else case.margin * 1e-5,
        worst_rel=case.worst if failed else case.margin * 1e-3,
        mismatches=4096 if failed else 0,
        elements=4096,
        margin=case.worst * 1e4 if failed else case.margin,
        shape=case.shape if failed else "",
        seconds=0.001 * base,
    )


def _failed(key: dict[str, Any], stage: Stage, case: Case) -> Event:
    return StageFailed(
        **key,
        stage=stage,
        cause="infra" if case.infra else "test",
        error_type=case.error_type,
        message=case.message,
        traceback=case.traceback,
        signal=case.signal,
        timeout=case.timeout,
        signature=signature(stage, case.error_type, case.message),
        device=case.device,
        worker="w1",
    )


def _test(run_id: str, node_id: str, test: Test) -> list[Event]:
    key = {"run_id": run_id, "case_id": node_id, "node_id": node_id}
    events: list[Event] = [CaseCollected(**key, name=node_id, kind="test")]
    for phase in ("setup", "call", "teardown"):
        failed = phase == "call" and test.longrepr
        events.append(
            TestReported(
                **key,
                attempt=1,
                phase=phase,
                outcome="failed" if failed else "passed",
                seconds=test.seconds if phase == "call" else 0.0,
                longrepr=test.longrepr if failed else "",
            )
        )
    return events


@pytest.fixture
def history() -> History:
    """Runs in memory."""
    return History(MemoryStore())


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database to copy: migrating one for each test would take most of their time."""
    path = tmp_path_factory.mktemp("empty") / "runs.db"
    open_store(str(path)).close()
    return path


@pytest.fixture
def sqlite_history(tmp_path: Path, empty_database: Path) -> Iterator[History]:
    """Runs in a SQLite file, `history.store.url` tells which."""
    shutil.copy(empty_database, tmp_path)
    store = open_store(f"sqlite:///{tmp_path / empty_database.name}")
    yield History(store)
    store.close()


@pytest.fixture
def first_light() -> Callable[[History], None]:
    """Records the two runs of the demonstration: one of everything that a diff has to name."""
    return _first_light


PLATFORMS = ("a2a3sim", "a5sim")
STEADY = ("hello_world_add", "layer_norm", "matmul_tile", "rms_norm", "softmax")


def _first_light(history: History) -> None:
    base: dict[str, Case | Test] = {}
    head: dict[str, Case | Test] = {}
    for platform in PLATFORMS:
        for name in (*STEADY, "relu", "tile_add", "swiglu", "gelu", "silu", "ffn", "task_graph"):
            base[f"{name}@{platform}@default"] = Case()
        head |= {key: case for key, case in base.items() if key.endswith(f"@{platform}@default")}
        crash = {"error_type": "KernelCrashed", "message": "the kernel ended its process with SIGSEGV", "signal": 11}
        head[f"tile_add@{platform}@default"] = Case(program="wrong", code="wrong", fails=Stage.COMPARE)
        head[f"swiglu@{platform}@default"] = Case(
            golden="wrong", fails=Stage.COMPARE, shape="out: scattered, 10^2 over limit", worst=0.25
        )
        head[f"gelu@{platform}@default"] = Case(program="wild", code="wild", fails=Stage.RUN, **crash)
        base[f"silu@{platform}@default"] = Case(fails=Stage.COMPARE)
        base[f"ffn@{platform}@default"] = Case(fails=Stage.COMPARE, worst=1.0)
        head[f"ffn@{platform}@default"] = Case(fails=Stage.COMPARE, worst=1.0)
        base[f"relu@{platform}@default"] = Case(fails=Stage.COMPARE)
        head[f"relu@{platform}@default"] = Case(
            code="other",
            fails=Stage.COMPILE,
            error_type="CompileError",
            message="kernel.cpp:12: no member named 'TLOAD'",
        )
        head[f"softmax@{platform}@default"] = Case(margin=0.4)
        base[f"gone@{platform}@default"] = Case()
        head[f"new@{platform}@default"] = Case()
    test = "tests/unit/test_util.py::test_{}"
    base[test.format("one")] = head[test.format("one")] = Test()
    base[test.format("two")] = Test()
    head[test.format("two")] = Test(
        longrepr="def test_two():\n>       assert 1 == 2\nE       assert 1 == 2\n\ntest_util.py:9: AssertionError"
    )
    del head["task_graph@a5sim@default"]
    head["task_graph@a5sim@default"] = Case(
        fails=Stage.RUN, infra=True, error_type="WorkerUnavailable", message="no worker process could be started"
    )
    history.run("base", base, platforms=PLATFORMS)
    history.run("head", head, platforms=PLATFORMS, git_branch="faster-add", git_dirty=True)


BLANK = {"str": "", "int": 0, "float": 0.0, "bool": False, "tuple[str, ...]": ()}


def blank(view: type) -> dict[str, Any]:
    """A neutral value for every field of a view that has no default, so that tests name only what matters to them."""
    required = [one for one in fields(view) if one.default is MISSING and one.default_factory is MISSING]
    return {one.name: {} if str(one.type).startswith("dict") else BLANK.get(str(one.type)) for one in required}


@pytest.fixture
def make_result() -> Callable[..., ResultView]:
    """Results by the facts that matter to a test."""

    def make(case_id: str = "add@a2a3sim@default", outcome: Outcome = Outcome.PASS, **facts: Any) -> ResultView:
        name, platform, planner = [*case_id.rsplit("@", 2), "", ""][:3]
        known = {**blank(ResultView), "kind": "case", "attempt": 1, "final": True, "stage": Stage.COMPARE}
        known |= {"case_id": case_id, "name": name, "platform": platform, "planner": planner, "outcome": outcome}
        return ResultView(**{**known, **facts})

    return make


@pytest.fixture
def make_run() -> Callable[..., RunView]:
    """Runs by the facts that matter to a test."""

    def make(label: str = "run", **facts: Any) -> RunView:
        known = {**blank(RunView), "label": label, "state": RunState.FINISHED, "started_at": STARTED}
        return RunView(**{**known, "run_id": "019d4001-0000-7000-8000-000000000001", **facts})

    return make
