"""What a comparator gives: a verdict, the figures behind it, and the shape of a mismatch."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

import torch

from pipeline.errors import ComparisonError, Mismatch
from pipeline.tensors import describe

Tensors = Mapping[str, torch.Tensor]


@dataclass(frozen=True)
class OutputError:
    """How one output differs from its golden. Elements whose golden is NaN count nowhere."""

    output: str
    elements: int
    mismatches: int
    worst_abs: float
    worst_rel: float
    margin: float  # worst error over limit: above 1 is a mismatch
    pattern: str = ""  # nan, inf, all, tail, one row, scattered
    example: str = ""

    @property
    def shape(self) -> str:
        """The mismatch without its numbers, which is what two failures of one cause share."""
        if not self.mismatches:
            return ""
        if self.pattern in ("nan", "inf"):
            return f"{self.output}: {self.pattern}"
        if math.isinf(self.margin) or math.isnan(self.margin):
            return f"{self.output}: {self.pattern}, not exact"
        return f"{self.output}: {self.pattern}, 10^{math.floor(math.log10(self.margin))} over limit"


@dataclass(frozen=True)
class Comparison:
    """The verdict over all outputs, with the figures that the record keeps."""

    passed: bool
    outputs: tuple[OutputError, ...] = ()
    problem: str = ""
    margin: float | None = None

    @property
    def worst_abs(self) -> float | None:
        """The largest absolute error."""
        return max((output.worst_abs for output in self.outputs), default=None)

    @property
    def worst_rel(self) -> float | None:
        """The largest relative error."""
        return max((output.worst_rel for output in self.outputs), default=None)

    @property
    def mismatches(self) -> int:
        """Elements out of tolerance."""
        return sum(output.mismatches for output in self.outputs)

    @property
    def elements(self) -> int:
        """Elements that were compared."""
        return sum(output.elements for output in self.outputs)

    @property
    def shape(self) -> str:
        """The shapes of all mismatches."""
        return self.problem or "; ".join(output.shape for output in self.outputs if output.mismatches)

    @property
    def text(self) -> str:
        """The mismatch for a person."""
        lines = [self.problem] if self.problem else []
        for output in self.outputs:
            if output.mismatches:
                lines.append(
                    f"{output.shape}: {output.mismatches} of {output.elements} elements differ{output.example}"
                )
        return "\n".join(lines)


class Comparator(ABC):
    """Holds actual outputs against expected ones. As a function, it raises when they differ."""

    rtol: float | None = None
    atol: float | None = None

    @abstractmethod
    def compare(self, actual: Tensors, expected: Tensors) -> Comparison:
        """The verdict; raises `ComparisonError` when the two cannot be compared at all."""

    @abstractmethod
    def __str__(self) -> str:
        """Kind and limits, as the record keeps them."""

    def __call__(self, actual: Tensors, expected: Tensors) -> None:
        """Raise `Mismatch` unless the outputs agree, so that comparators can be used inside one's own."""
        comparison = self.compare(actual, expected)
        if not comparison.passed:
            raise Mismatch(text=comparison.text, comparison=comparison)


def check_alike(actual: Tensors, expected: Tensors) -> None:
    """Raise `ComparisonError` unless both have the same outputs, shapes and dtypes: nothing is broadcast or cast."""
    if not expected:
        raise ComparisonError(problem="there is no output to compare")
    for name, golden in expected.items():
        if name not in actual:
            raise ComparisonError(problem=f"{name}: the kernel gave no such output")
        if actual[name].shape != golden.shape or actual[name].dtype != golden.dtype:
            raise ComparisonError(
                problem=f"{name}: expected {describe(golden)}, the kernel gave {describe(actual[name])}"
            )
