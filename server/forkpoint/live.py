"""Which sessions a running client holds open.

A client writes `sessions/<pid>.json` and leaves it behind when it is killed, so the process is
looked at too: it counts only if it exists and began when the file says (2.1.332). The start time
can be read on Linux only; elsewhere nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import msgspec

from forkpoint import disk
from forkpoint.layout import LIVE_SESSIONS


class LiveClient(msgspec.Struct, frozen=True):
    """A running client.

    Attributes:
        status: busy, idle or waiting, as it wrote it last.
        started: when its process began, in the system's own count.
        since: when the client began, in milliseconds since 1970; None where it did not write it.
        waiting_for: `permission prompt`, `dialog open` (a menu of the user's own) and the like, as
            written (2.1.332); None where nothing is.
    """

    session_id: str
    pid: int
    status: str
    version: str | None
    started: str = ""
    since: int | None = None
    waiting_for: str | None = None


class _File(msgspec.Struct):
    pid: int
    sessionId: str
    procStart: str | int | None = None
    status: str = "idle"
    version: str | None = None
    waitingFor: str | None = None
    startedAt: int | None = None


_file = msgspec.json.Decoder(_File)


def live_clients(
    roots: Sequence[Path], before: Mapping[str, LiveClient] = MappingProxyType({})
) -> dict[str, LiveClient]:
    """Return the running clients by session id.

    Args:
        roots: config folders.
        before: those of the last look. A client writes its file in place, so one that is cut off
            right now says nothing, and what its process said before holds.
    """
    known = {str(client.pid): client for client in before.values()}
    found: dict[str, LiveClient] = {}
    for root in roots:
        for path in _files(root):
            client = _read(path, known.get(path.stem))
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


def _read(path: Path, known: LiveClient | None) -> LiveClient | None:
    try:
        file = _file.decode(disk.read_small(path))
    except disk.Unreadable:
        return None
    except msgspec.DecodeError:
        return known if known is not None and _start_of(known.pid) == known.started else None
    started = str(file.procStart)
    if file.procStart is None or _start_of(file.pid) != started:
        return None
    return LiveClient(
        session_id=file.sessionId,
        pid=file.pid,
        status=file.status,
        version=file.version,
        started=started,
        since=file.startedAt,
        waiting_for=file.waitingFor,
    )


def _start_of(pid: int) -> str | None:
    """The process's start in clock ticks since boot, field 22 of its stat line."""
    try:
        line = Path(f"/proc/{pid}/stat").read_bytes()
    except (OSError, ValueError):
        return None
    fields = line.rpartition(b")")[2].split()
    return fields[19].decode() if len(fields) > 19 else None
