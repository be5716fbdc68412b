"""The language: ``import pypto.language as pl``. Most names here are understood inside kernels only."""

# ruff: noqa: F401 (what is imported here is exported through __all__, which ruff cannot compute)
from __future__ import annotations

from types import SimpleNamespace

from pypto.frontend.annotations import Array, InOut, Out, Ptr, Scalar, TaskId, Tensor, Tile, Tuple
from pypto.frontend.annotations import mem_ref as MemRef
from pypto.frontend.annotations import tensor_view as TensorView
from pypto.frontend.annotations import tile_view as TileView
from pypto.frontend.decorators import Jit
from pypto.frontend.dynamic import DynVar, dynamic
from pypto.frontend.jit import InlineFunction, JITFunction
from pypto.frontend.later import LATER, Later
from pypto.frontend.markers import Marker, Namespace, op_markers
from pypto.frontend.program import function, program
from pypto.frontend.signature import RUNTIME
from pypto.frontend.text import loads, parse
from pypto.ops import dtypes as _dtypes
from pypto.ops.enums import (
    ArgDirection,
    AtomicType,
    CastMode,
    CompareMode,
    ForKind,
    FunctionType,
    Level,
    MemorySpace,
    PadValue,
    ParamDirection,
    Role,
    TensorLayout,
    TileLayout,
)

_ADIR = {
    "input": "Input", "output": "Output", "inout": "InOut", "output_existing": "OutputExisting", "no_dep": "NoDep",
    "scalar": "Scalar",
}  # fmt: skip
AUTO = -1
adir = SimpleNamespace(**{name: ArgDirection[member] for name, member in _ADIR.items()})
IntLike = int
Mem = MemorySpace
ND, DN, NZ = TensorLayout.ND, TensorLayout.DN, TensorLayout.NZ
MX_A_ZZ, MX_B_NN = TensorLayout.MX_A_ZZ, TensorLayout.MX_B_NN
inline = InlineFunction
jit = Jit()
parse_program, loads_program = parse, loads  # older names
tensor = Namespace("tensor", op_markers("tensor"))
tile = Namespace("tile", op_markers("tile"))

_CONSTRUCTS = (
    "at", "cond", "const", "func_attr", "max", "min", "parallel", "pipeline", "range", "static_assert", "static_print",
    "unroll", "while_", "yield_",
)  # fmt: skip
_GENERATED = {
    **{dtype.name: dtype for dtype in _dtypes.ALL},
    **op_markers("pl"),
    **{name: Marker(name) for name in _CONSTRUCTS},
    **{name: Later(name) for name in LATER},
}
globals().update(_GENERATED)

_EXPORTED = [
    "AUTO", "ArgDirection", "Array", "AtomicType", "CastMode", "CompareMode", "DN", "DynVar", "ForKind", "FunctionType",
    "InOut", "InlineFunction", "IntLike", "JITFunction", "Level", "MX_A_ZZ", "MX_B_NN", "Mem", "MemRef", "MemorySpace",
    "ND", "NZ", "Out", "PadValue", "ParamDirection", "Ptr", "RUNTIME", "Role", "Scalar", "TaskId", "Tensor",
    "TensorLayout", "TensorView", "Tile", "TileLayout", "TileView", "Tuple", "adir", "dynamic", "function", "inline",
    "jit", "loads", "loads_program", "parse", "parse_program", "program", "tensor", "tile",
]  # fmt: skip
__all__ = sorted({*_EXPORTED, *_GENERATED})
