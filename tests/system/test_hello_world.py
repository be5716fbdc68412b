"""The smallest kernel: two tensors added in one region."""

import torch

import pipeline.st as st
import pypto.language as pl


@pl.jit
def hello_world_add(a: pl.Tensor, b: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = pl.add(a, b)


a = torch.full((128, 128), 2.0)
b = torch.full((128, 128), 3.0)


@st.cases(st.case(hello_world_add, a, b, torch.zeros(128, 128), name="hello_world_add", golden=lambda _: a + b))
def test_hello_world(case_run):
    case_run.assert_passed()
