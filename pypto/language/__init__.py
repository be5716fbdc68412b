"""The language: ``import pypto.language as pl``."""

from __future__ import annotations

from pypto.frontend.annotations import Array, InOut, Out, Ptr, Scalar, TaskId, Tensor, Tile, Tuple
from pypto.frontend.annotations import mem_ref as MemRef
from pypto.frontend.annotations import tensor_view as TensorView
from pypto.frontend.annotations import tile_view as TileView
from pypto.frontend.dynamic import DynVar, dynamic
from pypto.frontend.jit import Jit, JITFunction
from pypto.frontend.markers import Marker, Namespace, op_markers
from pypto.frontend.signature import RUNTIME
from pypto.ops import dtypes as _dtypes
from pypto.ops.enums import (
    AtomicType, ForKind, FunctionType, Level, MemorySpace, PadValue, ParamDirection, Role, TensorLayout, TileLayout,
)  # fmt: skip

jit = Jit()
Mem = MemorySpace
ND, DN, NZ = TensorLayout.ND, TensorLayout.DN, TensorLayout.NZ
tensor = Namespace("tensor", op_markers("tensor"))
tile = Namespace("tile", op_markers("tile"))
globals().update({dtype.name: dtype for dtype in _dtypes.ALL})
globals().update(op_markers("pl"))
for _name in (
    "range", "parallel", "unroll", "pipeline", "while_", "yield_", "cond", "at", "const", "min", "max", "static_print",
    "static_assert", "func_attr",
):  # fmt: skip
    globals()[_name] = Marker(_name)
