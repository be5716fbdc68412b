"""Kernels and a compiler made of Python, to test the pipeline by itself: a kernel is the body of a Python function.

An artifact made here holds that text; `load` gives the function back, in whatever process it runs.
"""

from __future__ import annotations

import hashlib
import inspect
import textwrap
from pathlib import Path
from typing import Any

from pipeline.stages.compile import Built


class Kernel:
    """Looks like a `@pl.jit` function: `add = Kernel("add", "a, b, c", ["c"], "c[:] = a + b")`."""

    def __init__(self, name: str, parameters: str, outputs: list[str], body: str) -> None:
        space: dict[str, Any] = {}
        exec(f"def function({parameters}): pass", space)
        self.__wrapped__ = space["function"]  # where `inspect.signature` looks, for the defaults
        self.__name__ = name
        self.param_names = tuple(inspect.signature(self).parameters)
        self.output_param_names = tuple(outputs)
        self.body = body

    def __call__(self, *args: Any) -> None:
        raise AssertionError("a case specializes its kernel, it never calls it")

    def specialize(self, *args: Any) -> str:
        """The "program": the text of a function."""
        if "syntax error" in self.body:
            raise SyntaxError("no such syntax in the language")
        return f"def kernel({', '.join(self.param_names)}):\n{textwrap.indent(self.body, '    ')}\n"


def compile_artifact(program: str, folder: Path, platform: str, planner: str) -> Built:
    """Build the "program"; a body that says so does not compile."""
    if "does not compile" in program:
        raise RuntimeError("the compiler says no")
    (folder / "kernel.cpp").write_text(f"// {platform} {planner}\n{program}")
    (folder / "library.so").write_text(program)
    return Built(program_digest(f"{platform} {planner} {program}"), folder / "library.so", {"g++": 0.0})


def program_digest(program: str) -> str:
    """The digest of the text."""
    return hashlib.sha256(program.encode()).hexdigest()


def load(folder: Path) -> Any:
    """The function of an artifact."""
    space: dict[str, Any] = {}
    exec(compile((folder / "library.so").read_text(), str(folder / "library.so"), "exec"), space)
    kernel = space["kernel"]
    kernel.param_names = tuple(inspect.signature(kernel).parameters)
    return kernel


def install() -> None:
    """Make a session use all this in place of the compiler."""
    from pipeline import bootstrap

    bootstrap.LOADER = "stand_in:load"
    bootstrap.compile_artifact = compile_artifact
    bootstrap.program_digest = program_digest
