"""`forkpoint status-line`: keep what Claude Code tells its status line of the prompt cache.

The only module that writes: one small file per session, in the folder of `status_line_folder`,
and never below an agent's folder.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import orjson

from forkpoint.cache_folder import lies_below
from forkpoint.layout import is_session_id
from forkpoint.status_line import KEPT, MOST_BYTES, at, kept_file, tells_of_cache


def keep(told: bytes, folder: Path, agents: Iterable[str | Path]) -> str | None:
    """Keep the fields `KEPT` of what a status line is told.

    A client that has had no answer yet tells nothing of the cache. Then what an earlier process
    of the session left stays: the cache does not end with the process.

    Args:
        told: What came on standard input.
        folder: Where to keep it; made if it is missing.
        agents: Agents' folders, below which nothing is written.

    Returns:
        A sentence why it could not be kept; None if it was, or if there was nothing to keep.
    """
    try:
        status = orjson.loads(told) if len(told) <= MOST_BYTES else None
    except orjson.JSONDecodeError:
        status = None
    session_id = at(status, "session_id")
    if not isinstance(session_id, str) or not is_session_id(session_id):
        return "What came on standard input is not what a status line is told."
    if not tells_of_cache(status):
        return None
    if lies_below(folder, agents):
        return f"{folder} lies below an agent's folder; nothing is written there."
    try:
        _replace(kept_file(folder, session_id), orjson.dumps(_picked(status, KEPT)))
    except (OSError, ValueError) as failure:
        reason = failure.strerror if isinstance(failure, OSError) else "no such name"
        return f"{folder} could not be written to ({reason})."
    return None


def pass_on(told: bytes, command: Sequence[str]) -> int | None:
    """Run the command that makes the status line, with the same input.

    Returns:
        Its exit code, as a shell gives it; None if it could not be started.
    """
    try:
        code = subprocess.run(command, input=told, check=False).returncode
    except (OSError, ValueError):
        return None
    return code if code >= 0 else 128 - code


def _picked(value: object, shape: dict[str, Any]) -> dict[str, object]:
    """The parts of a JSON object that the shape names; those that are not there are left out."""
    places = {key: at(value, key) for key in shape}
    return {
        key: place if shape[key] is None else _picked(place, shape[key])
        for key, place in places.items()
        if place is not None
    }


def _replace(path: Path, content: bytes) -> None:
    """Put a new file in place of an old one in one step, for nobody but the user to read."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".", suffix=".new", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
