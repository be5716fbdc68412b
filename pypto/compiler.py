"""From a program to something that runs: passes, code generation, the C++ build."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pypto.codegen import GeneratedProgram, generate
from pypto.ir.nodes import Program
from pypto.ir.print import as_python
from pypto.passes import PassContext, run_passes
from pypto.platforms import MemoryPlanner, platform

if TYPE_CHECKING:
    from pypto.runtime.compiled import CompiledProgram


@dataclass
class Phases:
    """Seconds spent in each phase of one compile, by name."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Add the time of the block to ``name``."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start


def lower(
    program: Program,
    *,
    platform_id: str = "a2a3sim",
    memory_planner: MemoryPlanner | None = None,
    dump: Path | None = None,
    warn: Callable[[str], None] | None = None,
) -> Program:
    """``program`` after all passes; with ``dump``, one file per pass is written to that folder."""
    options = {} if warn is None else {"warn": warn}
    context = PassContext(platform(platform_id), memory_planner or MemoryPlanner.PYPTO, **options)
    if dump is None:
        return run_passes(program, context)
    dump.mkdir(parents=True, exist_ok=True)

    def write(number: int, name: str, after: Program) -> None:
        file = dump / (f"{number:02d}_{name}.py" if number == 0 else f"{number:02d}_after_{name}.py")
        file.write_text(as_python(after), encoding="utf-8")

    return run_passes(program, context, write)


def compile(  # the name that users of ir.compile know
    program: Program,
    output_dir: str | os.PathLike[str] | None = None,
    *,
    platform: str = "a2a3sim",
    memory_planner: MemoryPlanner | None = None,
    dump_passes: bool = True,
    codegen_only: bool = False,
) -> CompiledProgram:
    """Compile ``program`` for ``platform`` into ``output_dir`` and give what runs it.

    Without ``output_dir`` a fresh folder under PYPTO_PROG_BUILD_DIR, or else ``build_output``, is used.
    ``codegen_only`` stops before the C++ compiler. Raises ValueError for an unknown platform, LoweringError
    (CapacityError among them) where the backend cannot hold or express the program, ToolchainError where the C++
    compiler is missing or fails.
    """
    from pypto.runtime.compiled import CompiledProgram
    from pypto.runtime.toolchain import build_kernels

    phases = Phases()
    folder = Path(output_dir) if output_dir is not None else _fresh_folder(program.name)
    with phases.timed("passes"):
        dump = folder / "passes_dump" if dump_passes else None
        lowered = lower(program, platform_id=platform, memory_planner=memory_planner, dump=dump)
    with phases.timed("codegen"):
        generated = generate(lowered)
        write_files(folder, generated)
    if not codegen_only:
        with phases.timed("g++"):
            build_kernels(folder)
    return CompiledProgram.create(
        folder,
        generated.orchestration,
        platform=platform,
        memory_planner=memory_planner or MemoryPlanner.PYPTO,
        program=program,
        lowered=lowered,
        phases=phases.seconds,
    )


def source_digest(folder: str | os.PathLike[str]) -> str:
    """A digest of the C++ code of a program: equal digests mean equal code, emitted or written by hand.

    It follows content alone, so that moving the folder, or a hand-written kernel, changes nothing.
    """
    from pypto.runtime.toolchain import BUILD_FILE, digest, included_files

    root = Path(folder)
    files = {
        path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name: path
        for path in included_files(root / BUILD_FILE, (root,)).values()
        if path.name != BUILD_FILE
    }
    return digest(part for name in sorted(files) for part in (name, files[name]))


def write_files(folder: Path, generated: GeneratedProgram) -> None:
    """Write the emitted files; those that an earlier compile left and this one does not emit are removed."""
    for old in (*folder.glob("kernels/*/*.cpp"), *folder.glob("orchestration/*.cpp")):
        if old.relative_to(folder).as_posix() not in generated.files:
            old.unlink()
    for name, text in generated.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _fresh_folder(name: str) -> Path:
    """A new folder named after the program and the time, distinct from any there is."""
    base = Path(os.environ.get("PYPTO_PROG_BUILD_DIR", "build_output"))
    stamp = time.strftime("%Y%m%d_%H%M%S")
    for count in range(10_000):
        folder = base / (f"{name}_{stamp}" if not count else f"{name}_{stamp}_{count}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        return folder
    raise FileExistsError(f"no free folder name for {name} under {base}")
