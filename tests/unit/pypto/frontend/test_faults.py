"""Kinds of fault that users of such compilers met: specialisation, names, slices, constants."""

from __future__ import annotations

import pytest
import torch

import pypto.language as pl
from pypto.errors import OutParamWriteDropped, ParserTypeError
from pypto.ir.equal import assert_structural_equal
from pypto.ir.print import as_python
from pypto.ir.types import TensorView
from pypto.ops.enums import TensorLayout

X, Y = torch.zeros(32, 64), torch.zeros(32, 64)
OFFSET, WINDOW = [8, 32], (16, 32)
n = pl.dynamic("n")


@pl.jit.inline
def plus(a: pl.Tensor):
    return pl.add(a, 1.0)


@pl.jit.inline
def two(a: pl.Tensor):
    return pl.add(a, 1.0), pl.mul(a, 2.0)


@pl.jit.inline
def rewrite(out: pl.InOut[pl.Tensor], value: pl.Tensor):
    out = pl.assemble(out, value, [0, 0])
    return out


def test_helper_is_specialised_for_the_shape_at_its_call():
    @pl.jit
    def kern(x: pl.Tensor, y: pl.Out[pl.Tensor]):
        with pl.at(level=pl.Level.CORE_GROUP):
            t = x[0:8, :]
            y[0:8, :] = plus(t)
            t = x[8:32, :]
            y[8:32, :] = plus(t)

    x, y = torch.randn(32, 64), torch.zeros(32, 64)
    kern(x, y)
    assert torch.equal(y, x + 1)
    made = kern.specialize(X, Y)
    assert [made[name].params[0].type.shape for name in ("plus", "plus_1")] == [(8, 64), (24, 64)]


def test_slices_of_every_form_reach_a_helper():
    @pl.jit
    def kern(x: pl.Tensor, i: pl.Tensor, y: pl.InOut[pl.Tensor]):
        k = i[0]
        with pl.at(level=pl.Level.CORE_GROUP):
            v = x[16:24, :]
            y[0:8] = plus(v)
            y[8, :] = plus(x[3])
            y[16:24, :] = plus(x[k : k + 8])

    x, y = torch.randn(32, 64), torch.zeros(32, 64)
    kern(x, torch.tensor([5], dtype=torch.int32), y)
    expected = torch.zeros(32, 64)
    expected[0:8], expected[8], expected[16:24] = x[16:24] + 1, x[3] + 1, x[5:13] + 1
    assert torch.equal(y, expected)


def test_slice_from_a_run_time_start_is_as_long_as_the_tensor():
    @pl.jit
    def kern(x: pl.Tensor, s: pl.Scalar[pl.INDEX], y: pl.InOut[pl.Tensor]):
        with pl.at(level=pl.Level.CORE_GROUP):
            y[:] = plus(x)
            t = pl.add(x[s:], 5.0)
            pl.write(y, [0, 0], t[0, 1])

    assert "pl.slice(x, [32, 64], [s, 0])" in as_python(kern.specialize(X, 3, Y))


def test_several_results_unpacked_and_returned():
    @pl.jit
    def unpacked(x: pl.Tensor, y: pl.Out[pl.Tensor], z: pl.Out[pl.Tensor]):
        with pl.at(level=pl.Level.CORE_GROUP):
            p, q = two(x)
            y[:] = p - q
            both = two(q)
            z[:] = both[0] + both[1]

    @pl.jit.inline
    def hands_on(a: pl.Tensor):
        return two(a)

    @pl.jit
    def returned(x: pl.Tensor, y: pl.Out[pl.Tensor]):
        with pl.at(level=pl.Level.CORE_GROUP):
            p, q = hands_on(x)
            y[:] = p * q

    x = torch.randn(32, 64)
    y, z = unpacked(x)
    assert torch.equal(y, (x + 1) - x * 2) and torch.allclose(z, (x * 2 + 1) + x * 4)
    assert torch.equal(returned(x), (x + 1) * (x * 2))


def test_helper_that_rebinds_its_own_output():
    @pl.jit
    def kern(x: pl.Tensor, y: pl.Out[pl.Tensor], z: pl.Out[pl.Tensor]):
        with pl.at(level=pl.Level.CORE_GROUP):
            r = rewrite(y, x * 2.0)
            z[:] = r + 1.0

    x = torch.randn(32, 64)
    y, z = torch.zeros(32, 64), torch.zeros(32, 64)
    kern(x, y, z)
    assert torch.equal(y, x * 2) and torch.equal(z, x * 2 + 1)


@pytest.mark.parametrize(("dtype", "zero", "step"), [("pl.INT64", "0", "1"), ("pl.FP32", "0.0", "0.5")])
def test_accumulator_that_starts_from_a_literal_has_the_declared_dtype(module, dtype, zero, step):
    made = module(f"""
        @pl.function
        def kern(x: pl.Tensor[[4], {dtype}]):
            acc: pl.Scalar[{dtype}] = {zero}
            for i in pl.range(5):
                acc = acc + {step}
            b: pl.Scalar[{dtype}] = acc
    """).kern
    assert as_python(made).count(f"acc: pl.Scalar[{dtype}]") == 2


def test_layout_of_an_annotation_is_kept():
    @pl.jit
    def kern(a: pl.Tensor[[64, 128], pl.UINT8, pl.MX_A_ZZ], y: pl.Out[pl.Tensor]):
        with pl.at(level=pl.Level.CORE_GROUP):
            y[:] = plus(y)

    scales = torch.zeros(64, 128, dtype=torch.uint8)
    entry = kern.specialize(scales, Y)["kern"]
    assert entry.params[0].type.view == TensorView(layout=TensorLayout.MX_A_ZZ)


def test_layout_tells_two_signatures_apart(module):
    keys = set()
    for layout in ("", ", pl.MX_A_ZZ"):
        kernel = module(f"@pl.jit\ndef kern(a: pl.Tensor[[64, 128], pl.UINT8{layout}]):\n    pass\n").kern
        keys.add(kernel.cache_key(torch.zeros(64, 128, dtype=torch.uint8)).arguments)
    assert len(keys) == 2


def test_strided_view_on_a_parameter_is_refused(module):
    for view in ("pl.TensorView(stride=[256, 1])", "V"):
        kernel = module(f"""
            V = pl.TensorView(stride=[256, 1])

            @pl.jit
            def kern(x: pl.Tensor[[16, 128], pl.FP32, {view}]):
                pass
        """).kern
        with pytest.raises(TypeError, match="TensorView"):
            kernel.specialize(torch.zeros(16, 128))


def test_view_bound_to_a_name_is_the_view_written_out(module):
    text = """
        V = pl.TensorView(stride=[256, 1])

        @pl.function
        def kern(x: pl.Tensor[[16, 128], pl.FP32, {}]):
            pass
    """
    first, second = (module(text.format(view)).kern for view in ("V", "pl.TensorView(stride=[256, 1])"))
    assert_structural_equal(first, second)


def test_captured_lists_stand_for_positions_and_a_local_name_hides_them():
    @pl.jit
    def kern(x: pl.Tensor, y: pl.Out[pl.Tensor]):
        with pl.at(level=pl.Level.CORE_GROUP):
            pl.store(pl.load(x, OFFSET, WINDOW), [0, 0], y)

    @pl.jit
    def local(x: pl.Tensor, y: pl.Out[pl.Tensor]):
        OFFSET = [0, 0]
        with pl.at(level=pl.Level.CORE_GROUP):
            pl.store(pl.load(x, OFFSET, WINDOW), [0, 0], y)

    assert "pl.load(x, [8, 32], [16, 32])" in as_python(kern.specialize(X, Y))
    assert "pl.load(x, [0, 0], [16, 32])" in as_python(local.specialize(X, Y))


def test_window_takes_the_valid_part_of_a_larger_tile():
    @pl.jit
    def kern(x: pl.Tensor, y: pl.InOut[pl.Tensor], rows: int):
        with pl.at(level=pl.Level.CORE_GROUP):
            t = pl.load(x, [0, 0], [8, 64], valid_shape=[rows, 64])
            y[0:5, :] = pl.add(t, 1.0)

    x, y = torch.randn(32, 64), torch.full((32, 64), 7.0)
    kern(x, y, 5)
    assert torch.equal(y[:5], x[:5] + 1) and torch.equal(y[5:], torch.full((27, 64), 7.0))
    with pytest.raises(ParserTypeError, match="does not fill"):
        kern.specialize(x, y, 4)


def test_constants_keep_type_and_value_through_text(module):
    made = module("""
        @pl.function
        def kern(n: pl.INDEX, h: pl.FP16, f: pl.FP32, i: pl.INT64, k: pl.INT8, b: pl.BOOL):
            a0 = h + pl.const(0.1, pl.FP16)
            a1 = f + 0.1
            a2 = i + pl.const(7, pl.INT64)
            a3 = n + 7
            a4 = k + pl.const(-128, pl.INT8)
            a5 = b and True
            a6 = f * 1.0
            a7 = f - 1e-38
            a8 = f + 1.000000119
    """).kern
    again = pl.parse(as_python(made))
    assert_structural_equal(made, again, enable_auto_mapping=True)
    assert as_python(again) == as_python(made)


@pytest.mark.parametrize("rows", [1, 2, 16])
def test_dimension_of_size_one(rows):
    @pl.jit
    def kern(x: pl.Tensor, y: pl.Out[pl.Tensor]):
        for r in pl.range(x.shape[0]):
            with pl.at(level=pl.Level.CORE_GROUP):
                y[r, :] = x[r, :] * 2.0

    x, y = torch.randn(rows, 16), torch.zeros(rows, 16)
    kern(x, y)
    assert torch.equal(y, x * 2)


def test_plain_assignment_to_an_output_warns_and_writes_nothing():
    @pl.jit
    def kern(x: pl.Tensor, y: pl.Out[pl.Tensor], z: pl.Out[pl.Tensor]):
        with pl.at(level=pl.Level.CORE_GROUP):
            y = pl.add(x, 1.0)
            z[:] = pl.add(y, 1.0)

    x, y, z = torch.randn(32, 64), torch.full((32, 64), 7.0), torch.zeros(32, 64)
    with pytest.warns(OutParamWriteDropped, match=r"'y = \.\.\.' only rebinds") as caught:
        kern(x, y, z)
    assert caught[0].filename == __file__
    assert torch.equal(y, torch.full((32, 64), 7.0)) and torch.equal(z, x + 1 + 1)


def test_one_compile_serves_every_size_of_a_dynamic_dimension():
    @pl.jit
    def kern(x: pl.Tensor[[n, 64], pl.FP32], y: pl.Out[pl.Tensor[[n, 64], pl.FP32]]):
        for r in pl.range(0, n, 16):
            with pl.at(level=pl.Level.CORE_GROUP):
                pl.store(pl.add(pl.load(x, [r, 0], [16, 64]), 1.0), [r, 0], y)

    for size in (32, 80):
        x, y = torch.randn(size, 64), torch.zeros(size, 64)
        kern(x, y)
        assert torch.equal(y, x + 1)
    assert len(kern._cache) == 1


def test_chained_assignment_names_one_tensor_twice():
    @pl.jit
    def kern(x: pl.Tensor, y: pl.Out[pl.Tensor]):
        p = q = pl.create_tensor([32, 64], dtype=pl.FP32)  # noqa: F841
        with pl.at(level=pl.Level.CORE_GROUP):
            p[:] = x * 2.0
        with pl.at(level=pl.Level.CORE_GROUP):
            y[:] = p + 1.0

    x, y = torch.randn(32, 64), torch.zeros(32, 64)
    kern(x, y)
    assert torch.equal(y, x * 2 + 1)
