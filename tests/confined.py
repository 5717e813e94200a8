"""Commands that run another one and watch it, or take rights from it; Linux alone has them.

Each of them is asked first whether it works here, so that a test that needs one can say why not.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

Command = list[str]

MODIFIERS = frozenset({
    "creat", "mkdir", "mkdirat", "mknod", "mknodat", "link", "linkat", "symlink", "symlinkat",
    "rename", "renameat", "renameat2", "unlink", "unlinkat", "rmdir", "truncate", "ftruncate",
    "fallocate", "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown",
    "fchownat", "utime", "utimes", "futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr",
    "removexattr", "lremovexattr", "fremovexattr", "flock",
})  # fmt: skip
"""System calls that change what lies on disk, whatever their arguments are, or lock it."""

_DAC = "-dac_override,-dac_read_search"
_MOUNT = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"'


def mounted_read_only(folder: Path) -> Command:
    """Runs a command that sees a folder on a file system that is mounted for reading only."""
    return [*_namespace(), "sh", "-c", _MOUNT, "sh", str(folder)]


def bound_by_modes() -> Command:
    """Runs a command that the modes of files bind, even if the superuser runs it."""
    if os.getuid() != 0:
        return []
    command = ["setpriv", f"--bounding-set={_DAC}", f"--inh-caps={_DAC}"]
    _need(command, "modes do not bind the superuser, and setpriv cannot change that")
    return command


def traced(log: Path) -> Command:
    """Runs a command and writes the system calls that name files or addresses, or change files.

    Files that a number stands for are written by their path.
    """
    # A call that this machine does not have is none to look for.
    named = ",".join(f"?{name}" for name in sorted(MODIFIERS))
    calls = f"trace=%file,%network,{named}"
    command = ["strace", "-f", "-qq", "-y", "-s", "4096", "-e", calls, "-o", str(log)]
    _need(["strace", "-f", "-o", os.devnull], "strace does not work here")
    return command


@cache
def _works(command: Sequence[str]) -> bool:
    if shutil.which(command[0]) is None:
        return False
    ended = subprocess.run([*command, "true"], capture_output=True, check=False)
    return ended.returncode == 0


def _need(command: Command, why: str) -> None:
    if not _works(tuple(command)):
        pytest.skip(why)


def _namespace() -> Command:
    """A mount namespace of its own, with the rights to mount in it."""
    command = ["unshare", "-m"] if os.getuid() == 0 else ["unshare", "-rm"]
    _need([*command, "sh", "-c", _MOUNT, "sh", "/"], "mounts of one's own are not allowed here")
    return command
