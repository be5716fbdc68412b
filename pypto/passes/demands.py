"""Where tiles that exist before their first use are wanted."""

from __future__ import annotations

from pypto.ir import nodes as n
from pypto.ir.visit import walk
from pypto.ops.enums import MemorySpace
from pypto.ops.row import Trait


def demanded_spaces(function: n.Function) -> dict[n.Var, MemorySpace]:
    """The space of each variable that an operation updates in place outside Vec: accumulators, also before a loop."""
    wanted: dict[n.Var, MemorySpace] = {}
    for node in walk(function):
        if isinstance(node, n.Call) and Trait.IN_PLACE in node.op.traits:
            for param, arg in zip(node.op.operands, node.args, strict=True):
                legal = node.op.spaces.get(param.name, ())
                if isinstance(arg, n.Var) and len(legal) == 1 and legal[0] != "Vec":
                    wanted.setdefault(arg, MemorySpace[legal[0]])
    changed = True
    while changed:
        changed = False
        for node in walk(function):
            if isinstance(node, n.For | n.While):
                for arg in node.iter_args:
                    if arg in wanted and isinstance(arg.init, n.Var) and arg.init not in wanted:
                        wanted[arg.init] = wanted[arg]
                        changed = True
    return wanted
