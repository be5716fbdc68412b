"""Loading the simulator and compiled programs into this process, and running them."""

from __future__ import annotations

import ctypes
import os
import struct
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pypto.errors import SimulatorError, ToolchainError
from pypto.ops.enums import MemorySpace
from pypto.platforms import Platform
from pypto.runtime.toolchain import simulator_library

MAX_RANK = 5
SPACES = MemorySpace.Bias + 1
MESSAGE_SIZE = 4096


class TensorDescriptor(ctypes.Structure):
    """``pto::Tensor``."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("dtype", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("shape", ctypes.c_int64 * MAX_RANK),
        ("stride", ctypes.c_int64 * MAX_RANK),
        ("name", ctypes.c_char_p),
    )


class TaskRecord(ctypes.Structure):
    """``pto::TaskRecord``: one task as it ran; times are nanoseconds since the run began."""

    _fields_ = (
        ("func_id", ctypes.c_int32),
        ("core", ctypes.c_int32),
        ("blocks", ctypes.c_int64),
        ("start", ctypes.c_int64),
        ("duration", ctypes.c_int64),
    )


class RunRequest(ctypes.Structure):
    """``pto::RunRequest``."""

    _fields_ = (
        ("kernels", ctypes.c_void_p),
        ("orchestration", ctypes.c_void_p),
        ("args", ctypes.c_void_p),
        ("kernel_count", ctypes.c_int64),
        ("capacity", ctypes.c_int64 * SPACES),
        ("tasks", ctypes.c_void_p),
        ("task_capacity", ctypes.c_int64),
        ("task_count", ctypes.c_int64),
        ("message", ctypes.c_void_p),
        ("message_size", ctypes.c_int64),
    )


STRUCTURES = {"Tensor": TensorDescriptor, "TaskRecord": TaskRecord, "RunRequest": RunRequest}

# What fills a TensorDescriptor at once: ten times as fast as its fields.
_PACK = struct.Struct(f"@Pii{MAX_RANK}q{MAX_RANK}qP")
_PADDING = tuple((0,) * count for count in range(MAX_RANK + 1))


@dataclass(frozen=True, slots=True)
class Task:
    """One task of a run: which kernel, on how many blocks, and when, in nanoseconds since the run began."""

    func_id: int
    core: str
    blocks: int
    start: int
    duration: int


class Name:
    """A name that C++ may point to as long as this object lives."""

    def __init__(self, text: str) -> None:
        self._buffer = ctypes.create_string_buffer(text.encode())
        self.address = ctypes.addressof(self._buffer)


_lock = threading.Lock()
_simulator: ctypes.CDLL | None = None


def simulator() -> ctypes.CDLL:
    """The simulator library, loaded into this process once; what kernels call resolves against it."""
    global _simulator
    if _simulator is None:
        with _lock:
            if _simulator is None:
                _simulator = _load(simulator_library(), os.RTLD_NOW | os.RTLD_GLOBAL)
                _simulator.pto_run.argtypes = [ctypes.c_void_p]
                _simulator.pto_poison.argtypes = [ctypes.c_void_p, ctypes.c_int64]
                _simulator.pto_layout.argtypes = [ctypes.c_char_p]
                _simulator.pto_layout.restype = ctypes.POINTER(ctypes.c_int64)
    return _simulator


def _load(path: Path, mode: int) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(str(path), mode=mode)
    except OSError as error:
        raise ToolchainError(
            f"cannot load {path}: {error}", hint="remove the file; it is built again when needed"
        ) from error


class _Frame:
    """What one thread hands to C++ in a call of one program: laid out once, filled at each call."""

    def __init__(self, library: KernelLibrary, count: int, capacity: Sequence[int]) -> None:
        self.descriptors = ctypes.create_string_buffer(max(1, count * _PACK.size))
        self.view = memoryview(self.descriptors).cast("B")
        base = ctypes.addressof(self.descriptors)
        self.places = [
            (base + index * _PACK.size, slice(index * _PACK.size, (index + 1) * _PACK.size)) for index in range(count)
        ]
        self.slots = (ctypes.c_int64 * max(1, count))()
        self.message = ctypes.create_string_buffer(MESSAGE_SIZE)
        self.request = RunRequest(
            library.kernels, library.orchestration, ctypes.addressof(self.slots), library.count,
            (ctypes.c_int64 * SPACES)(*capacity), None, 0, 0, ctypes.addressof(self.message), MESSAGE_SIZE,
        )  # fmt: skip
        self.address = ctypes.addressof(self.request)

    def fill(self, arguments: Sequence[bytes | int]) -> None:
        """Put the arguments of a call in place."""
        slots, view = self.slots, self.view
        for index, (argument, (address, place)) in enumerate(zip(arguments, self.places, strict=True)):
            if isinstance(argument, int):
                slots[index] = argument
            else:
                view[place] = argument
                slots[index] = address


def descriptor(data: int, dtype: int, shape: Sequence[int], stride: Sequence[int], name: Name) -> bytes:
    """The bytes of a ``pto::Tensor``."""
    rank = len(shape)
    padding = _PADDING[MAX_RANK - rank]
    return _PACK.pack(data, dtype, rank, *shape, *padding, *stride, *padding, name.address)


class KernelLibrary:
    """A compiled program in this process: kernels by func id, and the orchestration that submits them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._run = simulator().pto_run
        self._library = _load(path, os.RTLD_NOW | os.RTLD_LOCAL)
        try:
            self.kernels = ctypes.addressof(ctypes.c_char.in_dll(self._library, "pto_kernels"))
            self.count = ctypes.c_int.in_dll(self._library, "pto_kernel_count").value
            entry = self._library.aicpu_orchestration_entry
        except (ValueError, AttributeError) as error:
            raise ToolchainError(f"{path} is no compiled program: {error}", hint="compile the program again") from error
        self.orchestration = ctypes.cast(entry, ctypes.c_void_p).value
        self._frames = threading.local()

    def run(self, arguments: Sequence[bytes | int], capacity: Sequence[int], tasks: int = 0) -> list[Task]:
        """Run the orchestration on its arguments: descriptors of tensors, and the slots of scalars.

        The result tells the first ``tasks`` tasks that ran. A violation raises SimulatorError. Threads may run at once.
        """
        frame = self._frame(len(arguments), capacity)
        frame.fill(arguments)
        request = frame.request
        log = (TaskRecord * tasks)() if tasks else None
        request.tasks, request.task_capacity = (ctypes.addressof(log), tasks) if log is not None else (None, 0)
        if self._run(frame.address) != 0:
            raise SimulatorError(frame.message.value.decode(errors="replace"))
        if log is None:
            return []
        cores = ("aic", "aiv", "mix")
        logged = log[: min(tasks, request.task_count)]
        return [Task(item.func_id, cores[item.core], item.blocks, item.start, item.duration) for item in logged]

    def _frame(self, count: int, capacity: Sequence[int]) -> _Frame:
        """The frame of this thread for these limits."""
        known = self._frames.__dict__.setdefault("by_call", {})
        key = (count, tuple(capacity))
        if key not in known:
            known[key] = _Frame(self, count, capacity)
        found: _Frame = known[key]
        return found


def capacities(platform: Platform) -> tuple[int, ...]:
    """Bytes of every memory space of a core, by the number of the space."""
    return tuple(platform.backend.capacity.get(MemorySpace(space), 0) for space in range(SPACES))


def poison(address: int, size: int) -> None:
    """Fill memory with the pattern of fresh on-chip memory: NaN in every float type."""
    simulator().pto_poison(address, size)
