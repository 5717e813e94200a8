"""The small files that the client keeps beside a transcript."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import msgspec

from forkpoint import disk
from forkpoint.layout import ARCHIVED, CUSTOM_TITLE
from forkpoint.records.words import one_line

_T = TypeVar("_T", bound=msgspec.Struct)


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
PUT_AWAY = Sidecars(title=None, title_by=None, archived=True)


class _CustomTitle(msgspec.Struct):
    customTitle: str | None = None
    by: str | None = None


class _Archived(msgspec.Struct):
    archived: bool = False


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


def _read(path: str, shape: type[_T]) -> _T | None:
    try:
        decoded: Any = msgspec.json.decode(disk.read_small(path), type=shape)
    except (disk.Unreadable, msgspec.DecodeError, UnicodeDecodeError):
        return None
    return decoded
