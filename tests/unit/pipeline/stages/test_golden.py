"""Goldens: how they are called, what they may give, and what is said when they give something else."""

from __future__ import annotations

import math

import pytest
import torch

from pipeline.errors import GoldenNames, GoldenRaised, GoldenSilent, GoldenValue
from pipeline.stages.golden import golden_outputs
from pipeline.tensors import TensorSpec

SPECS = (
    TensorSpec("a", torch.tensor([1.0, 2.0])),
    TensorSpec("b", torch.tensor([10.0, 20.0])),
    TensorSpec("c", torch.tensor([100.0, 100.0]), is_output=True),
)
TWO = (*SPECS, TensorSpec("d", torch.zeros(2, dtype=torch.int32), is_output=True))
SUM = [11.0, 22.0]


def c_of(golden, specs=SPECS):
    return golden_outputs(golden, specs)["c"].tolist()


class Adder:
    def __call__(self, tensors):
        return tensors["a"] + tensors["b"]


def by_name_and_default(a, b, scale=1.0):
    return (a + b) * scale


def tensors_and_params(tensors, params=None):
    assert params is None
    tensors["c"][:] = tensors["a"] + tensors["b"]


def keyword_only(*, a, b):
    return a + b


def positional_only(a, b, /):
    return a + b


@pytest.mark.parametrize(
    "golden",
    [
        lambda tensors: tensors["a"] + tensors["b"],
        lambda _: torch.tensor(SUM),
        lambda: torch.tensor(SUM),
        lambda tensors: {"c": tensors["a"] + tensors["b"]},
        lambda a, b: a + b,
        lambda a, b, c: c - 100 + a + b,
        lambda *args: args[0]["a"] + args[0]["b"],
        lambda **tensors: tensors["a"] + tensors["b"],
        lambda a, **rest: a + rest["b"],
        Adder(),
        by_name_and_default,
        tensors_and_params,
        keyword_only,
        positional_only,
    ],
)
def test_every_way_of_asking_and_giving(golden):
    assert c_of(golden) == SUM


def test_writing_in_place_keeps_the_values_after_the_call():
    def into(tensors):
        tensors["c"] += tensors["a"]

    def new(tensors):
        tensors["c"] = tensors["a"] + tensors["b"]

    def through_numpy(tensors):
        tensors["c"].numpy()[:] = (tensors["a"] + tensors["b"]).numpy()

    def the_same_value(tensors):
        tensors["c"].fill_(100.0)

    assert c_of(into) == [101.0, 102.0]
    assert c_of(new) == c_of(through_numpy) == SUM
    assert c_of(the_same_value) == [100.0, 100.0]


def test_samples_are_safe_from_goldens():
    def spoil(tensors):
        for tensor in tensors.values():
            tensor.zero_()

    golden_outputs(spoil, SPECS)
    assert SPECS[0].sample.tolist() == [1.0, 2.0]
    assert SPECS[2].sample.tolist() == [100.0, 100.0]


def test_what_is_given_is_kept_as_a_plain_copy():
    base = torch.arange(8.0)
    kept = golden_outputs(lambda _: base[::4].requires_grad_(), SPECS)["c"]
    base[0] = 7.0
    assert kept.tolist() == [0.0, 4.0]
    assert not kept.requires_grad and kept.is_contiguous()


def test_nan_is_a_value_like_any_other_here():
    assert math.isnan(c_of(lambda _: torch.tensor([math.nan, 1.0]))[0])


def raises_with_hint(a):
    return a * 2


@pytest.mark.parametrize(
    ("golden", "specs", "error", "words"),
    [
        (lambda _: {}["missing"], SPECS, GoldenRaised, "golden raised KeyError: 'missing'"),
        (lambda _: exit(3), SPECS, GoldenRaised, "golden raised SystemExit: 3"),
        (raises_with_hint, SPECS, GoldenRaised, "use a['a']"),
        (lambda _: {"x": 1}, SPECS, GoldenNames, "gave no c and gave x, which the kernel does not write; "),
        (lambda _: {"c": torch.tensor(SUM)}, TWO, GoldenNames, "gave no d"),
        (lambda _: torch.tensor(SUM), TWO, GoldenNames, "return a dict by name; the outputs are c, d"),
        (lambda _: SUM, SPECS, GoldenNames, "returned a list"),
        (lambda _: 5.0, SPECS, GoldenNames, "returned a float"),
        (lambda p, q: p, SPECS, GoldenNames, "asks for p, q, which the case has not (it has a, b, c)"),
        (lambda _: torch.zeros(3), SPECS, GoldenValue, "golden of c: expected [2] float32, got [3] float32"),
        (lambda _: torch.zeros(1, 2), SPECS, GoldenValue, "got [1, 2] float32; nothing is broadcast"),
        (lambda _: torch.zeros(2).double(), SPECS, GoldenValue, "got [2] float64; add .to(torch.float32)"),
        (lambda _: {"c": torch.zeros(2), "d": torch.zeros(2)}, TWO, GoldenValue, "golden of d: expected [2] int32"),
        (lambda _: {"c": [1, 2]}, SPECS, GoldenValue, "got a list"),
        (lambda _: None, SPECS, GoldenSilent, "wrote into none of c"),
        (lambda t: t["a"].add_(1) and None, SPECS, GoldenRaised, "RuntimeError"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(golden, specs, error, words):
    with pytest.raises(error) as caught:
        golden_outputs(golden, specs)
    assert words in str(caught.value)


def test_ctrl_c_in_a_golden_ends_the_session():
    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        golden_outputs(stop, SPECS)
