"""The executor gives one result for a program before, between and after the passes."""

from __future__ import annotations

import torch

from pypto.ir import nodes as n
from pypto.ir.build import call, constant
from pypto.ir.types import ScalarType, TensorType
from pypto.ops.dtypes import FP16, FP32, INDEX
from pypto.ops.enums import FunctionType, ParamDirection
from pypto.passes import PIPELINE, PassContext, run_passes
from pypto.platforms import MemoryPlanner, platform
from pypto.reference import execute


def program() -> n.Program:
    """out = softmax(x @ w) by blocks of 16 rows, in tensor-level code with rebound names."""
    x, w = n.Var(TensorType((64, 32), FP16), "x"), n.Var(TensorType((32, 48), FP16), "w")
    out, i = n.Var(TensorType((64, 48), FP32), "out"), n.Var(ScalarType(INDEX), "i")
    body: list[n.Stmt] = []

    def let(name: str, op: str, *args: object, **kwargs: object) -> n.Var:
        value = call(op, *args, **kwargs)
        body.append(n.Assign(n.Var(value.type, name), value))
        return body[-1].var  # type: ignore[attr-defined, no-any-return]

    rows = let("rows", "slice", x, [16, 32], [i, 0])
    scores = let("scores", "matmul", rows, w, out_dtype=FP32)
    shifted = let("shifted", "sub", scores, let("top", "row_max", scores))
    powers = let("powers", "exp", shifted)
    shares = let("shares", "row_expand_div", powers, let("total", "row_sum", powers))
    body.append(n.Assign(out, call("assemble", out, shares, [i, 0])))
    loop = n.For(i, constant(0), constant(64), constant(16), tuple(body))
    directions = (ParamDirection.In, ParamDirection.In, ParamDirection.Out)
    scope = n.InCoreScope((loop,), name_hint="softmax")
    return n.Program("p", (n.Function("main", (x, w, out), directions, (), (scope,), FunctionType.Opaque),))


def test_every_pass_keeps_the_result() -> None:
    generator = torch.Generator().manual_seed(1)
    arguments = {
        "x": torch.randn(64, 32, generator=generator).half(),
        "w": torch.randn(32, 48, generator=generator).half(),
    }
    found: list[tuple[str, torch.Tensor]] = []

    def observe(number: int, name: str, after: n.Program) -> None:
        found.append((name, execute(after, arguments, entry="main")["out"]))

    run_passes(program(), PassContext(platform("a5sim"), MemoryPlanner.PYPTO), observe)
    assert len(found) == len(PIPELINE) + 1
    golden = torch.softmax(arguments["x"].float() @ arguments["w"].float(), -1)
    for name, result in found:
        assert torch.allclose(result, golden, rtol=1e-5, atol=1e-6), name
