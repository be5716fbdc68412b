"""Write requirements.lock: what pyproject.toml asks for and all that those packages need, as installed here.

`make lock` runs it in the environment. It pins the closure of the dependencies, the dev extra and the build
requirements, so a package that was merely tried out stays out. The file names no registry and no local version: the
CPU build of torch and the one with CUDA share a line, and pip's own configuration decides which one is fetched.
"""

from __future__ import annotations

import argparse
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
HEADER = "# The whole environment, for Python 3.11. Written by `make lock` from pyproject.toml; do not edit.\n"


def requested() -> list[Requirement]:
    """What pyproject.toml names: dependencies, the dev extra, and what the editable install builds with."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = table["project"]
    lines = [
        *table["build-system"]["requires"],
        *project["dependencies"],
        *project["optional-dependencies"]["dev"],
    ]
    requirements = [Requirement(line) for line in lines]
    return [each for each in requirements if each.marker is None or each.marker.evaluate({"extra": ""})]


def closure(requirements: list[Requirement]) -> dict[str, Version]:
    """Name and installed version of each requirement and of everything it needs on this platform."""
    found: dict[str, Version] = {}
    seen: set[tuple[str, str]] = set()
    queue = [(requirement, extra) for requirement in requirements for extra in ("", *requirement.extras)]
    while queue:
        requirement, extra = queue.pop()
        name = canonicalize_name(requirement.name)
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        try:
            installed = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            raise SystemExit(f"{name} is needed ({requirement}) but not installed; run `make lock`") from None
        found[name] = Version(installed.version)
        if not requirement.specifier.contains(found[name], prereleases=True):
            raise SystemExit(f"{name}: {found[name]} is installed, {requirement} is needed; run `make lock`")
        for line in installed.requires or []:
            needed = Requirement(line)
            if needed.marker is None or needed.marker.evaluate({"extra": extra}):
                queue += [(needed, inner) for inner in ("", *needed.extras)]
    return found


def text() -> str:
    """The lock file as it would be written now."""
    return HEADER + "".join(f"{name}=={version.public}\n" for name, version in sorted(closure(requested()).items()))


def main() -> None:
    """Print what is requested (for pip) or write the lock."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requested", action="store_true", help="print pyproject.toml's own requirements, one a line")
    if parser.parse_args().requested:
        print("\n".join(str(requirement) for requirement in requested()))
        return
    LOCK.write_text(text(), encoding="utf-8")
    print(f"{LOCK.name}: {text().count('==')} packages")


if __name__ == "__main__":
    main()
