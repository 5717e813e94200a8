"""Which sessions a running client holds open.

A client writes `sessions/<pid>.json` and leaves it behind when it is killed, so the process is
looked at too: it counts only if it exists and began when the file says (2.1.332). The start time
can be read on Linux only; elsewhere nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from forkpoint import disk
from forkpoint.layout import LIVE_SESSIONS


class LiveClient(msgspec.Struct, frozen=True):
    """A running client: `status` is busy, idle or waiting as it wrote it last."""

    session_id: str
    pid: int
    status: str
    version: str | None


class _File(msgspec.Struct):
    pid: int
    sessionId: str
    procStart: str | int | None = None
    status: str = "idle"
    version: str | None = None


_file = msgspec.json.Decoder(_File)


def live_clients(roots: Sequence[Path]) -> dict[str, LiveClient]:
    """Return the running clients by session id."""
    found: dict[str, LiveClient] = {}
    for root in roots:
        for path in _files(root):
            client = _read(path)
            if client is not None:
                found[client.session_id] = client
    return found


def _files(root: Path) -> list[Path]:
    try:
        paths = list((root / LIVE_SESSIONS).iterdir())
    except OSError:
        return []
    # Keys of running clients lie beside these files: only the expected names are ever opened.
    return [path for path in paths if path.suffix == ".json" and path.stem.isdecimal()]


def _read(path: Path) -> LiveClient | None:
    try:
        file = _file.decode(disk.read_small(path))
    except (disk.Unreadable, msgspec.DecodeError):
        return None
    if file.procStart is None or _start_of(file.pid) != str(file.procStart):
        return None
    return LiveClient(file.sessionId, file.pid, file.status, file.version)


def _start_of(pid: int) -> str | None:
    """The process's start in clock ticks since boot, field 22 of its stat line."""
    try:
        line = Path(f"/proc/{pid}/stat").read_bytes()
    except (OSError, ValueError):
        return None
    fields = line.rpartition(b")")[2].split()
    return fields[19].decode() if len(fields) > 19 else None
