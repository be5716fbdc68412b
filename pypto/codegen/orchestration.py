"""C++ source of an orchestration: buffers, windows and scalars, and a task launch for each kernel call."""

from __future__ import annotations

from collections.abc import Mapping

from pypto.codegen.kernel import core_type
from pypto.codegen.scalars import ctype
from pypto.codegen.writer import Writer
from pypto.errors import LoweringError
from pypto.ir import nodes as n
from pypto.ir.build import dims, scalar_dtype
from pypto.ir.roots import buffer_roots
from pypto.ir.types import ScalarType, TensorType
from pypto.ir.visit import used_vars
from pypto.ops.enums import ArgDirection

_ADD = {
    ArgDirection.Input: "add_input", ArgDirection.InOut: "add_inout", ArgDirection.OutputExisting: "add_output",
    ArgDirection.Output: "add_output",
}  # fmt: skip


def orchestration_source(function: n.Function, kernels: Mapping[str, tuple[int, n.Function]]) -> str:
    """The C++ source of ``function``; ``kernels`` gives the func id and the function of each kernel by name."""
    return OrchestrationWriter(function, kernels).source()


class OrchestrationWriter(Writer):
    """Writes one orchestration."""

    def __init__(self, function: n.Function, kernels: Mapping[str, tuple[int, n.Function]]) -> None:
        super().__init__(function)
        self.kernels = kernels
        self.tuples: dict[n.Var, list[str]] = {}

    def source(self) -> str:
        """The whole file."""
        function = self.function_ir
        self._parameters()
        self.body(function.body)
        return "\n".join(
            [
                f"// Orchestration {function.name}.",  # no source line: code that did not change stays equal
                '#include "pto/sim.hpp"',
                "using namespace pto;",
                "",
                f'extern "C" int64_t aicpu_orchestration_config() {{ return {len(function.params)}; }}',
                "",
                'extern "C" void aicpu_orchestration_entry(Runtime& runtime, const int64_t* args)',
                "{",
                *self.lines,
                "}",
                "",
            ]
        )

    def _parameters(self) -> None:
        """Bind parameters to argument slots, in their order, and the run-time dimensions of their shapes."""
        params = self.function_ir.params
        used = set(used_vars(self.function_ir.body))
        for slot, param in enumerate(params):
            if isinstance(param.type, TensorType):
                self.line(f"const Tensor& {self.names[param]} = tensor_arg(args, {slot});")
            else:
                dtype = scalar_dtype(param)
                read = "float_arg" if dtype.is_float else "int_arg"
                self.line(f"const {ctype(dtype)} {self.names[param]} = {read}(args, {slot});")
        for param in params:
            if isinstance(param.type, TensorType):
                for axis, dim in enumerate(param.type.shape):
                    if isinstance(dim, n.Var) and dim in used and dim not in self.texts and dim not in params:
                        self.line(f"const int64_t {self.names[dim]} = {self.names[param]}.shape[{axis}];")
                        self.texts[dim] = self.names[dim]

    def assign_value(self, stmt: n.Assign) -> None:
        """Launch a kernel, pick one of its results, or make a buffer, a window or a scalar."""
        value, var = stmt.value, stmt.var
        if isinstance(value, n.FunctionCall):
            results = self._launch(value)
            self.tuples[var] = results
            self.texts[var] = results[0] if results else ""
        elif isinstance(value, n.TupleItem) and isinstance(value.tuple, n.Var) and value.tuple in self.tuples:
            self.texts[var] = self.tuples[value.tuple][value.index]
        elif isinstance(value, n.Call):
            self._operation(value, var)
        else:
            raise LoweringError(f"a {type(value).__name__} in an orchestration", stmt.span)

    def _operation(self, call: n.Call, var: n.Var) -> None:
        name = self.names[var]
        if call.op.name == "create_tensor":
            assert isinstance(var.type, TensorType)
            shape = ", ".join(self.integer(dim) for dim in var.type.shape)
            buffer = f'create(runtime, "{name}", {var.type.dtype.name}, {var.type.rank}, Index{{{shape}}})'
            self.line(f"const Tensor {name} = {buffer};")
        elif call.op.name == "slice":
            assert call.args[0] is not None
            self.line(f"const Tensor {name} = window({self.text(call.args[0])}, {self._window(call)});")
        elif call.op.name == "reshape" and isinstance(var.type, TensorType):
            assert call.args[0] is not None
            source, shape = self.text(call.args[0]), ", ".join(self.integer(dim) for dim in var.type.shape)
            self.line(f"const Tensor {name} = reshape({source}, {var.type.rank}, Index{{{shape}}});")
        elif isinstance(var.type, ScalarType) and call.op.name in ("read", "dim") and callable(call.op.emit):
            self.line(f"const {ctype(var.type.dtype)} {name} = {call.op.emit(self.text, call, '')};")
        else:
            raise misplaced(call)

    def _window(self, call: n.Call) -> str:
        """Offsets, extents and, where axes are dropped, the mask of those that stay."""
        source, shape, offset, valid, dropped = call.args[:5]
        if valid is not None:
            raise LoweringError(
                "a slice with valid_shape in an orchestration", call.span, "slice inside the pl.at region instead"
            )
        rank = source.type.rank  # type: ignore[union-attr]
        axes = {int(axis) for axis in dims(dropped) or ()}  # type: ignore[arg-type]
        mask = sum(1 << axis for axis in range(rank) if axis not in axes)
        text = f"{self.text(offset)}, {self.text(shape)}"
        return f"{text}, {mask:#x}" if axes else text

    def write_eval(self, stmt: n.Eval) -> None:
        """A kernel call, or an effect on a tensor."""
        if isinstance(stmt.value, n.FunctionCall):
            self._launch(stmt.value)
        elif isinstance(stmt.value, n.Call) and stmt.value.op.name == "write" and callable(stmt.value.op.emit):
            self.line(stmt.value.op.emit(self.text, stmt.value, ""))
        elif isinstance(stmt.value, n.Call):
            raise misplaced(stmt.value)

    def _launch(self, call: n.FunctionCall) -> list[str]:
        """Write the launch of a kernel; the texts of its results, which are among its arguments."""
        if call.callee not in self.kernels:
            raise LoweringError(f"'{call.callee}' is no kernel, so an orchestration cannot launch it", call.span)
        func_id, kernel = self.kernels[call.callee]
        self.line("{")
        self.depth += 1
        self.line("TaskArgs task;")
        pairs = list(zip(call.args, call.attrs["arg_directions"], strict=True))
        for arg, direction in pairs:
            if direction is ArgDirection.NoDep:
                self.line(f"add_tensor(task, {self.text(arg)}, NO_DEP);")
            elif direction is not ArgDirection.Scalar:
                self.line(f"{_ADD[direction]}(task, {self.text(arg)});")
        for arg, direction in pairs:
            if direction is ArgDirection.Scalar:
                wide = "double" if scalar_dtype(arg).is_float else "int64_t"
                self.line(f"add_scalar(task, {wide}({self.text(arg)}));")
        self.line(f"submit(runtime, {func_id}, {core_type(kernel).upper()}, task);  // {kernel.name}")
        self.depth -= 1
        self.line("}")
        by_param = dict(zip(kernel.params, call.args, strict=True))
        returned = kernel.body[-1].values if kernel.body and isinstance(kernel.body[-1], n.Return) else ()
        return [self.text(by_param[_parameter(kernel, value)]) for value in returned]


def _parameter(kernel: n.Function, value: n.Expr) -> n.Var:
    """The parameter of ``kernel`` whose buffer a returned value is."""
    root = buffer_roots(kernel.body).get(value, value) if isinstance(value, n.Var) else value
    if not isinstance(root, n.Var) or root not in kernel.params:
        raise LoweringError(
            f"'{kernel.name}' returns a value that is not stored in one of its Out parameters", value.span,
            "add a pl.Out parameter, store into it and return it",
        )  # fmt: skip
    return root


def misplaced(call: n.Call) -> LoweringError:
    """The error for an operation on tensor data in an orchestration."""
    return LoweringError(
        f"{call.op.name}: misplaced tensor op, an orchestration computes no tensor data", call.span,
        "move it into an in-core block: with pl.at(level=pl.Level.CORE_GROUP):",
    )  # fmt: skip
