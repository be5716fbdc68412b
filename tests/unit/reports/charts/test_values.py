import math

import numpy as np

from reports.charts.values import ARRAY_FROM, LABEL_CELLS, label, numbers


def test_missing_and_infinite_values_become_gaps() -> None:
    assert numbers([1.0, None, math.nan, math.inf, -math.inf, 2.0]) == [1.0, None, None, None, None, 2.0]


def test_long_complete_columns_become_arrays_and_ones_with_gaps_do_not() -> None:
    column = numbers([1.0] * ARRAY_FROM)
    assert isinstance(column, np.ndarray)
    assert column.dtype == np.float32
    assert numbers([1.0] * ARRAY_FROM + [math.nan])[-1] is None


def test_labels_are_literal_and_short() -> None:
    assert label("<b>x</b>\n&") == "&lt;b&gt;x&lt;/b&gt;\\n&amp;"
    assert len(label("x" * 10_000)) == LABEL_CELLS
