"""Three dependent kernels over buffers that the orchestration creates: f = (a + b + 1) * (a + b + 2) + (a + b)."""

import torch

import pipeline.st as st
import pypto.language as pl

SHAPE = [64, 128]


@pl.jit.incore
def add(a: pl.Tensor, b: pl.Tensor, c: pl.Out[pl.Tensor]):
    c[:] = pl.add(a, b)


@pl.jit.incore
def product_of_shifted(x: pl.Tensor, d: pl.Out[pl.Tensor]):
    tile = x[:]
    d[:] = pl.mul(pl.add(tile, 1.0), pl.add(tile, 2.0))


@pl.jit
def task_graph(a: pl.Tensor, b: pl.Tensor, f: pl.Out[pl.Tensor]):
    c = pl.create_tensor(SHAPE, dtype=pl.FP32)
    d = pl.create_tensor(SHAPE, dtype=pl.FP32)
    add(a, b, c)
    product_of_shifted(c, d)
    add(d, c, f)


torch.manual_seed(6)
a, b = torch.randn(64, 128), torch.randn(64, 128)


@st.cases(
    st.case(
        task_graph, a, b, torch.zeros(64, 128),
        name="task_graph", golden=lambda _: (a + b + 1) * (a + b + 2) + (a + b), rtol=1e-5, atol=1e-5,
    ),
)  # fmt: skip
def test_task_graph(case_run):
    case_run.assert_passed()
