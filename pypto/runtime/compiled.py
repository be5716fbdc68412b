"""A compiled program: a function of torch tensors."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pypto import platforms
from pypto.platforms import BackendType, MemoryPlanner
from pypto.runtime.metadata import Metadata, ParamInfo, parameters, returned

if TYPE_CHECKING:
    from pypto.ir.nodes import Function, Program
    from pypto.runtime.arguments import Binder, Bound
    from pypto.runtime.config import RunConfig
    from pypto.runtime.library import KernelLibrary, Task


class CompiledProgram:
    """Runs a program whose files are in ``output_dir``. The library is loaded, or built, by the first call.

    Called with all parameters it works in place and returns None; with the Out parameters left out it allocates them
    and returns them. Threads may call it at the same time.
    """

    def __init__(self, output_dir: str | os.PathLike[str], metadata: Metadata, program: Program | None = None) -> None:
        self.output_dir = Path(output_dir)
        self.metadata = metadata
        self.program = program
        self._platform = platforms.platform(metadata.platform)
        self._lock = threading.Lock()
        self._loaded: tuple[Binder, KernelLibrary, tuple[int, ...]] | None = None

    @classmethod
    def create(
        cls,
        output_dir: str | os.PathLike[str],
        entry: Function,
        *,
        platform: str,
        memory_planner: MemoryPlanner,
        program: Program | None = None,
        lowered: Program | None = None,
        phases: Mapping[str, float] | None = None,
    ) -> CompiledProgram:
        """The program whose orchestration is ``entry``, just compiled; writes its record beside its files.

        ``program`` is what was compiled, ``lowered`` what the passes made of it: it tells what calls return.
        """
        functions = {function.name: function for function in lowered.functions} if lowered else {}
        results = returned(entry, functions)
        metadata = Metadata(entry.name, platform, memory_planner.value, parameters(entry), results, dict(phases or {}))
        metadata.save(Path(output_dir))
        return cls(output_dir, metadata, program)

    @classmethod
    def from_dir(cls, path: str | os.PathLike[str]) -> CompiledProgram:
        """The program that was compiled into a folder. Its IR is not kept, so ``program`` is None."""
        return cls(path, Metadata.load(Path(path)))

    @property
    def platform(self) -> str:
        """The id of the platform it was compiled for."""
        return self.metadata.platform

    @property
    def backend_type(self) -> BackendType:
        """The accelerator generation of the platform."""
        return self._platform.backend.type

    @property
    def params(self) -> tuple[ParamInfo, ...]:
        """The parameters in declared order."""
        return self.metadata.params

    @property
    def param_names(self) -> list[str]:
        """The names of the parameters in declared order."""
        return [param.name for param in self.params]

    @property
    def output_indices(self) -> list[int]:
        """The positions of the parameters that the program writes."""
        return [index for index, param in enumerate(self.params) if param.is_output]

    @property
    def has_return(self) -> bool:
        """Whether a call may leave outputs out and get them as its result."""
        return any(param.may_be_left_out for param in self.params)

    @property
    def orchestration_names(self) -> list[str]:
        """The names of the orchestrations that can be called."""
        return [self.metadata.name]

    @property
    def phases(self) -> Mapping[str, float]:
        """Seconds spent in each phase of the compile; empty for a program loaded from its folder."""
        return self.metadata.phases

    def __call__(self, *args: Any, config: RunConfig | None = None) -> Any:
        """Run on tensors and scalars. TypeError and ValueError name the parameter that does not fit."""
        binder, library, capacity = self._loaded or self.load()
        if config is not None:
            self._check_config(config)
        allocates = self._allocates(len(args), binder.inputs)
        bound = binder.bind(args, allocates)
        library.run(bound.slots, capacity)
        bound.bring_back()
        return self._results(bound) if allocates else None

    def trace(self, *args: Any, tasks: int = 10_000) -> list[Task]:
        """Run like a call, and tell what ran when: the first ``tasks`` tasks in order."""
        binder, library, capacity = self._loaded or self.load()
        bound = binder.bind(args, self._allocates(len(args), binder.inputs))
        log = library.run(bound.slots, capacity, tasks)
        bound.bring_back()
        return log

    def load(self) -> tuple[Binder, KernelLibrary, tuple[int, ...]]:
        """Load the library into this process, building it first where that was not done; a call does so by itself."""
        if not self._platform.is_simulator:
            simulator = next(
                other.id
                for other in platforms.PLATFORMS.values()
                if other.is_simulator and other.backend is self._platform.backend
            )
            raise RuntimeError(
                f"{self.metadata.name} was compiled for {self.platform}, which needs an accelerator card, and none can "
                f"be driven from here; compile it for {simulator} to run it on the CPU"
            )
        from pypto.runtime.arguments import Binder
        from pypto.runtime.library import KernelLibrary, capacities
        from pypto.runtime.toolchain import kernel_library

        with self._lock:
            if self._loaded is None:
                library = KernelLibrary(kernel_library(self.output_dir))
                self._loaded = Binder(self.params), library, capacities(self._platform)
            return self._loaded

    def __getitem__(self, name: str) -> CompiledProgram:
        """The orchestration called ``name``."""
        if name not in self.orchestration_names:
            raise KeyError(f"no orchestration '{name}'; there is {', '.join(self.orchestration_names)}")
        return self

    def __fspath__(self) -> str:
        return os.fspath(self.output_dir)

    def __str__(self) -> str:
        return str(self.output_dir)

    def __repr__(self) -> str:
        return f"<CompiledProgram {self.metadata.name} for {self.platform} in {self.output_dir}>"

    def _allocates(self, count: int, inputs: int) -> bool:
        """Whether a call with ``count`` arguments leaves the Out parameters out; TypeError when it fits neither way."""
        if count == len(self.params):
            return False
        if count == inputs:
            return True
        names = ", ".join(self.param_names)
        shorter = ", ".join(param.name for param in self.params if not param.may_be_left_out)
        also = f", or {inputs} without outputs ({shorter})" if inputs != len(self.params) else ""
        raise TypeError(f"{self.metadata.name} takes {len(self.params)} arguments ({names}){also}; got {count}")

    def _check_config(self, config: RunConfig) -> None:
        if config.platform != self.platform:
            raise ValueError(
                f"{self.metadata.name} was compiled for {self.platform} and is called with platform {config.platform}; "
                f"compile it for {config.platform}, or leave config out"
            )

    def _results(self, bound: Bound) -> Any:
        left_out = [index for index, param in enumerate(self.params) if param.may_be_left_out]
        results = [bound.tensors[index] for index in self.metadata.returns or left_out]
        return results[0] if len(results) == 1 else tuple(results)
