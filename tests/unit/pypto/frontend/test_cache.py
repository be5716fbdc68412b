"""What decides that a compiled program is used again: all that went into it, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import pypto.language as pl
from pypto.frontend.captures import digest, freeze
from pypto.platforms import MemoryPlanner
from pypto.runtime.config import RunConfig

X, Y = torch.zeros(32, 64), torch.zeros(32, 64)
TEXT = """
    class Config:
        width = 2.0

    K, TABLE, config = 1.0, [1.0, 2.0], Config()

    @pl.jit.inline
    def helper(a: pl.Tensor):
        return pl.mul(a, K)

    @pl.jit
    def kern(x: pl.Tensor, y: pl.Out[pl.Tensor]):
        with pl.at(level=pl.Level.CORE_GROUP):
            y[:] = helper(pl.add(x, TABLE[0] + config.width))
"""


@pytest.fixture
def compiled(monkeypatch):
    """The programs that were compiled, instead of compiling them."""
    import pypto.compiler

    found = []

    def compile(program, **options):
        found.append((program, options))
        return lambda *args, config=None: None

    monkeypatch.setattr(pypto.compiler, "compile", compile)
    return found


def change_global(loaded):
    loaded.K = 3.0


def change_list(loaded):
    loaded.TABLE[0] = 9.0


def change_attribute(loaded):
    loaded.config.width = 7.0


def change_helper(loaded):
    namespace = dict(vars(loaded))
    file = Path(loaded.__file__).with_name("other.py")
    file.write_text("@pl.jit.inline\ndef helper(a: pl.Tensor):\n    return pl.add(a, K)\n")
    exec(compile(file.read_text(), str(file), "exec"), namespace)
    loaded.helper = namespace["helper"]


@pytest.mark.parametrize("change", [change_global, change_list, change_attribute, change_helper])
def test_changed_surroundings_compile_again_and_the_old_program_is_kept(module, compiled, change):
    loaded = module(TEXT)
    loaded.kern(X, Y)
    loaded.kern(X, Y)
    assert len(compiled) == 1
    before = loaded.kern.cache_id(X, Y)
    change(loaded)
    loaded.kern(X, Y)
    assert len(compiled) == 2 and len(loaded.kern._cache) == 2
    assert loaded.kern.cache_id(X, Y) != before


def test_changing_back_finds_the_first_program(module, compiled):
    loaded = module(TEXT)
    for value in (1.0, 3.0, 1.0, 3.0):
        loaded.K = value
        loaded.kern(X, Y)
    assert len(compiled) == 2


def test_name_that_no_kernel_reads_changes_nothing(module, compiled):
    loaded = module(TEXT)
    loaded.kern(X, Y)
    loaded.OTHER = 5
    loaded.kern(X, Y)
    assert len(compiled) == 1


def test_kernels_of_a_factory_do_not_share(module):
    build = module("""
        def build(n):
            @pl.jit
            def kern(x: pl.Tensor, y: pl.Out[pl.Tensor]):
                with pl.at(level=pl.Level.CORE_GROUP):
                    y[:] = pl.add(x, n)
            return kern
    """).build
    assert build(2.0).cache_id(X, Y) != build(4.0).cache_id(X, Y)
    assert build(2.0).cache_id(X, Y) == build(2.0).cache_id(X, Y)


def test_helpers_of_a_factory_differ_by_their_defaults(module):
    build = module("""
        def build(n):
            @pl.jit.inline
            def helper(a: pl.Tensor, k: float = n):
                return pl.add(a, k)

            @pl.jit
            def kern(x: pl.Tensor, y: pl.Out[pl.Tensor]):
                with pl.at(level=pl.Level.CORE_GROUP):
                    y[:] = helper(x)
            return kern
    """).build
    assert build(2.0).cache_id(X, Y) != build(4.0).cache_id(X, Y)


@pytest.fixture
def scaled(module):
    return module("""
        @pl.jit
        def kern(x: pl.Tensor, k, y: pl.Out[pl.Tensor]):
            with pl.at(level=pl.Level.CORE_GROUP):
                y[:] = pl.full(x.shape, x.dtype, k)
    """).kern


def test_scalars_differ_by_type_and_bits(scaled):
    values = (1, 1.0, 0.0, -0.0, float("nan"), float("inf"))
    keys = [scaled.cache_key(X, value, Y) for value in values]
    assert len(set(keys)) == len({key.digest() for key in keys}) == len(values)


def test_nan_and_large_numbers_are_found_again(scaled, compiled):
    for _ in range(5):
        scaled(X, float("nan"), Y)
        scaled(X, 123456789, Y)
    assert len(compiled) == len(scaled._cache) == 2


def test_tensors_differ_by_shape_and_dtype(scaled):
    other = torch.zeros(16, 64)
    keys = {scaled.cache_key(X, 1.0, Y), scaled.cache_key(X.half(), 1.0, Y.half()), scaled.cache_key(other, 1.0, other)}
    assert len(keys) == 3
    assert scaled.cache_key(X, 1.0, Y) == scaled.cache_key(X + 1, 1.0, Y.clone())


@pytest.mark.parametrize(
    "config",
    [RunConfig(platform="a5sim"), RunConfig(memory_planner=MemoryPlanner.DSA_RP), RunConfig(dump_passes=True),
     RunConfig(dump_ptoas_passes=True), RunConfig(compile_profiling=True)],
)  # fmt: skip
def test_settings_that_change_the_build_are_in_the_key(scaled, config):
    assert scaled.cache_key(X, 1.0, Y) != scaled.cache_key(X, 1.0, Y, config=config)


def test_settings_that_change_only_the_run_are_not(scaled):
    assert scaled.cache_key(X, 1.0, Y) == scaled.cache_key(X, 1.0, Y, config=RunConfig(rtol=1.0, device_id=3))


def test_planner_left_open_is_the_default_planner(scaled):
    config = RunConfig(memory_planner=MemoryPlanner.PYPTO)
    assert scaled.cache_key(X, 1.0, Y) == scaled.cache_key(X, 1.0, Y, config=config)


def test_settings_in_either_order(scaled, compiled):
    for dumps in (True, False, True, False):
        scaled(X, 1.0, Y, config=RunConfig(dump_passes=dumps))
    assert [options["dump_passes"] for _, options in compiled] == [True, False]


def test_cleared_cache_compiles_again(scaled, compiled):
    scaled(X, 1.0, Y)
    scaled._cache.clear()
    scaled(X, 1.0, Y)
    assert len(compiled) == 2


def test_compile_and_call_share_the_program(scaled, compiled):
    first = scaled.compile(X, 1.0, Y)
    scaled(X, 1.0, Y)
    assert len(compiled) == 1 and scaled.compile(X, 1.0, Y) is first


def test_specialize_and_lower_leave_the_cache_alone(scaled):
    scaled.specialize(X, 1.0, Y)
    scaled.lower(X, 1.0, Y)
    assert not scaled._cache


def test_lower_is_the_pipeline_over_specialize(scaled):
    from pypto.compiler import lower
    from pypto.ir.equal import assert_structural_equal

    assert_structural_equal(scaled.lower(X, 1.0, Y), lower(scaled.specialize(X, 1.0, Y)))


def test_warm_call_parses_nothing(scaled, compiled, monkeypatch):
    scaled(X, 1.0, Y)
    monkeypatch.setattr(type(scaled), "_specialize", lambda *args: pytest.fail("parsed again"))
    scaled(X, 1.0, Y)
    scaled(k=1.0, y=Y, x=X)


SCRIPT = """
import pathlib, sys
from pypto.frontend.captures import digest, freeze
import pypto.language as pl
class Thing:
    def __init__(self): self.a, self.b = 1, {"x", "y", "z"}
def plain(x, y=2): return x + y
print(digest(freeze([pl.FP32, pl.Mem.Vec, (1, 2.5), {"a", "b", "c"}, {"k": None}, Thing(), plain, pathlib, int, True])))
"""


def test_digest_is_the_same_in_every_process(tmp_path):
    digests = set()
    for seed in ("0", "1", "77"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        script = tmp_path / "script.py"
        script.write_text(SCRIPT)
        run = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True, check=True)
        digests.add(run.stdout)
    assert len(digests) == 1


def test_freeze_tells_values_apart():
    values = [1, 1.0, True, "1", None, b"1", 0.0, -0.0, (1,), [1], {1}, {1: 1}, pl.FP32, pl.Mem.Vec, int, os]
    assert len({digest(freeze(value)) for value in values}) == len(values)


def test_freeze_follows_cycles():
    loop: list = []
    loop.append(loop)
    assert freeze(loop) == freeze(loop)


def test_freeze_of_a_function_sees_what_it_reads():
    scope: dict = {"N": 1}
    exec("def f():\n    return N", scope)
    before = freeze(scope["f"])
    scope["N"] = 2
    assert freeze(scope["f"]) != before
