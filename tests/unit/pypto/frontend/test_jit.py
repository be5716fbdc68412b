"""What a kernel offers to Python: binding, signature mode, return style, refused arguments."""

from __future__ import annotations

import pytest
import torch

import pypto.language as pl
from pypto.errors import ParserError, ParserTypeError
from pypto.ir.print import as_python
from pypto.ir.types import TensorType
from pypto.ops.dtypes import FP32

X, Y = torch.zeros(32, 64), torch.zeros(32, 64)
n = pl.dynamic("n")


@pl.jit
def kern(x: pl.Tensor, y: pl.Out[pl.Tensor], s: float = 2.0):
    with pl.at(level=pl.Level.CORE_GROUP):
        y[:] = pl.mul(x, s)
    return y


@pl.jit
def mixed(x: pl.Tensor, a: pl.Scalar[pl.INT32], y: pl.InOut[pl.Tensor], b: int, z: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        z[:] = pl.add(pl.add(x, y), b)


@pl.jit
def annotated(x: pl.Tensor[[n, 64], pl.FP32], y: pl.Out[pl.Tensor[[n, 64], pl.FP32]], k: int):
    for r in pl.range(0, n, 16):
        with pl.at(level=pl.Level.CORE_GROUP):
            t = pl.load(x, [r, 0], [16, 64])
            pl.store(pl.add(t, k), [r, 0], y)


@pl.jit
def unannotated(x, k, y: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        y[:] = pl.mul(x, k)


def text(kernel, *args, **kwargs) -> str:
    return as_python(kernel.specialize(*args, **kwargs))


def test_names_are_in_declared_order():
    assert mixed.param_names == ["x", "a", "y", "b", "z"]
    assert mixed.output_param_names == ["y", "z"]
    assert kern.__name__ == "kern" and repr(kern) == "<kernel kern>"


def test_positional_and_keyword_arguments_are_one_signature():
    keys = {kern.cache_key(X, Y), kern.cache_key(x=X, y=Y), kern.cache_key(X, y=Y, s=2.0), kern.cache_key(X, Y, 2.0)}
    assert len(keys) == 1


def test_compile_time_constant_is_no_parameter():
    entry = kern.specialize(X, Y, 3.0)["kern"]
    assert [param.name for param in entry.params] == ["x", "y"]
    assert "3.0" in text(kern, X, Y, 3.0)


def test_run_time_scalar_is_a_parameter():
    entry = mixed.specialize(X, 7, Y, 1, Y)["mixed"]
    assert [param.name for param in entry.params] == ["x", "a", "y", "z"]


def test_unannotated_parameters_are_what_they_are_given():
    assert "pl.mul(x, 4)" in text(unannotated, X, 4, Y)


@pytest.mark.parametrize(
    ("args", "kwargs", "words"),
    [
        ((X, Y, 1.0, 2.0), {}, "takes 3 arguments"),
        ((X, Y), {"w": 3}, "no parameter 'w'"),
        ((X, Y), {"x": X}, "two values for 'x'"),
        ((X, 3.0, 3.0), {}, "'y' is an output"),
        ((X, Y, "a"), {}, "neither a tensor nor a number"),
        ((X, Y, True), {}, "declared float"),
        ((X, Y, X), {}, "takes a scalar"),
        ((3.0, Y), {}, "takes a tensor"),
        ((X.double(), Y), {}, "no dtype for torch.float64"),
        ((X, Y, pl.RUNTIME), {}, "pl.RUNTIME"),
    ],
)
def test_wrong_arguments_are_type_errors(args, kwargs, words):
    with pytest.raises(TypeError, match=words):
        kern.specialize(*args, **kwargs)


def test_missing_input_or_inout_is_a_type_error():
    with pytest.raises(TypeError, match=r"missing 'x', 'y'; pass all of y, or none"):
        kern()
    with pytest.raises(TypeError, match="missing"):
        mixed(X, 1, b=2)


@pytest.mark.parametrize("value", [2.5, float("nan"), 2**40, "a", X])
def test_run_time_scalar_is_converted_only_when_exact(value):
    with pytest.raises(TypeError, match="'a'"):
        mixed.specialize(X, value, Y, 1, Y)


@pytest.mark.parametrize("value", [2, 2.0, True])
def test_exact_values_of_another_python_type_are_taken(value):
    mixed.specialize(X, value, Y, 1, Y)


def test_argument_that_contradicts_its_annotation_names_both():
    with pytest.raises(TypeError, match=r"declared \[n, 64\] of FP32, the argument is \[32, 32\] of FP32"):
        annotated.specialize(torch.zeros(32, 32), Y, 1)
    with pytest.raises(TypeError, match=r"the argument is \[32, 64\] of FP16"):
        annotated.specialize(X.half(), Y, 1)


def test_signature_mode_takes_shapes_from_annotations():
    entry = annotated.specialize(k=3)["annotated"]
    assert entry.params[0].type == TensorType((n.var, 64), FP32)
    with pytest.raises(TypeError, match=r"bare pl\.Tensor"):
        kern.specialize()
    with pytest.raises(TypeError, match="'k' is a compile-time constant"):
        annotated.specialize()
    with pytest.raises(TypeError, match="by keyword"):
        annotated.specialize(3)


def test_runtime_keeps_a_scalar_open_in_signature_mode():
    entry = annotated.specialize(k=pl.RUNTIME)["annotated"]
    assert [param.name for param in entry.params] == ["x", "y", "k"]


def test_specialize_refuses_a_config_before_anything_else():
    with pytest.raises(TypeError, match="config"):
        kern.specialize(1, 2, 3, 4, config=None)


def test_shape_of_a_left_out_output_follows_from_what_is_written():
    entry = kern.specialize(X)["kern"]
    assert entry.params[1].type == TensorType((32, 64), FP32)


def test_output_that_nothing_writes_as_a_whole_needs_a_shape(module):
    loaded = module("""
        @pl.jit
        def kern(x: pl.Tensor, y: pl.Out[pl.Tensor]):
            with pl.at(level=pl.Level.CORE_GROUP):
                y[0:8, :] = x[0:8, :]

        @pl.jit
        def nothing(x: pl.Tensor, y: pl.Out[pl.Tensor]):
            pass
    """)
    for kernel in (loaded.kern, loaded.nothing):
        with pytest.raises(ParserTypeError, match="shape of the output 'y' is unknown"):
            kernel.specialize(X)


def test_left_out_output_of_a_helper_takes_the_shape_the_helper_gives_it(module):
    loaded = module("""
        @pl.jit.inline
        def helper(a: pl.Tensor, b: pl.Out[pl.Tensor]):
            with pl.at(level=pl.Level.CORE_GROUP):
                b[:] = pl.row_max(a)

        @pl.jit
        def kern(x: pl.Tensor, y: pl.Out[pl.Tensor]):
            helper(x, y)
    """)
    assert loaded.kern.specialize(X)["kern"].params[1].type == TensorType((32, 1), FP32)


def test_annotations_as_text_are_understood(module):
    loaded = module(
        """
        def build(width):
            @pl.jit
            def kern(x: pl.Tensor[[32, width], pl.FP32], y: pl.Out[pl.Tensor]):
                with pl.at(level=pl.Level.CORE_GROUP):
                    y[:] = pl.add(x, 1.0)
            return kern
        """,
        "from __future__ import annotations\nimport pypto.language as pl\n",
    )
    loaded.build(64).specialize(X, Y)
    with pytest.raises(TypeError, match=r"declared \[32, 48\]"):
        loaded.build(48).specialize(X, Y)


@pytest.mark.parametrize(
    ("annotation", "code"),
    [
        ("pl.Tensor[[32, 64]]", "E103"),
        ("pl.Tensor[[32.0, 64], pl.FP32]", "E101"),
        ("pl.Tensor[[0], pl.FP32]", "E101"),
        ("pl.Tensor[32, pl.FP32]", "E101"),
        ("pl.Tensor[[32], 3]", "E105"),
        ("pl.Tensor[[32, 64], pl.FP32, pl.DN]", "E104"),
        ("pl.Tensor[[32, 64], pl.FP32, pl.NZ]", "E104"),
        ("pl.Tensor[[32, 64], pl.FP32, 7]", "E104"),
        ("pl.InOut[pl.Scalar[pl.INT32]]", "E101"),
        ("pl.InOut[int]", "E101"),
        ("pl.Out", "E103"),
        ("str", "E102"),
        ("pl.Scalar", "E103"),
        ("pl.Scalar[3]", "E105"),
        ("pl.Array[0, pl.INT32]", "E101"),
        ("pl.Out[pl.Out[pl.Tensor]]", "E102"),
        ("pl.Tile[[16, 64], pl.FP32, pl.MemRef('a')]", "E103"),
    ],
)
def test_wrong_annotation_is_reported_at_its_place(module, annotation, code):
    kernel = module(f"@pl.jit\ndef kern(x: {annotation}, y: pl.Out[pl.Tensor]):\n    pass\n").kern
    with pytest.raises(ParserTypeError) as caught:
        kernel.specialize(X, Y)
    error = caught.value
    assert error.error_code == code and error.hint
    assert (error.span.line, error.span.column) == (3, len("def kern(x: "))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("x.bind_dynamic(5, n)", "no axis 5"), ("x.bind_dynamic(0, q)", "'q' is not defined"),
        ("x.bind_dynamic(0, X)", "no dimension variable"), ("x.bind_dynamic(-1, n)", "axis is a literal"),
        ("k.bind_dynamic(0, n)", "for tensor parameters"), ("x.bind_dynamic(0)", "an axis and a dimension variable"),
    ],
)  # fmt: skip
def test_wrong_bind_dynamic(module, line, words):
    loaded = module(f"""
        n, X = pl.dynamic("n"), 3

        @pl.jit
        def kern(x: pl.Tensor, k: int, y: pl.Out[pl.Tensor]):
            {line}
            with pl.at(level=pl.Level.CORE_GROUP):
                y[:] = pl.add(x, 1.0)
    """)
    with pytest.raises(ParserError, match=words) as caught:
        loaded.kern.specialize(X, 1, Y)
    assert caught.value.span.line == 7


def test_dynamic_dimension_is_one_signature_for_all_sizes():
    assert annotated.cache_key(X, Y, 1) == annotated.cache_key(torch.zeros(80, 64), torch.zeros(80, 64), 1)


def test_name_of_a_dimension_variable_is_an_identifier():
    for name in ("1n", "for", "a b", 3):
        with pytest.raises(ValueError, match="identifier"):
            pl.dynamic(name)


def test_call_runs_in_place_and_returns_none():
    x, y = torch.randn(32, 64), torch.zeros(32, 64)
    assert kern(x, y, 3.0) is None
    assert torch.equal(y, x * 3.0)


def test_return_style_allocates_and_returns():
    x = torch.randn(32, 64)
    assert torch.equal(kern(x), x * 2.0)
    assert torch.equal(kern(x, s=4.0), x * 4.0)


def test_scalars_and_tensors_interleaved():
    x, y, z = torch.randn(32, 64), torch.randn(32, 64), torch.zeros(32, 64)
    mixed(x, 5, y, 3, z)
    assert torch.equal(z, x + y + 3)
    mixed(b=3, z=z, y=x, a=5, x=y)
    assert torch.equal(z, x + y + 3)


def test_helper_keeps_its_own_name_space(module):
    first = module("K = 2.0\n\n@pl.jit.inline\ndef scale(a: pl.Tensor):\n    t = pl.mul(a, K)\n    return t\n")
    second = module("""
        K = 5.0

        @pl.jit
        def kern(x: pl.Tensor, y: pl.Out[pl.Tensor]):
            with pl.at(level=pl.Level.CORE_GROUP):
                t = pl.mul(x, K)
                y[:] = pl.add(t, scale(x))
    """)
    second.scale = first.scale
    printed = text(second.kern, X, Y)
    assert "pl.mul(x, 5.0)" in printed and "pl.mul(a, 2.0)" in printed


def test_extern_kernel(module, tmp_path):
    (tmp_path / "double.cpp").write_text("// by hand")
    loaded = module("""
        @pl.jit.extern(source="double.cpp", core_type="aic")
        def double(a: pl.Tensor, b: pl.Out[pl.Tensor]): ...

        @pl.jit
        def kern(x: pl.Tensor, y: pl.Out[pl.Tensor]):
            double(x, y)
    """)
    made = loaded.kern.specialize(X, Y)["double"]
    assert made.attrs == {"external_source": str(tmp_path / "double.cpp"), "core_type": "aic"}
    before = loaded.kern.cache_id(X, Y)
    (tmp_path / "double.cpp").write_text("// by hand, again")
    assert loaded.kern.cache_id(X, Y) != before


def test_extern_kernel_without_its_file(module):
    with pytest.raises(FileNotFoundError, match="relative to the kernel's file"):
        module('@pl.jit.extern(source="none.cpp")\ndef f(a: pl.Tensor): ...\n')
    with pytest.raises(TypeError, match="source="):
        pl.jit.extern()
    with pytest.raises(NotImplementedError, match="not built yet"):
        pl.jit.extern(source="a.cpp", core_type="mixed")


def test_decorators_refuse_options_of_others():
    with pytest.raises(TypeError):
        pl.jit.incore(auto_scope=False)
    with pytest.raises(TypeError, match="always"):
        pl.jit.host(level=pl.Level.HOST)
    with pytest.raises(NotImplementedError, match="not built yet"):
        pl.jit.host()


def test_inline_function_is_not_called_from_python():
    @pl.inline
    def twice(a):
        return pl.add(a, a)

    with pytest.raises(TypeError, match="call it from a kernel"):
        twice(X)
