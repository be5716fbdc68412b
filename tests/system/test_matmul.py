"""Matrix products: tile level through Mat, Left, Right and Acc, and tensor level."""

import torch

import pipeline.st as st
import pypto.language as pl


@pl.jit
def tile_matmul(a: pl.Tensor, b: pl.Tensor, c: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        a_mat = pl.load(a, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        b_mat = pl.load(b, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        left = pl.move(a_mat, target_memory=pl.Mem.Left)
        right = pl.move(b_mat, target_memory=pl.Mem.Right)
        c = pl.store(pl.matmul(left, right), [0, 0], c)


@pl.jit
def tile_matmul_k_loop(a: pl.Tensor, b: pl.Tensor, c: pl.Out[pl.Tensor]):
    """K in steps of 64: the first product starts the accumulator, the others add to it."""
    with pl.at(level=pl.Level.CORE_GROUP):
        a0 = pl.move(pl.load(a, [0, 0], [64, 64], target_memory=pl.Mem.Mat), target_memory=pl.Mem.Left)
        b0 = pl.move(pl.load(b, [0, 0], [64, 64], target_memory=pl.Mem.Mat), target_memory=pl.Mem.Right)
        acc = pl.matmul(a0, b0)
        for k in pl.range(64, 256, 64):
            a_mat = pl.load(a, [0, k], [64, 64], target_memory=pl.Mem.Mat)
            b_mat = pl.load(b, [k, 0], [64, 64], target_memory=pl.Mem.Mat)
            left = pl.move(a_mat, target_memory=pl.Mem.Left)
            right = pl.move(b_mat, target_memory=pl.Mem.Right)
            acc = pl.matmul_acc(acc, left, right)
        c = pl.store(acc, [0, 0], c)


@pl.jit
def tensor_matmul(a: pl.Tensor, b: pl.Tensor, c: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        c[:] = pl.matmul(a, b)


@pl.jit
def tensor_matmul_transposed(a: pl.Tensor, b: pl.Tensor, c: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        c[:] = pl.matmul(a, b, b_trans=True, out_dtype=pl.FP32)


@pl.jit
def tensor_matmul_blocks(a: pl.Tensor, b: pl.Tensor, c: pl.Out[pl.Tensor]):
    """Blocks of 64 x 64 of the result, K in steps of 64 into one accumulator."""
    m, k = a.shape
    n = b.shape[1]
    with pl.at(level=pl.Level.CORE_GROUP):
        for i in pl.range(0, m, 64):
            for j in pl.range(0, n, 64):
                acc = pl.create_tensor([64, 64], dtype=pl.FP32)
                for p in pl.range(0, k, 64):
                    acc = pl.matmul_acc(acc, a[i : i + 64, p : p + 64], b[p : p + 64, j : j + 64], init_cond=(p == 0))
                c[i : i + 64, j : j + 64] = acc


torch.manual_seed(2)
a, b = torch.randn(64, 64), torch.randn(64, 64)
wide, tall = torch.randn(64, 256), torch.randn(256, 64)
half_a, half_b = a.bfloat16(), b.bfloat16()
big_a, big_b = torch.randn(128, 192), torch.randn(192, 128)
int_a = torch.randint(-8, 8, (64, 64), dtype=torch.int8)
out = torch.zeros(64, 64)
CLOSE = {"rtol": 1e-4, "atol": 1e-4}


@st.cases(
    st.case(tile_matmul, a, b, out, name="tile_matmul", golden=lambda _: a @ b, **CLOSE),
    st.case(tile_matmul_k_loop, wide, tall, out, name="tile_matmul_k_loop", golden=lambda _: wide @ tall, **CLOSE),
    st.case(tensor_matmul, a, b, out, name="tensor_matmul", golden=lambda _: a @ b, **CLOSE),
    st.case(
        tensor_matmul_transposed, half_a, half_b, out,
        name="tensor_matmul_bf16_transposed", golden=lambda _: half_a.float() @ half_b.float().T, **CLOSE,
    ),
    st.case(
        tensor_matmul_transposed, a, b, out,
        name="tensor_matmul_transposed", compare=st.rel_err_under(1e-6), golden=lambda _: a @ b.T,
    ),
    st.case(
        tile_matmul, int_a, int_a, torch.zeros(64, 64, dtype=torch.int32),
        name="tile_matmul_int8", golden=lambda _: int_a.int() @ int_a.int(), rtol=0, atol=0,
    ),
    st.case(
        tensor_matmul_blocks, big_a, big_b, torch.zeros(128, 128),
        name="tensor_matmul_blocks", golden=lambda _: big_a @ big_b, **CLOSE,
    ),
)  # fmt: skip
def test_matmul(case_run):
    case_run.assert_passed()
