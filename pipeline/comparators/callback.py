"""A comparison written by the user: a function of two dicts that raises when they do not agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from pipeline.comparators.base import Comparator, Comparison, Tensors, check_alike
from pipeline.comparators.elementwise import Elementwise
from pipeline.errors import ComparatorRaised, Mismatch


@dataclass(frozen=True)
class Callback(Comparator):
    """Fails the case when the function raises. A result other than None or True fails too: it would go unseen."""

    function: Callable[[dict[str, Any], dict[str, Any]], Any]

    def __str__(self) -> str:
        return f"compare={self.name}"

    @property
    def name(self) -> str:
        """The function as a person knows it."""
        name = getattr(self.function, "__qualname__", None) or type(self.function).__qualname__
        return str(name)

    def compare(self, actual: Tensors, expected: Tensors) -> Comparison:
        """The user's verdict; the figures are those of an exact comparison, without a margin."""
        check_alike(actual, expected)
        figures = Elementwise(0.0, 0.0).compare(actual, expected).outputs
        # Copies: a function that writes into what it was given must not change what others see.
        given = [{name: tensor.clone() for name, tensor in side.items()} for side in (actual, expected)]
        try:
            verdict = self.function(*given)
        except Mismatch as error:
            inner: Comparison = error.facts["comparison"]
            return inner
        except Exception as error:
            text = str(error).strip() or "raised without a message"
            raise ComparatorRaised(comparator=self.name, problem=f"{type(error).__name__}: {text}") from error
        if verdict is not None and verdict is not True:
            problem = f"returned {verdict!r}; raise to fail, for example with assert"
            raise ComparatorRaised(comparator=self.name, problem=problem)
        # The function found the outputs good, so no element of them is called wrong.
        return Comparison(True, tuple(replace(figure, mismatches=0, margin=0.0) for figure in figures))
