"""Where a run comes from: the code it ran, and the machine and tools it ran with."""

from __future__ import annotations

import hashlib
import os
import platform
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

_LARGE = 1 << 20  # an untracked file above this many bytes counts by name, size and time


@dataclass(frozen=True)
class Revision:
    """The state of the code; all empty outside a git repository."""

    commit: str = ""
    branch: str = ""
    dirty: bool = False
    diff_digest: str = ""


def git_revision(folder: Path) -> Revision:
    """Commit, branch, and a digest of everything that differs from the commit, untracked files included."""
    commit = _git(folder, "rev-parse", "HEAD")
    if commit is None:
        return Revision()
    branch = _git(folder, "symbolic-ref", "--quiet", "--short", "HEAD") or b""
    diff = _git(folder, "diff", "HEAD", "--binary", "--no-ext-diff", "--no-textconv") or b""
    untracked = _git(folder, "ls-files", "--others", "--exclude-standard", "--full-name", "-z", ":/") or b""
    dirty = bool(diff or untracked)
    return Revision(
        commit.decode().strip(),
        os.fsdecode(branch).strip(),
        dirty,
        _digest(folder, diff, untracked) if dirty else "",
    )


def _digest(folder: Path, diff: bytes, untracked: bytes) -> str:
    digest = hashlib.sha256(diff)
    top = Path(os.fsdecode(_git(folder, "rev-parse", "--show-toplevel") or b"").strip() or folder)
    for name in sorted(filter(None, untracked.split(b"\0"))):
        digest.update(b"\0" + name + b"\0")
        path = top / os.fsdecode(name)
        try:
            status = path.lstat()
            large = status.st_size > _LARGE or not path.is_file()
            digest.update(f"{status.st_size} {status.st_mtime_ns}".encode() if large else path.read_bytes())
        except OSError:
            digest.update(b"unreadable")
    return digest.hexdigest()


def _git(folder: Path, *arguments: str) -> bytes | None:
    """What git prints, None when it fails or is not there; it takes no lock, so a session disturbs nobody."""
    try:
        done = subprocess.run(
            ["git", "--no-optional-locks", "-C", str(folder), *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=30,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode == 0 else None


def environment() -> dict[str, str]:
    """Versions of what results depend on. Read from metadata, since importing torch would cost a second."""
    return {
        "python": platform.python_version(),
        "torch": _version("torch"),
        "pytest": _version("pytest"),
        "compiler": _compiler(),
        "toolchain": toolchain_digest(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
    }


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def toolchain_digest(package: Path = Path(__file__).parent.parent / "pypto") -> str:
    """The digest of our own compiler: its sources and the simulator's, without importing any."""
    digest = hashlib.sha256()
    for path in sorted(path for path in package.rglob("*") if path.suffix in (".py", ".hpp", ".cpp")):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _compiler() -> str:
    """The first line that the C++ compiler says of itself; it is looked for as the toolchain does."""
    named = os.environ.get("PYPTO_CXX") or os.environ.get("CXX") or "g++"
    words = shlex.split(named)
    if not words or shutil.which(words[0]) is None:
        return ""
    try:
        done = subprocess.run(
            [*words, "--version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=30, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode(errors="replace").partition("\n")[0].strip()


def host() -> str:
    """The name of this machine."""
    return platform.node()
