"""Which file systems must do without shared memory."""

import pytest

from db import filesystem

MOUNTS = """\
overlay / overlay rw 0 0
server:/home /home nfs4 rw 0 0
/dev/sdb1 /home/local ext4 rw 0 0
share /mnt/with\\040space cifs rw 0 0
/dev/sdc1 /stacked ext4 rw 0 0
user@host:/ /stacked fuse.sshfs rw 0 0
gpfs0 /gpfs gpfs rw 0 0
"""


@pytest.fixture
def mounts(tmp_path, monkeypatch):
    path = tmp_path / "mounts"
    path.write_text(MOUNTS)
    monkeypatch.setattr(filesystem, "MOUNTS", path)
    return path


@pytest.mark.parametrize(
    ("place", "kind", "network"),
    [
        ("/data/x.db", "overlay", False),
        ("/home/ada/x.db", "nfs4", True),
        ("/home/local/x.db", "ext4", False),
        ("/homework/x.db", "overlay", False),
        ("/mnt/with space/x.db", "cifs", True),
        ("/stacked/x.db", "fuse.sshfs", True),
        ("/gpfs/project/x.db", "gpfs", True),
    ],
)
def test_kind_of_a_place(mounts, place, kind, network):
    assert filesystem.kind_of(filesystem.Path(place)) == kind
    assert filesystem.is_network(filesystem.Path(place)) is network


def test_a_link_counts_as_where_it_leads(mounts, tmp_path):
    link = tmp_path / "link"
    link.symlink_to("/home/ada")
    assert filesystem.is_network(link / "x.db")


def test_a_system_that_does_not_say_is_local(monkeypatch, tmp_path):
    monkeypatch.setattr(filesystem, "MOUNTS", tmp_path / "missing")
    assert filesystem.kind_of(tmp_path) == ""
    assert not filesystem.is_network(tmp_path)
