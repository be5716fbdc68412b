"""``sim``: runs one function of the simulator library on tiles whose figures the test chooses.

All functions are built into one library, a kernel each. A kernel gets its tiles as scalars, loads the operands, calls
the function and stores the result tile, all of it and not only its valid region, so that a test sees what lies around.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
import torch

from pypto.ops.dtypes import BY_NAME, FP32, DataType
from pypto.platforms import platform
from pypto.runtime.library import KernelLibrary, Name, capacities, descriptor
from pypto.runtime.toolchain import build_kernels

VEC, MAT, LEFT, RIGHT, ACC, BIAS = range(1, 7)
POISON = 0x7FC1
CAPACITY = capacities(platform("a2a3sim"))

# By the letters of what a function takes: tiles (t), a double (d), an integer (i).
FUNCTIONS = {
    "ttt": ["TADD", "TSUB", "TMUL", "TDIV", "TMAX", "TREM", "TROWEXPANDSUB", "TCOLEXPANDMUL", "TMATMUL", "TMATMUL_ACC"],
    "tt": [
        "TEXP", "TLOG", "TSQRT", "TRSQRT", "TSIN", "TCOS", "TABS", "TROWSUM", "TROWMAX", "TROWPROD", "TCOLSUM",
        "TCOLMIN", "TCOLPROD", "TMOV", "TMOV_CAST", "TTRANS", "TROWEXPAND",
    ],
    "tttt": ["TMATMUL_BIAS"],
    "ttd": ["TADDS", "TMULS", "TLRELU"],
    "tti": ["TADDS", "TDIVS", "TSHLS"],
    "td": ["TFILL", "TEXPANDS"],
    "ti": ["TFILL"],
    "t": ["TPOISON"],
}  # fmt: skip
SPECIAL = {
    "TCVT": "TCVT(tile[0], tile[1], CastMode(int_arg(scalars, 0)));",
    "TFILLPAD": "TFILLPAD(tile[0], tile[1], Pad(int_arg(scalars, 0)));",
    "TASSEMBLE": "TASSEMBLE(tile[0], tile[1], int_arg(scalars, 0), int_arg(scalars, 1));",
    "transposed": "TMOV(tile[0], transposed(tile[1]));",
    "subtile": "TMOV(tile[0], subtile(tile[1], int_arg(scalars, 0), int_arg(scalars, 1), 4, 8, 4, 8));",
    "reshaped": "TMOV(tile[0], reshaped(tile[1], int_arg(scalars, 0), int_arg(scalars, 1), 4, 4));",
    "with_valid": "TMOV(tile[0], with_valid(tile[1], int_arg(scalars, 0), int_arg(scalars, 1)));",
    "write": "write_element(tile[0], int_arg(scalars, 0), int_arg(scalars, 1), int64_t(7));",
    "write_float": "write_element(tile[0], int_arg(scalars, 0), int_arg(scalars, 1), 0.1);",
    "read": "TFILL(tile[0], read_float(tile[1], int_arg(scalars, 0), int_arg(scalars, 1)));",
    "floor_div": "TFILL(tile[0], floor_div(int_arg(scalars, 0), int_arg(scalars, 1)));",
    "floor_mod": "TFILL(tile[0], floor_mod(int_arg(scalars, 0), int_arg(scalars, 1)));",
    "nothing": "",
}
PRELUDE = """
#include "pto/sim.hpp"
using namespace pto;

static Tile whole(Tile tile) { return with_valid(tile, tile.rows, tile.cols); }

// Slots: four tensors, bytes in use per space, the number of tiles, nine figures per tile, scalars.
static void run(const char* name, int64_t* args, void (*call)(const Tile*, const int64_t*)) {
    const int64_t* at = args + 4;
    kernel_begin(name, at[0], at[1], at[2], at[3], at[4], at[5]);
    int64_t count = at[6];
    Tile tile[4];
    at += 7;
    for (int64_t i = 0; i < count; ++i, at += 9) {
        Tile figures{Space(at[0]), DType(at[1]), at[2], int32_t(at[3]), int32_t(at[4]), at[5], at[6]};
        figures.row_stride = int32_t(at[7]);
        figures.col_stride = int32_t(at[8]);
        tile[i] = figures;
        TLOAD(whole(tile[i]), tensor_arg(args, int(i)), {});
    }
    call(tile, at);
    TSTORE(tensor_arg(args, 0), {}, whole(tile[0]));
}
"""
EPILOGUE = """
extern "C" int64_t aicpu_orchestration_config() { return -1; }
extern "C" void aicpu_orchestration_entry(Runtime& runtime, const int64_t* args) {
    TaskArgs task;
    for (int i = 2; i < 6; ++i) add_inout(task, tensor_arg(args, i));
    for (int64_t i = 0; i < args[1]; ++i) add_scalar(task, args[6 + i]);
    submit(runtime, int32_t(args[0]), AIV, task);
}
"""


def source() -> tuple[str, list[str]]:
    """The C++ of all kernels, and their names by func id."""
    calls = {}
    for letters, names in FUNCTIONS.items():
        arguments = [f"tile[{place}]" for place in range(letters.count("t"))]
        arguments += ["double(float_arg(scalars, 0))"] * letters.count("d") + ["int_arg(scalars, 0)"] * letters.count(
            "i"
        )
        for name in names:
            calls[f"{name}_{letters}"] = f"{name}({', '.join(arguments)});"
    calls.update(SPECIAL)
    lines = [PRELUDE]
    for name, call in calls.items():
        lines.append(
            f"static void call_{name}(const Tile* tile, const int64_t* scalars) {{ (void)tile; (void)scalars; {call} }}"
        )
        lines.append(f'static void kernel_{name}(int64_t* args) {{ run("{name}", args, call_{name}); }}')
    lines.append(f'extern "C" {{ KernelEntry pto_kernels[] = {{{", ".join(f"kernel_{name}" for name in calls)}}};')
    lines.append(f"int pto_kernel_count = {len(calls)}; }}")
    return "\n".join([*lines, EPILOGUE]), list(calls)


@dataclass(frozen=True)
class T:
    """A tile, cells around the valid ones included. It is packed; ``pitch`` leaves gaps between rows."""

    rows: int
    cols: int
    dtype: DataType = FP32
    valid: tuple[int, int] | None = None
    space: int = VEC
    pitch: int | None = None
    upright: bool = False  # column by column
    address: int | None = None

    @property
    def strides(self) -> tuple[int, int]:
        if self.upright:
            return 1, self.pitch or self.rows
        return self.pitch or self.cols, 1

    @property
    def size(self) -> int:
        rows, cols = self.strides
        return ((self.rows - 1) * rows + (self.cols - 1) * cols + 1) * self.dtype.size

    def with_valid(self, rows: int, cols: int) -> T:
        return dataclasses.replace(self, valid=(rows, cols))


class Simulator:
    """Runs kernels by name."""

    def __init__(self, library: KernelLibrary, names: list[str]) -> None:
        self._library = library
        self._ids = {name: index for index, name in enumerate(names)}
        self._labels = [Name(label) for label in ("result", "first", "second", "third")]

    def __call__(
        self,
        name: str,
        tiles: Sequence[T],
        operands: Sequence[torch.Tensor],
        *scalars: float,
        before: torch.Tensor | None = None,
        in_place: bool = False,
        used: int | None = None,
    ) -> torch.Tensor:
        """The result tile after the function ran: all its cells. ``in_place`` puts it where the first operand is."""
        result = (
            torch.zeros(tiles[0].rows, tiles[0].cols, dtype=dtype_of(tiles[0])) if before is None else before.clone()
        )
        ends = [0] * 6
        figures: list[int] = []
        for place, tile in enumerate([*tiles[1:], tiles[0]]):  # the result last: another place than its operands
            space = tile.space - 1
            address = -(-ends[space] // 64) * 64 if tile.address is None else tile.address
            if in_place and place == len(tiles) - 1:
                address = figures[2]
            valid = tile.valid or (tile.rows, tile.cols)
            figures += [tile.space, tile.dtype.code, address, tile.rows, tile.cols, *valid, *tile.strides]
            ends[space] = max(ends[space], address + tile.size)
        figures = figures[-9:] + figures[:-9]
        if used is not None:
            ends[0] = used
        values = [*ends, len(tiles), *figures, *(bits(value) for value in scalars)]
        tensors = [result, *operands]
        descriptors = [
            descriptor(t.data_ptr(), code_of(t), tuple(t.shape), t.stride(), label)
            for t, label in zip([*tensors, *[result] * (4 - len(tensors))], self._labels, strict=True)
        ]
        self._library.run([self._ids[name], len(values), *descriptors, *values], CAPACITY)
        return result


def bits(value: float) -> int:
    """A scalar as its slot."""
    return (
        int(torch.tensor(value, dtype=torch.float32).view(torch.int32)) & 0xFFFFFFFF
        if isinstance(value, float)
        else value
    )


def dtype_of(tile: T) -> torch.dtype:
    return getattr(torch, tile.dtype.torch or tile.dtype.name.lower())  # type: ignore[no-any-return]


def code_of(tensor: torch.Tensor) -> int:
    name = str(tensor.dtype).removeprefix("torch.")
    found = {
        **{d.torch: d for d in BY_NAME.values() if d.torch},
        **{n.lower(): d for n, d in BY_NAME.items() if n[0] == "U"},
    }
    return found[name].code


@pytest.fixture(scope="session")
def sim(tmp_path_factory: pytest.TempPathFactory) -> Simulator:
    folder = tmp_path_factory.mktemp("kernels")
    text, names = source()
    (folder / "build.cpp").write_text(text)
    return Simulator(KernelLibrary(build_kernels(folder)), names)


def poisoned(tensor: torch.Tensor) -> bool:
    """Whether every cell holds the pattern of untouched memory; of a one-byte cell, either half."""
    tensor = tensor.contiguous()
    if tensor.element_size() == 1:
        raw = tensor.view(torch.uint8)
        return bool(((raw == POISON & 0xFF) | (raw == POISON >> 8)).all())
    return bool((tensor.view(torch.int16) == POISON).all())


# Test modules do not import each other or this file: what they share comes as fixtures.
@pytest.fixture(scope="session", name="tile")
def tile_class() -> type[T]:
    return T


@pytest.fixture(scope="session", name="poisoned")
def poisoned_check() -> Any:
    return poisoned
