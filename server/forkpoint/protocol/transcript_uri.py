"""The address of a readable transcript: the path is a title, the query names the conversation."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple
from urllib.parse import quote, quote_plus, unquote, urlsplit

SCHEME = "forkpoint-transcript"
_LONGEST_NAME = 60
_SHORT_ID = 8


class Named(NamedTuple):
    """The transcript to write down.

    Attributes:
        leaf: up to this record's uuid; None = the active leaf.
        before: only what stands above the record with this ordinal; None = all.
        image: `ordinal.number` of a picture that stands in it, in place of the text.
    """

    session_id: str
    agent_id: str | None = None
    leaf: str | None = None
    before: int | None = None
    image: str | None = None


def transcript_uri(named: Named, title: str, ending: str = "md") -> str:
    """Return the address; clients write the same one for the same transcript and title."""
    name = _file_name(title) + _which(named)
    fields = [
        ("session", named.session_id),
        ("agent", named.agent_id),
        ("leaf", named.leaf),
        ("before", named.before),
        ("image", named.image),
    ]
    query = "&".join(
        f"{key}={quote_plus(str(value), safe='*')}" for key, value in fields if value is not None
    )
    return f"{SCHEME}:/{quote(name, safe='')}.{ending}?{quote(query, safe='')}"


def _which(named: Named) -> str:
    """Tell the tabs of one session apart; the beginning of an id is enough for that."""
    parts: list[str] = []
    if named.agent_id:
        parts.append(f"subagent {_file_name(named.agent_id)[:_SHORT_ID]}")
    if named.leaf:
        parts.append(f"branch {_file_name(named.leaf)[:_SHORT_ID]}")
    if named.before is not None:
        parts.append(f"before {named.before}")
    if named.image:
        parts.append(f"image {named.image}")
    return f" ({', '.join(parts)})" if parts else ""


def named_by(uri: str) -> Named | None:
    """Return what an address names; None for one that is no transcript's.

    Editors write a query in their own way, some with every `=` and `&` escaped.
    """
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    pairs = (pair.partition("=") for pair in unquote(parts.query).split("&"))
    query = {key: unquote(value) for key, _, value in pairs}
    session_id, before = query.get("session"), query.get("before")
    if parts.scheme != SCHEME or not session_id or not _is_ordinal(before):
        return None
    return Named(
        session_id,
        query.get("agent") or None,
        query.get("leaf") or None,
        int(before) if before else None,
        query.get("image") or None,
    )


def image_at(image: str | None) -> tuple[int, int] | None:
    """Return the ordinal of a record, and the number of one of its pictures; None for neither."""
    ordinal, _, number = (image or "").partition(".")
    if not ordinal or not number or not _is_ordinal(ordinal) or not _is_ordinal(number):
        return None
    return int(ordinal), int(number)


def _is_ordinal(text: str | None) -> bool:
    return not text or (text.isascii() and text.isdigit() and len(text) < 12)


def _file_name(title: str) -> str:
    """Return what a tab can show: neither folders nor control characters."""
    clean = "".join(" " if c in "/\\" or unicodedata.category(c)[0] == "C" else c for c in title)
    return re.sub(r"\s+", " ", clean).strip()[:_LONGEST_NAME].strip() or "transcript"
