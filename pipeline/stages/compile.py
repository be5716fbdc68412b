"""Compile: from a program to C++ and a built library in the variant's own folder."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pipeline.tensor_files import clear

SOURCES = (".cpp", ".hpp")


@dataclass(frozen=True)
class Built:
    """What a compiler says of what it built: digest of the emitted sources, the library, seconds of each phase."""

    source_digest: str
    library: Path
    phases: dict[str, float]


class Compiler(Protocol):
    """What turns programs into artifacts."""

    def __call__(self, program: Any, folder: Path, platform: str, planner: str) -> Built:
        """Build into the folder."""


@dataclass(frozen=True)
class Compiled:
    """An artifact, and digests of what it is made of."""

    artifact: Path
    source_digest: str
    library_digest: str
    source_files: dict[str, str]
    phases: dict[str, float]
    seconds: float


def compile_program(program: Any, artifact: Path, platform: str, planner: str, compiler: Compiler) -> Compiled:
    """Build a program into a fresh folder."""
    started = time.perf_counter()
    clear(artifact)
    artifact.mkdir(parents=True)
    built = compiler(program, artifact, platform, planner)
    return Compiled(
        artifact=artifact,
        source_digest=built.source_digest,
        library_digest=hashlib.sha256(built.library.read_bytes()).hexdigest(),
        source_files=source_digests(artifact),
        phases=built.phases,
        seconds=time.perf_counter() - started,
    )


def source_digests(folder: Path) -> dict[str, str]:
    """The digest of each C++ file in a folder, by its path there."""
    paths = sorted(path for path in folder.rglob("*") if path.suffix in SOURCES and path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}
