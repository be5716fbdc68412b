import math

import pytest

from reports.render import quantities


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "-"),
        (math.nan, "-"),
        (0.0, "0 us"),
        (0.000_85, "850 us"),
        (0.0123, "12.3 ms"),
        (0.9996, "1 s"),
        (4.56, "4.56 s"),
        (200, "3 min 20 s"),
    ],
)
def test_seconds(value: float | None, expected: str) -> None:
    assert quantities.seconds(value) == expected


def test_count_ratio_number_instant() -> None:
    assert [quantities.count(n, "case") for n in (0, 1, 1200)] == ["0 cases", "1 case", "1,200 cases"]
    assert quantities.count(2, "class", "classes") == "2 classes"
    assert [quantities.ratio(2, 3), quantities.ratio(0, 3)] == ["x1.50", "-"]
    assert quantities.number(0.123456) == "0.123"
    assert quantities.instant(1_774_747_805_123_456_789) == "2026-03-29 01:30:05 UTC"
    assert quantities.instant(None) == "-"
