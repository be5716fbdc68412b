"""The folder of a session belongs to it alone, and to all of its processes."""

from __future__ import annotations

import pytest

from pipeline.workspace import Workspace


def test_a_second_session_gets_a_folder_beside(tmp_path):
    first = Workspace.claim(tmp_path / "cases", "one")
    second = Workspace.claim(tmp_path / "cases", "two")
    third = Workspace.claim(tmp_path / "cases", "three")
    assert [w.root.name for w in (first, second, third)] == ["cases", "cases-2", "cases-3"]
    for workspace in (first, second, third):
        workspace.close()
    again = Workspace.claim(tmp_path / "cases", "four")
    assert again.root.name == "cases"
    again.close()


def test_processes_of_one_session_share_it_until_the_last_ends(tmp_path):
    first = Workspace.claim(tmp_path / "cases", "one")
    second = Workspace.claim(tmp_path / "cases", "one")
    assert first.root == second.root
    first.close()
    other = Workspace.claim(tmp_path / "cases", "two")
    assert other.root.name == "cases-2"
    other.close()
    second.close()


def test_each_case_has_its_own_folder(tmp_path):
    workspace = Workspace.claim(tmp_path / "cases", "one")
    folder = workspace.case("add@a2a3sim@default")
    assert folder.root == tmp_path / "cases" / "add@a2a3sim@default"
    assert len({folder.artifact, folder.data, folder.logs}) == 3
    for escape in ("../x", "a/b", ""):
        with pytest.raises(ValueError, match="no folder name"):
            workspace.case(escape)
    workspace.close()
