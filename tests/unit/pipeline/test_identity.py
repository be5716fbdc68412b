"""Descriptions of arguments: the same in every process, different for every value of every type."""

from __future__ import annotations

import enum
import itertools
import os
import subprocess
import sys
from dataclasses import dataclass

import pytest
import torch

from pipeline.errors import NoIdentity
from pipeline.identity import describe_argument


class Colour(enum.Enum):
    RED = 1


@dataclass
class Point:
    x: float
    y: int


def describe(value):
    return describe_argument(value, kernel="k", argument="x")


DIFFERENT = [
    1, 1.0, True, "1", "True", None, "None", 0.0, -0.0, float("nan"), float("inf"), 2.0, 123456789, b"1", (1,), [1],
    (1.0,), (), {"a": 1}, {"a": 1.0}, Colour.RED, Point(1.0, 2), Point(1, 2), torch.float32, torch.float16,
    torch.zeros(2, 3), torch.zeros(3, 2), torch.zeros(2, 3, dtype=torch.float16), torch.zeros(6), torch.tensor(1.0),
    {1, 2}, frozenset({1, 2}),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b"), list(itertools.combinations(DIFFERENT, 2)))
def test_different_values_have_different_descriptions(a, b):
    assert describe(a) != describe(b)


def test_equal_values_have_equal_descriptions():
    assert describe(float("nan")) == describe(float("nan"))
    assert describe(torch.zeros(2, 3)) == describe(torch.ones(2, 3))
    assert describe(torch.zeros(3, 2).T) == describe(torch.zeros(2, 3))


def test_an_object_without_a_value_is_refused_by_name():
    with pytest.raises(NoIdentity, match="case of k: argument 'x' is a object"):
        describe(object())
    with pytest.raises(NoIdentity):
        describe([lambda: 1])


def test_descriptions_do_not_depend_on_the_hash_seed():
    code = "from pipeline.identity import describe_argument as d; print(d({'a','b','c','d'}, kernel='k', argument='x'))"
    texts = set()
    for seed in ("0", "1"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        texts.add(done.stdout)
    assert len(texts) == 1
