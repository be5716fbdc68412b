"""What ``import pypto.language as pl`` offers."""

from __future__ import annotations

import subprocess
import sys

import pytest

import pypto.language as pl
from pypto.errors import ParserError
from pypto.frontend.later import LATER, Later
from pypto.frontend.markers import Marker, Namespace
from pypto.ops import TABLE, find
from pypto.ops.dtypes import ALL

HIDDEN = {"Jit", "LATER", "Later", "Marker", "Namespace", "SimpleNamespace", "annotations", "op_markers"}


def test_all_is_sorted_and_names_every_public_member():
    public = {name for name in vars(pl) if not name.startswith("_")} - HIDDEN
    assert pl.__all__ == sorted(pl.__all__)
    assert set(pl.__all__) == public


@pytest.mark.parametrize("name", sorted(TABLE))
def test_operation_is_offered_in_the_namespaces_of_its_row(name):
    op = TABLE[name]
    spaces = {"pl": pl, "tensor": pl.tensor, "tile": pl.tile}
    offered = 0
    for spelling in (op.name, *op.aliases):
        for namespace in op.reach:
            short = spelling.rpartition(".")[2]
            if find(namespace, short) is op:
                assert getattr(spaces[namespace], short).op is op
                offered += 1
    assert offered >= len(op.reach)


def test_dtypes_are_members():
    for dtype in ALL:
        assert getattr(pl, dtype.name) is dtype


@pytest.mark.parametrize("name", ["add", "load", "range", "at", "yield_", "const", "static_assert"])
def test_constructs_refuse_to_run_in_python(name):
    with pytest.raises(TypeError, match=f"pl.{name} was called outside a kernel"):
        getattr(pl, name)(1, 2)


@pytest.mark.parametrize("name", sorted(LATER))
def test_names_of_parts_that_are_not_built_say_so(name):
    member = getattr(pl, name)
    assert isinstance(member, Later)
    with pytest.raises(NotImplementedError, match=f"pl.{name} is not built yet"):
        member()
    with pytest.raises(AttributeError, match=f"pl.{name} is not built yet"):
        _ = member.ANY


@pytest.mark.parametrize("line", ["for b in pl.spmd(4):\n        pass", "with pl.manual_scope():\n        pass"])
def test_parts_that_are_not_built_are_refused_in_kernels(line):
    with pytest.raises(ParserError, match="not built yet"):
        pl.parse(f"@pl.function\ndef kern(n: pl.INT32):\n    {line}\n")


def test_namespaces():
    assert isinstance(pl.tile, Namespace) and "load" in dir(pl.tile) and "load" not in dir(pl.tensor)
    assert isinstance(pl.tile.load, Marker) and repr(pl.tile.load) == "pl.tile.load" and repr(pl.add) == "pl.add"
    with pytest.raises(AttributeError, match=r"pl.tile has no operation 'nothing'"):
        _ = pl.tile.nothing


def test_numbers_of_the_enumerations():
    assert pl.Mem is pl.MemorySpace and pl.Mem.Acc == 5
    assert pl.Level.CORE_GROUP == 2 and pl.Level.L2CACHE is pl.Level.CHIP_DIE
    assert pl.FunctionType.InCore == 2 and pl.adir.output_existing is pl.ArgDirection.OutputExisting


def test_import_is_light():
    code = (
        "import sys, pypto.language; print([m for m in ('torch', 'numpy', 'plotly', 'sqlalchemy') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
