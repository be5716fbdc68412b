"""Arithmetic cell by cell: tensor level, tile level, scalars, tall tensors worked on in chunks."""

import torch

import pipeline.st as st
import pypto.language as pl

ROWS, COLS = 64, 128
CHUNK = 32


@pl.jit
def tile_add(a: pl.Tensor, b: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        left = pl.load(a, [0, 0], [ROWS, COLS])
        right = pl.load(b, [0, 0], [ROWS, COLS])
        out = pl.store(pl.add(left, right), [0, 0], out)


@pl.jit
def tensor_mul(a: pl.Tensor, b: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = pl.mul(a, b)


@pl.jit
def relu(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        tile = pl.load(x, [0, 0], [ROWS, COLS])
        pl.store(pl.relu(tile), [0, 0], out)


@pl.jit
def fused_add_scale_relu(a: pl.Tensor, b: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        total = pl.add(pl.load(a, [0, 0], [ROWS, COLS]), pl.load(b, [0, 0], [ROWS, COLS]))
        pl.store(pl.relu(pl.mul(total, 0.5)), [0, 0], out)


@pl.jit
def affine(x: pl.Tensor, scale: float, shift: pl.Scalar[pl.FP32], out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = pl.add(pl.mul(x, scale), shift)


@pl.jit
def chunked_add(a: pl.Tensor, b: pl.Tensor, out: pl.Out[pl.Tensor]):
    rows, cols = a.shape
    with pl.at(level=pl.Level.CORE_GROUP):
        for row in pl.range(0, rows, CHUNK):
            left = pl.load(a, [row, 0], [CHUNK, cols])
            right = pl.load(b, [row, 0], [CHUNK, cols])
            out = pl.store(pl.add(left, right), [row, 0], out)


@pl.jit
def chunked_axpy(x: pl.Tensor, y: pl.InOut[pl.Tensor]):
    rows = x.shape[0]
    with pl.at(level=pl.Level.CORE_GROUP):
        for row in pl.range(0, rows, CHUNK):
            y[row : row + CHUNK, :] = pl.add(pl.mul(x[row : row + CHUNK, :], 3.0), y[row : row + CHUNK, :])


torch.manual_seed(0)
a, b = torch.randn(ROWS, COLS), torch.randn(ROWS, COLS)
tall_a, tall_b = torch.randn(1024, COLS), torch.randn(1024, COLS)
half_a, half_b = a.half(), b.half()
whole = torch.arange(ROWS * COLS, dtype=torch.int32).reshape(ROWS, COLS)


def empty(like):
    return torch.zeros_like(like)


@st.cases(
    st.case(tile_add, a, b, empty(a), name="tile_add", golden=lambda _: a + b, rtol=0, atol=0),
    st.case(tile_add, half_a, half_b, empty(half_a), name="tile_add_fp16", golden=lambda _: half_a + half_b),
    st.case(
        tile_add, whole, whole, empty(whole), name="tile_add_int32", golden=lambda _: whole + whole, rtol=0, atol=0
    ),
    st.case(tensor_mul, a, b, empty(a), name="tensor_mul", golden=lambda _: a * b, rtol=0, atol=0),
    st.case(relu, a, empty(a), name="relu", golden=lambda _: torch.relu(a), rtol=0, atol=0),
    st.case(
        fused_add_scale_relu, a, b, empty(a), name="fused_add_scale_relu", golden=lambda _: torch.relu((a + b) * 0.5)
    ),
    st.case(affine, a, 1.5, -0.25, empty(a), name="affine", golden=lambda _: a * 1.5 - 0.25),
    st.case(
        chunked_add, tall_a, tall_b, empty(tall_a), name="chunked_add", golden=lambda _: tall_a + tall_b, rtol=0, atol=0
    ),
    st.case(chunked_axpy, tall_a, tall_b, name="chunked_axpy", golden=lambda t: t["x"] * 3.0 + tall_b),
)
def test_elementwise(case_run):
    case_run.assert_passed()
