"""Which modules are a user's own code, which are libraries known by their version, and what in them hides an input."""

from __future__ import annotations

import functools
import importlib.metadata
import sys
import sysconfig
from enum import Enum, auto
from pathlib import Path

# Modules of the standard library whose functions follow from their arguments alone.
_PURE = frozenset(
    "abc array bisect cmath collections contextlib copy dataclasses decimal enum fractions functools heapq itertools "
    "json math numbers operator re statistics string struct textwrap types typing typing_extensions warnings".split()
)
# Attributes, by module, that bring in something no fingerprint sees: files, the environment, random numbers, the clock.
_READS_FILES = {
    "torch": {"load", "from_file", "hub"},
    "numpy": {"load", "loadtxt", "fromfile", "genfromtxt", "memmap", "fromregex"},
    "builtins": {"open"},
    "io": {"open", "FileIO", "open_code"},
    "json": {"load"},
    "pickle": {"load", "Unpickler"},
    "pathlib": {"Path", "PosixPath"},
}
_HIDDEN = {
    "torch": {
        *("rand randn randint randperm rand_like randn_like randint_like normal bernoulli multinomial poisson".split()),
        *("empty empty_like empty_strided initial_seed seed random Generator default_generator".split()),
    },
    "numpy": {"random", "empty", "empty_like"},
    "builtins": set("eval exec compile __import__ globals locals vars input getattr id hash dir breakpoint".split()),
    "torch.nn.functional": {"dropout", "alpha_dropout", "feature_alpha_dropout", "dropout1d", "dropout2d"},
}


class Origin(Enum):
    """Where a module comes from."""

    USER = auto()
    PURE = auto()
    LIBRARY = auto()
    IMPURE = auto()
    PYPTO = auto()


@functools.cache
def origin(module: str) -> Origin:
    """Where a module comes from, by its name."""
    top = module.partition(".")[0]
    if top == "pypto":
        return Origin.PYPTO
    if top == "builtins" or top in _PURE:
        return Origin.PURE
    if top in sys.stdlib_module_names:
        return Origin.IMPURE
    file = getattr(sys.modules.get(module) or sys.modules.get(top), "__file__", None)
    if file is None:
        return Origin.LIBRARY if top in sys.modules and top != "__main__" else Origin.USER
    return Origin.LIBRARY if _installed(Path(file)) else Origin.USER


def _installed(file: Path) -> bool:
    return any(file.is_relative_to(folder) for folder in _library_folders())


@functools.cache
def _library_folders() -> tuple[Path, ...]:
    paths = sysconfig.get_paths()
    return tuple(Path(paths[key]) for key in ("purelib", "platlib", "stdlib", "platstdlib"))


@functools.cache
def version(module: str) -> str:
    """The installed version of the library that a module belongs to."""
    top = module.partition(".")[0]
    found = getattr(sys.modules.get(top), "__version__", None)
    if found is not None:
        return str(found)
    for distribution in importlib.metadata.packages_distributions().get(top, ()):
        return importlib.metadata.version(distribution)
    return "unknown"


def reads_files(module: str, name: str) -> bool:
    """Whether ``module.name`` opens files."""
    return name in _READS_FILES.get(module, ())


def reads_environment(module: str, name: str) -> bool:
    """Whether ``module.name`` is the environment of the process."""
    return module == "os" and name in ("environ", "getenv", "environb", "getenvb")


def hidden_input(module: str, name: str) -> bool:
    """Whether the result of ``module.name`` follows from more than its arguments."""
    return name in _HIDDEN.get(module, ())
