"""The structures that Python fills are those of C++; libraries that cannot be loaded say so."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import pytest

from pypto.errors import ToolchainError
from pypto.platforms import platform
from pypto.runtime import library
from pypto.runtime.toolchain import build_kernels


@pytest.mark.parametrize("name", library.STRUCTURES)
def test_structures_have_the_layout_of_c(name: str) -> None:
    structure = library.STRUCTURES[name]
    told = library.simulator().pto_layout(name.encode())
    expected = [ctypes.sizeof(structure), *(getattr(structure, field[0]).offset for field in structure._fields_), -1]
    assert told[: len(expected)] == expected


def test_a_descriptor_packs_as_the_structure() -> None:
    name = library.Name("tensor")
    packed = library.descriptor(0x1234, 0x34, (2, 3, 4), (12, 4, 1), name)
    read = library.TensorDescriptor.from_buffer_copy(packed)
    assert (read.data, read.dtype, read.rank, read.name) == (0x1234, 0x34, 3, b"tensor")
    assert list(read.shape) == [2, 3, 4, 0, 0] and list(read.stride) == [12, 4, 1, 0, 0]


def test_capacities_are_those_of_the_platform() -> None:
    assert library.capacities(platform("a2a3sim")) == (0, 188416, 524288, 65536, 65536, 131072, 1024)
    assert library.capacities(platform("a5sim")) == (0, 245760, 524288, 65536, 65536, 262144, 4096)


def test_the_simulator_is_loaded_once() -> None:
    assert library.simulator() is library.simulator()


def test_a_kernel_that_calls_what_does_not_exist(tmp_path: Path) -> None:
    (tmp_path / "build.cpp").write_text('extern "C" void missing(); extern "C" void pto_kernels() { missing(); }\n')
    with pytest.raises(ToolchainError, match=r"cannot load .*missing"):
        library.KernelLibrary(build_kernels(tmp_path))


def test_a_library_that_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "build.cpp").write_text("int nothing;\n")
    with pytest.raises(ToolchainError, match=r"is no compiled program.*pto_kernels"):
        library.KernelLibrary(build_kernels(tmp_path))


def test_poison_fills_any_length() -> None:
    buffer: Any = ctypes.create_string_buffer(b"\0" * 9, 9)
    library.poison(ctypes.addressof(buffer), 7)
    assert buffer.raw[7:] == b"\0\0" and set(buffer.raw[:7]) == {0x7F, 0xC1}
