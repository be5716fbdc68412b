"""Compile: from a program to C++ and a built library in the variant's own folder."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pipeline.tensor_files import clear

SOURCES = (".cpp", ".hpp")
LIBRARIES = (".so",)


class Compiler(Protocol):
    """What turns programs into artifacts."""

    def __call__(self, program: Any, folder: Path, platform: str, planner: str) -> dict[str, float]:
        """Build into the folder; gives the seconds of each phase."""


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
    phases = compiler(program, artifact, platform, planner)
    sources = file_digests(artifact, SOURCES)
    return Compiled(
        artifact=artifact,
        source_digest=_digest_of(sources),
        library_digest=_digest_of(file_digests(artifact, LIBRARIES)),
        source_files=sources,
        phases=phases,
        seconds=time.perf_counter() - started,
    )


def file_digests(folder: Path, suffixes: tuple[str, ...]) -> dict[str, str]:
    """The digest of each file with one of the suffixes, by its path in the folder."""
    paths = sorted(path for path in folder.rglob("*") if path.suffix in suffixes and path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def _digest_of(files: dict[str, str]) -> str:
    """One digest for a set of files, names included; empty when there are none."""
    if not files:
        return ""
    return hashlib.sha256("\n".join(f"{name} {digest}" for name, digest in files.items()).encode()).hexdigest()
