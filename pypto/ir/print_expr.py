"""Printing what stands inside a statement: names, types, expressions, static values."""

from __future__ import annotations

import keyword
import math
import re
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any

from pypto.ir import nodes as n
from pypto.ir import types as t
from pypto.ops.dtypes import BOOL, FP32, INDEX, DataType
from pypto.ops.enums import MemorySpace
from pypto.ops.row import REQUIRED, Op, Param


class Names:
    """A unique identifier for each variable: its hint, with a number behind it where the hint is taken."""

    def __init__(self, reserved: Iterable[str] = (), found: Mapping[n.Var, str] | None = None) -> None:
        self._found: dict[n.Var, str] = dict(found or {})
        self._taken = {*reserved, *self._found.values()}
        self._numbers: dict[str, int] = {}  # the last number given behind a hint

    def __getitem__(self, var: n.Var) -> str:
        name = self._found.get(var)
        if name is None:
            name = self._found[var] = self._fresh(var.name)
        return name

    def nested(self) -> Names:
        """Names for a function: those given so far stay, new ones are forgotten after it."""
        return Names(self._taken, self._found)

    def _fresh(self, hint: str) -> str:
        base = re.sub(r"\W", "_", hint) or "v"
        if base[0].isdigit() or keyword.iskeyword(base):
            base = f"_{base}"
        name = base
        while name in self._taken:
            self._numbers[base] = self._numbers.get(base, 0) + 1
            name = f"{base}_{self._numbers[base]}"
        self._taken.add(name)
        return name


_ATOM = 12
_UNARY = 11
_PRECEDENCE = {
    n.BinaryKind.Or: 1, n.BinaryKind.And: 2,
    n.BinaryKind.Eq: 4, n.BinaryKind.Ne: 4, n.BinaryKind.Lt: 4, n.BinaryKind.Le: 4, n.BinaryKind.Gt: 4,
    n.BinaryKind.Ge: 4,
    n.BinaryKind.BitOr: 5, n.BinaryKind.BitXor: 6, n.BinaryKind.BitAnd: 7,
    n.BinaryKind.ShiftLeft: 8, n.BinaryKind.ShiftRight: 8,
    n.BinaryKind.Add: 9, n.BinaryKind.Sub: 9,
    n.BinaryKind.Mul: 10, n.BinaryKind.FloatDiv: 10, n.BinaryKind.FloorDiv: 10, n.BinaryKind.FloorMod: 10,
}  # fmt: skip
_ENUM_NAMES: Mapping[type, str] = {MemorySpace: "Mem"}


class ExprPrinter:
    """Writes expressions and types under the names it keeps."""

    def __init__(self, prefix: str, names: Names) -> None:
        self.names = names
        self._prefix = prefix

    def expr(self, expr: n.Expr, least: int = 0) -> str:
        """``expr`` as text, in parentheses when it binds less tightly than ``least``."""
        text, precedence = _EXPRS[expr.__class__](self, expr)
        return f"({text})" if precedence < least else text

    def const(self, expr: n.Const) -> tuple[str, int]:
        """A constant; the default dtype of its kind of literal is not spelled out."""
        value, dtype = expr.value, expr.dtype
        if isinstance(value, float) and not math.isfinite(value):
            return f'{self._prefix}.const(float("{value}"), {self.static(dtype)})', _ATOM
        default = BOOL if isinstance(value, bool) else INDEX if isinstance(value, int) else FP32
        if dtype == default:
            return repr(value), _UNARY if repr(value).startswith("-") else _ATOM
        return f"{self._prefix}.const({value!r}, {self.static(dtype)})", _ATOM

    def binary(self, expr: n.Binary) -> tuple[str, int]:
        """A scalar operation on two operands."""
        if expr.kind in (n.BinaryKind.Min, n.BinaryKind.Max):
            return f"{self._prefix}.{expr.kind.value}({self.expr(expr.left)}, {self.expr(expr.right)})", _ATOM
        own = _PRECEDENCE[expr.kind]
        left = self.expr(expr.left, own + expr.kind.is_comparison)  # a < b < c would be a chain
        return f"{left} {expr.kind.value} {self.expr(expr.right, own + 1)}", own

    def unary(self, expr: n.Unary) -> tuple[str, int]:
        """A scalar operation on one operand."""
        if expr.kind is n.UnaryKind.Cast:
            return f"{self._prefix}.cast({self.expr(expr.operand)}, {self.type_dtype(expr)})", _ATOM
        if expr.kind is n.UnaryKind.Not:
            return f"not {self.expr(expr.operand, 3)}", 3
        return f"{expr.kind.value}{self.expr(expr.operand, _UNARY)}", _UNARY

    def type_dtype(self, expr: n.Expr) -> str:
        """The dtype of a scalar expression."""
        assert isinstance(expr.type, t.ScalarType)
        return self.static(expr.type.dtype)

    def call(self, call: n.Call) -> tuple[str, int]:
        """A call of an operation: what is required in order, what is optional by keyword."""
        operands = iter(call.args)
        parts, positional = [], True
        for param in call.op.params:
            given, text = self._argument(param, call, operands)
            if not given:
                positional = False
            elif positional and param.default is REQUIRED:
                parts.append(text)
            else:
                positional = False
                parts.append(f"{param.name}={text}")
        return f"{self._prefix}.{_spelling(call.op)}({', '.join(parts)})", _ATOM

    def _argument(self, param: Param, call: n.Call, operands: Any) -> tuple[bool, str]:
        if param.kind.is_operand:
            operand = next(operands)
            return operand is not None, "" if operand is None else self.expr(operand)
        if param.name not in call.kwargs:
            return False, ""
        return True, self.static(call.kwargs[param.name])

    def function_call(self, call: n.FunctionCall) -> tuple[str, int]:
        """A call of a function of the program."""
        parts = [self.expr(arg) for arg in call.args]
        if call.attrs:
            parts.append(f"attrs={self.static(call.attrs)}")
        return f"self.{call.callee}({', '.join(parts)})", _ATOM

    # Types

    def type(self, type_: t.Type) -> str:
        """``type_`` as an annotation."""
        return _TYPES[type_.__class__](self, type_)

    def shaped(self, kind: str, type_: t.ShapedType, extra: list[str]) -> str:
        """The annotation of a tensor or tile."""
        parts = [self.dims(type_.shape), self.static(type_.dtype), *extra]
        return f"{self._prefix}.{kind}[{', '.join(parts)}]"

    def tensor(self, type_: t.TensorType) -> str:
        """The annotation of a tensor; a view that is a layout alone is written as the layout."""
        view = type_.view
        if view is None:
            return self.shaped("Tensor", type_, [])
        if view == t.TensorView(layout=view.layout):
            return self.shaped("Tensor", type_, [f"{self._prefix}.{view.layout.value}"])
        return self.shaped("Tensor", type_, [self._view("TensorView", view, t.TensorView())])

    def tile(self, type_: t.TileType) -> str:
        """The annotation of a tile with its memory, as far as it is known."""
        extra = []
        if type_.memref is not None:
            extra.append(self.memref(type_.memref))
        if type_.space is not None:
            extra.append(self.static(type_.space))
        if type_.view is not None:
            extra.append(self._view("TileView", type_.view, t.TileView()))
        return self.shaped("Tile", type_, extra)

    def memref(self, memref: t.MemRef) -> str:
        """A piece of an allocation."""
        address = "" if memref.address is None else f", address={memref.address}"
        return f'{self._prefix}.MemRef("{memref.base}", {memref.offset}, {memref.size}{address})'

    def _view(self, kind: str, view: Any, default: Any) -> str:
        changed = [(name, value) for name in view.__slots__ if (value := getattr(view, name)) != getattr(default, name)]
        return f"{self._prefix}.{kind}({', '.join(f'{name}={self._view_field(value)}' for name, value in changed)})"

    def _view_field(self, value: Any) -> str:
        if isinstance(value, tuple):
            return self.dims(value)
        return self.expr(value) if isinstance(value, n.Expr) else self.static(value)

    def dims(self, dims: t.Shape) -> str:
        """Dimensions in brackets."""
        return f"[{', '.join(str(dim) if isinstance(dim, int) else self.expr(dim) for dim in dims)}]"

    # Static values

    def static(self, value: Any) -> str:
        """A dtype, an enum value, a number, a text, or a list or dict of them, as the language spells it."""
        if isinstance(value, DataType):
            return f"{self._prefix}.{value.name}"
        if isinstance(value, Enum):
            kind = type(value)
            return f"{self._prefix}.{_ENUM_NAMES.get(kind, kind.__name__)}.{value.name}"
        if isinstance(value, n.Expr):
            return self.expr(value)
        if isinstance(value, Mapping):
            return f"{{{', '.join(f'{self.static(key)}: {self.static(item)}' for key, item in value.items())}}}"
        if isinstance(value, tuple | list):
            return f"[{', '.join(map(self.static, value))}]"
        if isinstance(value, float) and not math.isfinite(value):
            return f'float("{value}")'
        if isinstance(value, str):
            return _quoted(value)
        return repr(value)


def _spelling(op: Op) -> str:
    """The name of an operation behind the prefix; a namespace where the short name does not reach it."""
    return op.name if "." in op.name or "pl" in op.reach else f"{min(op.reach)}.{op.name}"


def _quoted(text: str) -> str:
    """A string literal in double quotes where that needs no more escapes."""
    plain = repr(text)
    return f'"{plain[1:-1]}"' if plain.startswith("'") and '"' not in text else plain


_EXPRS: Mapping[type, Callable[[ExprPrinter, Any], tuple[str, int]]] = {
    n.Var: lambda printer, expr: (printer.names[expr], _ATOM),
    n.IterArg: lambda printer, expr: (printer.names[expr], _ATOM),
    n.Const: ExprPrinter.const,
    n.Binary: ExprPrinter.binary,
    n.Unary: ExprPrinter.unary,
    n.MakeTuple: lambda printer, expr: (f"[{', '.join(map(printer.expr, expr.items))}]", _ATOM),
    n.TupleItem: lambda printer, expr: (f"{printer.expr(expr.tuple, _ATOM)}[{expr.index}]", _ATOM),
    n.Call: ExprPrinter.call,
    n.FunctionCall: ExprPrinter.function_call,
}
_TYPES: Mapping[type, Callable[[ExprPrinter, Any], str]] = {
    t.ScalarType: lambda printer, type_: f"{printer._prefix}.Scalar[{printer.static(type_.dtype)}]",
    t.TensorType: ExprPrinter.tensor,
    t.TileType: ExprPrinter.tile,
    t.ArrayType: lambda printer, type_: f"{printer._prefix}.Array[{type_.extent}, {printer.static(type_.dtype)}]",
    t.TupleType: lambda printer, type_: f"{printer._prefix}.Tuple[{', '.join(map(printer.type, type_.items))}]",
    t.UnknownType: lambda printer, type_: "None",
}
