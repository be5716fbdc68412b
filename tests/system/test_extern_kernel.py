"""A kernel written by hand in C++, launched like any other."""

import torch

import pipeline.st as st
import pypto.language as pl


@pl.jit.extern(source="kernels/scale_rows.cpp", core_type="aiv")
def scale_rows(x: pl.Tensor, out: pl.Out[pl.Tensor]): ...


@pl.jit
def extern_scale(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    scale_rows(x, out)


torch.manual_seed(7)
x = torch.randn(48, 64)


@st.cases(
    st.case(
        extern_scale, x, torch.zeros(48, 64), name="extern_scale", golden=lambda _: 2 * x, rtol=0, atol=0,
    ),
)  # fmt: skip
def test_extern_kernel(case_run):
    case_run.assert_passed()
