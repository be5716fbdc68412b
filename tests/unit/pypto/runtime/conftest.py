"""``program_dir``: folders that hold a small program written by hand, as the compiler would have left it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from pypto.ops.dtypes import FP32, DataType
from pypto.ops.enums import ParamDirection
from pypto.runtime.metadata import Metadata, ParamInfo

In, Out, InOut = ParamDirection.In, ParamDirection.Out, ParamDirection.InOut

# y = x * factor, by tiles of 16 rows.
KERNEL = """
#include "pto/sim.hpp"
using namespace pto;

extern "C" void kernel_entry(int64_t* args) {
    const Tensor &x = tensor_arg(args, 0), &y = tensor_arg(args, 1);
    kernel_begin("scale", 65536, 0, 0, 0, 0, 0);
    for (int64_t row = 0; row < x.shape[0]; row += 16) {
        Tile t = tile(VEC, DType(x.dtype), 0, 16, int32_t(x.shape[1]), min(x.shape[0] - row, int64_t(16)), x.shape[1]);
        TLOAD(t, x, {row, 0});
        TMULS(t, t, double(float_arg(args, 2)));
        TSTORE(y, {row, 0}, t);
    }
}
"""
BUILD = """
#include "pto/sim.hpp"
#define kernel_entry kernel_entry_0
#include "kernels/aiv/scale.cpp"
#undef kernel_entry
extern "C" {
pto::KernelEntry pto_kernels[] = {kernel_entry_0};
int pto_kernel_count = 1;
int64_t aicpu_orchestration_config() { return 3; }
void aicpu_orchestration_entry(pto::Runtime& runtime, const int64_t* args) {
    pto::TaskArgs task;
    pto::add_input(task, pto::tensor_arg(args, 0));
    pto::add_output(task, pto::tensor_arg(args, 2));
    pto::add_scalar(task, double(pto::float_arg(args, 1)));
    pto::submit(runtime, 0, pto::AIV, task);
}
}
"""
ProgramDir = Callable[..., Path]


def scale_params(
    dtype: DataType = FP32, shape: Sequence[int | str | None] = ("rows", 32), out: ParamDirection = Out
) -> tuple[ParamInfo, ...]:
    """The parameters of the program: x, factor, y."""
    shape = tuple(shape)
    return (ParamInfo("x", dtype, In, shape), ParamInfo("factor", FP32), ParamInfo("y", dtype, out, shape))


@pytest.fixture
def program_dir(tmp_path: Path) -> ProgramDir:
    def make(
        params: tuple[ParamInfo, ...] | None = None,
        name: str = "program",
        platform: str = "a2a3sim",
        edit: tuple[str, str] = ("", ""),
        **kwargs: Any,
    ) -> Path:
        folder = tmp_path / name
        (folder / "kernels" / "aiv").mkdir(parents=True)
        (folder / "kernels" / "aiv" / "scale.cpp").write_text(KERNEL.replace(*edit))
        (folder / "build.cpp").write_text(BUILD)
        Metadata("scale", platform, "PYPTO", params or scale_params(**kwargs)).save(folder)
        return folder

    return make
