"""What the head of the demo's history changes against its base: five edits, one per kind of news in a diff."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Edit:
    """Replace ``old``, which stands exactly once in ``file``, by ``new``. An empty ``old`` makes a new file."""

    what: str
    file: str
    old: str
    new: str

    def apply(self, root: Path) -> None:
        """Make the edit below ``root``; ValueError when the text is not there exactly once."""
        path = root / self.file
        if not self.old:
            path.write_text(self.new, encoding="utf-8")
            return
        text = path.read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise ValueError(f"{self.file}: expected {self.old!r} once, found it {text.count(self.old)} times")
        path.write_text(text.replace(self.old, self.new), encoding="utf-8")


NEW_CASE = '''"""A leaky rectifier, new in this commit."""

import torch

import pipeline.st as st
import pypto.language as pl


@pl.jit
def leaky_relu(x: pl.Tensor, out: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = pl.maximum(x, pl.mul(x, 0.1))


torch.manual_seed(8)
x = torch.randn(32, 64)


@st.cases(
    st.case(leaky_relu, x, torch.zeros(32, 64), name="leaky_relu", golden=lambda _: torch.maximum(x, x * 0.1)),
)
def test_leaky_relu(case_run):
    case_run.assert_passed()
'''

EDITS = (
    Edit(
        "a kernel computes something else",
        "test_elementwise.py",
        "pl.store(pl.relu(pl.mul(total, 0.5)), [0, 0], out)",
        "pl.store(pl.relu(pl.mul(total, 0.25)), [0, 0], out)",
    ),
    Edit(
        "a golden expects something else",
        "test_norms.py",
        "F.rms_norm(x, (COLS,), gamma[0], EPS)",
        "F.rms_norm(x, (COLS,), 1 + gamma[0], EPS)",
    ),
    Edit(
        "a kernel crashes its process",
        "kernels/scale_rows.cpp",
        "float* target = static_cast<float*>(out.data) + row * out.stride[0];",
        "float* target = nullptr;",
    ),
    Edit(
        "a case is gone",
        "test_elementwise.py",
        '    st.case(affine, a, 1.5, -0.25, empty(a), name="affine", golden=lambda _: a * 1.5 - 0.25),\n',
        "",
    ),
    Edit("a case is new", "test_leaky_relu.py", "", NEW_CASE),
)

EXPECTED = {
    "newly_failing": {"fused_add_scale_relu", "rms_norm", "extern_scale"},
    "added": {"leaky_relu"},
    "removed": {"affine"},
}
