"""A tiny kernel for every way a case can end. The name of a case says how; `EXPECTED` says it for the tests.

Run it by its path: `pytest tests/minikernels/suite.py --case-timeout 2`. Nearly all of it fails, as it should.
"""

import math

import torch

import pipeline.st as st
import pypto.language as pl


def external(name):
    """A kernel of two tensors around a hand-written one."""

    @pl.jit.extern(source=f"kernels/{name}.cpp", core_type="aiv")
    def by_hand(x: pl.Tensor, out: pl.Out[pl.Tensor]): ...

    @pl.jit
    def entry(x: pl.Tensor, out: pl.Out[pl.Tensor]):
        by_hand(x, out)

    return entry


@pl.jit
def double(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = pl.mul(x[:], 2.0)


@pl.jit
def scaled(x: pl.Tensor, alpha, beta: pl.Scalar[pl.FP32], out: pl.Out[pl.Tensor]):
    """`alpha` is folded into the program, `beta` is passed to it."""
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = pl.mul(pl.mul(x[:], alpha), beta)


@pl.jit
def two_outputs(x: pl.Tensor, twice: pl.Out[pl.Tensor], square: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        twice[:] = pl.mul(x[:], 2.0)
        square[:] = pl.mul(x[:], x[:])


@pl.jit
def accumulate(x: pl.Tensor, total: pl.InOut[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        total[:] = pl.add(total[:], x[:])


@pl.jit
def half_written(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[0:8, :] = pl.mul(x[0:8, :], 2.0)


@pl.jit
def out_of_range(x: pl.Tensor, where: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        row = pl.read(where, [0])
        pl.store(pl.load(x, [0, 0], [16, 64]), [row, 0], out)


@pl.jit
def outside_the_language(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = sorted(x)


@pl.jit
def over_capacity(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        pl.store(pl.load(x, [0, 0], [512, 1024]), [0, 0], out)


torch.manual_seed(3)
x = torch.randn(16, 64)
big = torch.zeros(512, 1024)


def out():
    return torch.zeros(16, 64)


def twice(_):
    return 2 * x


def raises(_):
    table = {}
    return table["missing"]


def writes_in_place(tensors):
    tensors["total"] += tensors["x"]


def first_half(_):
    expected = 2 * x
    expected[8:] = math.nan
    return expected


def one_wrong(_):
    expected = 2 * x
    expected[3, 5] += 1
    return expected


def exact(actual, expected):
    assert torch.equal(actual["out"], expected["out"]), "not equal"


PASS, INFRA = ("pass", "compare", ""), "infra"
CASES = [
    (PASS, st.case(double, x, out(), name="pass", golden=twice)),
    (PASS, st.case(double, out=out(), x=x, name="pass-keywords", golden=lambda: 2 * x)),
    (PASS, st.case(scaled, x, 3.0, 0.5, out(), name="pass-scalars", golden=lambda t: t["x"] * 1.5)),
    (
        PASS,
        st.case(
            two_outputs,
            x,
            out(),
            out(),
            name="pass-dict",
            golden=lambda x: {"twice": 2 * x["x"], "square": x["x"] ** 2},
        ),
    ),
    (PASS, st.case(accumulate, x, torch.ones(16, 64), name="pass-in-place", golden=writes_in_place)),
    (PASS, st.case(half_written, x, out(), name="pass-dont-care", golden=first_half)),
    (PASS, st.case(double, x, out(), name="pass-own-comparator", golden=twice, compare=exact)),
    (PASS, st.case(double, x, out(), name="pass-loose", golden=one_wrong, compare=st.rel_err_under(0.1))),
    (PASS, st.case(external("chatty"), x, out(), name="pass-chatty", golden=twice)),
    (("fail", "compare", "Mismatch"), st.case(double, x, out(), name="mismatch", golden=one_wrong)),
    (("fail", "compare", "Mismatch"), st.case(half_written, x, out(), name="mismatch-half", golden=twice)),
    (
        ("fail", "compare", "ComparatorRaised"),
        st.case(double, x, out(), name="mismatch-own", golden=one_wrong, compare=exact),
    ),
    (("fail", "specialize", "*"), st.case(outside_the_language, x, out(), name="outside-the-language", golden=twice)),
    (
        ("fail", "compile", "CapacityError"),
        st.case(over_capacity, big, big, name="over-capacity", golden=lambda _: big),
    ),
    (("fail", "compile", "ToolchainError"), st.case(external("broken"), x, out(), name="broken-cpp", golden=twice)),
    (("fail", "golden", "GoldenRaised"), st.case(double, x, out(), name="golden-raises", golden=raises)),
    (("fail", "golden", "GoldenNames"), st.case(double, x, out(), name="golden-names", golden=lambda _: {"y": x})),
    (("fail", "golden", "GoldenValue"), st.case(double, x, out(), name="golden-shape", golden=lambda _: x[0])),
    (("fail", "golden", "GoldenValue"), st.case(double, x, out(), name="golden-dtype", golden=lambda _: x.double())),
    (("fail", "golden", "GoldenSilent"), st.case(double, x, out(), name="golden-silent", golden=lambda _: None)),
    (
        ("fail", "run", "SimulatorError"),
        st.case(out_of_range, x, torch.tensor([9], dtype=torch.int32), out(), name="out-of-range", golden=twice),
    ),
    (("crash", "run", "KernelCrashed"), st.case(external("crash"), x, out(), name="crash", golden=twice)),
    (("crash", "run", "KernelCrashed"), st.case(external("abort"), x, out(), name="abort", golden=twice)),
    (("fail", "run", "KernelExited"), st.case(external("exit"), x, out(), name="exit", golden=twice)),
    (("timeout", "run", "KernelTimedOut"), st.case(external("hang"), x, out(), name="hang", golden=twice)),
    (("fail", "collect", "BadArguments"), st.case(double, x, name="missing-output", golden=twice)),
    (("fail", "collect", "UnknownSetting"), st.case(double, x, out(), name="misspelt", golden=twice, tolerence=1)),
    (PASS, st.case(double, x, out(), name="pass-after-all", golden=twice)),
]
EXPECTED = {case.name: expected for expected, case in CASES}


@st.cases(*(case for _, case in CASES))
def test_minikernel(case_run):
    case_run.assert_passed()
