"""Does a folder lie on a disk whose changes the system here does not hear of?

Linux says it in its table of mounts; elsewhere nothing is claimed.
"""

from __future__ import annotations

from pathlib import Path

_TABLE = Path("/proc/self/mounts")

_REMOTE = frozenset(
    (
        *("9p", "afs", "ceph", "cifs", "drvfs", "lustre", "nfs", "nfs4", "ncpfs", "prl_fs"),
        *("smb3", "smbfs", "vboxsf", "virtiofs"),
        *("fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "fuse.sshfs"),
    )
)
"""Kinds of file systems that others may write to."""


def is_remote(folder: Path, table: Path = _TABLE) -> bool:
    """Say whether a folder is known to lie on a network file system or one shared with a host."""
    try:
        lines = table.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        place = folder.resolve()
    except OSError:
        return False
    mounts = [fields for line in lines if len(fields := line.split(" ")) > 2]
    above = [fields for fields in mounts if place.is_relative_to(_unescaped(fields[1]))]
    return bool(above) and max(above, key=lambda fields: len(fields[1]))[2] in _REMOTE


def _unescaped(path: str) -> str:
    """The table writes a blank as a backslash and 040, and the like."""
    for octal, character in (("040", " "), ("011", "\t"), ("012", "\n"), ("134", "\\")):
        path = path.replace(f"\\{octal}", character)
    return path
