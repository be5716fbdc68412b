"""``pl.jit`` and the decorators of its helpers."""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pypto.frontend.jit import JITFunction
from pypto.ops.enums import FunctionType, Level


class Jit:
    """``@pl.jit`` makes an entry; ``@pl.jit.incore`` and its like make what an entry calls."""

    def __call__(self, function: Any = None, *, auto_scope: bool = True) -> Any:
        """An entry: an orchestration that launches regions and helpers as tasks."""
        return _decorated(FunctionType.Orchestration, function, {"auto_scope": auto_scope})

    def incore(self, function: Any = None, *, level: Level | None = None) -> Any:
        """A helper that runs on a core, launched as one task."""
        return _decorated(FunctionType.InCore, function, {"level": level})

    def inline(self, function: Any = None, *, auto_scope: bool = True) -> Any:
        """A helper whose statements are put where it is called."""
        return _decorated(FunctionType.Inline, function, {"auto_scope": auto_scope})

    def opaque(self, function: Any = None) -> Any:
        """A helper with regions of its own."""
        return _decorated(FunctionType.Opaque, function, {})

    def host(self, function: Any = None, **options: Any) -> Any:
        """A host orchestrator; not built yet."""
        if "level" in options:
            raise TypeError("@pl.jit.host takes no 'level': it is always pl.Level.HOST")
        raise NotImplementedError("@pl.jit.host is not built yet: programs of several chips come later")

    def extern(
        self,
        function: Any = None,
        *,
        source: str | os.PathLike[str] = "",
        core_type: str = "aiv",
        include_dirs: Sequence[str | os.PathLike[str]] = (),
        **mixed: Any,
    ) -> Any:
        """A kernel written by hand in the C++ file ``source``, with ``...`` as its body."""
        if mixed or core_type not in ("aiv", "aic"):
            raise NotImplementedError(
                "@pl.jit.extern: kernels of both core types are not built yet; use 'aiv' or 'aic'"
            )
        if not source:
            raise TypeError("@pl.jit.extern needs source='kernel.cpp'")

        def decorate(function: Any) -> JITFunction:
            base = Path(inspect.unwrap(function).__code__.co_filename).parent
            options: dict[str, Any] = {"external_source": _existing(base, source), "core_type": core_type}
            if include_dirs:
                options["include_dirs"] = tuple(_existing(base, item) for item in include_dirs)
            return JITFunction(function, FunctionType.InCore, options)

        return decorate if function is None else decorate(function)


def _existing(base: Path, path: str | os.PathLike[str]) -> str:
    found = (base / os.fspath(path)).resolve()
    if not found.exists():
        raise FileNotFoundError(f"@pl.jit.extern: {found} does not exist; paths are relative to the kernel's file")
    return str(found)


def _decorated(kind: FunctionType, function: Any, options: Mapping[str, Any]) -> Any:
    if function is not None:
        return JITFunction(function, kind, options)
    return lambda function: JITFunction(function, kind, options)
