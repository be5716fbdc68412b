"""One example of every event class: for the documentation, and for tests that walk the whole catalogue.

python -m db.events.examples case.compiled      # the stored payload of one example
"""

from __future__ import annotations

import sys

from db.events.base import Event
from db.events.case import (
    CaseCollected,
    CaseCompared,
    CaseCompiled,
    CaseDeselected,
    CaseExecuted,
    CaseSkipped,
    CaseSpecialized,
    GoldenComputed,
    NondeterminismObserved,
    StageFailed,
    StageReused,
)
from db.events.codec import encode
from db.events.run import RunAborted, RunFinished, RunStarted
from db.events.test import TestReported
from db.outcome import Stage

_RUN = "0199d1f0-6f7a-7c3e-9f00-3f6f1d2c4b5a"
_EARLIER = "0199cce2-1a55-7b02-8d51-77aa0cf0e3d9"
_CASE = "hello_world_add@a2a3sim@default"
_NODE = "tests/system/test_hello_world.py::test_hello_world_add[hello_world_add@a2a3sim@default]"
_PROGRAM, _SOURCE, _LIBRARY, _INPUT, _OUTPUT, _PRINT, _STORED = (letter * 64 for letter in "abcde12")

EXAMPLES: tuple[Event, ...] = (
    RunStarted(
        run_id=_RUN,
        label="head",
        command="pytest tests/system --pypto-db history.db",
        root="/home/ada/kernels",
        git_commit="3c58f58f0d0c0a9a4b1d8f2f6b7e5a1c9d2e4f60",
        git_branch="faster-softmax",
        git_dirty=True,
        diff_digest="f" * 64,
        host="workstation",
        platforms=["a2a3sim", "a5sim"],
        options={"platform": ["a2a3sim", "a5sim"], "memory_planner": None, "maxfail": 0},
        environment={"python": "3.11.7", "torch": "2.13.0", "compiler": "g++ 12.2.0", "toolchain": "9" * 64},
    ),
    RunFinished(run_id=_RUN, exit_status=1, collected=42, recorded=40, deselected=2, missing=[], seconds=17.25),
    RunAborted(run_id=_RUN, reason="KeyboardInterrupt"),
    CaseCollected(
        run_id=_RUN,
        case_id=_CASE,
        node_id=_NODE,
        name="hello_world_add",
        platform="a2a3sim",
        planner="default",
        kind="case",
        inputs={"a": _INPUT, "b": _INPUT},
        declaration="0" * 64,
        comparison="elementwise",
        rtol=1e-5,
        atol=1e-8,
        source_file="tests/system/test_hello_world.py",
        source_line=12,
    ),
    CaseDeselected(run_id=_RUN, case_id=_CASE, reason="-k softmax"),
    CaseSkipped(run_id=_RUN, case_id=_CASE, reason="needs a card"),
    CaseSpecialized(
        run_id=_RUN,
        case_id=_CASE,
        attempt=1,
        program_digest=_PROGRAM,
        seconds=0.011,
        fingerprint=_PRINT,
        components={"scheme": "1", "kernel `tile_add`": "0123456789abcdef hello.py:9"},
    ),
    CaseCompiled(
        run_id=_RUN,
        case_id=_CASE,
        attempt=1,
        source_digest=_SOURCE,
        library_digest=_LIBRARY,
        seconds=0.0725,
        phases={"passes": 0.002, "codegen": 0.0005, "g++": 0.07},
        artifact="build_output/hello_world_add",
        source_files={"kernels/tile_add.cpp": _SOURCE, "orchestration.cpp": _SOURCE},
        stored=_STORED,
        fingerprint=_PRINT,
        components={"scheme": "1", "platform": "0123456789abcdef", "program": "0123456789abcdef"},
    ),
    GoldenComputed(
        run_id=_RUN,
        case_id=_CASE,
        attempt=1,
        outputs={"c": _OUTPUT},
        stored={"c": _STORED},
        seconds=0.0002,
        fingerprint=_PRINT,
        components={"scheme": "1"},
        problems=["open() in golden reads files; declare them with files=[...]"],
    ),
    CaseExecuted(
        run_id=_RUN,
        case_id=_CASE,
        attempt=1,
        outputs={"c": _OUTPUT},
        seconds=0.0011,
        device="sim:0",
        worker="worker-1",
    ),
    CaseCompared(
        run_id=_RUN,
        case_id=_CASE,
        attempt=1,
        passed=False,
        worst_abs=float("inf"),
        worst_rel=float("nan"),
        mismatches=3,
        elements=16384,
        margin=1250.0,
        shape="c: scattered, 10^3 over limit",
        seconds=0.0003,
    ),
    StageFailed(
        run_id=_RUN,
        case_id=_CASE,
        attempt=1,
        stage=Stage.RUN,
        cause="test",
        error_type="KernelCrashed",
        message="the kernel died from SIGSEGV",
        traceback="Fatal Python error: Segmentation fault",
        signal=11,
        timeout=False,
        signature="5" * 32,
        device="sim:0",
        worker="worker-1",
        seconds=0.5,
    ),
    StageReused(
        run_id=_RUN,
        case_id=_CASE,
        attempt=1,
        stage=Stage.COMPILE,
        fingerprint=_PRINT,
        origin_run=_EARLIER,
        outputs={"source": _SOURCE, "library": _LIBRARY},
    ),
    NondeterminismObserved(
        run_id=_RUN,
        case_id=_CASE,
        attempt=1,
        stage=Stage.RUN,
        fingerprint=_PRINT,
        origin_run=_EARLIER,
        before={"c": _OUTPUT},
        now={"c": _INPUT},
    ),
    TestReported(
        run_id=_RUN,
        case_id=_CASE,
        attempt=1,
        phase="call",
        outcome="failed",
        seconds=0.0901,
        longrepr="E   AssertionError: c differs at 3 of 16384 elements",
        node_id=_NODE,
    ),
)


def example(type_name: str) -> Event:
    """The example of the class with a stored name."""
    return next(event for event in EXAMPLES if event.type == type_name)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        sys.stdout.write(encode(example(name)) + "\n")
