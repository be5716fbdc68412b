"""Finding the compiler, building, and the cache of what was built."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pypto.errors import ToolchainError
from pypto.runtime import cache, toolchain

SMALL = 'extern "C" int answer() { return %d; }\n'


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYPTO_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def make(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "build.cpp").write_text(text)
    return folder


def test_no_compiler_says_what_was_looked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.delenv("PYPTO_CXX", raising=False)
    with pytest.raises(ToolchainError, match=r"no C\+\+ compiler: looked for g\+\+, c\+\+ on PATH") as caught:
        toolchain.find_compiler()
    assert "install g++" in str(caught.value) and "PYPTO_CXX" in str(caught.value)
    with pytest.raises(ToolchainError, match="no C"):
        toolchain.build_kernels(make(tmp_path / "program", SMALL % 1))


def test_a_compiler_by_name_is_used_or_missed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real = toolchain.find_compiler()[0]
    wrapper = tmp_path / "my-c++"
    wrapper.write_text(f'#!/bin/sh\nexec {real} "$@"\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("CXX", f"{wrapper} -DX=1")
    assert toolchain.find_compiler() == [str(wrapper), "-DX=1"]
    assert toolchain.cxx_identity().startswith(f"{wrapper}; -DX=1; Target:")
    monkeypatch.setenv("PYPTO_CXX", real)
    assert toolchain.find_compiler() == [real]
    monkeypatch.setenv("PYPTO_CXX", "no-such-compiler")
    with pytest.raises(ToolchainError, match=r"looked for no-such-compiler \(from PYPTO_CXX\) on PATH"):
        toolchain.find_compiler()
    monkeypatch.delenv("PYPTO_CXX")
    monkeypatch.setenv("CXX", "no-such-compiler")
    assert Path(toolchain.find_compiler()[0]).name in ("g++", "c++")


def test_the_identity_names_version_and_target() -> None:
    identity = toolchain.cxx_identity()
    assert " version " in identity and "Target:" in identity


def test_equal_sources_build_once(own_cache: Path, tmp_path: Path) -> None:
    first = toolchain.build_kernels(make(tmp_path / "one", SMALL % 1))
    built = first.stat().st_mtime_ns
    assert toolchain.build_kernels(make(tmp_path / "two", SMALL % 1)) == first
    assert first.stat().st_mtime_ns == built
    assert toolchain.build_kernels(make(tmp_path / "two", SMALL % 2)) != first
    assert first.parent == own_cache / "kernels" and len(list(first.parent.iterdir())) == 2


def test_included_files_count_wherever_they_are(own_cache: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    make(outside, "")
    (outside / "kernel.cpp").write_text('#include "deep/value.h"\nextern "C" int answer() { return VALUE; }\n')
    (outside / "deep").mkdir()
    (outside / "deep" / "value.h").write_text("#define VALUE 1\n")
    program = make(tmp_path / "program", f'#include "pto/sim.hpp"\n  #  include "{outside}/kernel.cpp"\n')
    first = toolchain.build_kernels(program)
    stamp = (outside / "deep" / "value.h").stat()
    (outside / "deep" / "value.h").write_text("#define VALUE 2\n")
    os.utime(outside / "deep" / "value.h", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert toolchain.build_kernels(program) != first
    (tmp_path / "program" / "unrelated.cpp").write_text("no C++ at all")
    assert toolchain.build_kernels(program) != first


@pytest.mark.parametrize("damage", [b"", b"not a library", None])
def test_a_damaged_entry_is_built_again(own_cache: Path, tmp_path: Path, damage: bytes | None) -> None:
    program = make(tmp_path / "program", SMALL % 3)
    path = toolchain.build_kernels(program)
    whole = path.read_bytes()
    path.write_bytes(whole[:-40] + b"\0" + whole[-39:] if damage is None else damage)
    assert not cache.is_sound(path)
    assert toolchain.kernel_library(program) == path and cache.is_sound(path)


def test_a_built_program_needs_no_compiler(own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = make(tmp_path / "program", SMALL % 4)
    path = toolchain.build_kernels(program)
    monkeypatch.setenv("PYPTO_CXX", "no-such-compiler")
    assert toolchain.kernel_library(program) == path
    make(program, SMALL % 5)
    with pytest.raises(ToolchainError, match="no-such-compiler"):
        toolchain.kernel_library(program)


def test_a_compile_error_shows_the_compilers_message_and_the_file(own_cache: Path, tmp_path: Path) -> None:
    program = make(tmp_path / "program", "int f() { return undeclared; }\n")
    with pytest.raises(
        ToolchainError, match=r"cannot compile .*build\.cpp:\n(?s:.*)undeclared(?s:.*)command: "
    ) as caught:
        toolchain.build_kernels(program)
    assert f"{program}/build.cpp:1" in str(caught.value)
    assert not list((own_cache / "kernels").glob("*.so")) and not list((own_cache / "kernels").glob(".building-*"))


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PYPTO_CACHE_DIR", str(tmp_path / "file"))
    with pytest.raises(ToolchainError, match=r"cannot write to the folder .*file/kernels: (?s:.*)PYPTO_CACHE_DIR"):
        toolchain.build_kernels(make(tmp_path / "program", SMALL % 1))
    with pytest.raises(ToolchainError, match="cannot write to the folder"):
        toolchain.simulator_library()


def test_a_folder_without_sources_says_so(tmp_path: Path) -> None:
    for build in (toolchain.build_kernels, toolchain.kernel_library):
        with pytest.raises(ToolchainError, match=r"holds no build\.cpp.*were not generated, or were moved"):
            build(tmp_path)


def test_the_digest_of_the_simulator_covers_sources_and_compiler(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sim = tmp_path / "sim"
    for folder in ("src", "include"):
        (sim / folder).mkdir(parents=True)
    (sim / "src" / "one.cpp").write_text("int one;")
    (sim / "include" / "one.hpp").write_text("// one")
    monkeypatch.setattr(toolchain, "SIM", sim)
    monkeypatch.setattr(toolchain, "INCLUDE", sim / "include")
    seen = {toolchain.simulator_digest()}
    assert toolchain.simulator_digest() in seen
    (sim / "src" / "one.cpp").write_text("int two;")
    seen.add(toolchain.simulator_digest())
    (sim / "src" / "one.cpp").rename(sim / "src" / "two.cpp")
    seen.add(toolchain.simulator_digest())
    (sim / "include" / "one.hpp").write_text("// two")
    seen.add(toolchain.simulator_digest())
    monkeypatch.setattr(toolchain, "cpu_identity", lambda: "another processor")
    seen.add(toolchain.simulator_digest())
    monkeypatch.setattr(toolchain, "cxx_identity", lambda: "another compiler")
    seen.add(toolchain.simulator_digest())
    assert len(seen) == 6


def test_parts_of_a_digest_do_not_run_into_each_other() -> None:
    assert toolchain.digest(["ab", "c"]) != toolchain.digest(["a", "bc"])


CHILD = """
import sys
from pathlib import Path
from pypto.runtime import toolchain
toolchain.SIM, toolchain.INCLUDE = Path(sys.argv[1]), Path(sys.argv[1]) / "include"
print(toolchain.simulator_library())
"""


def test_processes_that_start_together_build_the_simulator_once(own_cache: Path, tmp_path: Path) -> None:
    sim = tmp_path / "sim"
    (sim / "include").mkdir(parents=True)
    (sim / "src").mkdir()
    for name in ("one", "two"):
        (sim / "src" / f"{name}.cpp").write_text(f'extern "C" int {name}() {{ return 1; }}\n')
    command = [sys.executable, "-c", CHILD, str(sim)]
    children: list[Any] = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)
    ]
    outcomes = [child.communicate(timeout=120) for child in children]
    assert [child.returncode for child in children] == [0, 0, 0], outcomes
    assert len({out for out, _ in outcomes}) == 1
    assert sorted("building the simulator library (once per machine)" in err for _, err in outcomes) == [
        False,
        False,
        True,
    ]
    (library,) = own_cache.glob("simulator-*.so")
    library.write_bytes(b"cut short")
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "building the simulator library" in again.stderr and cache.is_sound(library)


def test_building_kernels_is_thin(own_cache: Path, tmp_path: Path) -> None:
    """The header that kernels include is most of what the compiler reads; it must stay small."""
    program = make(tmp_path / "program", '#include "pto/sim.hpp"\n')
    command = [*toolchain.find_compiler(), "-E", f"-I{toolchain.INCLUDE}", str(program / "build.cpp")]
    read = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert len([line for line in read.splitlines() if line.strip() and not line.startswith("#")]) < 1000
    begun = time.perf_counter()
    toolchain.build_kernels(program)
    assert time.perf_counter() - begun < 5  # usually 0.04 s; heavy headers would take seconds on a busy machine
