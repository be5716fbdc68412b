"""Windows of tensors of rank 3, whole, partly valid and cut at the edge: the simulator against the reference."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from pypto.compiler import compile, lower
from pypto.errors import LoweringError
from pypto.ir import nodes as n
from pypto.ir.build import call
from pypto.ir.types import ScalarType, TensorType
from pypto.ops.dtypes import FP32, INDEX
from pypto.ops.enums import FunctionType, ParamDirection
from pypto.reference import execute

SHAPE = (3, 16, 64)
Let = Callable[..., n.Var]


def program(write: Callable[[n.Var, n.Var, n.Var, Let], Any]) -> n.Program:
    """main(x, out, m) with the calls that ``write`` makes in one in-core region."""
    x, out = (n.Var(TensorType(SHAPE, FP32), name) for name in ("x", "out"))
    m = n.Var(ScalarType(INDEX), "m")
    body: list[n.Stmt] = []

    def let(op: str, *args: Any, **kwargs: Any) -> n.Var:
        value = call(op, *args, **kwargs)
        var = n.Var(value.type, f"v{len(body)}")
        body.append(n.Assign(var, value))
        return var

    write(x, out, m, let)
    directions = (ParamDirection.In, ParamDirection.InOut, ParamDirection.In)
    scope = n.InCoreScope(tuple(body), name_hint="windows")
    return n.Program("p", (n.Function("main", (x, out, m), directions, (), (scope,), FunctionType.Opaque),))


CASES: dict[str, tuple[int, Callable[[n.Var, n.Var, n.Var, Let], Any]]] = {
    "whole": (
        3 * 1024,
        lambda x, out, m, let: let("store", let("neg", let("load", x, [0, 0, 0], [3, 16, 64])), [0, 0, 0], out),
    ),
    "partly valid": (
        370,
        lambda x, out, m, let: let(
            "store", let("neg", let("load", x, [1, 0, 0], [1, 16, 64], [1, 10, 37])), [0, 2, 0], out
        ),
    ),
    "cut at the edge": (
        256,
        lambda x, out, m, let: let(
            "store", let("neg", let("load", x, [1, 12, 0], [1, 16, 64], clamp=True)), [0, 12, 0], out
        ),
    ),
    "some leading indices": (
        2 * 1024,
        lambda x, out, m, let: let(
            "store", let("neg", let("load", x, [0, 0, 0], [3, 16, 64], [2, 16, 64])), [1, 0, 0], out
        ),
    ),
    "a run-time number of leading indices": (
        2 * 1024,
        lambda x, out, m, let: let(
            "store", let("neg", let("load", x, [0, 0, 0], [3, 16, 64], [m, 16, 64])), [1, 0, 0], out
        ),
    ),
    "tensor level, partly valid": (
        370,
        lambda x, out, m, let: let(
            "assemble", out, let("neg", let("slice", x, [1, 16, 64], [1, 0, 0], [1, 10, 37])), [2, 3, 0]
        ),
    ),
    "tensor level, an axis dropped": (
        370,
        lambda x, out, m, let: let(
            "assemble", out, let("neg", let("slice", x, [1, 16, 64], [1, 0, 0], [1, 10, 37], [0])), [2, 3, 0]
        ),
    ),
    "tensor level, cut at the edge": (
        256,
        lambda x, out, m, let: let(
            "assemble", out, let("neg", let("slice", x, [1, 16, 64], [1, 12, 0], clamp=True)), [2, 12, 0]
        ),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_window_moves_its_valid_cells(case: str, tmp_path: Path) -> None:
    moved, write = CASES[case]
    given = torch.randn(SHAPE, generator=torch.Generator().manual_seed(1))
    expected = execute(program(write), {"x": given, "out": torch.zeros(SHAPE), "m": 2})["out"]
    found = torch.zeros(SHAPE)
    compile(program(write), tmp_path, dump_passes=False)(given, found, 2)
    assert torch.equal(found, expected)
    assert found.count_nonzero() == moved


def test_valid_rows_with_gaps_are_refused() -> None:
    def write(x: n.Var, out: n.Var, m: n.Var, let: Let) -> None:
        let("store", let("neg", let("load", x, [0, 0, 0], [3, 16, 64], [3, 10, 64])), [0, 0, 0], out)

    with pytest.raises(LoweringError, match="have gaps"):
        lower(program(write))
