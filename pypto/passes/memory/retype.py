"""Giving the tiles of a function other pieces of memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pypto.ir.types import MemRef, TileType
from pypto.ir.visit import Rewriter


class Retype(Rewriter):
    """Replaces the MemRef of every tile, in variables and in the types of calls."""

    def __init__(self, change: Callable[[MemRef], MemRef]) -> None:
        super().__init__()
        self.change = change

    def type(self, type_: Any) -> Any:
        """``type_`` with its MemRef replaced."""
        type_ = super().type(type_)
        if isinstance(type_, TileType) and type_.memref is not None:
            changed = self.change(type_.memref)
            return type_ if changed == type_.memref else replace(type_, memref=changed)
        return type_
