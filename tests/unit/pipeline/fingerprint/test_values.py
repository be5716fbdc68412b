"""Callables and values: whatever changes a result changes the fingerprint, whatever does not leaves it alone."""

from __future__ import annotations

import enum
import functools
import math
import os
import random
import subprocess
import sys
import textwrap
import threading
import types
from dataclasses import dataclass

import numpy as np
import pytest
import torch

from pipeline.fingerprint import Collector, Describer


def fingerprint(value, **declared):
    collector = Collector()
    collector.add("value", Describer(collector, **declared).describe(value, "golden"))
    return collector.fingerprint()


def module(source, name="sample"):
    made = types.ModuleType(name)
    made.__file__ = f"/project/{name}.py"
    exec(compile(textwrap.dedent(source), made.__file__, "exec"), made.__dict__)
    return made


BASE = """
    import math
    import torch
    SCALE = 2.0
    ROWS = [1, 2]
    def helper(x, bias=0.5):
        return x * SCALE + bias
    def middle(x):
        return helper(x)
    def golden(t, *, power=2):
        return middle(t["a"]) ** power + math.sqrt(4) + sum(ROWS)
"""
EDITS = {
    "a constant in the body": ("math.sqrt(4)", "math.sqrt(9)"),
    "an int for a float": ("SCALE = 2.0", "SCALE = 2"),
    "a bool for an int": ("ROWS = [1, 2]", "ROWS = [True, 2]"),
    "a global list": ("ROWS = [1, 2]", "ROWS = [1, 3]"),
    "a helper's body, two calls away": ("x * SCALE + bias", "x * SCALE - bias"),
    "a helper's default": ("bias=0.5", "bias=0.25"),
    "a keyword default": ("power=2", "power=3"),
    "the helper that is called": ("return helper(x)", "return abs(x)"),
    "a library function": ("math.sqrt(4)", "math.cbrt(4)"),
}
NO_EDITS = {
    "a comment": ("    SCALE = 2.0", "    # how much\n    SCALE = 2.0"),
    "a docstring": ("def helper(x, bias=0.5):", 'def helper(x, bias=0.5):\n        "Scale."'),
    "lines": ("SCALE = 2.0", "\n\n\n    SCALE = 2.0"),
    "a global that nobody names": ("SCALE = 2.0", "SCALE = 2.0\n    OTHER = 3"),
    "spaces": ("x * SCALE + bias", "(x  *  SCALE)+bias"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_that_changes_results_changes_the_fingerprint(edit):
    old, new = EDITS[edit]
    assert old in BASE
    before = fingerprint(module(BASE).golden)
    after = fingerprint(module(BASE.replace(old, new)).golden)
    assert before.is_faithful and after.is_faithful
    assert before.digest != after.digest
    assert after.changes_since(before.stored)


@pytest.mark.parametrize("edit", NO_EDITS)
def test_an_edit_that_changes_no_result_leaves_the_fingerprint(edit):
    old, new = NO_EDITS[edit]
    assert old in BASE
    before = fingerprint(module(BASE).golden)
    after = fingerprint(module(BASE.replace(old, new)).golden)
    assert before.digest == after.digest
    assert after.changes_since(before.stored) == ()


def test_changes_are_told_by_name_and_place():
    before, after = (
        fingerprint(module(text).golden) for text in (BASE, BASE.replace("x * SCALE + bias", "x * SCALE - bias"))
    )
    assert after.changes_since(before.stored) == ("helper `helper`, sample.py:6: changed",)


def test_closures_count_by_value():
    def make(scale):
        return lambda t: t["a"] * scale

    assert fingerprint(make(2.0)).digest == fingerprint(make(2.0)).digest
    different = [2.0, 2, -0.0, 0.0, math.nan, math.inf, True, "2.0", (2.0,), [2.0], {2.0}, torch.tensor(2.0), None]
    assert len({fingerprint(make(value)).digest for value in different}) == len(different)


class Colour(enum.Enum):
    RED = 1


@dataclass
class Config:
    rows: int
    names: tuple[str, ...] = ()

    def scaled(self):
        return self.rows * 2


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.arange(6).reshape(2, 3),
        lambda: torch.arange(6).reshape(2, 3).t(),
        lambda: np.arange(3.0),
        lambda: np.float32(3),
        lambda: Colour.RED,
        lambda: Config(3, ("a",)),
        lambda: Config(3, ("a",)).scaled,
        lambda: functools.partial(math.pow, 2.0),
        lambda: functools.lru_cache(Config(1).scaled.__func__),
        lambda: torch.nn.Linear(2, 2, dtype=torch.float32).requires_grad_(False).eval().weight.zero_(),
        lambda: {"a": [1, (2.0, None)], b"b": frozenset({1, 2})},
        lambda: torch.softmax,
        lambda: torch.nn.functional.gelu,
        lambda: range(3),
        lambda: torch.float16,
    ],
)
def test_equal_values_have_equal_faithful_fingerprints(make):
    first, second = fingerprint(make()), fingerprint(make())
    assert first.is_faithful, first.problems
    assert first.digest == second.digest


def test_values_that_lead_back_to_themselves_are_described():
    loop = [1]
    loop.append(loop)
    assert fingerprint(loop).is_faithful
    other = [2]
    other.append(other)
    assert fingerprint(loop).digest != fingerprint(other).digest


def test_recursive_functions_are_described():
    text = "def golden(n):\n    return n if n < 2 else golden(n - 1) + {}\n"
    digests = {fingerprint(module(text.format(value)).golden).digest for value in (1, 2)}
    assert len(digests) == 2


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("open('x')", "reads files"),
        ("torch.load('x')", "reads files"),
        ("Path('x').read_text()", "reads files"),
        ("os.environ['X']", "reads the environment"),
        ("os.getenv('X')", "reads the environment"),
        ("torch.rand(3)", "more than its arguments"),
        ("torch.empty(3)", "more than its arguments"),
        ("np.random.rand(3)", "more than its arguments"),
        ("torch.nn.functional.dropout(t)", "more than its arguments"),
        ("t.normal_()", "draws random numbers"),
        ("random.random()", "module random"),
        ("time.time()", "module time"),
        ("getattr(t, 'x')", "more than its arguments"),
        ("eval('1')", "more than its arguments"),
        ("util", "used as a value"),
        ("LOCK", "cannot be described"),
        ("util.missing(t)", "does not exist"),
    ],
)
def test_what_brings_in_a_hidden_input_is_not_trusted(body, word):
    made = module(
        "import os, random, time, torch\nimport numpy as np\nfrom pathlib import Path\n"
        f"def golden(t):\n    return {body}\n"
    )
    made.util, made.LOCK = module("def f(): pass\n", "util"), threading.Lock()
    found = fingerprint(made.golden)
    assert word in "; ".join(found.problems)


def test_a_function_that_writes_outside_is_not_trusted():
    counting = module("COUNT = 0\ndef golden(t):\n    global COUNT\n    COUNT = COUNT + 1\n    return COUNT\n").golden
    assert "writes the global `COUNT`" in fingerprint(counting).problems[0]
    count = 0

    def inner(t):
        nonlocal count
        count += 1
        return count

    assert "writes the closure variable `count`" in fingerprint(inner).problems[0]


def test_declared_reads_are_trusted():
    reading = module(
        "import os\ndef golden(t):\n    return float(os.environ['SCALE']) + len(open('x').read())\n"
    ).golden
    assert not fingerprint(reading).is_faithful
    assert fingerprint(reading, files=True, environment=True).is_faithful


def test_a_patched_helper_counts():
    made = module(BASE)
    before = fingerprint(made.golden)
    made.helper = lambda x, bias=0.5: x
    assert fingerprint(made.golden).digest != before.digest


def test_a_module_constant_counts_and_the_rest_of_its_module_does_not():
    config = module("ROWS = 4\nCOLS = 5\n", "config")
    made = module("def golden(t):\n    return config.ROWS\n")
    made.config = config
    before = fingerprint(made.golden)
    config.COLS = 6
    assert fingerprint(made.golden).digest == before.digest
    config.ROWS = 5
    after = fingerprint(made.golden)
    assert after.changes_since(before.stored) == ("global `config.ROWS` of helper `golden`, module sample: changed",)


def test_fingerprints_are_the_same_in_every_process():
    code = """
        import functools, math, torch
        from pipeline.fingerprint import Collector, Describer
        NAMES = {"b", "a", "c"}
        class Config:
            def __init__(self): self.rows, self.names = 3, {"x": NAMES}
        CONFIG = Config()
        def golden(t): return t["a"] * CONFIG.rows + math.pi + len(NAMES)
        collector = Collector()
        Describer(collector).describe(functools.partial(golden, 1), "golden")
        print(collector.fingerprint().digest)
    """
    runs = [
        subprocess.run(
            [sys.executable, "-c", textwrap.dedent(code)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1] != ""


def test_another_scheme_is_told_as_such():
    found = fingerprint(1)
    told = found.changes_since({**found.stored, "scheme": "0"})
    assert len(told) == 1 and "scheme" in told[0]


def test_random_edits_of_constants_always_show():
    source = random.Random(1)
    seen = {}
    for _ in range(200):
        value = source.choice([source.random(), source.randint(-3, 3), str(source.randint(0, 9)), None, True])
        digest = fingerprint(module(f"K = {value!r}\ndef golden(t):\n    return K\n").golden).digest
        assert seen.setdefault(digest, (type(value), value)) == (type(value), value)
