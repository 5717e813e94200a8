"""The address of a version's content, and back.

`forkpoint-version:` and the file's own path, so that an editor knows its language and title; what
is shown stands in the query alone. The names in it come from a file or from a stranger: they are
checked like all others before they become part of a path.
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import unquote, urlsplit

SCHEME = "forkpoint-version"


class Shown(NamedTuple):
    """What a document shows.

    Attributes:
        session_id: whose copy or record; "" for an empty text that stands for no version.
        backup: name of the copy.
        result: ordinal of the record whose result tells what an edit replaced, instead of a copy.
        absent: number of a version in which the file did not exist: an empty text.
        patch: what names a patch, of a version that patches tell of.
        is_before: it is what that patch found, not what it left.
    """

    session_id: str = ""
    backup: str | None = None
    result: int | None = None
    absent: int | None = None
    patch: str | None = None
    is_before: bool = False


def version_uri(file: str, shown: Shown) -> str:
    """Return the address of a content of the file with this `file:` URI."""
    query = "empty"
    if shown.absent is not None:
        # Different versions need different addresses: an editor tells documents apart by them.
        query = f"session={shown.session_id}&version={shown.absent}&empty"
    elif shown.result is not None:
        query = f"session={shown.session_id}&result={shown.result}"
    elif shown.patch is not None:
        side = "before" if shown.is_before else "after"
        query = f"session={shown.session_id}&patch={shown.patch}&side={side}"
    elif shown.backup is not None:
        # All that a copy's name has to escape.
        query = f"session={shown.session_id}&backup={shown.backup.replace('@', '%40')}"
    return f"{SCHEME}:{file.partition(':')[2]}?{query}"


def shown_by(uri: str) -> Shown | None:
    """Return what an address shows; None for one that is no version's.

    Editors write a query in their own way, some with every `=` and `&` escaped.
    """
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != SCHEME:
        return None
    pairs = (pair.partition("=") for pair in unquote(parts.query).split("&"))
    query = {key: unquote(value) for key, _, value in pairs}
    if "empty" in query:
        return Shown()
    session_id, backup, result = (query.get(key) for key in ("session", "backup", "result"))
    if not session_id:
        return None
    patch, side = query.get("patch"), query.get("side")
    if patch is not None:
        is_name = patch.isascii() and patch.replace("-", "").isalnum() and len(patch) < 40
        is_known = is_name and side in ("before", "after")
        return Shown(session_id, patch=patch, is_before=side == "before") if is_known else None
    if result is not None:
        is_number = result.isascii() and result.isdigit() and len(result) < 12
        return Shown(session_id, result=int(result)) if is_number else None
    return Shown(session_id, backup) if backup else None


def file_of_version(uri: str) -> str:
    """Return the `file:` URI of the file that an address of a version is of."""
    return f"file:{uri.partition(':')[2].partition('?')[0]}"
