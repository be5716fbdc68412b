"""How a compiled call runs and how a program is compiled for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import InitVar, dataclass
from enum import Enum
from typing import Any

from pypto.platforms import PLATFORMS, BackendType, MemoryPlanner


class OptimizationStrategy(Enum):
    """How a program is optimised. There is one way so far."""

    Default = "Default"


RINGS = 4  # memory rings of the runtime; a ring setting is one number for all, or one number each

_FLAGS = (
    "dump_passes", "save_kernels", "codegen_only", "enable_dep_gen", "enable_scope_stats", "compile_profiling",
    "analyze_auto_scopes_for_deps", "dump_ptoas_passes",
)  # fmt: skip
_DIAGNOSTICS = ("enable_chip_swimlane", "enable_dump_args", "enable_pmu", "enable_dep_gen", "enable_scope_stats")


@dataclass(frozen=True, kw_only=True)
class RunConfig:
    """Settings of a call, checked when made: ValueError names the field, its value and what is allowed.

    ``backend_type`` follows from ``platform`` whatever was given. A diagnostic option turns ``save_kernels`` on.
    """

    platform: str = "a2a3sim"
    device_id: int = 0
    rtol: float = 1e-5
    atol: float = 1e-5
    strategy: OptimizationStrategy = OptimizationStrategy.Default
    backend_type: BackendType = BackendType.Ascend910B
    dump_passes: bool = False
    save_kernels: bool = False
    save_kernels_dir: str | os.PathLike[str] | None = None
    codegen_only: bool = False
    enable_chip_swimlane: int = 0
    enable_dump_args: int = 0
    enable_pmu: int = 0
    enable_dep_gen: bool = False
    enable_scope_stats: bool = False
    compile_profiling: bool = False
    diagnostic_phase: Any = None
    disabled_diagnostics: Any = None
    golden_data_dir: str | os.PathLike[str] | None = None
    aicpu_thread_num: int | None = None
    ring_task_window: int | Sequence[int] | None = None
    ring_heap: int | Sequence[int] | None = None
    ring_dep_pool: int | Sequence[int] | None = None
    distributed_config: Any = None
    analyze_auto_scopes_for_deps: bool = False
    memory_planner: MemoryPlanner | None = None
    dump_ptoas_passes: bool = False
    enable_l2_swimlane: InitVar[int | None] = None  # the earlier name of enable_chip_swimlane

    def __post_init__(self, enable_l2_swimlane: int | None) -> None:
        """Check every field, then derive those that follow from others."""
        if enable_l2_swimlane is not None:
            self._set("enable_chip_swimlane", enable_l2_swimlane)
        if self.enable_chip_swimlane is True:
            self._set("enable_chip_swimlane", 4)
        self._check("platform", self.platform in PLATFORMS, f"one of {', '.join(PLATFORMS)}")
        self._set("backend_type", PLATFORMS[self.platform].backend.type)
        self._check_numbers()
        for name in _FLAGS:
            self._check(name, isinstance(getattr(self, name), bool), "True or False")
        self._check_member("strategy", OptimizationStrategy)
        if self.memory_planner is not None:
            self._check_member("memory_planner", MemoryPlanner)
        for name in ("save_kernels_dir", "golden_data_dir"):
            value = getattr(self, name)
            self._check(name, value is None or isinstance(value, str | os.PathLike), "a path or None")
        self._check_rings("ring_task_window", "0 or a power of two from 4 on", lambda v: v == 0 or _is_power(v, 4))
        self._check_rings("ring_heap", "a power of two from 1024 on", lambda v: _is_power(v, 1024))
        self._check_rings("ring_dep_pool", "4 to 2147483647", lambda v: 4 <= v <= 2**31 - 1)
        if any(getattr(self, name) for name in _DIAGNOSTICS):
            self._set("save_kernels", True)

    def _check_numbers(self) -> None:
        self._check("device_id", _is_int(self.device_id) and self.device_id >= 0, "an integer from 0 on")
        for name in ("rtol", "atol"):
            value = getattr(self, name)
            number = isinstance(value, int | float) and not isinstance(value, bool)
            self._check(name, number and 0 <= value < float("inf"), "a finite number from 0 on")
        for name, top in (("enable_chip_swimlane", 4), ("enable_dump_args", 2)):
            value = getattr(self, name)
            self._check(name, _is_int(value) and 0 <= value <= top, f"0 to {top}")
        self._check("enable_pmu", isinstance(self.enable_pmu, int) and self.enable_pmu >= 0, "an integer from 0 on")
        threads = self.aicpu_thread_num
        allowed = threads is None or (_is_int(threads) and (threads == 0 or threads >= 2))
        self._check("aicpu_thread_num", allowed, "None, 0, or an integer from 2 on")

    def _check_rings(self, name: str, allowed: str, holds: Callable[[int], bool]) -> None:
        value = getattr(self, name)
        if value is None:
            return
        values: list[Any] = (
            [value] if isinstance(value, int) else list(value) if isinstance(value, Sequence) else [None]
        )
        right_count = isinstance(value, int) or len(values) == RINGS
        right = right_count and all(_is_int(each) and holds(each) for each in values)
        self._check(name, right, f"{allowed}; one number, or a list of {RINGS}")
        if not isinstance(value, int):
            self._set(name, tuple(values))

    def _check_member(self, name: str, kind: type[Enum]) -> None:
        members = ", ".join(str(member) for member in kind)
        self._check(name, isinstance(getattr(self, name), kind), f"one of {members}")

    def _check(self, name: str, right: bool, allowed: str) -> None:
        if not right:
            raise ValueError(f"RunConfig: {name} is {getattr(self, name)!r}; allowed: {allowed}")

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_power(value: int, least: int) -> bool:
    return value >= least and value & (value - 1) == 0
