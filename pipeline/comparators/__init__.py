"""How actual outputs are held against the golden. A case has exactly one comparator."""

from pipeline.comparators.base import Comparator, Comparison, OutputError
from pipeline.comparators.callback import Callback
from pipeline.comparators.elementwise import Elementwise
from pipeline.comparators.relative import RelErrUnder

__all__ = ["Callback", "Comparator", "Comparison", "Elementwise", "OutputError", "RelErrUnder"]
