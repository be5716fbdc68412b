"""Tensors on disk: `data/in`, `data/out` (golden) and `data/actual` of a case, one file each.

Loading runs no code, whatever the file holds. A file appears whole or not at all.
"""

from __future__ import annotations

import os
import pickle
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

import torch

from pipeline.errors import DamagedFile

SUFFIX = ".pt"


def save_tensor(path: Path, tensor: torch.Tensor) -> None:
    """Write a tensor; nobody ever sees half of it."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        # A view would take its whole storage with it.
        torch.save(tensor.detach().clone(memory_format=torch.contiguous_format), part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def load_tensor(path: Path) -> torch.Tensor:
    """Read a tensor back; `DamagedFile` for anything that is none."""
    try:
        value = torch.load(path, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError:
        # torch's own message advises to load the file in a way that runs its code.
        raise DamagedFile(path=path, problem="holds something else") from None
    except Exception as error:  # torch's reader stumbles over foreign bytes in many ways
        raise DamagedFile(path=path, problem=str(error).partition("\n")[0]) from error
    if not isinstance(value, torch.Tensor):
        raise DamagedFile(path=path, problem=f"holds a {type(value).__name__}")
    return value


def save_tensors(folder: Path, tensors: Mapping[str, torch.Tensor]) -> None:
    """Make a folder hold exactly these tensors."""
    clear(folder)
    folder.mkdir(parents=True)
    for name, tensor in tensors.items():
        save_tensor(tensor_path(folder, name), tensor)


def load_tensors(folder: Path, names: Iterable[str]) -> dict[str, torch.Tensor]:
    """Read the named tensors."""
    return {name: load_tensor(tensor_path(folder, name)) for name in names}


def tensor_path(folder: Path, name: str) -> Path:
    """Where a tensor lies in its folder."""
    return folder / (name + SUFFIX)


def clear(folder: Path) -> None:
    """Remove a folder, so that nothing of an earlier run can pass for a result of this one."""
    if folder.exists():
        shutil.rmtree(folder)
