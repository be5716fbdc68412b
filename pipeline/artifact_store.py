"""A content-addressed store of artifacts: what it gives back is what was put in, or nothing.

Files lie under the digest of their content and are written whole or not at all; a folder is a manifest of its files.
Whatever is read is hashed again: a damaged file is taken out, reported, and counts as missing. Several processes, also
on several machines with one file system, may use a store at once.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.errors import DamagedArtifact

_CHUNK = 1 << 20
_FRESH = 3600.0  # seconds for which gc leaves alone what nothing points to yet: its event may still be on its way


@dataclass(frozen=True)
class Swept:
    """What a collection removed and what it kept."""

    removed: int
    freed: int
    kept: int
    kept_bytes: int


@dataclass
class ArtifactStore:
    """A folder of files and folders by digest."""

    root: Path
    damaged: list[DamagedArtifact] = field(default_factory=list)

    # Files

    def put_file(self, path: Path) -> str:
        """Keep a file; gives the digest of its content."""
        digest = _digest(path)
        target = self._path(digest)
        if not target.exists():
            with _written(target) as temporary:
                shutil.copyfile(path, temporary)
        return digest

    def put_bytes(self, content: bytes) -> str:
        """Keep some bytes; gives their digest."""
        digest = hashlib.sha256(content).hexdigest()
        target = self._path(digest)
        if not target.exists():
            with _written(target) as temporary:
                temporary.write_bytes(content)
        return digest

    def get_file(self, digest: str, target: Path) -> bool:
        """Bring a file to its place; False when the store has it not, or not any more as it was."""
        source = self._path(digest)
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            shutil.copyfile(source, target)
        except OSError:
            return False
        if _digest(target) == digest:
            os.utime(source)  # gc goes by the last use
            return True
        target.unlink()
        self._remove(source, digest)
        return False

    def get_bytes(self, digest: str) -> bytes | None:
        """The bytes with a digest; None when the store has them not, or not any more as they were."""
        source = self._path(digest)
        try:
            content = source.read_bytes()
        except OSError:
            return None
        if hashlib.sha256(content).hexdigest() == digest:
            os.utime(source)
            return content
        self._remove(source, digest)
        return None

    def has(self, digest: str) -> bool:
        """Whether a file with this digest is there; its content is looked at when it is read."""
        return self._path(digest).exists()

    # Folders

    def put_folder(self, folder: Path) -> str:
        """Keep all files of a folder; gives the digest of the manifest, which names each with its own digest."""
        files = {
            path.relative_to(folder).as_posix(): self.put_file(path)
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
        return self.put_bytes(json.dumps({"files": files}, sort_keys=True).encode())

    def get_folder(self, digest: str, target: Path) -> bool:
        """Bring a folder to its place, whole; False, and nothing at the place, when any of it is missing."""
        content = self.get_bytes(digest)
        if content is None:
            return False
        shutil.rmtree(target, ignore_errors=True)
        for name, file in json.loads(content)["files"].items():
            if not self.get_file(file, target / name):
                shutil.rmtree(target, ignore_errors=True)
                return False
        return True

    def has_folder(self, digest: str) -> bool:
        """Whether the manifest of a folder and all files it names are there."""
        content = self.get_bytes(digest)
        return content is not None and all(map(self.has, json.loads(content)["files"].values()))

    def contents(self, digest: str) -> dict[str, str]:
        """The digests of a folder's files, by their paths in it; empty when the store has no such folder."""
        content = self.get_bytes(digest)
        found: dict[str, str] = json.loads(content)["files"] if content is not None else {}
        return found

    # Keeping it small

    def sweep(self, wanted: set[str], older_than: float = _FRESH, *, dry: bool = False) -> Swept:
        """Remove what none of the wanted files and folders needs and nobody used for ``older_than`` seconds."""
        needed = set(wanted)
        for digest in wanted:
            needed |= self._members(digest)
        removed = freed = kept = kept_bytes = 0
        limit = time.time() - older_than
        for path in self._files():
            status = path.stat()
            if path.name in needed or status.st_mtime > limit:
                kept, kept_bytes = kept + 1, kept_bytes + status.st_size
                continue
            removed, freed = removed + 1, freed + status.st_size
            if not dry:
                path.unlink(missing_ok=True)
        return Swept(removed, freed, kept, kept_bytes)

    def _members(self, digest: str) -> set[str]:
        """The files of a folder; none when the digest is that of a file."""
        try:
            with self._path(digest).open("rb") as file:
                if file.read(10) != b'{"files": ':
                    return set()
            return set(self.contents(digest).values())
        except (OSError, ValueError, KeyError, AttributeError):
            return set()

    def _files(self) -> Iterator[Path]:
        for folder in sorted(self.root.glob("??")):
            yield from sorted(folder.iterdir())

    def _path(self, digest: str) -> Path:
        if len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
            raise ValueError(f"{digest!r} is no digest")
        return self.root / digest[:2] / digest

    def _remove(self, path: Path, digest: str) -> None:
        path.unlink(missing_ok=True)
        self.damaged.append(DamagedArtifact(path=path, digest=digest))


def _digest(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            found.update(chunk)
    return found.hexdigest()


@contextmanager
def _written(target: Path) -> Iterator[Path]:
    """A temporary file beside the target that becomes the target when all went well."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".new-")
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o644)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
