"""Ids of plain tests do not depend on the root directory, and hold no object addresses."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.node_ids import NodeIds, project_folder


def test_the_ini_file_marks_the_project(tmp_path):
    (tmp_path / ".git").mkdir()
    inner = tmp_path / "inner"
    assert project_folder(inner / "tests", inner / "pytest.ini") == inner


def test_without_an_ini_file_the_repository_does(tmp_path):
    (tmp_path / ".git").mkdir()
    assert project_folder(tmp_path / "a" / "b", None) == tmp_path


def test_an_ini_file_from_elsewhere_says_nothing(tmp_path):
    assert project_folder(tmp_path / "a", tmp_path / "b" / "pytest.ini") == tmp_path / "a"


@pytest.mark.parametrize(
    ("rootdir", "node_id", "stable"),
    [
        ("/p", "tests/test_a.py::test_x[a/b]", "tests/test_a.py::test_x[a/b]"),
        ("/p/tests", "test_a.py::test_x[../y]", "tests/test_a.py::test_x[../y]"),
        ("/p/tests/deep", "../test_a.py::test_x", "tests/test_a.py::test_x"),
        ("/", "p/tests/test_a.py::T::test_x", "tests/test_a.py::T::test_x"),
        ("/p/tests", "test_a.py", "tests/test_a.py"),
    ],
)
def test_ids_are_relative_to_the_project(rootdir, node_id, stable):
    assert NodeIds(Path(rootdir), Path("/p")).stable(node_id) == stable


def test_addresses_are_left_out_and_ids_stay_distinct():
    ids = NodeIds(Path("/p"), Path("/p"))
    found = ids.assign([f"t.py::x[<T at 0x7f00000000{i}0>]" for i in range(3)] + ["t.py::x[0x10]", "t.py::y"])
    assert list(found.values()) == [
        "t.py::x[<T at 0x>]", "t.py::x[<T at 0x>]#2", "t.py::x[<T at 0x>]#3", "t.py::x[0x10]", "t.py::y",
    ]  # fmt: skip
    assert len(ids.unstable) == 3
