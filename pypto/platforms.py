"""The machines a program compiles for: two accelerator generations, each as a device and as a CPU simulator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from pypto.ops.enums import MemorySpace

KIB = 1024


class BackendType(Enum):
    """An accelerator generation."""

    Ascend910B = "Ascend910B"
    Ascend950 = "Ascend950"


class MemoryPlanner(Enum):
    """Who places tiles in on-chip memory."""

    PYPTO = "PYPTO"
    DSA_RP = "DSA_RP"
    PTOAS = "PTOAS"


@dataclass(frozen=True)
class Backend:
    """The figures of one generation: bytes per space and core, byte alignment of buffers, legal on-chip moves."""

    type: BackendType
    capacity: Mapping[MemorySpace, int]
    alignment: Mapping[MemorySpace, int]
    moves: frozenset[tuple[MemorySpace, MemorySpace]]
    cube_cores: int
    vector_cores: int


_ALIGNMENT = {
    MemorySpace.Vec: 128, MemorySpace.Mat: 128, MemorySpace.Left: 64, MemorySpace.Right: 64, MemorySpace.Acc: 128,
    MemorySpace.Bias: 64,
}  # fmt: skip
_MOVES = frozenset(
    {
        (MemorySpace.DDR, MemorySpace.Vec),
        (MemorySpace.DDR, MemorySpace.Mat),
        (MemorySpace.Vec, MemorySpace.DDR),
        (MemorySpace.Mat, MemorySpace.Left),
        (MemorySpace.Mat, MemorySpace.Right),
        (MemorySpace.Mat, MemorySpace.Bias),
        (MemorySpace.Acc, MemorySpace.Mat),
        (MemorySpace.Acc, MemorySpace.DDR),
    }
)
ASCEND_910B = Backend(
    BackendType.Ascend910B,
    {
        MemorySpace.Vec: 184 * KIB, MemorySpace.Mat: 512 * KIB, MemorySpace.Left: 64 * KIB,
        MemorySpace.Right: 64 * KIB, MemorySpace.Acc: 128 * KIB, MemorySpace.Bias: 1 * KIB,
    },
    _ALIGNMENT, _MOVES, cube_cores=24, vector_cores=48,
)  # fmt: skip
ASCEND_950 = Backend(
    BackendType.Ascend950,
    {
        MemorySpace.Vec: 240 * KIB, MemorySpace.Mat: 512 * KIB, MemorySpace.Left: 64 * KIB,
        MemorySpace.Right: 64 * KIB, MemorySpace.Acc: 256 * KIB, MemorySpace.Bias: 4 * KIB,
    },
    _ALIGNMENT, _MOVES | {(MemorySpace.Vec, MemorySpace.Mat), (MemorySpace.Acc, MemorySpace.Vec)},
    cube_cores=36, vector_cores=72,
)  # fmt: skip
BACKENDS = {backend.type: backend for backend in (ASCEND_910B, ASCEND_950)}


@dataclass(frozen=True)
class Platform:
    """A target by its id: a generation, and whether programs run on the CPU simulator or on a card."""

    id: str
    backend: Backend
    is_simulator: bool


PLATFORMS = {
    platform.id: platform
    for platform in (
        Platform("a2a3", ASCEND_910B, False),
        Platform("a2a3sim", ASCEND_910B, True),
        Platform("a5", ASCEND_950, False),
        Platform("a5sim", ASCEND_950, True),
    )
}


def platform(name: str) -> Platform:
    """The platform called ``name``; ValueError names the ones there are."""
    if name not in PLATFORMS:
        raise ValueError(f"unknown platform '{name}'; use one of {', '.join(PLATFORMS)}")
    return PLATFORMS[name]
