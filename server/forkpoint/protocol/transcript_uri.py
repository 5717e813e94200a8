"""The address of a readable transcript: the path is a title, the query names the conversation."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import unquote, urlsplit

SCHEME = "forkpoint-transcript"


class Named(NamedTuple):
    """The transcript to write down, up to a record's uuid; None = the active leaf."""

    session_id: str
    agent_id: str | None
    leaf: str | None


def named_by(uri: str) -> Named | None:
    """Return what an address names; None for one that is no transcript's."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    pairs = (pair.partition("=") for pair in unquote(parts.query).split("&"))
    query = {key: unquote(value) for key, _, value in pairs}
    session_id = query.get("session")
    if parts.scheme != SCHEME or not session_id:
        return None
    return Named(session_id, query.get("agent") or None, query.get("leaf") or None)
