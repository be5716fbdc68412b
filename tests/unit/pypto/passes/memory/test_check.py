"""The checker can fail: each kind of broken placement is found."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pypto import ir
from pypto.errors import VerificationError
from pypto.passes.memory.check import check_program
from pypto.passes.memory.retype import Retype


def broken(program: ir.Program, **changes: Any) -> ir.Program:
    """The program with the buffers named by keyword at other addresses."""

    def change(memref: ir.MemRef) -> ir.MemRef:
        return replace(memref, address=changes.get(memref.base, memref.address))

    return Retype(change).program(program)


def placed(k: Any, planned: Any) -> tuple[ir.Program, ir.Program]:
    """The kernel before and after the passes, which is right as it is."""
    program = k.program()
    after = planned(program)[-1]
    check_program(after, program)
    return program, after


def two_tiles(k: Any) -> None:
    a, b = k.load(as_="a"), k.load(as_="b")
    k.store(a)
    k.store(b)


@pytest.mark.parametrize("address", [0, 4092])
def test_two_values_in_one_place_are_found(kernel: Any, planned: Any, address: int) -> None:
    k = kernel()
    two_tiles(k)
    _, after = placed(k, planned)
    with pytest.raises(VerificationError, match=r"'a' is read, but its byte \d+ at \d+ of .* holds a part of 'b'"):
        check_program(broken(after, mem_vec_1=address))


def test_an_overwritten_value_is_found_in_the_second_iteration(kernel: Any, planned: Any) -> None:
    k = kernel()
    kept, start = k.load(as_="kept"), k.load(as_="start")

    def body(carried: ir.Var) -> list[ir.Var]:
        used = k("add", carried, kept, as_="used")
        k.store(k.load(as_="late"))
        return [used]

    (end,) = k.loop([start], body)
    k.store(end)
    _, after = placed(k, planned)
    tiles = [var for var in ir.walk(after) if isinstance(var, ir.Var) and isinstance(var.type, ir.TileType)]
    bases = {var.name: var.type.memref.base for var in tiles}
    assert bases["kept"] != bases["late"]
    with pytest.raises(VerificationError, match=r"'kept' is read, but .* 'late'"):
        check_program(broken(after, **{bases["late"]: 0}))


def test_a_result_over_an_operand_that_is_still_being_read_is_found(kernel: Any, planned: Any) -> None:
    k = kernel()
    k.store(k("transpose", k.load((16, 16), as_="x"), 0, 1, as_="turned"))
    _, after = placed(k, planned)
    with pytest.raises(VerificationError, match="transpose writes 'turned' over 'x' while it reads that"):
        check_program(broken(after, mem_vec_1=0))


def test_a_shifted_elementwise_result_is_found(kernel: Any, planned: Any) -> None:
    k = kernel()
    x = k.load(as_="x")
    k.store(k("exp", x, as_="y"))
    k.store(x)
    _, after = placed(k, planned)
    with pytest.raises(VerificationError, match="exp writes 'y' over 'x'"):
        check_program(broken(after, mem_vec_1=4))


def test_a_carried_value_kept_in_two_places_is_found(kernel: Any, planned: Any) -> None:
    k = kernel()
    (end,) = k.loop([k.load(as_="start")], lambda x: [k("exp", x, as_="next")])
    k.store(end)
    _, after = placed(k, planned)

    class Shift(ir.Rewriter):
        def define(self, var: Any) -> Any:
            if isinstance(var, ir.IterArg):
                memref = replace(var.type.memref, address=8192)
                self.vars[var] = ir.IterArg(replace(var.type, memref=memref), var.name, self.expr(var.init))
            return super().define(var)

    with pytest.raises(VerificationError, match="'start_in' is kept elsewhere than the value that it takes over"):
        check_program(Shift().program(after))


def test_a_value_handed_on_in_the_place_of_another_is_found(kernel: Any, planned: Any) -> None:
    k = kernel()
    a, b = k.load(as_="a"), k.load(as_="b")
    a_out, b_out = k.loop([a, b], lambda a_in, b_in: [k("exp", a_in), k("exp", b_in)])
    k.store(a_out)
    k.store(b_out)
    program, after = placed(k, planned)

    class Cross(ir.Rewriter):
        def rewrite_eval(self, stmt: ir.Eval) -> ir.Rewritten:
            tile, *rest = stmt.value.args
            results = next(node for node in ir.walk(after) if isinstance(node, ir.For)).results
            other = results[1] if tile is results[0] else results[0]
            return ir.Eval(replace(stmt.value, args=(other, *rest)))

    check_program(Cross().program(after))
    with pytest.raises(VerificationError, match="stores other values than before"):
        check_program(Cross().program(after), program)


def test_a_fault_in_one_branch_only_is_found(kernel: Any, planned: Any) -> None:
    k = kernel()
    x = k.load(as_="x")
    k.branch(lambda: [], lambda: (k.store(k.load(as_="y")), [])[1])
    k.store(x)
    _, after = placed(k, planned)
    with pytest.raises(VerificationError, match=r"'x' is read, but .* 'y'"):
        check_program(broken(after, mem_vec_1=0))
