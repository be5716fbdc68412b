"""One table from error classes to stage and blame."""

from __future__ import annotations

import importlib

import pytest

from db.outcome import Stage
from pipeline import errors
from pipeline.classify import TABLE, classify
from pypto.errors import CapacityError, CompilerMissing, ParserTypeError, SimulatorError, ToolchainError


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.error)
def test_every_row_names_a_class_that_exists(row):
    module, _, name = row.error.rpartition(".")
    assert issubclass(getattr(importlib.import_module(module), name), BaseException)


@pytest.mark.parametrize(
    ("error", "raised_in", "stage", "cause"),
    [
        (errors.BadName(name="x", problem="p"), Stage.COLLECT, "collect", "test"),
        (ParserTypeError("wrong"), Stage.SPECIALIZE, "specialize", "test"),
        (OSError("no source"), Stage.SPECIALIZE, "specialize", "test"),
        (OSError("disk full"), Stage.COMPILE, "compile", "infra"),
        (OSError("disk full"), Stage.RUN, "run", "infra"),
        (MemoryError(), Stage.COMPILE, "compile", "infra"),
        (CapacityError("too large"), Stage.COMPILE, "compile", "test"),
        (ToolchainError("g++ says no"), Stage.COMPILE, "compile", "test"),
        (ToolchainError("g++ says no"), Stage.RUN, "compile", "test"),
        (CompilerMissing("no g++"), Stage.COMPILE, "compile", "infra"),
        (errors.GoldenSilent(outputs="c"), Stage.GOLDEN, "golden", "test"),
        (SimulatorError("out of range"), Stage.RUN, "run", "test"),
        (errors.KernelCrashed(signal_name="SIGSEGV", signal=11), Stage.RUN, "run", "test"),
        (errors.WorkerUnavailable(problem="p"), Stage.RUN, "run", "infra"),
        (errors.NoDevice(platform="a5", simulator="a5sim"), Stage.RUN, "run", "infra"),
        (errors.DamagedFile(path="p", problem="p"), Stage.COMPARE, "compare", "infra"),
        (errors.ComparisonError(problem="p"), Stage.COMPARE, "compare", "test"),
        (ZeroDivisionError("whatever"), Stage.SPECIALIZE, "specialize", "test"),
    ],
)
def test_stage_and_cause_follow_from_the_class(error, raised_in, stage, cause):
    found = classify(error, raised_in)
    assert (found.stage.value, found.cause) == (stage, cause)


def test_an_error_told_by_a_worker_counts_like_one_raised_here():
    names = [f"{kind.__module__}.{kind.__qualname__}" for kind in SimulatorError.__mro__]
    told = errors.KernelRaised(text="out of range", error_types=names, traceback="far away", worker="w1")
    found = classify(told, Stage.RUN)
    assert (found.error_type, found.message, found.traceback, found.worker) == (
        "SimulatorError", "out of range", "far away", "w1",
    )  # fmt: skip
    names = ["pipeline.errors.DamagedFile", "pipeline.errors.InfraError", "builtins.Exception"]
    assert classify(errors.KernelRaised(text="t", error_types=names), Stage.RUN).cause == "infra"


def test_signals_and_time_outs_are_told_apart():
    crash = classify(errors.KernelCrashed(signal_name="SIGSEGV", signal=11, last_output="bang"), Stage.RUN)
    assert (crash.signal, crash.timeout, crash.last_output, crash.traceback) == (11, False, "bang", "bang")
    hang = classify(errors.KernelTimedOut(seconds=5), Stage.RUN)
    assert (hang.signal, hang.timeout) == (None, True)


def test_a_foreign_class_keeps_its_module_and_ours_does_not():
    class Odd(Exception):
        __module__ = "somewhere.deep"

    Odd.__qualname__ = "Odd"
    assert classify(Odd("x"), Stage.RUN).error_type == "somewhere.deep.Odd"
    assert classify(ValueError("x"), Stage.RUN).error_type == "ValueError"
    assert classify(CapacityError("x"), Stage.RUN).error_type == "CapacityError"


def test_a_message_that_cannot_be_made_costs_nothing():
    class Mute(Exception):
        def __str__(self):
            raise RuntimeError("no words")

    assert classify(Mute(), Stage.RUN).message == "<message raised RuntimeError>"
    assert classify(ValueError(), Stage.RUN).message == "ValueError"


def users_function():
    raise ValueError("mine")


def test_the_frame_is_the_users_innermost():
    with pytest.raises(ValueError, match="mine") as caught:
        users_function()
    found = classify(caught.value, Stage.SPECIALIZE)
    assert found.frame == "test_classify.py:users_function"
    assert "users_function" in found.traceback


def test_commands_are_not_the_essence():
    found = classify(ToolchainError("g++ says no\ncommand: g++ -I/here x.cpp"), Stage.COMPILE)
    assert found.essence == "g++ says no"
