"""Where a run comes from: commit, branch, and a digest of everything that differs from the commit."""

from __future__ import annotations

import subprocess

import pytest

from pipeline.provenance import Revision, environment, git_revision, toolchain_digest


@pytest.fixture
def repository(tmp_path):
    def git(*arguments):
        subprocess.run(["git", "-C", str(tmp_path), *arguments], check=True, capture_output=True)

    git("init", "-q", "-b", "trunk")
    git("config", "user.email", "someone@example.org")
    git("config", "user.name", "Someone")
    (tmp_path / "a.txt").write_text("one\n")
    (tmp_path / ".gitignore").write_text("ignored\n")
    git("add", ".")
    git("commit", "-q", "-m", "first")
    (tmp_path / "sub").mkdir()
    return tmp_path


def test_a_clean_checkout(repository):
    found = git_revision(repository)
    assert (found.branch, found.dirty, found.diff_digest) == ("trunk", False, "")
    assert len(found.commit) == 40


def test_every_kind_of_change_has_its_own_digest(repository):
    digests = []

    def look():
        found = git_revision(repository / "sub")
        assert found.dirty
        digests.append(found.diff_digest)

    (repository / "a.txt").write_text("two\n")
    look()
    (repository / "new.txt").write_text("x\n")
    look()
    (repository / "new.txt").write_text("y\n")
    look()
    (repository / "new.txt").rename(repository / "newer.txt")
    look()
    (repository / "größe \udcff.bin").write_bytes(b"\0")
    look()
    assert len(set(digests)) == len(digests)
    (repository / "ignored").write_text("whatever")
    look()
    assert digests[-1] == digests[-2]


def test_a_detached_head_has_no_branch(repository):
    subprocess.run(["git", "-C", str(repository), "checkout", "-q", "--detach"], check=True)
    assert git_revision(repository).branch == ""


def test_without_git_everything_is_empty(tmp_path, monkeypatch):
    assert git_revision(tmp_path) == Revision()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert git_revision(tmp_path) == Revision()


def test_versions_of_tools_are_known(tmp_path, monkeypatch):
    found = environment()
    assert found["python"].startswith("3.") and found["torch"] and found["pytest"]
    assert found["compiler"]
    monkeypatch.setenv("PYPTO_CXX", str(tmp_path / "none"))
    assert environment()["compiler"] == ""


def test_the_toolchain_is_known_by_its_content(tmp_path):
    assert len(environment()["toolchain"]) == 64
    (tmp_path / "sim").mkdir()
    digests = []
    for name, text in (("a.py", "1"), ("a.py", "2"), ("sim/a.hpp", ""), ("sim/b.cpp", ""), ("notes.txt", "ignored")):
        (tmp_path / name).write_text(text)
        digests.append(toolchain_digest(tmp_path))
    assert len(set(digests)) == 4 and digests[-1] == digests[-2]
