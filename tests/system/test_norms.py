"""Layer norm and RMS norm over rows."""

import torch
import torch.nn.functional as F

import pipeline.st as st
import pypto.language as pl

ROWS, COLS = 32, 128
EPS = 1e-5


@pl.jit
def layer_norm(x: pl.Tensor, gamma: pl.Tensor, beta: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        tile = pl.load(x, [0, 0], [ROWS, COLS])
        scratch = pl.create_tile([ROWS, COLS], dtype=pl.FP32)
        mean = pl.mul(pl.row_sum(tile, scratch), 1.0 / COLS)
        centred = pl.row_expand_sub(tile, mean)
        variance = pl.mul(pl.row_sum(pl.mul(centred, centred), scratch), 1.0 / COLS)
        # [ROWS, 1] as one row, so that scalar steps run on a row-major tile
        deviation = pl.sqrt(pl.add(pl.reshape(variance, [1, ROWS]), EPS))
        normed = pl.row_expand_div(centred, pl.reshape(deviation, [ROWS, 1]))
        scaled = pl.col_expand_mul(normed, pl.load(gamma, [0, 0], [1, COLS]))
        out = pl.store(pl.col_expand_add(scaled, pl.load(beta, [0, 0], [1, COLS])), [0, 0], out)


@pl.jit
def rms_norm(x: pl.Tensor, gamma: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        mean_square = pl.mul(pl.row_sum(pl.mul(x, x)), 1.0 / COLS)
        normed = pl.mul(x, pl.rsqrt(pl.add(mean_square, EPS)))
        out[:] = pl.mul(normed, gamma)


torch.manual_seed(5)
x, gamma, beta = torch.randn(ROWS, COLS) * 2 + 1, torch.randn(1, COLS), torch.randn(1, COLS)
out = torch.zeros(ROWS, COLS)


@st.cases(
    st.case(
        layer_norm, x, gamma, beta, out,
        name="layer_norm", golden=lambda _: F.layer_norm(x, (COLS,), gamma[0], beta[0], EPS), rtol=1e-4, atol=1e-5,
    ),
    st.case(
        rms_norm, x, gamma, out, name="rms_norm", golden=lambda _: F.rms_norm(x, (COLS,), gamma[0], EPS),
    ),
)  # fmt: skip
def test_norms(case_run):
    case_run.assert_passed()
