"""On-chip memory: buffers for tiles, sharing them over time, and their addresses."""

from pypto.passes.memory.allocate_memory_addr import AllocateMemoryAddr
from pypto.passes.memory.init_mem_ref import InitMemRef
from pypto.passes.memory.memory_reuse import MemoryReuse

__all__ = ["AllocateMemoryAddr", "InitMemRef", "MemoryReuse"]
