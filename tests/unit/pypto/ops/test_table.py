"""Every row of the op table has its facets; the irregular ones are named here."""

from __future__ import annotations

import re

import pytest

from pypto.ir.typing import RULES
from pypto.ops import FAMILIES, SPELLINGS, TABLE, Kind, Op, Trait, find
from pypto.ops.dtypes import ALL
from pypto.reference.memory import HANDLERS

ROWS = list(TABLE.values())

# Ops whose C++ a function writes, because it depends on more than the operands' names.
WRITTEN_BY_FUNCTION = {
    "load", "store", "assemble", "read", "write", "dim", "fillpad", "fillpad_expand", "fillpad_inplace", "concat",
    "cast", "matmul_acc",
}  # fmt: skip
# Ops that emit nothing in a kernel: views, and what exists at tensor level only.
EMIT_NOTHING = {"slice", "reshape", "transpose_view", "set_validshape", "create_tensor", "full"}
# Ops that the simulator implements by hand.
WITHOUT_LOOP_BODY = {
    "load", "store", "move", "create_tile", "create_tensor", "full", "tile.full", "slice", "assemble", "read", "write",
    "dim", "fillpad", "fillpad_expand", "fillpad_inplace", "set_validshape", "reshape", "transpose", "transpose_view",
    "concat", "cast", "matmul", "matmul_acc", "matmul_bias", "get_block_idx", "get_block_num",
}  # fmt: skip


@pytest.mark.parametrize("op", ROWS, ids=lambda op: op.name)
def test_row_has_its_facets(op: Op) -> None:
    assert op.typing in RULES
    assert op.doc.endswith(".")
    assert op.family in {family.__name__.rpartition(".")[2] for family in FAMILIES}
    assert op.dtypes <= frozenset(ALL)
    assert op.reach and op.reach <= {"pl", "tensor", "tile"}
    assert callable(op.emit) == (op.name in WRITTEN_BY_FUNCTION)
    assert (op.emit == "") == (op.name in EMIT_NOTHING)
    assert (op.scalar == "") == (op.name in WITHOUT_LOOP_BODY)
    assert not op.ulp or op.notes, "a tolerance needs its reason"


def test_every_op_has_a_meaning_for_the_reference() -> None:
    without = {op.name for op in ROWS if op.reference is None}
    assert without - set(HANDLERS) == {"get_block_idx", "get_block_num"}, "the executor answers these two itself"
    assert not set(HANDLERS) & {op.name for op in ROWS if op.reference is not None}


@pytest.mark.parametrize("op", [op for op in ROWS if isinstance(op.emit, str) and op.emit], ids=lambda op: op.name)
def test_template_uses_parameters_of_the_row(op: Op) -> None:
    assert isinstance(op.emit, str)
    used = set(re.findall(r"\{(\w+)\}", op.emit))
    assert used <= {"dst"} | {param.name for param in op.params}
    seen = {param.name for param in op.operands if not param.scratch}
    unread = {"target"} if op.name in ("row_expand", "col_expand", "expands") else set()
    shape = {"shape"} if op.name in ("create_tile", "tile.full") else set()
    assert seen - unread - shape <= used, "an operand that the C++ never sees"


@pytest.mark.parametrize("op", [op for op in ROWS if op.scalar], ids=lambda op: op.name)
def test_loop_body_reads_the_letters_of_its_operands(op: Op) -> None:
    letters = set(re.findall(r"\b[abcs]\b", op.scalar))
    shaped = [p for p in op.operands if p.kind in (Kind.VALUE, Kind.TILE, Kind.VALUE_OR_SCALAR) and not p.scratch]
    scalars = [p for p in op.operands if p.kind is Kind.SCALAR]
    allowed = set("abc"[: len(shaped)]) | ({"s"} if scalars else set())
    if Trait.REDUCTION in op.traits:
        allowed = {"a", "b"}
    assert letters <= allowed
    assert letters


def test_names_and_aliases_are_unique() -> None:
    spelled = [name for op in ROWS for name in (op.name, *op.aliases)]
    assert len(spelled) == len(set(spelled)) == len(SPELLINGS)


def test_broadcast_names_two_existing_rows() -> None:
    found = [op for op in ROWS if op.broadcast]
    assert {op.name for op in found} >= {"add", "sub", "mul", "div", "maximum", "minimum"}
    for op in found:
        for kind in ("row", "col"):
            assert TABLE[f"{kind}_expand_{op.broadcast}"].scalar == op.scalar


def test_spaces_name_parameters_and_memory_spaces() -> None:
    for op in ROWS:
        assert set(op.spaces) <= {""} | {param.name for param in op.params}, op.name
        assert {space for where in op.spaces.values() for space in where} <= {
            "Vec",
            "Mat",
            "Left",
            "Right",
            "Acc",
            "Bias",
        }


def test_find_respects_the_namespace() -> None:
    assert find("pl", "full") is TABLE["full"]
    assert find("tensor", "full") is TABLE["full"]
    assert find("tile", "full") is TABLE["tile.full"]
    assert find("tile", "create") is TABLE["create_tile"]
    assert find("tensor", "create") is TABLE["create_tensor"]
    assert find("pl", "create") is None
    assert find("tensor", "load") is None
    assert find("pl", "adds") is TABLE["add"]
    assert find("pl", "no_such_op") is None
