"""RunConfig: defaults, derived fields, refusals."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from typing import Any

import pytest

from pypto.platforms import BackendType, MemoryPlanner
from pypto.runtime.config import OptimizationStrategy, RunConfig

DEFAULTS = {
    "platform": "a2a3sim", "device_id": 0, "rtol": 1e-5, "atol": 1e-5, "strategy": OptimizationStrategy.Default,
    "backend_type": BackendType.Ascend910B, "dump_passes": False, "save_kernels": False, "save_kernels_dir": None,
    "codegen_only": False, "enable_chip_swimlane": 0, "enable_dump_args": 0, "enable_pmu": 0, "enable_dep_gen": False,
    "enable_scope_stats": False, "compile_profiling": False, "diagnostic_phase": None, "disabled_diagnostics": None,
    "golden_data_dir": None, "aicpu_thread_num": None, "ring_task_window": None, "ring_heap": None,
    "ring_dep_pool": None, "distributed_config": None, "analyze_auto_scopes_for_deps": False, "memory_planner": None,
    "dump_ptoas_passes": False,
}  # fmt: skip


def test_fields_and_defaults_are_those_of_the_reference() -> None:
    assert dataclasses.asdict(RunConfig()) == DEFAULTS


def test_the_backend_follows_from_the_platform() -> None:
    for platform in ("a5", "a5sim"):
        assert RunConfig(platform=platform, backend_type=BackendType.Ascend910B).backend_type is BackendType.Ascend950
    assert RunConfig(platform="a2a3", backend_type=BackendType.Ascend950).backend_type is BackendType.Ascend910B


@pytest.mark.parametrize(
    "option", ["enable_dump_args", "enable_pmu", "enable_dep_gen", "enable_scope_stats", "enable_chip_swimlane"]
)
def test_a_diagnostic_keeps_the_kernels(option: str) -> None:
    value = True if "gen" in option or "stats" in option else 1
    assert RunConfig(**{option: value}).save_kernels is True  # type: ignore[arg-type]


def test_swimlane_levels() -> None:
    assert RunConfig(enable_chip_swimlane=True).enable_chip_swimlane == 4
    assert RunConfig(enable_l2_swimlane=2).enable_chip_swimlane == 2


def test_rings_take_one_number_or_four() -> None:
    config = RunConfig(ring_task_window=[4, 8, 0, 16], ring_heap=1024, ring_dep_pool=(4, 5, 6, 2147483647))
    assert config.ring_task_window == (4, 8, 0, 16) and config.ring_dep_pool == (4, 5, 6, 2147483647)
    assert hash(config) == hash(dataclasses.replace(config))


@pytest.mark.parametrize(
    ("field", "value", "allowed"),
    [
        ("platform", "a7", "one of a2a3, a2a3sim, a5, a5sim"),
        ("device_id", -1, "an integer from 0 on"),
        ("device_id", True, "an integer from 0 on"),
        ("rtol", -1e-3, "a finite number from 0 on"),
        ("atol", float("nan"), "a finite number from 0 on"),
        ("atol", "1e-3", "a finite number from 0 on"),
        ("strategy", "Default", "one of OptimizationStrategy.Default"),
        ("memory_planner", "PYPTO", "one of MemoryPlanner.PYPTO, MemoryPlanner.DSA_RP, MemoryPlanner.PTOAS"),
        ("dump_passes", 1, "True or False"),
        ("save_kernels_dir", 5, "a path or None"),
        ("enable_chip_swimlane", 5, "0 to 4"),
        ("enable_dump_args", 3, "0 to 2"),
        ("aicpu_thread_num", 1, "None, 0, or an integer from 2 on"),
        ("ring_task_window", 6, "0 or a power of two from 4 on; one number, or a list of 4"),
        ("ring_task_window", [4, 4, 4], "one number, or a list of 4"),
        ("ring_heap", 512, "a power of two from 1024 on"),
        ("ring_dep_pool", 3, "4 to 2147483647"),
        ("ring_dep_pool", "many", "4 to 2147483647"),
    ],
)
def test_a_refusal_names_field_value_and_what_is_allowed(field: str, value: Any, allowed: str) -> None:
    with pytest.raises(ValueError, match="RunConfig") as caught:
        RunConfig(**{field: value})
    assert str(caught.value).startswith(f"RunConfig: {field} is {value!r}; allowed: ") and allowed in str(caught.value)


def test_a_config_does_not_change() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        RunConfig().platform = "a5sim"  # type: ignore[misc]
    assert RunConfig(memory_planner=MemoryPlanner.DSA_RP).memory_planner is MemoryPlanner.DSA_RP


def test_making_a_config_needs_no_torch() -> None:
    code = "import sys, pypto.runtime.config, pypto.runtime.compiled; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
