"""Where a case's program comes from: one implementation per way of writing kernels."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

import torch

from pipeline.errors import BadArguments, BadKernel, NoOutput
from pipeline.identity import describe_argument
from pipeline.names import shortened
from pipeline.tensors import TensorSpec

# Specialization reads and rewrites state of the kernel's module (parsed sources, caches), so only one build at a time.
# Re-entrant, since building one program may build another that it uses.
program_build_lock = threading.RLock()


@dataclass(frozen=True)
class ByName:
    """A call argument that is a tensor of the case."""

    tensor: str


Arguments = Mapping[str, ByName | bool | int | float]


@runtime_checkable
class KernelSource(Protocol):
    """Something a program can be built from."""

    @property
    def name(self) -> str:
        """The kernel's own name, for messages."""

    def cache_id(self) -> str:
        """What tells this source with its arguments from others; the default name of a case."""

    def build_program(self) -> Any:
        """The program before any pass."""

    def arguments(self, tensors: tuple[TensorSpec, ...]) -> Arguments:
        """Every argument by its name, in order; the compiled program takes those that are still its parameters."""


class JitFunction(Protocol):
    """The part of a `@pl.jit` function that a case needs."""

    __name__: str
    param_names: Any
    output_param_names: Any

    def specialize(self, *args: Any) -> Any:
        """The program for these sample arguments."""


def is_jit_function(value: Any) -> bool:
    """Whether a value is a `@pl.jit` function: known by what it can do, so that importing it costs nothing here."""
    names = ("specialize", "param_names", "output_param_names")
    return all(inspect.getattr_static(value, name, None) is not None for name in names)


@dataclass(frozen=True, eq=False)
class JitKernel:
    """A `@pl.jit` function with sample arguments. Shapes and dtypes are declared once: by the samples."""

    kernel: JitFunction
    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The function's name."""
        return str(self.kernel.__name__)

    @cached_property
    def parameters(self) -> list[str]:
        """Names of the parameters, in declaration order."""
        return list(self._ask("param_names"))

    @cached_property
    def outputs(self) -> list[str]:
        """Names of the parameters that the kernel writes."""
        return list(self._ask("output_param_names"))

    def _ask(self, name: str) -> Any:
        """A property of the kernel, which may find that its annotations mean nothing."""
        try:
            return getattr(self.kernel, name)
        except Exception as error:
            raise BadKernel(kernel=self.name, problem=error) from error

    @cached_property
    def bound(self) -> dict[str, Any]:
        """Every argument by its parameter, in declaration order, however it was passed; defaults are filled in."""
        names = self.parameters
        if len(self.args) > len(names):
            given = f"{len(self.args)} arguments for {len(names)} parameters ({', '.join(names)})"
            raise BadArguments(kernel=self.name, problem=given)
        values = dict(zip(names, self.args, strict=False))
        for name, value in self.kwargs.items():
            if name not in names:
                raise BadArguments(
                    kernel=self.name, problem=f"no parameter is called {name}; it has {', '.join(names)}"
                )
            if name in values:
                raise BadArguments(kernel=self.name, problem=f"argument {name} is given twice, by position and by name")
            values[name] = value
        defaults = _defaults(self.kernel)
        missing = [name for name in names if name not in values and name not in defaults]
        if missing:
            outputs = [name for name in missing if name in self.outputs]
            hint = " (outputs too: their samples give shape, dtype and starting value)" if outputs else ""
            raise BadArguments(kernel=self.name, problem=f"no sample for {', '.join(missing)}{hint}")
        return {name: values[name] if name in values else defaults[name] for name in names}

    def tensors(self) -> tuple[TensorSpec, ...]:
        """All tensors with their starting values; those of `pl.Out` and `pl.InOut` parameters are outputs."""
        outputs = set(self.outputs)
        found = tuple(
            TensorSpec(name, value, name in outputs)
            for name, value in self.bound.items()
            if isinstance(value, torch.Tensor)
        )
        wrong = outputs - {tensor.name for tensor in found}
        if wrong:
            name = min(wrong)
            problem = f"the sample for output {name} is a {type(self.bound[name]).__name__}, no tensor"
            raise BadArguments(kernel=self.name, problem=problem)
        if not outputs:
            raise NoOutput(kernel=self.name)
        return found

    def arguments(self, tensors: tuple[TensorSpec, ...]) -> Arguments:
        """Tensors by name, everything else by value, in declaration order."""
        return {name: ByName(name) if isinstance(value, torch.Tensor) else value for name, value in self.bound.items()}

    def cache_id(self) -> str:
        """Name and arguments: tensors by shape and dtype, everything else by type and value."""
        described = (
            f"{name}={describe_argument(value, kernel=self.name, argument=name)}" for name, value in self.bound.items()
        )
        return shortened(f"{self.name}-{','.join(described)}")

    def build_program(self) -> Any:
        """The specialized program, entry and helpers, before any pass."""
        with program_build_lock:
            return self.kernel.specialize(*self.bound.values())


def _defaults(kernel: Any) -> dict[str, Any]:
    """Default values of the parameters."""
    try:
        parameters = inspect.signature(kernel).parameters
    except (TypeError, ValueError):
        return {}
    return {name: p.default for name, p in parameters.items() if p.default is not inspect.Parameter.empty}
