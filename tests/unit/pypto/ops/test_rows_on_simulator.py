"""Every row of the op table on the simulator of both backends, against its reference.

A row agrees bit by bit, NaN with NaN, unless it states a tolerance in ``ulp``, or in its notes that the sign of a zero
is free. Products are of small whole numbers, so they agree as well.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from pypto.compiler import compile, lower
from pypto.ops import TABLE, Op
from pypto.ops.row import EITHER_ZERO
from pypto.reference import execute

BACKENDS = ("a2a3sim", "a5sim")
ROWS = 32  # of a slot

# Ops with no value of their own in a kernel, and where they are tested.
ELSEWHERE = {
    "create_tensor": "makes global memory: tests/unit/pypto/reference/test_execute.py",
    "full": "the tensor form of tile.full",
    "dim": "a number about a parameter: tests/unit/pypto/reference/test_execute.py",
    "get_block_idx": "a number about the launch",
    "get_block_num": "a number about the launch",
}

Outputs = dict[str, torch.Tensor]


@pytest.fixture(scope="session")
def expected(rows_program: Any) -> Outputs:
    return execute(rows_program.ir(), rows_program.arguments())


@pytest.fixture(scope="session", params=BACKENDS)
def simulated(request: pytest.FixtureRequest, rows_program: Any, tmp_path_factory: pytest.TempPathFactory) -> Outputs:
    folder: Path = tmp_path_factory.mktemp(request.param)
    arguments = rows_program.arguments()
    compile(rows_program.ir(), folder, platform=request.param, dump_passes=False)(*arguments.values())
    return arguments


def test_passes_keep_the_meaning_of_every_row(rows_program: Any, expected: Outputs) -> None:
    found = execute(lower(rows_program.ir()), rows_program.arguments(), entry="rows")
    assert all(torch.equal(found[name].view(torch.int8), meant.view(torch.int8)) for name, meant in expected.items())


def test_every_row_is_covered(rows_program: Any) -> None:
    assert {slot.op.name for slot in rows_program.slots} == set(TABLE) - set(ELSEWHERE)


@pytest.mark.parametrize("op", [op for op in TABLE.values() if op.name not in ELSEWHERE], ids=lambda op: op.name)
def test_simulator_agrees_with_the_reference(op: Op, simulated: Outputs, expected: Outputs, rows_program: Any) -> None:
    wrong = []
    for slot in rows_program.slots:
        if slot.op is op:
            found, meant = (side[slot.output][slot.start : slot.start + ROWS] for side in (simulated, expected))
            if difference := compare(op, found, meant):
                wrong.append(f"{slot.label}: {difference}")
    assert not wrong, "\n".join(wrong[:20])


def compare(op: Op, found: torch.Tensor, meant: torch.Tensor) -> str:
    """What differs between two results, empty when they agree as well as the row says."""
    apart = distance(found, meant)
    if EITHER_ZERO in op.notes:
        apart[(found == 0) & (meant == 0)] = 0
    places = (apart > op.ulp).nonzero().tolist()
    if not places:
        return ""
    at = tuple(places[0])
    return f"{len(places)} cells, first {list(at)}: {found[at].item()!r}, expected {meant[at].item()!r}"


def distance(found: torch.Tensor, meant: torch.Tensor) -> torch.Tensor:
    """How many representable values lie between each pair of cells; NaN is at no distance from NaN."""
    if not found.is_floating_point():
        return (found.long() - meant.long()).abs()
    apart = (ordered(found) - ordered(meant)).abs()
    nan, other = found.isnan(), meant.isnan()
    apart[nan & other] = 0
    apart[nan ^ other] = 1 << 40
    return apart


def ordered(values: torch.Tensor) -> torch.Tensor:
    """The floats as integers in the same order; -0.0 and 0.0 are neighbours."""
    size = values.element_size()
    bits = values.view({1: torch.int8, 2: torch.int16, 4: torch.int32}[size]).long()
    return torch.where(bits < 0, -(bits + (1 << (8 * size - 1))) - 1, bits)


@pytest.mark.parametrize(
    ("found", "meant", "ulps"),
    [(1.0, 1.0, 0), (1.0, 1.0 + 2**-23, 1), (0.0, -0.0, 1), (-(2**-149), 2**-149, 3), (float("nan"), float("nan"), 0)],
)
def test_distance_counts_representable_values(found: float, meant: float, ulps: int) -> None:
    assert distance(torch.tensor([found]), torch.tensor([meant])).item() == ulps


def test_comparison_can_fail() -> None:
    add, exp, maximum = TABLE["add"], TABLE["exp"], TABLE["maximum"]
    one, next_up = torch.tensor([1.0]), torch.tensor([1.0 + 2**-23])
    assert "1 cells, first [0]" in compare(add, one, next_up)
    assert not compare(exp, one, next_up)
    assert compare(add, torch.tensor([0.0]), torch.tensor([-0.0]))
    assert not compare(maximum, torch.tensor([0.0]), torch.tensor([-0.0]))
    assert compare(maximum, torch.tensor([float("nan")]), one)
