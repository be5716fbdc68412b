"""Feed-forward layers: two products with an activation between, as tasks over buffers in global memory."""

import torch
import torch.nn.functional as F

import pipeline.st as st
import pypto.language as pl

TOKENS, HIDDEN, INNER = 64, 64, 128
SQRT_2_OVER_PI = 0.7978845608028654


@pl.jit.incore
def project(x: pl.Tensor, w: pl.Tensor, y: pl.Out[pl.Tensor]):
    y[:] = pl.matmul(x, w)


@pl.jit.incore
def gelu(x: pl.Tensor, y: pl.Out[pl.Tensor]):
    h = x[:]
    cubic = pl.mul(pl.mul(pl.mul(h, h), h), 0.044715)
    z = pl.mul(pl.add(h, cubic), 2 * SQRT_2_OVER_PI)
    y[:] = pl.mul(h, pl.recip(pl.add(pl.exp(pl.neg(z)), 1.0)))


@pl.jit.incore
def relu(x: pl.Tensor, y: pl.Out[pl.Tensor]):
    y[:] = pl.maximum(x, 0.0)


@pl.jit.incore
def gated_silu(gate: pl.Tensor, up: pl.Tensor, y: pl.Out[pl.Tensor]):
    g = gate[:]
    y[:] = pl.mul(pl.mul(g, pl.recip(pl.add(pl.exp(pl.neg(g)), 1.0))), up)


@pl.jit
def ffn_gelu(x: pl.Tensor, w_up: pl.Tensor, w_down: pl.Tensor, out: pl.Out[pl.Tensor]):
    hidden = pl.create_tensor([TOKENS, INNER], dtype=pl.FP32)
    active = pl.create_tensor([TOKENS, INNER], dtype=pl.FP32)
    project(x, w_up, hidden)
    gelu(hidden, active)
    project(active, w_down, out)


@pl.jit
def ffn_relu(x: pl.Tensor, w_up: pl.Tensor, w_down: pl.Tensor, out: pl.Out[pl.Tensor]):
    hidden = pl.create_tensor([TOKENS, INNER], dtype=pl.FP32)
    active = pl.create_tensor([TOKENS, INNER], dtype=pl.FP32)
    project(x, w_up, hidden)
    relu(hidden, active)
    project(active, w_down, out)


@pl.jit
def ffn_swiglu(x: pl.Tensor, w_gate: pl.Tensor, w_up: pl.Tensor, w_down: pl.Tensor, out: pl.Out[pl.Tensor]):
    gate = pl.create_tensor([TOKENS, INNER], dtype=pl.FP32)
    up = pl.create_tensor([TOKENS, INNER], dtype=pl.FP32)
    active = pl.create_tensor([TOKENS, INNER], dtype=pl.FP32)
    project(x, w_gate, gate)
    project(x, w_up, up)
    gated_silu(gate, up, active)
    project(active, w_down, out)


torch.manual_seed(3)
x = torch.randn(TOKENS, HIDDEN)
w_gate, w_up, w_down = torch.randn(HIDDEN, INNER) / 8, torch.randn(HIDDEN, INNER) / 8, torch.randn(INNER, HIDDEN) / 11
out = torch.zeros(TOKENS, HIDDEN)
CLOSE = {"rtol": 1e-4, "atol": 1e-4}


@st.cases(
    st.case(
        ffn_gelu, x, w_up, w_down, out,
        name="ffn_gelu", golden=lambda _: F.gelu(x @ w_up, approximate="tanh") @ w_down, **CLOSE,
    ),
    st.case(
        ffn_relu, x, w_up, w_down, out, name="ffn_relu", golden=lambda _: F.relu(x @ w_up) @ w_down, **CLOSE,
    ),
    st.case(
        ffn_swiglu, x, w_gate, w_up, w_down, out,
        name="ffn_swiglu", golden=lambda _: (F.silu(x @ w_gate) * (x @ w_up)) @ w_down, **CLOSE,
    ),
)  # fmt: skip
def test_ffn(case_run):
    case_run.assert_passed()
