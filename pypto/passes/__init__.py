"""The passes and their order, and running them with dumps and checks between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pypto.ir.nodes import Program
from pypto.passes.auto_tile_matmul_l0 import AutoTileMatmulL0
from pypto.passes.context import Pass, PassContext
from pypto.passes.convert_tensor_to_tile_ops import ConvertTensorToTileOps
from pypto.passes.convert_to_ssa import ConvertToSSA
from pypto.passes.ctrl_flow_transform import CtrlFlowTransform
from pypto.passes.derive_call_directions import DeriveCallDirections
from pypto.passes.flatten_call_expr import FlattenCallExpr
from pypto.passes.flatten_tile_nd_to_2d import FlattenTileNdTo2D
from pypto.passes.infer_tile_memory_space import InferTileMemorySpace
from pypto.passes.inline_functions import InlineFunctions
from pypto.passes.memory import AllocateMemoryAddr, InitMemRef, MemoryReuse
from pypto.passes.outline_incore_scopes import OutlineIncoreScopes
from pypto.passes.simplify import Simplify
from pypto.passes.unroll_loops import UnrollLoops

PIPELINE: tuple[Pass, ...] = (
    FlattenCallExpr(),
    InlineFunctions(),
    UnrollLoops(),
    CtrlFlowTransform(),
    ConvertToSSA(),
    Simplify(),
    OutlineIncoreScopes(),
    ConvertTensorToTileOps(),
    FlattenTileNdTo2D(),
    AutoTileMatmulL0(),
    Simplify(),
    InferTileMemorySpace(),
    InitMemRef(),
    MemoryReuse(),
    AllocateMemoryAddr(),
    DeriveCallDirections(),
)

Observer = Callable[[int, str, Program], Any]


def run_passes(program: Program, context: PassContext, observe: Observer | None = None) -> Program:
    """``program`` after the whole pipeline.

    ``observe(number, name, program)`` is called with the input as number 0 and after each pass; dumps and checks hook
    in there.
    """
    if observe is not None:
        observe(0, "frontend", program)
    for number, step in enumerate(PIPELINE, 1):
        program = step(program, context)
        if observe is not None:
            observe(number, step.name, program)
    return program


__all__ = [
    "PIPELINE",
    "AllocateMemoryAddr",
    "AutoTileMatmulL0",
    "ConvertTensorToTileOps",
    "ConvertToSSA",
    "CtrlFlowTransform",
    "DeriveCallDirections",
    "FlattenCallExpr",
    "FlattenTileNdTo2D",
    "InferTileMemorySpace",
    "InitMemRef",
    "InlineFunctions",
    "MemoryReuse",
    "Observer",
    "OutlineIncoreScopes",
    "Pass",
    "PassContext",
    "Simplify",
    "UnrollLoops",
    "run_passes",
]
