"""The runner takes a case through its stages, stops where it fails, and says each step as an event."""

from __future__ import annotations

import pytest
import torch
from stand_in import Kernel, compile_artifact, load, program_digest

import pipeline.st as st
from db.outcome import Stage
from pipeline.execution import InlineExecution
from pipeline.kernel_source import JitKernel
from pipeline.runner import Runner
from pipeline.tensor_files import load_tensor
from pipeline.workspace import Workspace

A, C = torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.full((2, 2), 5.0)
DOUBLE = "c[:] = 2 * a"


class Recorder(list):
    def __call__(self, event):
        self.append(event)

    @property
    def names(self):
        return [type(event).__name__ for event in self]


@pytest.fixture
def events():
    return Recorder()


@pytest.fixture
def runner(tmp_path, events):
    workspace = Workspace.claim(tmp_path / "cases", "session")
    made = Runner("run-1", workspace, compile_artifact, program_digest, InlineExecution(load), 60.0, events)
    yield made
    made.close()


def case(body=DOUBLE, golden=lambda _: 2 * A, platform="a2a3sim", **settings):
    return st.case(Kernel("k", "a, c", ["c"], body), A, C, name="k", golden=golden, **settings).for_platform(platform)


STAGES = ["CaseSpecialized", "CaseCompiled", "GoldenComputed", "CaseExecuted", "CaseCompared"]


def test_a_passing_case_tells_every_stage(runner, events):
    result = runner.run(case(), 3)
    assert result.passed and result.comparison.passed
    assert events.names == STAGES
    assert {(e.run_id, e.case_id, e.attempt) for e in events} == {("run-1", "k@a2a3sim@default", 3)}
    assert str(result) == "k@a2a3sim@default passed"


@pytest.mark.parametrize(
    ("settings", "stage", "reached"),
    [
        ({"body": "syntax error"}, "specialize", 0),
        ({"body": "'does not compile'"}, "compile", 1),
        ({"golden": lambda _: A[0]}, "golden", 2),
        ({"body": "raise ValueError('boom')"}, "run", 3),
        ({"golden": lambda _: A}, "compare", 5),
        ({"golden": lambda _: A, "compare": lambda actual, expected: 1 / 0}, "compare", 4),
        ({"platform": "a5"}, "run", 3),
    ],
)
def test_a_failing_stage_ends_the_case(runner, events, settings, stage, reached):
    result = runner.run(case(**settings))
    assert not result.passed
    assert events.names == [*STAGES[:reached], "StageFailed"]
    assert events[-1].stage is Stage(stage) is result.failure.stage
    assert events[-1].cause == ("infra" if "platform" in settings else "test")
    assert len(events[-1].signature) == 32
    lines = str(result).splitlines()
    assert f"{stage}: " in lines[0]
    assert lines[-1].startswith("data: ") == result.folder.root.exists() == (stage != "specialize")


def test_the_mismatch_is_recorded_with_its_numbers(runner, events):
    result = runner.run(case(golden=lambda _: 2 * A + torch.tensor([[0.0, 0.5], [0.0, 0.0]])))
    compared = events[-2]
    assert (compared.passed, compared.mismatches, compared.elements) == (False, 1, 4)
    assert compared.shape == "c: one row, 10^3 over limit"
    assert compared.worst_abs == 0.5
    assert events[-1].error_type == "Mismatch"
    assert str(result).startswith("compare: c: one row, 10^3 over limit: 1 of 4 elements differ; first c[0, 1] = 4.0")


def test_the_projection_and_the_stage_agree_on_the_signature(runner, events):
    from db.signature import signature

    runner.run(case(golden=lambda _: A))
    assert events[-1].signature == signature(Stage.COMPARE, "Mismatch", events[-2].shape)


def test_outputs_start_from_their_samples(runner):
    assert runner.run(case("c += a", golden=lambda t: t["c"] + t["a"])).passed
    data = runner.workspace.case("k@a2a3sim@default").data
    assert torch.equal(load_tensor(data / "in" / "c.pt"), C)
    assert torch.equal(load_tensor(data / "actual" / "c.pt"), C + A)


def test_cells_that_nothing_writes_are_seen(runner):
    assert "c: tail" in str(runner.run(case("c[0] = 2 * a[0]")))


def test_nothing_of_an_earlier_run_passes_for_this_one(runner):
    folder = runner.workspace.case("k@a2a3sim@default")
    assert runner.run(case()).passed
    assert (folder.data / "actual" / "c.pt").exists()
    assert not runner.run(case("'does not compile'")).passed
    assert not folder.data.exists()


def test_each_platform_compiles_into_its_own_folder(runner, events):
    for platform in ("a2a3sim", "a5sim"):
        assert runner.run(case(platform=platform)).passed
    compiled = [e for e in events if type(e).__name__ == "CaseCompiled"]
    assert len({e.artifact for e in compiled}) == len({e.source_digest for e in compiled}) == 2


def test_a_refused_case_fails_at_collect(runner, events):
    result = runner.run(case(tolerence=1))
    assert events.names == ["StageFailed"]
    assert events[0].stage is Stage.COLLECT
    assert str(result).startswith("collect: case of k: unknown setting 'tolerence'")


def test_ctrl_c_is_no_result(runner, events):
    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        runner.run(case(golden=stop))
    assert "StageFailed" not in events.names


def test_an_unwritable_workspace_is_infrastructure(runner, events, monkeypatch):
    def full(*_args, **_options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.mkdir", full)
    result = runner.run(case())
    assert (events[-1].cause, events[-1].stage) == ("infra", Stage.COMPILE)
    assert "infrastructure, compile: OSError: [Errno 28]" in str(result)


def test_a_long_message_is_cut_in_the_text_and_kept_in_the_record(runner, events):
    def chatty(_):
        raise ValueError("\n".join(f"line {i}" for i in range(100)))

    text = str(runner.run(case(golden=chatty)))
    assert len(text.splitlines()) < 30 and "more lines in the record" in text
    assert "line 99" in events[-1].message


def test_constants_of_the_specialization_are_not_passed(runner):
    kernel = Kernel("scale", "a, alpha, c", ["c"], DOUBLE)
    kernel.specialize = lambda *args: f"def kernel(a, c):\n    c[:] = {args[1]} * a\n"
    declared = st.case(JitKernel(kernel, (A, 3, C)), name="s", golden=lambda _: 3 * A)
    assert runner.run(declared.for_platform("a2a3sim")).passed
