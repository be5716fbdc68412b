"""Equality of structure: two nodes are equal when they say the same, whatever their places and variable names.

Everything rests on one description of a node: a sequence of tokens in which bound variables are numbers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from pypto.ir import nodes as n
from pypto.ir import types as t
from pypto.ops.dtypes import DataType
from pypto.ops.enums import MemorySpace, TileLayout


def structural_equal(a: n.Node, b: n.Node, enable_auto_mapping: bool = False) -> bool:
    """Whether ``a`` and ``b`` have one structure.

    Bound variables correspond by where they are bound. Free ones must be identical, or with ``enable_auto_mapping``
    correspond one to one by where they are used.
    """
    return a is b or _describe(a, enable_auto_mapping).tokens == _describe(b, enable_auto_mapping).tokens


def structural_hash(node: n.Node, enable_auto_mapping: bool = False) -> int:
    """A hash that structurally equal nodes share, under the same flag; valid within one process."""
    return hash(tuple(_describe(node, enable_auto_mapping).tokens))


def assert_structural_equal(a: n.Node, b: n.Node, enable_auto_mapping: bool = False) -> None:
    """Raise AssertionError that names the path of the first difference and both sides of it."""
    if a is b:
        return
    left, right = (_Description(enable_auto_mapping, paths=True).add(node) for node in (a, b))
    for index, (one, other) in enumerate(zip(left.tokens, right.tokens, strict=False)):
        if one != other:
            path = left.paths[index] or "the node itself"
            raise AssertionError(f"structures differ at {path}: {one} against {other}")
    if len(left.tokens) != len(right.tokens):
        raise AssertionError("structures differ in length only")  # counts precede every sequence


def digest(program: n.Program) -> str:
    """A SHA-256 of the structure of ``program``, the same in every process.

    Local names, the program's own name and places in the source do not count. Names that a user of the compiled program
    sees do: of functions, of their parameters, and the hints that name outlined functions.
    """
    description = _Description(auto=True, interface=True).add(program)
    return hashlib.sha256("\0".join(description.tokens).encode()).hexdigest()


def _describe(node: n.Node, auto: bool) -> _Description:
    return _Description(auto).add(node)


class _Description:
    """The tokens of a node. With ``paths`` the place of each token is kept, with ``interface`` outside names count."""

    def __init__(self, auto: bool, paths: bool = False, interface: bool = False) -> None:
        self.tokens: list[str] = []
        self.paths: list[str] = []
        self._auto = auto
        self._keep_paths = paths
        self._interface = interface
        self._path: list[str] = []
        self._numbers: dict[n.Var, str] = {}
        self._buffers: dict[str, str] = {}

    def add(self, node: n.Node) -> _Description:
        self.node(node)
        return self

    def token(self, text: str) -> None:
        self.tokens.append(text)
        if self._keep_paths:
            self.paths.append("".join(self._path).lstrip("."))

    def part(self, step: str, describe: Callable[[Any], None], value: Any) -> None:
        self._path.append(step)
        describe(value)
        self._path.pop()

    def node(self, node: n.Node | None) -> None:
        if node is None:
            self.token("None")
        elif isinstance(node, n.Var):
            self.use(node)
        else:
            self.token(node.__class__.__name__)
            if isinstance(node, n.Expr):
                self.part(".type", self.type, node.type)
            for name, describe in _FIELDS[node.__class__]:
                self._path.append(f".{name}")
                describe(self, getattr(node, name))
                self._path.pop()

    def nodes(self, nodes: tuple[n.Node | None, ...]) -> None:
        self.token(f"{len(nodes)} nodes")
        for index, node in enumerate(nodes):
            self.part(f"[{index}]", self.node, node)

    def functions(self, functions: tuple[n.Function, ...]) -> None:
        self.token(f"{len(functions)} functions")
        for function in functions:
            self.part(f"['{function.name}']", self.node, function)

    # Variables

    def use(self, var: n.Var) -> None:
        if var in self._numbers:
            self.token(self._numbers[var])
        elif self._auto:
            self.define(var)
        else:
            self.token(f"the free variable {var.name} ({id(var):#x})")

    def define(self, var: n.Var) -> None:
        self.token(self._numbers.setdefault(var, f"variable {len(self._numbers)}"))
        self.part(".type", self.type, var.type)

    def defines(self, found: tuple[n.Var, ...]) -> None:
        self.token(f"{len(found)} variables")
        for index, var in enumerate(found):
            self.part(f"[{index}]", self.define, var)

    def iter_args(self, iter_args: tuple[n.IterArg, ...]) -> None:
        self.nodes(tuple(arg.init for arg in iter_args))
        self.defines(iter_args)

    def params(self, params: tuple[n.Var, ...]) -> None:
        self.defines(params)
        if self._interface:
            self.static(tuple(param.name for param in params))

    def hint(self, hint: str) -> None:
        if self._interface:
            self.static(hint)

    # Types and static values

    def type(self, type_: t.Type) -> None:
        self.token(type_.__class__.__name__)
        _TYPES[type_.__class__](self, type_)

    def types(self, types: tuple[t.Type, ...]) -> None:
        self.token(f"{len(types)} types")
        for index, type_ in enumerate(types):
            self.part(f"[{index}]", self.type, type_)

    def tensor(self, type_: t.TensorType) -> None:
        self.shaped(type_)
        view = type_.view or t.TensorView()
        self.dims(view.stride)
        self.token(f"{view.layout.name} pad {view.pad.name}")

    def tile(self, type_: t.TileType) -> None:
        self.shaped(type_)
        view = type_.view or t.TileView()
        self.dims(view.stride)
        self.dims((view.start_offset or 0,))
        given = (view.blayout, view.slayout, view.fractal)
        layout = [str(mine if mine is not None else usual) for mine, usual in zip(given, _layout(type_), strict=True)]
        self.token(f"{' '.join(layout)} pad {view.pad.name}")
        self.token(f"in {type_.space.name}" if type_.space is not None else "in no space")
        self.memref(type_.memref)

    def memref(self, memref: t.MemRef | None) -> None:
        if memref is None:
            self.token("no memory")
            return
        buffer = self._buffers.setdefault(memref.base, f"buffer {len(self._buffers)}")
        self.token(f"{buffer} at {memref.offset} of {memref.size} bytes, address {memref.address}")

    def shaped(self, type_: t.ShapedType) -> None:
        self.token(type_.dtype.name)
        self.part(".shape", self.dims, type_.shape)
        self.part(".valid_shape", self.dims, type_.valid_shape)

    def dims(self, dims: t.Shape | None) -> None:
        if dims is None:
            self.token("None")
            return
        self.token(f"rank {len(dims)}")
        for index, dim in enumerate(dims):
            if isinstance(dim, int):
                self.part(f"[{index}]", self.token, str(dim))
            else:
                self.part(f"[{index}]", self.node, dim)

    def value(self, value: int | float | bool) -> None:
        """A number; its dtype came before it, so 1, 1.0 and True are one."""
        whole = isinstance(value, float) and value.is_integer() and str(value) != "-0.0"
        self.token(repr(int(value) if whole or isinstance(value, bool) else value))

    def static(self, value: Any) -> None:
        if isinstance(value, n.Node):
            self.node(value)
        elif isinstance(value, t.Type):
            self.type(value)
        elif isinstance(value, DataType):
            self.token(value.name)
        elif isinstance(value, Enum):
            self.token(f"{value.__class__.__name__}.{value.name}")
        elif isinstance(value, Mapping):
            self.token(f"{len(value)} entries")
            for key in sorted(value, key=str):
                self.token(repr(key) if not isinstance(key, Enum) else key.name)
                self.part(f"[{key!r}]", self.static, value[key])
        elif isinstance(value, tuple | list):
            self.token(f"{len(value)} values")
            for index, item in enumerate(value):
                self.part(f"[{index}]", self.static, item)
        else:
            self.token(repr(value))


_Describe = Callable[[_Description, Any], None]
_D = _Description
_SCOPE: tuple[tuple[str, _Describe], ...] = (("name_hint", _D.hint), ("attrs", _D.static), ("body", _D.nodes))
_FIELDS: dict[type, tuple[tuple[str, _Describe], ...]] = {  # in the order in which definitions take effect
    n.Const: (("value", _D.value),),
    n.Binary: (("kind", _D.static), ("left", _D.node), ("right", _D.node)),
    n.Unary: (("kind", _D.static), ("operand", _D.node)),
    n.MakeTuple: (("items", _D.nodes),),
    n.TupleItem: (("tuple", _D.node), ("index", _D.static)),
    n.Call: (("op", lambda description, op: description.token(op.name)), ("args", _D.nodes), ("kwargs", _D.static)),
    n.FunctionCall: (("callee", _D.static), ("args", _D.nodes), ("attrs", _D.static)),
    n.Assign: (("value", _D.node), ("var", _D.define)),
    n.Eval: (("value", _D.node),),
    n.For: (
        ("kind", _D.static), ("start", _D.node), ("stop", _D.node), ("step", _D.node), ("attrs", _D.static),
        ("iter_args", _D.iter_args), ("var", _D.define), ("body", _D.nodes), ("results", _D.defines),
    ),
    n.While: (("iter_args", _D.iter_args), ("condition", _D.node), ("body", _D.nodes), ("results", _D.defines)),
    n.If: (("condition", _D.node), ("then", _D.nodes), ("orelse", _D.nodes), ("results", _D.defines)),
    n.Yield: (("values", _D.nodes),),
    n.Return: (("values", _D.nodes),),
    n.Break: (),
    n.Continue: (),
    n.InCoreScope: _SCOPE,
    n.HierarchyScope: (("level", _D.static), ("role", _D.static), *_SCOPE),
    n.Function: (
        ("name", _D.static), ("kind", _D.static), ("level", _D.static), ("role", _D.static), ("attrs", _D.static),
        ("params", _D.params), ("directions", _D.static), ("return_types", _D.types), ("body", _D.nodes),
    ),
    n.Program: (("functions", _D.functions),),
}  # fmt: skip
_TYPES: dict[type, _Describe] = {
    t.ScalarType: lambda description, type_: description.token(type_.dtype.name),
    t.TensorType: _D.tensor,
    t.TileType: _D.tile,
    t.ArrayType: lambda description, type_: description.token(f"{type_.extent} of {type_.dtype.name}"),
    t.TupleType: lambda description, type_: description.types(type_.items),
    t.UnknownType: lambda description, type_: None,
}
_BLOCKED = (TileLayout.col_major, TileLayout.row_major)
_USUAL: dict[MemorySpace, tuple[TileLayout, TileLayout, int]] = {
    MemorySpace.Mat: (*_BLOCKED, 512),
    MemorySpace.Left: (*_BLOCKED, 512),
    MemorySpace.Acc: (*_BLOCKED, 1024),
    MemorySpace.LeftScale: (TileLayout.row_major, TileLayout.row_major, 32),
    MemorySpace.RightScale: (TileLayout.col_major, TileLayout.col_major, 32),
}


def _layout(type_: t.TileType) -> tuple[TileLayout | None, TileLayout | None, int | None]:
    """The layouts and fractal size that a tile has when its view does not say; unknown ones are None."""
    if type_.space is MemorySpace.Vec:
        column = type_.rank == 2 and type_.shape[1] == 1
        return (TileLayout.col_major if column else TileLayout.row_major), TileLayout.none_box, 512
    return _USUAL.get(type_.space, (None, None, None)) if type_.space is not None else (None, None, None)
