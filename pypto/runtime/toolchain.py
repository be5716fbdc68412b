"""The C++ compiler, and the libraries that it builds: the simulator once per machine, and one per compiled program."""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pypto.errors import CompilerMissing, ToolchainError
from pypto.runtime.cache import cache_dir, is_sound, lock, publish, workspace

SIM = Path(__file__).parent.parent / "sim"
INCLUDE = SIM / "include"

# Floats mean what IEEE says: no contraction, no reassociation. What is switched off, errno and traps, changes no value
# but keeps loops from being vectorised. Integers wrap.
SIMULATOR_FLAGS = (
    "-std=c++17", "-O3", "-march=native", "-ffp-contract=off", "-fwrapv", "-fno-math-errno", "-fno-trapping-math",
    "-fPIC", "-fvisibility=hidden", "-fvisibility-inlines-hidden",
)  # fmt: skip
# A kernel needs neither start files nor libraries: it resolves against the loaded simulator. That spares the linker a
# third of the whole build.
KERNEL_FLAGS = ("-std=c++17", "-O1", "-fPIC", "-fno-exceptions", "-fno-rtti", "-shared", "-nostdlib")
BUILD_FILE = "build.cpp"  # includes every emitted source, so that one compiler run does
LIBRARY_FILE = "library.txt"  # digest of the sources, and the library that was built from them


def find_compiler() -> list[str]:
    """The command of the C++ compiler: PYPTO_CXX or CXX when set, else g++ or c++ on PATH."""
    looked: list[str] = []
    for variable in ("PYPTO_CXX", "CXX"):
        words = shlex.split(os.environ.get(variable, ""))
        if not words:
            continue
        program = shutil.which(words[0])
        if program:
            return [program, *words[1:]]
        looked.append(f"{words[0]} (from {variable})")
        if variable == "PYPTO_CXX":  # asked for by name: another compiler would be a surprise
            break
    else:
        for name in ("g++", "c++"):
            program = shutil.which(name)
            if program:
                return [program]
            looked.append(name)
    raise CompilerMissing(
        f"no C++ compiler: looked for {', '.join(looked)} on PATH {os.environ.get('PATH', '')!r}",
        hint="install g++ (Debian and Ubuntu: apt-get install g++), or name a compiler in PYPTO_CXX",
    )


def cxx_identity() -> str:
    """Which compiler builds: its version line and its target."""
    return _identity(tuple(find_compiler()))


@functools.cache
def _identity(command: tuple[str, ...]) -> str:
    shown = _run([*command, "-v"], "ask the C++ compiler for its version").stderr.splitlines()
    facts = [line for line in shown if line.startswith("Target:") or " version " in line]
    return "; ".join((*command, *facts))


def cpu_identity() -> str:
    """What the simulator library is built for: architecture, processor, and its instruction sets."""
    facts = [platform.machine()]
    try:
        lines = Path("/proc/cpuinfo").read_text().split("\n\n", 1)[0].splitlines()
    except OSError:
        lines = [platform.processor()]
    facts += sorted(
        line for line in lines if line.split("\t")[0].split(":")[0].strip() in ("model name", "flags", "Features")
    )
    return "\n".join(facts or lines)


def digest(parts: Iterable[str | bytes | Path]) -> str:
    """A digest of texts and file contents, which moving the files does not change."""
    found = hashlib.sha256()
    for part in parts:
        content = part.read_bytes() if isinstance(part, Path) else part.encode() if isinstance(part, str) else part
        found.update(len(content).to_bytes(8, "little"))
        found.update(content)
    return found.hexdigest()


def header_files() -> list[Path]:
    """The headers that emitted sources include."""
    return sorted(INCLUDE.rglob("*.hpp"))


def simulator_digest() -> str:
    """What the simulator library follows from: its sources and headers, the compiler, the flags and the processor."""
    sources = [*sorted((SIM / "src").iterdir()), *header_files()]
    names = [path.name for path in sources]
    return digest([*names, *sources, cxx_identity(), *SIMULATOR_FLAGS, cpu_identity()])


def simulator_library() -> Path:
    """The simulator library of this machine, built first when it is not there yet."""
    path = cache_dir() / f"simulator-{simulator_digest()[:32]}.so"
    if not is_sound(path):
        with lock(path):
            if not is_sound(path):  # another process may have built it while this one waited
                _build_simulator(path)
    return path


def _build_simulator(path: Path) -> None:
    print("building the simulator library (once per machine) ...", file=sys.stderr, end="", flush=True)
    begun = time.monotonic()
    with workspace(path) as folder:
        built = build_library(sorted((SIM / "src").glob("*.cpp")), folder, SIMULATOR_FLAGS)
        publish(built, path)
    print(f" {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)


def build_library(sources: Sequence[Path], folder: Path, flags: Sequence[str]) -> Path:
    """A shared library from C++ files, each compiled by itself and as many at once as there are processors."""
    compiler = find_compiler()

    def compile_one(source: Path) -> str:
        built = folder / f"{source.stem}.o"
        _run([*compiler, *flags, f"-I{INCLUDE}", "-c", str(source), "-o", str(built)], f"compile {source}")
        return str(built)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compile_one, sources))
    library = folder / "library.so"
    _run([*compiler, "-shared", "-Wl,--no-undefined", *objects, "-o", str(library)], "link the simulator library")
    return library


def build_kernels(output_dir: Path) -> Path:
    """The library of a compiled program's kernels and orchestration, from ``build.cpp`` in its output directory.

    It is kept by the content of the emitted sources, the headers and the compiler: equal sources build once.
    """
    build_file = output_dir / BUILD_FILE
    if not build_file.is_file():
        raise ToolchainError(
            f"{output_dir} holds no {BUILD_FILE}: its C++ sources were not generated, or were moved",
            hint="compile the program again",
        )
    sources = sources_digest(output_dir)
    path = cache_dir() / "kernels" / f"{digest([sources, cxx_identity()])[:32]}.so"
    if not is_sound(path):
        with workspace(path) as folder:
            built = folder / path.name
            includes = (f"-I{INCLUDE}", f"-I{output_dir}")
            _run(
                [*find_compiler(), *KERNEL_FLAGS, *includes, str(build_file), "-o", str(built)], f"compile {build_file}"
            )
            publish(built, path)
    (output_dir / LIBRARY_FILE).write_text(f"{sources} {path}\n", encoding="utf-8")
    return path


def kernel_library(output_dir: Path) -> Path:
    """The library built for a program's folder as its sources are now; built where it is missing, stale or damaged.

    A library that is there needs no compiler: a program runs where the compiler has gone since.
    """
    try:
        sources, _, name = (output_dir / LIBRARY_FILE).read_text(encoding="utf-8").strip().partition(" ")
    except OSError:
        return build_kernels(output_dir)
    path = Path(name)
    return path if sources == sources_digest(output_dir) and is_sound(path) else build_kernels(output_dir)


def sources_digest(output_dir: Path) -> str:
    """What a program's library follows from, but for the compiler: emitted sources and what they include, and flags."""
    sources = included_files(output_dir / BUILD_FILE, (output_dir, INCLUDE))
    return digest([*sources, *sources.values(), *KERNEL_FLAGS])


def included_files(start: Path, folders: Sequence[Path]) -> dict[str, Path]:
    """The files that a C++ file consists of: itself and what it includes in quotes, at any depth, by their spelling.

    Kernels written by hand are included by absolute path and have headers of their own, so a folder does not tell.
    """
    found: dict[str, Path] = {start.name: start}
    pending = [start]
    while pending:
        file = pending.pop()
        for name in _INCLUDE_LINE.findall(file.read_text(encoding="utf-8", errors="replace")):
            path = next((path for folder in (file.parent, *folders) if (path := folder / name).is_file()), None)
            if path is not None and path not in found.values():
                found[f"{file.name}: {name}"] = path
                pending.append(path)
    return dict(sorted(found.items()))


_INCLUDE_LINE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


def _run(command: Sequence[str], what: str) -> subprocess.CompletedProcess[str]:
    try:
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, errors="replace")
    except OSError as error:
        raise CompilerMissing(
            f"cannot {what}: {command[0]}: {error.strerror}", hint="check PYPTO_CXX and CXX"
        ) from error
    if done.returncode != 0:
        shown = done.stderr.strip() or f"exit status {done.returncode} without a message"
        raise ToolchainError(f"cannot {what}:\n{shown}\ncommand: {shlex.join(command)}")
    return done
