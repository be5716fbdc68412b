"""What kind of file system a path lies on, for those who must not use shared memory over a network."""

from __future__ import annotations

from pathlib import Path

MOUNTS = Path("/proc/self/mounts")

# 9p and every FUSE type count too: WAL over them has corrupted files, and the cost of doubt is only speed.
_NETWORK = frozenset(
    {"9p", "afs", "beegfs", "ceph", "cifs", "coda", "glusterfs", "gpfs", "lustre", "ncpfs"}
    | {"nfs", "nfs4", "ocfs2", "panfs", "pvfs2", "smb2", "smb3", "smbfs"}
)


def kind_of(path: Path) -> str:
    """The type of the file system that holds a path ("ext4", "nfs4"), or "" where the system does not say."""
    try:
        mounts = [line.split(" ") for line in MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()]
    except OSError:
        return ""
    place = path.resolve()
    best, kind = -1, ""
    for fields in mounts:
        if len(fields) < 3:
            continue
        mount = Path(fields[1].replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\"))
        # A later mount on the same point hides an earlier one.
        if place.is_relative_to(mount) and len(mount.parts) >= best:
            best, kind = len(mount.parts), fields[2]
    return kind


def is_network(path: Path) -> bool:
    """Whether a path lies on a network file system, as far as the system tells."""
    kind = kind_of(path)
    return kind in _NETWORK or kind.startswith("fuse")
