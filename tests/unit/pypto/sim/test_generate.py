"""The C++ that is generated from the op table is checked in, fresh and complete."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from pypto.ops import TABLE, Kind
from pypto.runtime.library import KernelLibrary
from pypto.runtime.toolchain import build_kernels
from pypto.sim import generate


@pytest.mark.parametrize("path", generate.files(), ids=lambda path: path.name)
def test_generated_files_are_fresh(path: Path) -> None:
    assert path.read_text() == generate.files()[path], f"{path} is stale; run: {generate.COMMAND}"


def test_every_declared_function_is_in_the_library(tmp_path: Path) -> None:
    header = (generate.INCLUDE / "sim.hpp").read_text() + generate.declarations()
    pointers = []
    for result, name, arguments in re.findall(r"^(\w+) (\w+)\(([^;{]*?)\);", header, re.MULTILINE | re.DOTALL):
        types = ", ".join(re.sub(r"\s+\w+(\s*=.*)?$", "", part.strip()) for part in arguments.split(","))
        pointers.append(f"(void*)({result} (*)({types})){name}")
    assert len(pointers) > 100
    (tmp_path / "build.cpp").write_text(
        '#include "pto/sim.hpp"\nusing namespace pto;\nextern "C" {\n'
        f"void* every[] = {{{', '.join(pointers)}}};\n"
        "KernelEntry pto_kernels[] = {nullptr};\nint pto_kernel_count = 0;\n"
        "void aicpu_orchestration_entry(Runtime&, const int64_t*) {}\n}\n"
    )
    KernelLibrary(build_kernels(tmp_path))  # every symbol is resolved when the library is loaded


def test_a_row_whose_call_cannot_be_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = dataclasses.replace(TABLE["add"], emit="TADD {dst}")
    monkeypatch.setitem(TABLE, "add", broken)
    with pytest.raises(ValueError, match=r"op add: a row with a loop body emits one call"):
        generate.functions()


def test_scalar_forms_follow_from_the_kinds_of_parameters() -> None:
    by_name = {function.name: function for function in generate.functions()}
    add = [(name, list(types.values())) for name, types in by_name["TADD"].overloads()]
    tile = "const Tile&"
    assert add == [("TADD", [tile, tile]), ("TADDS", [tile, "double"]), ("TADDS", [tile, "int64_t"])]
    slope = [(name, list(types.values())) for name, types in by_name["TLRELU"].overloads()]
    assert slope == [("TLRELU", [tile, "double"]), ("TLRELU", [tile, "int64_t"])]
    assert all(param.kind is not Kind.TUPLE for function in by_name.values() for param in function.op.operands)
