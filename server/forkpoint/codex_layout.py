"""Where things lie below a Codex home: the names that Codex CLI gives to its folders and files.

Nothing here touches a disk. The facts are those of its open source, and of the files that releases
around 0.104 left.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import NamedTuple

SESSIONS = "sessions"
"""Below a Codex home: a folder per year, in it per month, in it per day, with rollouts."""
ARCHIVED_SESSIONS = "archived_sessions"
"""Below a Codex home: rollouts that were put away, flat, or in such folders again."""
THREAD_NAMES = "session_index.jsonl"
"""Below a Codex home: what threads are called, a line per naming; it is appended to."""

SUFFIX = ".jsonl"
COMPRESSED = ".jsonl.zst"
"""What rollouts become that were not touched for a week: the same lines, as zstd."""
BEING_WRITTEN = ".tmp"
"""What a file is called until it is whole."""

_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_ROLLOUT = re.compile(rf"(rollout-[0-9A-Za-z:.+-]*?({_UUID})(?:_({_UUID}))?)\.jsonl(\.zst)?")


class RolloutName(NamedTuple):
    """What the name of a rollout says.

    Attributes:
        rollout_id: its own, as it is spelled there: what other files name it by. Of a thread's
            first file it is the thread's; a thread that was taken back goes on in a file of its
            own, which has both ids in its name (seen of 0.171).
        thread_id: what a resume names.
        stem: the same for both forms of a file.
    """

    rollout_id: str
    thread_id: str
    stem: str
    is_compressed: bool


def rollout_name(name: str) -> RolloutName | None:
    """Return what a file name says; None for any other file, those being written among them."""
    match = _ROLLOUT.fullmatch(name)
    if match is None:
        return None
    return RolloutName(match[3] or match[2], match[2], match[1], bool(match[4]))


def is_compressed(path: str) -> bool:
    """Say whether a transcript's bytes have to be unpacked."""
    return path.endswith(COMPRESSED)


def codex_homes(environ: Mapping[str, str], home: str) -> tuple[str, ...]:
    """Codex homes to look into when the user names none.

    Args:
        environ: Environment variables; an empty value counts as not set.
        home: The user's home folder.
    """
    return (environ.get("CODEX_HOME") or str(PurePath(home) / ".codex"),)
