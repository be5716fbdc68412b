"""The surface for test files: `import pipeline.st as st`.

@st.cases(
    st.case(tile_add, a, b, c, name="hello_world_add", golden=lambda _: a + b),
)
def test_hello_world_add(case_run):
    case_run.assert_passed()
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pytest

from pipeline.case import Case, Golden, RefusedCase, declare, refused
from pipeline.comparators import Comparator, RelErrUnder
from pipeline.errors import CaseError
from pipeline.kernel_source import JitKernel, KernelSource
from pipeline.place import caller
from pipeline.tensors import TensorSpec

__all__ = ["Case", "JitKernel", "KernelSource", "TensorSpec", "case", "cases", "rel_err_under"]

Test = TypeVar("Test", bound=Callable[..., Any])


def case(
    kernel: Any,
    /,
    *args: Any,
    name: str | None = None,
    golden: Golden | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    compare: Comparator | Callable[[dict[str, Any], dict[str, Any]], Any] | None = None,
    platform: str | None = None,
    memory_planner: Any = None,
    config: Any = None,
    tensors: Sequence[TensorSpec] | None = None,
    **kernel_arguments: Any,
) -> Case | RefusedCase:
    """A case: a kernel with sample arguments, and what it is measured against.

    The samples give each tensor its shape, dtype and starting value, outputs included. `golden` gets the tensors as a
    dict and returns the expected output, a dict of them by name, or writes in place; NaN there means "don't care".

    A declaration that means nothing does not raise here: its test fails, and says why, while the rest of the file runs.
    """
    settings = {
        "name": name,
        "golden": golden,
        "rtol": rtol,
        "atol": atol,
        "compare": compare,
        "platform": platform,
        "memory_planner": memory_planner,
        "config": config,
        "tensors": tensors,
    }
    place = caller(1)
    try:
        return declare(kernel, args, settings, kernel_arguments, place)
    except CaseError as error:
        return refused(error, settings, kernel, place)


def cases(*entries: Any) -> Callable[[Test], Test]:
    """Run a test once per case and platform. Entries are cases, or `pytest.param(case, marks=..., id=...)`.

    The test takes the fixture `case_run`; nothing is compiled or run before it asks for the result.
    """
    if not entries:
        raise TypeError("st.cases() needs at least one case")
    for entry in entries:
        found = entry.values[0] if hasattr(entry, "values") and not isinstance(entry, dict) else entry
        if not isinstance(found, Case | RefusedCase):
            hint = "; pass the cases one by one: st.cases(*cases)" if hasattr(found, "__iter__") else ""
            raise TypeError(f"st.cases: expected st.case(...) or pytest.param(st.case(...)), got {found!r}{hint}")

    def decorate(test: Test) -> Test:
        return pytest.mark.usefixtures("case_run")(pytest.mark.pypto_cases(*entries)(test))

    return decorate


def rel_err_under(limit: float) -> RelErrUnder:
    """A comparator: the Frobenius relative error of each output must not exceed `limit`."""
    return RelErrUnder(float(limit))
