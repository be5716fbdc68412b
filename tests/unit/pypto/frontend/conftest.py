"""Kernels from text: a module file in the test's folder, imported under a name of its own."""

from __future__ import annotations

import importlib.util
import itertools
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

_NUMBERS = itertools.count()


@pytest.fixture
def module(tmp_path: Path) -> Callable[..., ModuleType]:
    """Write a text into a file and import it; the language is at hand as ``pl``."""

    def load(text: str, header: str = "import pypto.language as pl\n") -> ModuleType:
        name = f"kernels_{next(_NUMBERS)}"
        file = tmp_path / f"{name}.py"
        file.write_text(header + textwrap.dedent(text), encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec is not None and spec.loader is not None
        loaded = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(loaded)
        return loaded

    return load
