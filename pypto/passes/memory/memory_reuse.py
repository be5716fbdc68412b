"""Buffers that are never in use together become one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pypto.ir import nodes as n
from pypto.passes.context import PassContext
from pypto.passes.memory.buffers import Buffer, buffers
from pypto.passes.memory.init_mem_ref import in_core
from pypto.passes.memory.retype import Retype
from pypto.platforms import MemoryPlanner


@dataclass(frozen=True)
class MemoryReuse:
    """Afterwards each memory space has as few buffers as a greedy choice finds, the largest placed first.

    Only for the planner PYPTO; others place with lifetimes in hand, or not at all.
    """

    name: str = "MemoryReuse"

    def __call__(self, program: n.Program, context: PassContext) -> n.Program:
        """``program`` with shared buffers."""
        return in_core(program, _reuse) if context.planner is MemoryPlanner.PYPTO else program


def _reuse(function: n.Function) -> n.Function:
    names = shared(buffers(function))
    if all(name == base for base, name in names.items()):
        return function
    return Retype(lambda memref: replace(memref, base=names[memref.base])).function(function)


def shared(found: list[Buffer]) -> dict[str, str]:
    """For each buffer the name of the one it becomes part of.

    From the largest to the smallest, each joins the first buffer of its space that is free whenever it is in use, so no
    buffer grows by joining.
    """
    names: dict[str, str] = {}
    hosts: list[Buffer] = []
    for buffer in sorted(found, key=lambda buffer: (-buffer.size, buffer.start)):
        host = next((host for host in hosts if host.space is buffer.space and not host.live & buffer.live), None)
        if host is None:
            hosts.append(replace(buffer))
            names[buffer.base] = buffer.base
        else:
            host.live |= buffer.live
            names[buffer.base] = host.base
    return names
