"""`forkpoint/sessions`: which sessions are there?"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import NamedTuple, TypeVar

from forkpoint.catalog import Catalog
from forkpoint.nodes import NO_TIME, milliseconds
from forkpoint.protocol import types
from forkpoint.protocol.uri import path_of
from forkpoint.protocol.wire.sessions import place_of, session_row
from forkpoint.session_entry import SessionEntry
from forkpoint.summary import Summary

_T = TypeVar("_T")


def sessions(catalog: Catalog, params: types.SessionsParams) -> types.SessionsResult:
    """List sessions, newest first, with what is known now."""
    catalog.rescan()
    found = [] if params.agent == "codex" else _fitting(catalog, params)
    found.sort(key=lambda item: item.updated, reverse=True)
    done, total = catalog.indexing()
    return types.SessionsResult(
        sessions=[
            session_row(catalog, item.entry, item.summary)
            for item in page(found, params.offset, params.limit)
        ],
        total=len(found),
        indexing=types.Indexing(done=done, total=total),
    )


class _Item(NamedTuple):
    entry: SessionEntry
    summary: Summary
    updated: float


def _fitting(catalog: Catalog, params: types.SessionsParams) -> list[_Item]:
    """The sessions that the question means. A session without any message is none.

    Behind the page, a session that nobody has read yet is taken for one that fits: looking into
    each would delay the first answer, and its own page will ask again.
    """
    wanted = inf if params.limit is None else params.offset + params.limit
    items: list[_Item] = []
    for entry in catalog.entries():
        catalog.catch_up(entry)
        summary = catalog.known_summary(entry)
        if summary is None and len(items) >= wanted and params.query is None:
            summary = _UNREAD
        summary = summary or catalog.summary(entry) or Summary()
        if not summary.talk and entry.problem is None:
            continue
        if _is_meant(catalog, entry, summary, params):
            updated = milliseconds(summary.updated)
            written = entry.file.stat.mtime_ns / 1e6
            items.append(_Item(entry, summary, written if updated == NO_TIME else updated))
    return items


_UNREAD = Summary()
_UNREAD.talk = True


def _is_meant(
    catalog: Catalog,
    entry: SessionEntry,
    summary: Summary,
    params: types.SessionsParams,
) -> bool:
    if not params.include_programmatic and (summary.entrypoint or "").startswith("sdk-"):
        return False
    if not params.include_archived and catalog.beside.sidecars(entry).archived:
        return False
    if not _in_scope(catalog, entry, summary, params):
        return False
    return params.query is None or _matches(catalog, entry, summary, params.query)


def _in_scope(
    catalog: Catalog, entry: SessionEntry, summary: Summary, params: types.SessionsParams
) -> bool:
    if params.scope == "all" or params.folder is None:
        return True
    key, place = entry.file.key, place_of(catalog, entry, summary)
    folder = path_of(params.folder)
    if params.scope == "folder":
        return catalog.beside.places.in_folder(place, key, folder)
    return catalog.beside.places.in_repository(place, key, folder)


def _matches(catalog: Catalog, entry: SessionEntry, summary: Summary, query: str) -> bool:
    sidecars = catalog.beside.sidecars(entry)
    texts = [
        entry.session_id,
        summary.custom_title,
        summary.ai_title,
        sidecars.title,
        catalog.facts.own_summary(entry),
        summary.first_prompt,
        summary.last_prompt,
        summary.first_command,
        summary.git_branch,
        summary.tag,
        *summary.prompts.values(),
    ]
    wanted = query.casefold()
    return any(wanted in text.casefold() for text in texts if text)


def page(items: Sequence[_T], offset: int, limit: int | None) -> Sequence[_T]:
    """Cut out a page of a list."""
    return items[offset:] if limit is None else items[offset : offset + limit]
