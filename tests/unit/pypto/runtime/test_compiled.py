"""Calling a compiled program: both call styles, every check, strided arguments, threads."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest
import torch

from pypto.errors import SimulatorError
from pypto.ops.dtypes import FP16, FP32, INT8, UINT16
from pypto.ops.enums import ParamDirection
from pypto.platforms import BackendType
from pypto.runtime.compiled import CompiledProgram
from pypto.runtime.config import RunConfig
from pypto.runtime.metadata import Metadata, ParamInfo

In, Out, InOut = ParamDirection.In, ParamDirection.Out, ParamDirection.InOut


@pytest.fixture
def scale(program_dir: Any) -> CompiledProgram:
    return CompiledProgram.from_dir(program_dir())


def test_in_place_style_writes_and_returns_none(scale: CompiledProgram) -> None:
    x, y = torch.randn(40, 32), torch.zeros(40, 32)
    assert scale(x, 2.5, y) is None
    assert torch.equal(y, x * 2.5)


def test_return_style_allocates(scale: CompiledProgram) -> None:
    x = torch.randn(7, 32)
    assert torch.equal(scale(x, -1.0), -x)
    assert scale(torch.zeros(0, 32), 1.0).shape == (0, 32)


def test_one_program_serves_every_size_of_a_dynamic_dimension(scale: CompiledProgram) -> None:
    for rows in (1, 16, 33, 80):
        x = torch.randn(rows, 32)
        assert torch.equal(scale(x, 3.0), x * 3)


def test_results_follow_the_return_statement(program_dir: Any) -> None:
    folder = program_dir()
    metadata = Metadata.load(folder)
    Metadata("scale", "a2a3sim", "PYPTO", metadata.params, returns=(2, 0)).save(folder)
    x = torch.randn(4, 32)
    y, again = CompiledProgram.from_dir(folder)(x, 2.0)
    assert torch.equal(y, x * 2) and again is x


def test_cells_that_nothing_writes(program_dir: Any) -> None:
    program = CompiledProgram.from_dir(program_dir(edit=("row < x.shape[0]", "row < 16")))
    y = torch.full((40, 32), 9.0)
    program(torch.ones(40, 32), 2.0, y)
    assert (y[:16] == 2).all() and (y[16:] == 9).all()  # the caller's contents stay
    made = program(torch.ones(40, 32), 2.0)
    assert (made[:16] == 2).all() and made[16:].isnan().all()  # fresh memory is poisoned


@pytest.mark.parametrize(
    ("args", "kind", "message"),
    [
        ((), TypeError, r"scale takes 3 arguments \(x, factor, y\), or 2 without outputs \(x, factor\); got 0"),
        ((torch.zeros(4, 32),) * 4, TypeError, "got 4"),
        (([1.0], 2.0), TypeError, "'x' takes a tensor, got list"),
        ((torch.zeros(4, 32), torch.zeros(4, 32)), TypeError, "'factor' takes a scalar of FP32, got Tensor"),
        ((torch.zeros(4, 32), "2"), TypeError, "'factor' takes a scalar of FP32, got str '2'"),
        ((torch.zeros(4, 32).half(), 2.0), TypeError, r"'x' has dtype FP32 \(torch.float32\), got torch.float16"),
        ((torch.zeros(32), 2.0), ValueError, r"'x' has rank 2 \[rows, 32\], got rank 1 \[32\]"),
        ((torch.zeros(4, 31), 2.0), ValueError, r"'x' has shape \[rows, 32\], got \[4, 31\]"),
        ((torch.zeros(4, 32), 2, torch.zeros(5, 32)), ValueError, "'rows' is 4 on axis 0 of 'x' and 5 on axis 0"),
        ((torch.zeros(4, 32, device="meta"), 2.0), ValueError, "'x' must lie in CPU memory, got device meta"),
        ((torch.zeros(4, 32).to_sparse(), 2.0), ValueError, "'x' must be a dense tensor, got layout torch.sparse_coo"),
    ],
)  # fmt: skip
def test_arguments_that_do_not_fit_are_named(
    scale: CompiledProgram, args: Any, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        scale(*args)


def test_static_shapes_are_checked(program_dir: Any) -> None:
    program = CompiledProgram.from_dir(program_dir(shape=(4, 32)))
    assert program(torch.ones(4, 32), 2.0).sum() == 256
    with pytest.raises(ValueError, match=r"'x' has shape \[4, 32\], got \[5, 32\]"):
        program(torch.ones(5, 32), 2.0)


def test_a_size_that_no_argument_tells_needs_the_tensor(program_dir: Any) -> None:
    params = (ParamInfo("x", FP32, In, (None, 32)), ParamInfo("factor", FP32), ParamInfo("y", FP32, Out, (None, 32)))
    program = CompiledProgram.from_dir(program_dir(params))
    y = torch.zeros(3, 32)
    program(torch.ones(3, 32), 2.0, y)
    assert (y == 2).all()
    with pytest.raises(
        TypeError, match="'y' cannot be left out: no argument tells the size of axis 0; pass the tensor"
    ):
        program(torch.ones(3, 32), 2.0)


@pytest.mark.parametrize("value", [2, 2.0, True, torch.tensor(2.0), torch.tensor(2)], ids=repr)
def test_numbers_of_any_type_become_the_scalar(scale: CompiledProgram, value: Any) -> None:
    assert (scale(torch.ones(1, 32), value) == float(value)).all()


def test_an_inout_parameter_is_always_passed(program_dir: Any) -> None:
    program = CompiledProgram.from_dir(program_dir(out=InOut))
    assert not program.has_return and program.output_indices == [2]
    with pytest.raises(TypeError, match=r"takes 3 arguments \(x, factor, y\); got 2"):
        program(torch.ones(4, 32), 2.0)


def layouts(rows: int, cols: int) -> list[torch.Tensor]:
    apart = torch.zeros(rows * 2, cols * 3)
    return [torch.zeros(cols, rows).T, apart[::2, ::3], torch.zeros(rows, cols + 8)[:, 4 : cols + 4]]


def test_strided_arguments_are_copied_in_and_out(scale: CompiledProgram) -> None:
    expected = torch.randn(20, 32)
    for x in [*layouts(20, 32), expected.clone()]:
        x.copy_(expected)
        for y in layouts(20, 32):
            scale(x, 2.0, y)
            assert torch.equal(y, expected * 2)
    repeated = torch.randn(1, 32).expand(20, 32)
    assert torch.equal(scale(repeated, 2.0), repeated * 2)
    flipped = torch.complex(torch.zeros(4, 32), torch.ones(4, 32)).conj().imag
    assert flipped.is_neg() and (scale(flipped, 2.0) == -2).all()


def test_ambiguous_memory_is_refused(scale: CompiledProgram) -> None:
    x = torch.randn(20, 32)
    with pytest.raises(
        ValueError, match=r"'y' is written, and several of its elements share one place .* pass y.clone\(\)"
    ):
        scale(x, 2.0, torch.zeros(1, 32).expand(20, 32))
    whole = torch.randn(40, 64)
    with pytest.raises(ValueError, match="'x' and 'y' share memory, one of them is written and one is not contiguous"):
        scale(whole[:20, :32], 2.0, whole[:20, 16:48])
    scale(whole[:20, :32], 2.0, whole.clone()[:20, 32:])
    scale(whole[:20, :32], 2.0, whole[20:, 32:])  # neighbours, not shared


def test_input_and_output_may_be_one_tensor(scale: CompiledProgram) -> None:
    x = torch.randn(20, 32)
    expected = x * 2
    scale(x, 2.0, x)
    assert torch.equal(x, expected)


def test_a_failure_in_the_kernel_names_it_and_the_next_call_works(program_dir: Any) -> None:
    params = (ParamInfo("x", FP32, In, ("n", 32)), ParamInfo("factor", FP32), ParamInfo("y", FP32, InOut, ("m", 32)))
    program = CompiledProgram.from_dir(program_dir(params))
    with pytest.raises(SimulatorError, match=r"kernel scale: TSTORE: tensor y \[5, 32\] FP32"):
        program(torch.ones(16, 32), 2.0, torch.zeros(5, 32))
    y = torch.zeros(16, 32)
    program(torch.ones(16, 32), 2.0, y)
    assert (y == 2).all()


def test_other_dtypes(program_dir: Any) -> None:
    half = CompiledProgram.from_dir(program_dir(dtype=FP16, name="half"))
    x = torch.randn(8, 32).half()
    assert torch.equal(half(x, 0.5), x * 0.5)
    whole = CompiledProgram.from_dir(program_dir(dtype=INT8, name="whole"))
    assert (whole(torch.ones(8, 32, dtype=torch.int8), 3.0) == 3).all()
    with pytest.raises(TypeError, match="'x' has dtype UINT16, which torch lacks"):
        CompiledProgram.from_dir(program_dir(dtype=UINT16, name="none"))(x, 1.0)


def test_a_card_platform_says_what_to_do(program_dir: Any) -> None:
    for platform, simulator in (("a2a3", "a2a3sim"), ("a5", "a5sim")):
        program = CompiledProgram.from_dir(program_dir(platform=platform, name=platform))
        with pytest.raises(
            RuntimeError, match=f"compiled for {platform}, .*compile it for {simulator} to run it on the CPU"
        ):
            program(torch.ones(4, 32), 2.0)


def test_a_config_for_another_platform_is_refused(scale: CompiledProgram) -> None:
    assert (scale(torch.ones(4, 32), 2.0, config=RunConfig()) == 2).all()
    with pytest.raises(ValueError, match="compiled for a2a3sim and is called with platform a5sim"):
        scale(torch.ones(4, 32), 2.0, config=RunConfig(platform="a5sim"))


def test_what_a_program_tells_about_itself(scale: CompiledProgram, program_dir: Any) -> None:
    assert scale.param_names == ["x", "factor", "y"] and scale.output_indices == [2] and scale.has_return
    assert scale.platform == "a2a3sim" and scale.backend_type is BackendType.Ascend910B and scale.program is None
    assert os.fspath(scale) == str(scale) == str(scale.output_dir) and scale["scale"] is scale
    assert scale.orchestration_names == ["scale"]
    with pytest.raises(KeyError, match="no orchestration 'other'; there is scale"):
        scale["other"]
    assert CompiledProgram.from_dir(program_dir(platform="a5sim", name="a5")).backend_type is BackendType.Ascend950


def test_a_trace_lists_the_tasks(scale: CompiledProgram) -> None:
    y = torch.zeros(4, 32).T.contiguous().T
    (task,) = scale.trace(torch.ones(4, 32), 2.0, y)
    assert (task.func_id, task.core, task.blocks) == (0, "aiv", 1) and task.duration > 0
    assert (y == 2).all()


def test_threads_may_call_one_program(scale: CompiledProgram) -> None:
    wrong: list[int] = []

    def work(seed: int) -> None:
        x = torch.full((100, 32), float(seed))
        for _ in range(100):
            if not (scale(x, 2.0) == 2 * seed).all():
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_folders_that_hold_no_program(tmp_path: Path, program_dir: Any) -> None:
    with pytest.raises(FileNotFoundError, match=r"holds no compiled_meta.json, so it is no compiled program"):
        CompiledProgram.from_dir(tmp_path)
    folder = program_dir()
    record = folder / "compiled_meta.json"
    whole = record.read_text()
    for text, message in (
        (whole[:50], "is damaged"),
        (whole.replace('"FP32"', '"FP99"'), "is damaged"),
        (whole.replace('"version": 1', '"version": 2'), "has version 2, and this pypto reads 1"),
        ("[]", "has version None"),
    ):
        record.write_text(text)
        with pytest.raises(ValueError, match=message):
            CompiledProgram.from_dir(folder)
