"""Numbers as people read them: durations, counts with their noun, ratios, instants."""

from __future__ import annotations

import math
from datetime import UTC, datetime


def seconds(value: float | None) -> str:
    """A duration in the unit that keeps it short: `850 us`, `12.3 ms`, `4.56 s`, `3 min 20 s`."""
    if value is None or not math.isfinite(value):
        return "-"
    if value < 0.000_999_5:
        return f"{value * 1e6:.0f} us"
    if value < 0.999_5:
        return f"{value * 1e3:.3g} ms"
    if value < 119.5:
        return f"{value:.3g} s"
    return f"{value // 60:.0f} min {value % 60:.0f} s"


def count(number: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun: `1 case`, `2 cases`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def ratio(base: float, head: float) -> str:
    """How `head` compares with `base`: `x1.50`, or `-` when base is nothing."""
    return f"x{head / base:.2f}" if base > 0 and math.isfinite(head / base) else "-"


def number(value: float | None) -> str:
    """A measured number in three digits; `-` when there is none."""
    return "-" if value is None else f"{value:.3g}"


def instant(nanoseconds: int | None) -> str:
    """A UTC time as `2026-03-29 01:30:05 UTC`; `-` when it is not known."""
    if not nanoseconds:
        return "-"
    return f"{datetime.fromtimestamp(nanoseconds // 1_000_000_000, UTC):%Y-%m-%d %H:%M:%S} UTC"
