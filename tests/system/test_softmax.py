"""Softmax over rows, at tile level and at tensor level."""

import torch

import pipeline.st as st
import pypto.language as pl


@pl.jit
def tile_softmax(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        tile = pl.load(x, [0, 0], [64, 64])
        scratch = pl.create_tile([64, 64], dtype=pl.FP32)
        shifted = pl.row_expand_sub(tile, pl.row_max(tile, scratch))
        weights = pl.exp(shifted)
        total = pl.row_sum(weights, scratch)
        out = pl.store(pl.row_expand_div(weights, total), [0, 0], out)


@pl.jit
def tensor_softmax(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    rows = x.shape[0]
    with pl.at(level=pl.Level.CORE_GROUP):
        for row in pl.range(0, rows, 16):
            block = x[row : row + 16, :]
            weights = pl.exp(pl.sub(block, pl.row_max(block)))
            out[row : row + 16, :] = pl.div(weights, pl.row_sum(weights))


torch.manual_seed(4)
x, tall = torch.randn(64, 64) * 5, torch.randn(128, 96) * 5


@st.cases(
    st.case(tile_softmax, x, torch.zeros(64, 64), name="tile_softmax", golden=lambda _: torch.softmax(x, -1)),
    st.case(
        tensor_softmax, tall, torch.zeros(128, 96), name="tensor_softmax", golden=lambda _: torch.softmax(tall, -1)
    ),
)
def test_softmax(case_run):
    case_run.assert_passed()
