"""Broken sources give parser errors with places: never a bare exception, never a hang."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest
import torch

import pypto.language as pl
from pypto.errors import ParserError

pytestmark = pytest.mark.filterwarnings("ignore")
KERNEL = '''
K, PAIR = 4, (5, 6)

@pl.jit.inline
def helper(a: pl.Tensor, k=2.0):
    return pl.add(a, k), pl.mul(a, k)

@pl.jit.incore
def task(a: pl.Tensor, b: pl.Out[pl.Tensor]):
    t = pl.load(a, [0, 0], [8, 64])
    pl.store(pl.exp(t), [0, 0], b)

@pl.jit
def kern(x: pl.Tensor, i: pl.Tensor, s: pl.Scalar[pl.INDEX], f: pl.Scalar[pl.FP32], y: pl.Out[pl.Tensor]):
    """A kernel with some of everything."""
    M, N = x.shape
    n = i[2]
    z = pl.create_tensor([8, 64], dtype=pl.FP32)
    task(x[0:8, :], z)
    for r in pl.range(0, M, 8):
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="rows"):
            t = pl.load(x, [r, 0], [8, N], valid_shape=[pl.min(n, 8), N])
            p, q = helper(z[:], k=3.0)
            acc: pl.Scalar[pl.INT64] = 0
            for k, (c,) in pl.range(K, init_values=(t,)):
                if k == 2 and not (s > 3):
                    v = pl.yield_(pl.add(c, 1.0))
                else:
                    v = pl.yield_(c)
                w = pl.yield_(v)
            while acc < 3:
                acc += 1
                if acc > n:
                    break
            pl.static_assert(K == 4, "four")
            y[r : r + 8, :] = p - q * 2.0
            pl.store(w, [r, 0], y)
    return y
'''
OTHERS = (
    """
x|y|s|f|z|t|K|PAIR|pl|helper|task|None|True|1|-1|0|1.5|'a'|2**80|[0, 0]|(x, y)|x.shape|x[0:8]|x[s]|pl.FP32|pl.range(3)
pl.load|pl.at(3)|undefined|s + f|x + y|lambda: 1|...|pl.Mem.Vec|{}|float('nan')|pl.yield_(x)|self|range(3)|b'a'|x.y.z
""".strip()
    .replace("\n", "|")
    .split("|")
)


class _Exchange(ast.NodeTransformer):
    """Replaces the expressions with the given numbers by others."""

    def __init__(self, changes: dict[int, ast.expr]) -> None:
        self.changes, self.count = changes, 0

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", None), ast.Load | None):
            self.count += 1
            if self.count in self.changes:
                return self.changes[self.count]
        return self.generic_visit(node)


def mutated(seed: int) -> str:
    """The kernel with expressions exchanged, or statements moved, dropped or doubled."""
    choose = random.Random(seed)
    tree = ast.parse(KERNEL)
    counter = _Exchange({})
    counter.visit(ast.parse(KERNEL))
    if choose.random() < 0.7:
        numbers = [choose.randrange(25, counter.count + 1) for _ in range(choose.choice((1, 1, 2)))]
        tree = _Exchange({n: ast.parse(choose.choice(OTHERS), mode="eval").body for n in numbers}).visit(tree)
    else:
        bodies = [node.body for node in ast.walk(tree.body[-1]) if isinstance(getattr(node, "body", None), list)]
        body, other = choose.choice(bodies), choose.choice(bodies)
        taken = body[choose.randrange(len(body))]
        if choose.random() < 0.5 and len(body) > 1:
            body.remove(taken)
        if choose.random() < 0.7 and not any(
            node is taken for b in bodies for node in b if other is getattr(node, "body", 0)
        ):
            other.insert(choose.randrange(len(other) + 1), ast.parse(ast.unparse(taken)).body[0])
    return ast.unparse(ast.fix_missing_locations(tree))


@pytest.mark.parametrize("seed", range(200))
def test_mutated_kernel_is_accepted_or_refused_with_a_place(module, seed):
    text = mutated(seed)
    try:
        loaded = module(text)
    except (SyntaxError, TypeError, NameError, AttributeError, LookupError):
        return  # Python itself refuses the definition
    kernel = loaded.kern
    args = (torch.zeros(32, 64), torch.zeros(4, dtype=torch.int32), 3, 0.5, torch.zeros(32, 64))
    try:
        kernel.specialize(*args)
    except ParserError as error:
        assert error.span is not None and error.span.file == loaded.__file__, text
        lines = Path(loaded.__file__).read_text().splitlines()
        assert 1 <= error.span.line <= len(lines) and error.span.column <= len(lines[error.span.line - 1])
        assert error.error_code and error.hint and error.message


@pytest.mark.parametrize("seed", range(60))
def test_text_cut_or_garbled_is_refused_with_a_place(seed):
    choose = random.Random(seed)
    text = KERNEL.replace("@pl.jit.inline", "").replace("@pl.jit.incore", "").replace("@pl.jit", "@pl.function")
    at = choose.randrange(len(text))
    text = (
        text[:at]
        + choose.choice(["", "(", "@", ":", "\t", "\\", "'", "\x00", "é", "=", "\n", "pass"])
        + text[at + choose.randrange(5) :]
    )
    try:
        pl.parse(text)
    except ParserError as error:
        assert error.span is not None
    except (ValueError, NameError, TypeError, AttributeError):
        pass  # the text runs as Python and defines no kernel


def test_deep_nesting_is_refused(module):
    body = "s" + " + 1" * 700
    kernel = module(
        f"@pl.jit\ndef kern(x: pl.Tensor, s: pl.Scalar[pl.INDEX], y: pl.Out[pl.Tensor]):\n    a = {body}\n"
    ).kern
    with pytest.raises(ParserError, match="nested too deeply") as caught:
        kernel.specialize(torch.zeros(8, 8), 3, torch.zeros(8, 8))
    assert caught.value.span is not None
