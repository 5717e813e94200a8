"""The small files that the client keeps beside a transcript, and its retention setting."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import msgspec

from forkpoint import disk
from forkpoint.layout import ARCHIVED, CUSTOM_TITLE
from forkpoint.records.words import one_line

_T = TypeVar("_T", bound=msgspec.Struct)

DEFAULT_RETENTION_DAYS = 30
"""The documented default of the client's own clean-up, by the age of the file."""


class Sidecars(msgspec.Struct, frozen=True):
    """What stands beside a transcript.

    Attributes:
        title: given by /rename (`title_by` user) or made by the client (auto); None without one.
        archived: whether the session was archived.
    """

    title: str | None
    title_by: str | None
    archived: bool


NOTHING = Sidecars(title=None, title_by=None, archived=False)


class _CustomTitle(msgspec.Struct):
    customTitle: str | None = None
    by: str | None = None


class _Archived(msgspec.Struct):
    archived: bool = False


class _Settings(msgspec.Struct):
    cleanupPeriodDays: int | None = None


def sidecars_of(folder: str) -> Sidecars:
    """Read the files in a session's own folder; what is missing or odd counts as not there."""
    title = _read(str(Path(folder) / CUSTOM_TITLE), _CustomTitle)
    archived = _read(str(Path(folder) / ARCHIVED), _Archived)
    text = one_line(title.customTitle or "") if title else ""
    return Sidecars(
        title=text or None,
        title_by=title.by if title else None,
        archived=archived is not None and archived.archived,
    )


def retention_days(root: Path) -> int | None:
    """Return after how many days the client deletes transcripts; None if it says never."""
    settings = _read(str(root / "settings.json"), _Settings)
    days = settings.cleanupPeriodDays if settings else None
    if days is None:
        return DEFAULT_RETENTION_DAYS
    return days if 0 <= days < _NEVER else None


_NEVER = 36_500
"""People switch the clean-up off with a huge number; a date far away tells nobody anything."""


def _read(path: str, shape: type[_T]) -> _T | None:
    try:
        decoded: Any = msgspec.json.decode(disk.read_small(path), type=shape)
    except (disk.Unreadable, msgspec.DecodeError, UnicodeDecodeError):
        return None
    return decoded
