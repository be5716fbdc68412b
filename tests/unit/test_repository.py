"""The rules of the whole repository: lint, exported names, make targets, what lies at the top, the lock file."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("db", "migrations", "pipeline", "pypto", "reports")
TOP_LEVEL = {
    *PACKAGES,
    "docs",
    "tests",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "Makefile",
    "README.md",
    "pyproject.toml",
    "requirements.lock",
}
TOOLS = Path(sys.executable).parent


def lint(command: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    tool, *arguments = command.split()
    return subprocess.run([TOOLS / tool, *arguments], cwd=folder, capture_output=True, text=True)


def assert_clean(command: str) -> None:
    result = lint(command)
    assert result.returncode == 0, f"{command} (all: make lint)\n{result.stdout[-8000:]}{result.stderr[-2000:]}"


def test_ruff_check_is_clean() -> None:
    assert_clean("ruff check")


def test_ruff_format_is_clean() -> None:
    assert_clean("ruff format --check")


def test_mypy_is_clean() -> None:
    assert_clean("mypy")


def test_imports_follow_the_arrows() -> None:
    assert_clean("lint-imports")


def test_make_lint_runs_what_is_tested_here() -> None:
    recipe = re.search(r"^lint:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert recipe, "Makefile has no lint target"
    assert [line.removeprefix("\t@$(VENV)/bin/") for line in recipe[1].splitlines()] == [
        "ruff check",
        "ruff format --check",
        "mypy",
        "lint-imports",
    ]


def test_arrows_can_fail(tmp_path: Path) -> None:
    """The contracts of pyproject.toml, held against packages in which `db` imports `pypto`."""
    for package in (*PACKAGES, *(f"pypto/{layer}" for layer in layers())):
        (tmp_path / package).mkdir(parents=True)
        (tmp_path / package / "__init__.py").touch()
    (tmp_path / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text("utf-8"), encoding="utf-8")
    assert lint("lint-imports --no-cache", tmp_path).returncode == 0
    (tmp_path / "db/__init__.py").write_text("import pypto\n")
    broken = lint("lint-imports --no-cache", tmp_path)
    assert broken.returncode == 1 and "know nothing of each other BROKEN" in broken.stdout


def layers() -> list[str]:
    """The inner packages of pypto that pyproject.toml's layers name."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    named = [layer for contract in contracts for layer in contract.get("layers", [])]
    return re.findall(r"pypto\.(\w+)", " ".join(named))


def package_names() -> list[str]:
    """Every package of ours by its dotted name."""
    files = (file for package in PACKAGES for file in (ROOT / package).rglob("__init__.py"))
    return sorted(".".join(file.parent.relative_to(ROOT).parts) for file in files)


@pytest.mark.parametrize("name", package_names())
def test_public_names_are_in_all(name: str) -> None:
    """Ruff (RUF022) keeps each `__all__` sorted; here it is held against what the package really offers."""
    module = importlib.import_module(name)
    exported = list(getattr(module, "__all__", []))
    assert len(exported) == len(set(exported)), f"{name}.__all__ names something twice"
    unknown = [each for each in exported if not hasattr(module, each)]
    assert not unknown, f"{name}.__all__ names what {name} does not have: {unknown}"
    hidden = public_names(module) - set(exported)
    assert not hidden, f"{name}/__init__.py binds public names outside its __all__: {sorted(hidden)}"


def public_names(module: ModuleType) -> set[str]:
    """Names a package binds without underscore, less modules and what it imports from outside for itself."""
    assert module.__file__ is not None
    tree = ast.parse(Path(module.__file__).read_text("utf-8"))
    foreign = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and not node.level
        if not f"{node.module}.".startswith(f"{module.__name__}.")
        for alias in node.names
    }
    names = {name for name, value in vars(module).items() if not isinstance(value, ModuleType)}
    return {name for name in names - foreign if not name.startswith("_")}


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


def documents() -> list[Path]:
    """The pages people read: those at the top and all below docs/."""
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def test_make_targets_in_the_documents_exist() -> None:
    named = {
        (page.name, target)
        for page in documents()
        for target in re.findall(r"(?:`|^\$? ?)make ([a-z]+)", page.read_text("utf-8"), re.MULTILINE)
    }
    assert ("README.md", "test") in named, "README.md does not say `make test`"
    unknown = sorted(f"{page}: make {target}" for page, target in named if target not in make_targets())
    assert not unknown, f"no such target in the Makefile: {unknown}"


def test_make_help_lists_every_target() -> None:
    shown = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r"^ +make ([a-z]+)", shown, re.MULTILINE)) == make_targets() - {"compiler"}


def git_files() -> list[str]:
    """Files that are in the repository or would be with the next `git add`."""
    command = ["git", "-c", "safe.directory=*", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if listed.returncode != 0:
        pytest.skip(f"needs a git checkout: {listed.stderr.strip()}")
    return [name for name in listed.stdout.split("\0") if (ROOT / name).is_file()]


def test_nothing_unexpected_at_the_top() -> None:
    top = {name.split("/")[0] for name in git_files()}
    extra = {name for name in top if not name.startswith(".")} - TOP_LEVEL
    assert not extra, f"at the top level, but not in its list in {Path(__file__).name}: {sorted(extra)}"


def test_no_test_folder_is_a_package() -> None:
    inits = [name for name in git_files() if name.startswith("tests/") and name.endswith("/__init__.py")]
    assert not inits, f"tests are imported by path (--import-mode=importlib), without __init__.py: {inits}"


def test_golden_files_belong_to_a_test() -> None:
    """A test that was renamed or removed takes its golden files along."""
    stale = []
    for folder in {path.parent for path in map(Path, git_files()) if re.match(r"tests/.*/test_[^/]*/", str(path))}:
        module = ROOT / folder.with_suffix(".py")
        source = module.read_text("utf-8") if module.exists() else ""
        tests = set(re.findall(r"def (test_\w+)", source))
        files = [path for path in (ROOT / folder).iterdir() if path.is_file()]
        stale += [str(path.relative_to(ROOT)) for path in files if re.match(r"\w+", path.name)[0] not in tests]
    assert not stale, f"golden files whose test is gone: {stale}"


def test_lock_names_what_pyproject_needs() -> None:
    script = ROOT / ".ci/lock.py"
    spec = importlib.util.spec_from_file_location("lock", script)
    assert spec and spec.loader
    lock = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(lock)
    assert lock.text() == lock.LOCK.read_text("utf-8"), (
        "requirements.lock is stale or not installed: make lock, make env"
    )


def test_lock_pins_each_package_and_names_no_registry() -> None:
    lines = (ROOT / "requirements.lock").read_text("utf-8").splitlines()
    odd = [line for line in lines if not re.fullmatch(r"#.*|[a-z0-9-]+==[0-9][0-9a-z.]*", line)]
    assert not odd, f"only `name==version` lines belong into requirements.lock: {odd}"
