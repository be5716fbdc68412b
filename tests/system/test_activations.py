"""Activation functions from primitive operations."""

import torch
import torch.nn.functional as F

import pipeline.st as st
import pypto.language as pl

SQRT_2_OVER_PI = 0.7978845608028654


@pl.jit.inline
def sigmoid(x):
    return pl.recip(pl.add(pl.exp(pl.neg(x)), 1.0))


@pl.jit.inline
def gelu_tanh(x):
    """x * sigmoid(2 * sqrt(2/pi) * (x + 0.044715 x^3)), which is the tanh form of GELU."""
    cubic = pl.mul(pl.mul(pl.mul(x, x), x), 0.044715)
    return pl.mul(x, sigmoid(pl.mul(pl.add(x, cubic), 2 * SQRT_2_OVER_PI)))


@pl.jit
def silu(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        tile = pl.load(x, [0, 0], [32, 128])
        pl.store(pl.mul(tile, sigmoid(tile)), [0, 0], out)


@pl.jit
def gelu(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = gelu_tanh(x[:])


@pl.jit
def swiglu(gate: pl.Tensor, up: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        g = gate[:]
        out[:] = pl.mul(pl.mul(g, sigmoid(g)), up)


@pl.jit
def geglu(gate: pl.Tensor, up: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = pl.mul(gelu_tanh(gate[:]), up)


torch.manual_seed(1)
x, up = torch.randn(32, 128) * 3, torch.randn(32, 128)
out = torch.zeros(32, 128)
CLOSE = {"rtol": 1e-5, "atol": 1e-5}


@st.cases(
    st.case(silu, x, out, name="silu", golden=lambda _: F.silu(x), **CLOSE),
    st.case(gelu, x, out, name="gelu", golden=lambda _: F.gelu(x, approximate="tanh"), **CLOSE),
    st.case(swiglu, x, up, out, name="swiglu", golden=lambda _: F.silu(x) * up, **CLOSE),
    st.case(geglu, x, up, out, name="geglu", golden=lambda _: F.gelu(x, approximate="tanh") * up, **CLOSE),
)
def test_activations(case_run):
    case_run.assert_passed()
