"""What a compiled program tells about itself: the record beside its files, from which it can be loaded again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pypto.ir import nodes as n
from pypto.ir.roots import buffer_roots
from pypto.ir.types import ScalarType, TensorType
from pypto.ir.visit import bodies
from pypto.ops.dtypes import BY_NAME, DataType
from pypto.ops.enums import ParamDirection

FILE_NAME = "compiled_meta.json"
VERSION = 1


@dataclass(frozen=True, slots=True)
class ParamInfo:
    """A parameter: a tensor, with None or the name of a run-time size for each dynamic dimension, or a scalar."""

    name: str
    dtype: DataType
    direction: ParamDirection = ParamDirection.In
    shape: tuple[int | str | None, ...] | None = None

    @property
    def is_tensor(self) -> bool:
        """Whether the parameter takes a tensor; else a scalar."""
        return self.shape is not None

    @property
    def is_output(self) -> bool:
        """Whether the program writes it: pl.Out or pl.InOut."""
        return self.direction is not ParamDirection.In

    @property
    def may_be_left_out(self) -> bool:
        """Whether a call may leave the argument out and get it as a result."""
        return self.direction is ParamDirection.Out


@dataclass(frozen=True, slots=True)
class Metadata:
    """What running a program needs beside its library. ``returns`` holds the position of each returned parameter."""

    name: str
    platform: str
    memory_planner: str
    params: tuple[ParamInfo, ...]
    returns: tuple[int, ...] = ()
    phases: Mapping[str, float] = field(default_factory=dict)

    def save(self, folder: Path) -> None:
        """Write the record into the program's folder."""
        params = [
            {
                "name": param.name,
                "kind": "tensor" if param.is_tensor else "scalar",
                "dtype": param.dtype.name,
                "direction": param.direction.value,
                "shape": None if param.shape is None else list(param.shape),
            }
            for param in self.params
        ]
        record = {
            "version": VERSION,
            "name": self.name,
            "platform": self.platform,
            "memory_planner": self.memory_planner,
            "params": params,
            "returns": list(self.returns),
        }
        folder.mkdir(parents=True, exist_ok=True)
        (folder / FILE_NAME).write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Metadata:
        """Read the record of a program's folder; ValueError when it is not one of ours."""
        path = folder / FILE_NAME
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise FileNotFoundError(
                f"{folder} holds no {FILE_NAME}, so it is no compiled program; compile it first"
            ) from None
        except ValueError as error:
            raise ValueError(f"{path} is damaged ({error}); compile the program again") from error
        version = record.get("version") if isinstance(record, dict) else None
        if version != VERSION:
            raise ValueError(
                f"{path} has version {version!r}, and this pypto reads {VERSION}; compile the program again"
            )
        try:
            params = tuple(_param(item) for item in record["params"])
            returns = tuple(int(index) for index in record["returns"])
            return cls(record["name"], record["platform"], record["memory_planner"], params, returns)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path} is damaged ({error!r}); compile the program again") from error


def _param(item: Mapping[str, Any]) -> ParamInfo:
    shape = None if item["shape"] is None else tuple(item["shape"])
    return ParamInfo(item["name"], BY_NAME[item["dtype"]], ParamDirection(item["direction"]), shape)


def parameters(entry: n.Function) -> tuple[ParamInfo, ...]:
    """The parameters of an orchestration. Dimensions that are one variable share a name."""
    names: dict[n.Expr, str] = {}
    found = []
    for param, direction in zip(entry.params, entry.directions, strict=True):
        if isinstance(param.type, TensorType):
            shape = tuple(dim if isinstance(dim, int) else _size_name(dim, names) for dim in param.type.shape)
            found.append(ParamInfo(param.name, param.type.dtype, direction, shape))
        else:
            assert isinstance(param.type, ScalarType)
            found.append(ParamInfo(param.name, param.type.dtype))
    return tuple(found)


def _size_name(dim: n.Expr, names: dict[n.Expr, str]) -> str | None:
    if not isinstance(dim, n.Var):
        return None
    if dim not in names:
        clash = dim.name in names.values()
        names[dim] = f"{dim.name}#{len(names)}" if clash else dim.name
    return names[dim]


def returned(function: n.Function, functions: Mapping[str, n.Function] | None = None) -> tuple[int, ...]:
    """Which parameter each returned value is; empty when a value is none, or nothing is returned.

    ``functions`` are those that ``function`` may call, by name: what a call returns is one of its arguments.
    """
    last = function.body[-1] if function.body else None
    if not isinstance(last, n.Return):
        return ()
    positions: dict[n.Expr | None, int] = {param: index for index, param in enumerate(function.params)}
    roots = buffer_roots(function.body)
    results = _call_results(function.body, functions or {})
    found = []
    for value in last.values:
        origin: n.Expr | None = value
        while origin is not None and origin not in positions:
            if isinstance(origin, n.TupleItem):
                origin = dict(enumerate(results.get(origin.tuple, ()))).get(origin.index)
            elif len(results.get(origin, ())) == 1:
                origin = results[origin][0]
            else:
                origin = roots.get(origin) if isinstance(origin, n.Var) else None
        found.append(positions.get(origin, -1))
    return tuple(found) if -1 not in found else ()


def _call_results(body: n.Body, functions: Mapping[str, n.Function]) -> dict[n.Expr, tuple[n.Expr, ...]]:
    """For each variable: what it was assigned, if that is another value, or the arguments that a call returns."""
    found: dict[n.Expr, tuple[n.Expr, ...]] = {}
    for stmt in statements(body):
        if isinstance(stmt, n.Assign):
            value = stmt.value
            if isinstance(value, n.FunctionCall) and value.callee in functions:
                places = returned(functions[value.callee], functions)
                found[stmt.var] = tuple(value.args[place] for place in places)
            elif isinstance(value, n.TupleItem):
                found[stmt.var] = (value,)
    return found


def statements(body: n.Body) -> Iterator[n.Stmt]:
    """Every statement of a body, those inside others included, in order."""
    for stmt in body:
        yield stmt
        for nested in bodies(stmt):
            yield from statements(nested)
