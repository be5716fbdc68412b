"""JitKernel: how arguments are bound, and what is made of them."""

from __future__ import annotations

import threading

import pytest
import torch
from stand_in import Kernel

from pipeline.errors import BadArguments, BadKernel, NoOutput
from pipeline.kernel_source import ByName, JitKernel, KernelSource, is_jit_function, program_build_lock

scale = Kernel("scale", "x, alpha, out, beta=2.0", ["out"], "out[:] = x * alpha")
x, out = torch.ones(2, 3), torch.full((2, 3), 7.0)


def test_positional_and_keyword_arguments_bind_alike_in_declaration_order():
    ways = [
        JitKernel(scale, (x, 3, out)),
        JitKernel(scale, (x,), {"out": out, "alpha": 3}),
        JitKernel(scale, (), {"beta": 2.0, "out": out, "x": x, "alpha": 3}),
        JitKernel(scale, (x, 3, out, 2.0)),
    ]
    assert {kernel.cache_id() for kernel in ways} == {
        "scale-x=float32[2,3],alpha=int=3,out=float32[2,3],beta=float=2.0"
    }
    assert all(list(kernel.bound) == ["x", "alpha", "out", "beta"] for kernel in ways)


@pytest.mark.parametrize("alpha", [3.0, True, 4, "3"])
def test_the_id_tells_type_and_value_of_scalars(alpha):
    assert JitKernel(scale, (x, 3, out)).cache_id() != JitKernel(scale, (x, alpha, out)).cache_id()


def test_every_tensor_starts_from_a_copy_of_its_sample():
    kernel = JitKernel(scale, (x, 3, out))
    tensors = {tensor.name: tensor for tensor in kernel.tensors()}
    assert list(tensors) == ["x", "out"]
    assert [tensor.is_output for tensor in tensors.values()] == [False, True]
    out.add_(1)
    assert torch.equal(tensors["out"].sample, torch.full((2, 3), 7.0))
    out.sub_(1)


def test_call_arguments_are_tensors_by_name_and_scalars_by_value():
    kernel = JitKernel(scale, (x, 3, out))
    assert kernel.arguments(kernel.tensors()) == {"x": ByName("x"), "alpha": 3, "out": ByName("out"), "beta": 2.0}


@pytest.mark.parametrize(
    ("args", "kwargs", "words"),
    [
        ((x,), {}, "no sample for alpha, out \\(outputs too"),
        ((x, 1, out, 2.0, 5), {}, "5 arguments for 4 parameters"),
        ((x, 1, out), {"x": x}, "argument x is given twice"),
        ((x, 1, out), {"gamma": 1}, "no parameter is called gamma"),
        ((x, 1, 5), {}, "the sample for output out is a int, no tensor"),
    ],
)
def test_arguments_that_do_not_fit_are_refused_by_name(args, kwargs, words):
    with pytest.raises(BadArguments, match=words):
        JitKernel(scale, args, kwargs).tensors()


def test_a_kernel_that_writes_nothing_is_refused():
    with pytest.raises(NoOutput, match=r"pl\.Out"):
        JitKernel(Kernel("silent", "x", [], "pass"), (x,)).tensors()


def test_a_kernel_whose_annotations_mean_nothing_is_refused_with_its_own_words():
    class Wrong:
        __name__ = "wrong"
        param_names = ("x",)

        @property
        def output_param_names(self):
            raise TypeError("line 3: no such type")

        def specialize(self, *args): ...

    kernel = Wrong()
    assert is_jit_function(kernel)
    with pytest.raises(BadKernel, match="case of wrong: line 3: no such type"):
        JitKernel(kernel, (x,)).tensors()


def test_programs_are_built_one_at_a_time_and_may_nest():
    entered = threading.Event()
    inner = JitKernel(scale, (x, 3, out))

    class Nesting(Kernel):
        def specialize(self, *args):
            entered.set()
            return inner.build_program()

    kernel = JitKernel(Nesting("outer", "x, out", ["out"], ""), (x, out))
    with program_build_lock:
        thread = threading.Thread(target=kernel.build_program)
        thread.start()
        assert not entered.wait(0.1)
    thread.join(5)
    assert entered.is_set()
    assert isinstance(kernel, KernelSource)
