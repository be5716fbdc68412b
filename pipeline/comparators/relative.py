"""The Frobenius relative error: ||actual - expected|| / ||expected||."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy
import torch

from pipeline.comparators.base import Comparator, Comparison, OutputError, Tensors, check_alike
from pipeline.comparators.elementwise import Elementwise


@dataclass(frozen=True)
class RelErrUnder(Comparator):
    """Bounds the Frobenius relative error of each output by itself. NaN in the golden means "don't care"."""

    limit: float

    def __post_init__(self) -> None:
        if not 0 <= self.limit < math.inf:
            raise ValueError(f"rel_err_under: the limit {self.limit} is no number from 0 on")

    def __str__(self) -> str:
        return f"rel_err_under({self.limit:g})"

    def compare(self, actual: Tensors, expected: Tensors) -> Comparison:
        """The verdict over all outputs; element figures are those of an exact comparison."""
        check_alike(actual, expected)
        outputs = tuple(self._output(name, actual[name], golden) for name, golden in expected.items())
        return Comparison(
            passed=not any(output.mismatches for output in outputs),
            outputs=outputs,
            margin=max(output.margin for output in outputs),
        )

    def _output(self, name: str, actual: torch.Tensor, golden: torch.Tensor) -> OutputError:
        error = relative_error(actual, golden)
        figures = Elementwise(0.0, 0.0).compare({name: actual}, {name: golden}).outputs[0]
        too_large = not error <= self.limit
        return OutputError(
            output=name,
            elements=figures.elements,
            mismatches=max(1, figures.mismatches) if too_large else 0,
            worst_abs=figures.worst_abs,
            worst_rel=figures.worst_rel,
            margin=error / self.limit if self.limit else (math.inf if error else 0.0),
            pattern=figures.pattern if too_large else "",
            example=f"; relative error {error:g}, limit {self.limit:g}" if too_large else "",
        )


def relative_error(actual: torch.Tensor, golden: torch.Tensor) -> float:
    """||actual - golden|| / ||golden|| where the golden is no NaN; NaN or inf from the kernel is infinite."""
    want = _float64(golden)
    care = ~numpy.isnan(want)
    want = want[care]
    got = _float64(actual)[care]
    same = got == want  # equal infinities differ by nothing
    got, want = got[~same], want
    if not got.size:
        return 0.0
    difference = got - want[~same]
    if not numpy.isfinite(difference).all():
        return math.inf
    scale = float(numpy.abs(difference).max())
    base = _norm(want[numpy.isfinite(want)])
    return math.inf if base == 0.0 else scale * _norm(difference / scale) / base


def _norm(values: numpy.ndarray) -> float:
    return float(numpy.sqrt(numpy.square(values).sum()))


def _float64(tensor: torch.Tensor) -> numpy.ndarray:
    if tensor.dtype.is_floating_point and tensor.dtype not in (torch.float32, torch.float64):
        tensor = tensor.to(torch.float32)
    return tensor.numpy().astype(numpy.float64)
