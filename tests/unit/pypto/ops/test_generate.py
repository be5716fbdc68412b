from __future__ import annotations

from pathlib import Path

import pytest

from pypto.ops import TABLE
from pypto.ops.generate import COMMAND, ROOT, files, surface


@pytest.mark.parametrize("path", files(), ids=lambda path: path.name)
def test_generated_file_is_current(path: Path) -> None:
    assert path.exists() and path.read_text(encoding="utf-8") == files()[path], (
        f"{path.relative_to(ROOT)} is stale: run `{COMMAND}`"
    )


def test_stub_is_python_and_names_every_op() -> None:
    text = files()[ROOT / "pypto" / "language" / "ops.pyi"]
    namespace = compile(text, "ops.pyi", "exec")
    assert namespace is not None
    named = {name for space in ("pl", "tensor", "tile") for name, _ in surface(space)}
    assert {op.name.rpartition(".")[2] for op in TABLE.values()} <= named
    assert dict(surface("tile"))["full"] is TABLE["tile.full"]
    assert dict(surface("tensor"))["full"] is TABLE["full"]
    assert "load" not in dict(surface("tensor"))


def test_page_has_a_section_per_op() -> None:
    page = files()[ROOT / "docs" / "ops.md"]
    for name in TABLE:
        assert f"### `{name}(" in page
