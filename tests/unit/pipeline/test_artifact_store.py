"""The store gives back what was put in, or nothing, whoever else uses it and whatever happens to its files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pipeline.artifact_store import ArtifactStore

OLD = -1.0  # nothing is too fresh to be swept


@pytest.fixture
def store(tmp_path):
    return ArtifactStore(tmp_path / "store")


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "artifact"
    (made / "kernels").mkdir(parents=True)
    (made / "kernels" / "k.cpp").write_text("int k;")
    (made / "meta.json").write_text("{}")
    (made / "empty").write_text("")
    return made


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def stored(store: ArtifactStore, digest: str) -> Path:
    return store.root / digest[:2] / digest


def test_a_folder_comes_back_as_it_was(store, folder, tmp_path):
    digest = store.put_folder(folder)
    assert store.has_folder(digest)
    target = tmp_path / "back"
    target.mkdir()
    (target / "stale.cpp").write_text("of an earlier build")
    assert store.get_folder(digest, target)
    assert contents(target) == contents(folder)


def test_equal_content_is_kept_once(store, folder):
    assert store.put_folder(folder) == store.put_folder(folder)
    assert len(list(store.root.rglob("*.*"))) == 0
    assert sum(path.is_file() for path in store.root.rglob("*")) == 4


@pytest.mark.parametrize("damage", ["changed", "cut", "emptied", "removed"])
def test_a_damaged_file_is_not_given_back(store, folder, tmp_path, damage):
    digest = store.put_folder(folder)
    path = stored(store, store.contents(digest)["kernels/k.cpp"])
    if damage == "removed":
        path.unlink()
    else:
        path.write_bytes({"changed": b"int x;", "cut": b"int", "emptied": b""}[damage])
    target = tmp_path / "back"
    assert not store.get_folder(digest, target)
    assert not target.exists()
    assert not path.exists()
    assert [error.facts["path"] for error in store.damaged] == ([] if damage == "removed" else [path])
    assert store.put_folder(folder) == digest
    assert store.get_folder(digest, target)


def test_a_damaged_manifest_is_not_believed(store, folder, tmp_path):
    digest = store.put_folder(folder)
    stored(store, digest).write_text('{"files": {}}')
    assert not store.get_folder(digest, tmp_path / "back")
    assert store.damaged


def test_what_is_no_digest_is_refused(store):
    for name in ("../../etc/passwd", "", "A" * 64, "0" * 63):
        with pytest.raises(ValueError, match="no digest"):
            store.has(name)


def test_unknown_digests_are_missing(store, tmp_path):
    assert not store.has("0" * 64)
    assert store.get_bytes("0" * 64) is None
    assert not store.get_file("0" * 64, tmp_path / "f")
    assert not store.get_folder("0" * 64, tmp_path / "g")


def test_sweeping_keeps_what_is_wanted_and_what_it_needs(store, folder):
    wanted = store.put_folder(folder)
    (folder / "kernels" / "k.cpp").write_text("int other;")
    other = store.put_folder(folder)
    assert store.sweep({wanted}, OLD, dry=True).removed == 2
    assert store.has_folder(other)
    swept = store.sweep({wanted}, OLD)
    assert (swept.removed, swept.kept) == (2, 4)
    assert store.has_folder(wanted)
    assert not store.has_folder(other)


def test_sweeping_leaves_alone_what_is_fresh(store, folder):
    digest = store.put_folder(folder)
    assert store.sweep(set()).removed == 0
    assert store.has_folder(digest)


def test_many_writers_and_readers_of_one_file(store, tmp_path):
    source = tmp_path / "big"
    source.write_bytes(os.urandom(1 << 20))

    def work(number: int) -> bool:
        return store.get_file(store.put_file(source), tmp_path / f"copy-{number}")

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(40)))
    assert store.damaged == []


def test_a_killed_writer_leaves_nothing_half(store, tmp_path):
    source = tmp_path / "big"
    source.write_bytes(os.urandom(1 << 22))
    code = (
        "import sys; from pathlib import Path; from pipeline.artifact_store import ArtifactStore\n"
        "store = ArtifactStore(Path(sys.argv[1])); print('ready', flush=True)\n"
        "while True:\n"
        "    digest = store.put_file(Path(sys.argv[2])); store._path(digest).unlink()\n"
    )
    for pause in (0.0, 0.01, 0.02, 0.03):
        child = subprocess.Popen(
            [sys.executable, "-c", code, str(store.root), str(source)], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        time.sleep(pause)
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        digest = store.put_file(source)
        assert store.get_file(digest, tmp_path / "copy")
    assert store.damaged == []
    assert store.sweep({digest}, OLD).kept == 1
