"""Matrix products on the cube core. They accumulate in FP32, or in INT32 for INT8 operands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pypto.ops.dtypes import BF16, FP16, FP32, INT8, dtypes
from pypto.ops.row import Kind, Op, Param, Trait, register

INPUTS = dtypes(FP16, BF16, FP32, INT8)
A_TRANS, B_TRANS = Param("a_trans", Kind.FLAG, False), Param("b_trans", Kind.FLAG, False)


def product(xp: Any, lhs: Any, rhs: Any, a_trans: bool = False, b_trans: bool = False) -> Any:
    """lhs @ rhs in the accumulator's precision; a flag transposes the last two axes of its operand first."""
    left, right = (x.transpose(-1, -2) if flag else x for x, flag in ((lhs, a_trans), (rhs, b_trans)))
    wide = xp.float32 if lhs.is_floating_point() else xp.int64
    return xp.matmul(left.to(wide), right[..., : left.shape[-1], :].to(wide))


def _accumulate(xp: Any, acc: Any, lhs: Any, rhs: Any, init_cond: Any = None, **flags: bool) -> Any:
    found = product(xp, lhs, rhs, **flags)
    return found if init_cond is not None and bool(init_cond) else acc + found


def _emit_accumulate(text: Callable[..., str], call: Any, dst: str) -> str:
    """TMATMUL_ACC(dst, lhs, rhs); TMATMUL where init_cond holds"""
    _, lhs, rhs, init_cond = call.args
    operands = f"({dst}, {text(lhs)}, {text(rhs)});"
    if init_cond is None:
        return f"TMATMUL_ACC{operands}"
    return f"if ({text(init_cond)}) TMATMUL{operands}\nelse TMATMUL_ACC{operands}"


ORDER = "The order of accumulation is not defined; products of floats compare with a tolerance."

register(
    Op(
        "matmul",
        "The matrix product. A tile gives FP32 or INT32, a tensor the operands' dtype unless out_dtype says otherwise.",
        (
            Param("lhs", Kind.VALUE),
            Param("rhs", Kind.VALUE),
            Param("out_dtype", Kind.DTYPE, None),
            A_TRANS,
            B_TRANS,
            Param("c_matrix_nz", Kind.FLAG, False),
        ),
        typing="matmul",
        emit="TMATMUL({dst}, {lhs}, {rhs});",
        reference=lambda xp, lhs, rhs, a_trans=False, b_trans=False, **_: product(xp, lhs, rhs, a_trans, b_trans),
        dtypes=INPUTS,
        traits=frozenset({Trait.MATMUL, Trait.NOT_IN_PLACE}),
        family="matmul",
        spaces={"": ("Acc",), "lhs": ("Left",), "rhs": ("Right",)},
        notes=ORDER,
    )
)
register(
    Op(
        "matmul_acc",
        "acc + lhs @ rhs, in the place of acc. Where init_cond is true the old acc does not count.",
        (
            Param("acc", Kind.VALUE),
            Param("lhs", Kind.VALUE),
            Param("rhs", Kind.VALUE),
            A_TRANS,
            B_TRANS,
            Param("init_cond", Kind.SCALAR, None),
        ),
        typing="matmul_acc",
        emit=_emit_accumulate,
        reference=_accumulate,
        dtypes=INPUTS,
        traits=frozenset({Trait.MATMUL, Trait.IN_PLACE}),
        family="matmul",
        spaces={"": ("Acc",), "acc": ("Acc",), "lhs": ("Left",), "rhs": ("Right",)},
        notes=ORDER,
    )
)
register(
    Op(
        "matmul_bias",
        "lhs @ rhs + bias, with bias [1, N] added to every row.",
        (Param("lhs", Kind.TILE), Param("rhs", Kind.TILE), Param("bias", Kind.TILE)),
        typing="matmul_bias",
        emit="TMATMUL_BIAS({dst}, {lhs}, {rhs}, {bias});",
        reference=lambda xp, lhs, rhs, bias: product(xp, lhs, rhs) + bias,
        dtypes=INPUTS,
        traits=frozenset({Trait.MATMUL, Trait.NOT_IN_PLACE}),
        reach=frozenset({"pl", "tile"}),
        family="matmul",
        spaces={"": ("Acc",), "lhs": ("Left",), "rhs": ("Right",), "bias": ("Bias",)},
        notes=ORDER,
    )
)
