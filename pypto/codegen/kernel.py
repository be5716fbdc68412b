"""C++ source of one in-core function: control flow plus calls into the simulator library."""

from __future__ import annotations

import re
from typing import Any

from pypto.codegen.scalars import ctype
from pypto.codegen.writer import Writer
from pypto.errors import LoweringError
from pypto.ir import nodes as n
from pypto.ir.build import scalar_dtype
from pypto.ir.types import ScalarType, TensorType, TileType, UnknownType
from pypto.ir.visit import used_vars, walk
from pypto.ops.enums import FunctionType, MemorySpace
from pypto.ops.row import Kind, Op, Trait

SPACES = {
    MemorySpace.Vec: "VEC", MemorySpace.Mat: "MAT", MemorySpace.Left: "LEFT", MemorySpace.Right: "RIGHT",
    MemorySpace.Acc: "ACC", MemorySpace.Bias: "BIAS",
}  # fmt: skip


def core_type(function: n.Function) -> str:
    """The core that runs an in-core function: ``aic`` for the cube, ``aiv`` for the vector core, ``mix`` for both."""
    if "core_type" in function.attrs:
        return str(function.attrs["core_type"])
    if function.kind in (FunctionType.AIC, FunctionType.AIV):
        return function.kind.name.lower()
    calls = [node for node in walk(function) if isinstance(node, n.Call)]
    cube = any(Trait.MATMUL in call.op.traits for call in calls)
    vector = any(isinstance(call.type, TileType) and call.type.space is MemorySpace.Vec for call in calls)
    return "mix" if cube and vector else "aic" if cube else "aiv"


def kernel_source(function: n.Function) -> str:
    """The C++ source of ``function``, which has gone through all passes."""
    return KernelWriter(function).source()


class KernelWriter(Writer):
    """Writes one kernel. Tiles are descriptors of their planned place; views derive theirs from their operand."""

    def source(self) -> str:
        """The whole file."""
        function = self.function_ir
        self._parameters()
        used = [int(function.attrs.get("memory_used", {}).get(space.name, 0)) for space in SPACES]
        self.line(f'kernel_begin("{function.name}", {", ".join(map(str, used))});')
        self.body(function.body)
        return "\n".join(
            [
                f"// Kernel {function.name}.",  # no source line: code that did not change stays equal
                '#include "pto/sim.hpp"',
                "using namespace pto;",
                "",
                'extern "C" void kernel_entry(int64_t* args)',
                "{",
                *self.lines,
                "}",
                "",
            ]
        )

    def _parameters(self) -> None:
        """Bind parameters to argument slots, tensors first, and the run-time dimensions of their shapes."""
        params = self.function_ir.params
        used = set(used_vars(self.function_ir.body))
        tensors = [param for param in params if isinstance(param.type, TensorType)]
        scalars = [param for param in params if not isinstance(param.type, TensorType)]
        for slot, param in enumerate(tensors):
            self.line(f"const Tensor& {self.names[param]} = tensor_arg(args, {slot});")
        for slot, param in enumerate(scalars, len(tensors)):
            dtype = scalar_dtype(param)
            read = "float_arg" if dtype.is_float else "int_arg"
            self.line(f"const {ctype(dtype)} {self.names[param]} = {read}(args, {slot});")
        for param in tensors:
            assert isinstance(param.type, TensorType)
            for axis, dim in enumerate(param.type.shape):
                if isinstance(dim, n.Var) and dim in used and dim not in self.texts and dim not in params:
                    self.line(f"const int64_t {self.names[dim]} = {self.names[param]}.shape[{axis}];")
                    self.texts[dim] = self.names[dim]
        calls = {node.op.name for node in walk(self.function_ir) if isinstance(node, n.Call)}
        for offset, (op, name) in enumerate((("get_block_idx", "block_idx"), ("get_block_num", "block_num"))):
            if op in calls:
                self.line(f"const int64_t {name} = int_arg(args, {len(params) + offset});")

    def tile(self, type_: TileType, var: n.Var) -> str:
        """C++ text of the descriptor of a tile at its planned address."""
        if type_.memref is None or type_.memref.address is None or type_.space is None:
            raise LoweringError(f"tile '{var.name}' has no place in memory", var.span)
        rows, cols = type_.shape
        where = f"{SPACES[type_.space]}, {type_.dtype.name}, {type_.memref.address:#x}, {rows}, {cols}"
        valid = type_.valid_shape
        narrow = "" if valid == type_.shape else f", {self.integer(valid[0])}, {self.integer(valid[1])}"
        return f"tile({where}{narrow})"

    def declare_tile(self, var: n.Var) -> None:
        """Declare a tile that a loop or branch hands on: the descriptor of the place that all its sources share."""
        assert isinstance(var.type, TileType)
        self.line(f"const Tile {self.names[var]} = {self.tile(var.type, var)};")

    def assign_value(self, stmt: n.Assign) -> None:
        """Declare the result of a call and write the call."""
        call, var = stmt.value, stmt.var
        if not isinstance(call, n.Call):
            raise LoweringError("a call of a function inside in-core code", stmt.span, "use a pl.jit.inline helper")
        if isinstance(var.type, TileType):
            self._tile_value(call, var, var.type)
        elif isinstance(var.type, ScalarType):
            self.line(f"const {ctype(var.type.dtype)} {self.names[var]} = {self.statement(call, '')};")
        else:
            self.line(self.statement(call, ""))
            root = self.roots.get(var)
            if root is not None:
                self.texts[var] = self.name(root)

    def _tile_value(self, call: n.Call, var: n.Var, type_: TileType) -> None:
        name = self.names[var]
        operand = next((arg for arg in call.args if arg is not None and isinstance(arg.type, TileType)), None)
        if Trait.VIEW in call.op.traits:
            self.line(f"const Tile {name} = {self._view(call, type_)};")
            return
        if Trait.IN_PLACE in call.op.traits and operand is not None:
            valid = ", ".join(self.integer(dim) for dim in type_.valid_shape)
            self.line(f"const Tile {name} = with_valid({self.text(operand)}, {valid});")
        else:
            self.line(f"const Tile {name} = {self.tile(type_, var)};")
        self.line(self.statement(call, name))

    def _view(self, call: n.Call, type_: TileType) -> str:
        """The descriptor of a view, derived from that of its operand."""
        source = self.text(call.args[0])
        rows, cols = type_.shape
        valid = ", ".join(self.integer(dim) for dim in type_.valid_shape)
        if call.op.name == "slice":
            offsets = call.args[2]
            assert isinstance(offsets, n.MakeTuple)
            row, col = (self.integer(item) for item in offsets.items)
            return f"subtile({source}, {row}, {col}, {rows}, {cols}, {valid})"
        if call.op.name == "reshape":
            return f"reshaped({source}, {rows}, {cols}, {valid})"
        if call.op.name == "transpose_view":
            return f"transposed({source})"
        if call.op.name == "set_validshape":
            return f"with_valid({source}, {valid})"
        raise LoweringError(f"{call.op.name}: this view of a tile is not supported yet", call.span)

    def write_eval(self, stmt: n.Eval) -> None:
        """A store or another effect."""
        if not isinstance(stmt.value, n.Call) or not isinstance(stmt.value.type, TensorType | UnknownType):
            raise LoweringError("this expression has no effect in a kernel", stmt.span)
        self.line(self.statement(stmt.value, ""))

    def statement(self, call: n.Call, dst: str) -> str:
        """The C++ of a call by its row: a statement, or the expression of an op with a scalar result."""
        emit = call.op.emit
        if callable(emit):
            return emit(self.operand, call, dst)
        if not emit:
            raise LoweringError(f"{call.op.name}: has no in-core form", call.span)
        values = {
            p.name: "" if a is None else self.operand(a) for p, a in zip(call.op.operands, call.args, strict=True)
        }
        values |= {param.name: self._static(call, param.name, param.default) for param in call.op.statics}
        text = emit.format(dst=dst, **values)
        return re.sub(r"\(", "S(", text, count=1) if has_scalar_operand(call.op, call) else text

    def operand(self, expr: Any) -> str:
        """C++ text of an operand; integer scalars are int64_t so that overloads resolve."""
        if isinstance(expr, n.Expr) and isinstance(expr.type, ScalarType) and expr.type.dtype.is_integer:
            return f"int64_t({self.integer(expr)})"
        return self.text(expr)

    def _static(self, call: n.Call, name: str, default: Any) -> str:
        value: Any = call.kwargs.get(name, default)
        return str(getattr(value, "name", value))


def has_scalar_operand(op: Op, call: n.Call) -> bool:
    """Whether an operand that may be a value or a scalar is a scalar."""
    return any(
        param.kind is Kind.VALUE_OR_SCALAR and arg is not None and isinstance(arg.type, ScalarType)
        for param, arg in zip(op.operands, call.args, strict=True)
    )
