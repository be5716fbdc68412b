"""Kernels: syntax and the values behind its names count, places and comments do not."""

from __future__ import annotations

import importlib.util
import sys
import textwrap

import pytest

from pipeline.fingerprint import Collector, kernel_components

UTIL = "ROWS = 16\nUNUSED = 1\ndef half(n):\n    return n // 2\n"
BASE = """
    import pypto.language as pl
    import util_of_kernels as util

    SCALE = 2.0
    N = pl.dynamic("N")

    @pl.jit.inline
    def inner(x: pl.Tensor):
        return pl.mul(x, SCALE)

    @pl.jit.inline
    def helper(x: pl.Tensor):
        return inner(x)

    def build(factor):
        @pl.jit
        def kernel(a: pl.Tensor[[N, 64], pl.FP32], c: pl.Out[pl.Tensor]):
            # rows at a time
            with pl.at(level=pl.Level.CORE_GROUP):
                t: pl.Tile[[16, 64], pl.FP32] = pl.load(a, [0, 0], [util.half(util.ROWS * 2), 64])
                c[:] = pl.mul(helper(t), factor)
        return kernel

    kernel = build(3.0)
"""
EDITS = {
    "a line": ("[0, 0]", "[1, 0]", "kernel `kernel`"),
    "a local annotation": ("pl.Tile[[16, 64], pl.FP32]", "pl.Tile[[16, 64], pl.FP16]", "kernel `kernel`"),
    "a parameter's annotation": ("pl.Tensor[[N, 64], pl.FP32]", "pl.Tensor[[N, 32], pl.FP32]", "kernel `kernel`"),
    "a helper's constant": ("SCALE = 2.0", "SCALE = 3.0", "constant `SCALE`"),
    "a helper two calls away": ("pl.mul(x, SCALE)", "pl.add(x, SCALE)", "helper `inner`"),
    "a closure value": ("build(3.0)", "build(4.0)", "constant `factor`"),
}


@pytest.fixture
def load(tmp_path, monkeypatch):
    count = iter(range(100))

    def write(text, util=UTIL):
        folder = tmp_path / str(next(count))
        folder.mkdir()
        for name, content in (("util_of_kernels", util), ("kernels_of_test", text)):
            file = folder / f"{name}.py"
            file.write_text(textwrap.dedent(content))
            spec = importlib.util.spec_from_file_location(name, file)
            made = importlib.util.module_from_spec(spec)
            monkeypatch.setitem(sys.modules, name, made)
            spec.loader.exec_module(made)
        collector = Collector()
        kernel_components(made.kernel, collector)
        return collector.fingerprint()

    return write


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_of_the_kernel_is_told_by_name(load, edit):
    old, new, name = EDITS[edit]
    assert old in BASE
    before, after = load(BASE), load(BASE.replace(old, new))
    assert before.is_faithful, before.problems
    changed = after.changes_since(before.stored)
    assert len(changed) == 1 and changed[0].startswith(name) and changed[0].endswith("changed")


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [("ROWS = 16", "ROWS = 32", "constant `util.ROWS`"), ("n // 2", "n // 4", "helper `half`")],
)
def test_another_module_counts_by_what_is_used_of_it(load, old, new, name):
    before = load(BASE)
    changed = load(BASE, UTIL.replace(old, new)).changes_since(before.stored)
    assert len(changed) == 1 and changed[0].startswith(name)
    assert load(BASE, UTIL.replace("UNUSED = 1", "UNUSED = 2")).digest == before.digest


def test_comments_and_places_do_not_count(load):
    assert load(BASE).digest == load("\n\n" + BASE.replace("rows at a time", "by rows")).digest
