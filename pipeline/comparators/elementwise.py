"""Element by element: |actual - expected| <= atol + rtol * |expected|, exact with both at 0."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy
import torch

from pipeline.comparators.base import Comparator, Comparison, OutputError, Tensors, check_alike

# Differences are computed in float64, which holds every narrower float exactly. torch has no arithmetic for all dtypes
# (unsigned integers, FP8); numpy has none for BF16 and FP8: so floats go through torch once, and all else is numpy.
_BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


@dataclass(frozen=True)
class Elementwise(Comparator):
    """Bounds the error of every element.

    NaN in the golden means "don't care". With both limits 0 the bits must agree, so -0.0 is not 0.0.
    """

    rtol: float = 1e-5
    atol: float = 1e-5

    def __str__(self) -> str:
        return "exact" if not self.rtol and not self.atol else f"elementwise rtol={self.rtol:g} atol={self.atol:g}"

    def compare(self, actual: Tensors, expected: Tensors) -> Comparison:
        """The verdict over all outputs."""
        check_alike(actual, expected)
        outputs = tuple(self._output(name, actual[name], golden) for name, golden in expected.items())
        return Comparison(
            passed=not any(output.mismatches for output in outputs),
            outputs=outputs,
            margin=max(output.margin for output in outputs),
        )

    def _output(self, name: str, actual: torch.Tensor, golden: torch.Tensor) -> OutputError:
        if actual.dtype.is_floating_point:
            got, want = _float64(actual), _float64(golden)
            care = ~numpy.isnan(want)
            error = _float_errors(got, want)
        else:
            got, want = _integers(actual), _integers(golden)
            care = numpy.ones(want.shape, dtype=bool)
            error = _integer_errors(got, want)
        magnitude = numpy.abs(want.astype(numpy.float64))
        with numpy.errstate(invalid="ignore", over="ignore"):
            limit = self.atol + self.rtol * numpy.where(numpy.isfinite(magnitude), magnitude, 0.0)
        exact = not self.rtol and not self.atol
        bad = care & (_bits_differ(actual, golden) if exact else ~(error <= limit))
        return OutputError(
            output=name,
            elements=int(care.sum()),
            mismatches=int(bad.sum()),
            worst_abs=_largest(error[care]),
            worst_rel=_largest(_ratio(error[care], magnitude[care])),
            margin=_margin(error[care], limit[care], bad[care]),
            pattern=pattern_of(bad, care, got) if bad.any() else "",
            example=_example(name, bad, got, want) if bad.any() else "",
        )


def _float64(tensor: torch.Tensor) -> numpy.ndarray:
    wide = tensor if tensor.dtype in (torch.float32, torch.float64) else tensor.to(torch.float32)
    return wide.to(torch.float64).numpy()


def _integers(tensor: torch.Tensor) -> numpy.ndarray:
    array = tensor.numpy()
    return array.astype(numpy.uint64 if array.dtype == numpy.uint64 else numpy.int64)


def _float_errors(got: numpy.ndarray, want: numpy.ndarray) -> numpy.ndarray:
    """|got - want|; 0 for equal infinities, infinite where one of the two is infinite or NaN came."""
    with numpy.errstate(invalid="ignore", over="ignore"):
        error = numpy.where(got == want, 0.0, numpy.abs(got - want))
    return numpy.where(numpy.isnan(error), math.inf, error)


def _integer_errors(got: numpy.ndarray, want: numpy.ndarray) -> numpy.ndarray:
    """|got - want| without overflow: the difference of the larger and the smaller always fits in 64 bits unsigned."""
    high, low = numpy.maximum(got, want), numpy.minimum(got, want)
    return (high.astype(numpy.uint64) - low.astype(numpy.uint64)).astype(numpy.float64)


def _bits_differ(actual: torch.Tensor, golden: torch.Tensor) -> numpy.ndarray:
    bits = _BITS[actual.element_size()]
    return (actual.contiguous().view(bits) != golden.contiguous().view(bits)).numpy()


def _ratio(error: numpy.ndarray, magnitude: numpy.ndarray) -> numpy.ndarray:
    """error / magnitude, 0 where there is no error."""
    with numpy.errstate(divide="ignore", invalid="ignore"):
        ratio = error / magnitude
    ratio[error == 0] = 0.0
    ratio[numpy.isnan(ratio)] = math.inf
    return ratio


def _margin(error: numpy.ndarray, limit: numpy.ndarray, bad: numpy.ndarray) -> float:
    """The worst error over its limit; infinite where the limit is 0 and the element is wrong."""
    ratio = _ratio(error, limit)
    ratio[bad & (ratio <= 1)] = math.inf
    return _largest(ratio)


def _largest(values: numpy.ndarray) -> float:
    return float(values.max()) if values.size else 0.0


def pattern_of(bad: numpy.ndarray, care: numpy.ndarray, got: numpy.ndarray) -> str:
    """Where the wrong elements lie: this, not their number, tells one cause from another."""
    if numpy.isnan(got[bad]).any():
        return "nan"
    if numpy.isinf(got[bad]).any():
        return "inf"
    if (bad == care).all():
        return "all"
    flat, cared = bad.reshape(-1), care.reshape(-1)
    first = int(flat.argmax())
    if flat.sum() > 1 and (flat[first:] == cared[first:]).all():
        return "tail"
    rows = bad.reshape(-1, bad.shape[-1]).any(axis=1)
    if rows.size > 1 and rows.sum() == 1:
        return "one row"
    return "scattered"


def _example(name: str, bad: numpy.ndarray, got: numpy.ndarray, want: numpy.ndarray) -> str:
    index = tuple(int(i) for i in numpy.argwhere(bad)[0])
    place = f"{name}[{', '.join(map(str, index))}]" if index else name
    return f"; first {place} = {got[index]}, expected {want[index]}"
