"""Whether the short package names of this project lead to this project."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

from pipeline.errors import ShadowedPackage

PACKAGES = ("db", "pipeline", "reports")


def check_packages() -> None:
    """Raise `ShadowedPackage` when one of our names belongs to somebody else's package."""
    home = Path(__file__).resolve().parent.parent
    for name in PACKAGES:
        found = _folder_of(name)
        if found != home / name:
            raise ShadowedPackage(package=name, expected=home / name, found=found or "nothing")


def _folder_of(name: str) -> Path | None:
    """The folder or file that `import name` gives, None when there is none."""
    module = sys.modules.get(name)
    spec = getattr(module, "__spec__", None) or importlib.util.find_spec(name)
    if spec is None:
        return None
    places = list(spec.submodule_search_locations or ())
    if places:
        return Path(places[0]).resolve()
    return Path(spec.origin).resolve() if spec.origin else None
