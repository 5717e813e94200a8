"""`forkpoint/sessions`: which sessions are there?"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import inf
from typing import TypeVar, cast

from forkpoint.catalog import Catalog
from forkpoint.lsp.expiring import goes_within
from forkpoint.nodes import NO_TIME, milliseconds
from forkpoint.protocol import types
from forkpoint.protocol.encode import Ready, encode
from forkpoint.protocol.uri import path_of
from forkpoint.protocol.wire.sessions import place_of, row_facts, session_row
from forkpoint.session_entry import SessionEntry
from forkpoint.summary import Summary

_T = TypeVar("_T")


def sessions(catalog: Catalog, params: types.SessionsParams) -> types.SessionsResult:
    """List sessions, newest first, with what is known now."""
    return _answer(catalog, params, _row)


def sessions_as_sent(catalog: Catalog, params: types.SessionsParams) -> types.SessionsResult:
    """The same, with rows that are ready to be sent."""
    return _answer(catalog, params, _ready_row)


def _answer(
    catalog: Catalog,
    params: types.SessionsParams,
    row: Callable[[Catalog, _Item], types.SessionSummary],
) -> types.SessionsResult:
    found, shown = _look(catalog, params, agents=False)
    if not catalog.shown.agents_are_as_listed(item.entry for item in shown):
        found, shown = _look(catalog, params, agents=True)
    done, total = catalog.indexing()
    return types.SessionsResult(
        sessions=[row(catalog, item) for item in shown],
        total=len(found),
        indexing=types.Indexing(done=done, total=total),
    )


class _Item:
    """A session that fits, and its row once that was asked for.

    It lives as long as nothing is read, found or gone: what a row depends on besides is kept
    with it.
    """

    __slots__ = ("around", "entry", "ready", "row", "summary", "updated")

    def __init__(self, entry: SessionEntry, summary: Summary, updated: float) -> None:
        self.entry = entry
        self.summary = summary
        self.updated = updated
        self.around: object = None
        self.row: types.SessionSummary | None = None
        self.ready: Ready | None = None


def _look(
    catalog: Catalog, params: types.SessionsParams, *, agents: bool
) -> tuple[list[_Item], Sequence[_Item]]:
    """All sessions that the question means, newest first, and those on its page."""
    catalog.rescan(agents=agents)
    found = _in_order(catalog, params)
    return found, page(found, params.offset, params.limit)


def _in_order(catalog: Catalog, params: types.SessionsParams) -> list[_Item]:
    by_clock = params.expiring is not None
    if params.query is not None or by_clock or _is_about_folder(params):
        return _newest_first(catalog, params)
    orders = catalog.shown.orders
    question = (
        params.agent,
        params.include_programmatic,
        params.include_archived,
        _end(params),
    )
    if (known := orders.get(question, _state(catalog))) is not None:
        return cast("list[_Item]", known)
    found = _newest_first(catalog, params)
    if catalog.shown.all_can_be_read():
        # To read is a step as well: what was found goes with the state behind it.
        orders.put(question, _state(catalog), found)
    return found


def _state(catalog: Catalog) -> object:
    return catalog.shown.state(), catalog.prices


def _newest_first(catalog: Catalog, params: types.SessionsParams) -> list[_Item]:
    return sorted(_fitting(catalog, params), key=lambda item: item.updated, reverse=True)


def _row(catalog: Catalog, item: _Item) -> types.SessionSummary:
    entry, beside = item.entry, catalog.beside
    around = (
        place_of(catalog, entry, item.summary),
        beside.sidecars(entry),
        beside.retention_days(entry.root),
    )
    # Which files running clients share is found out anew each time.
    if item.row is None or item.around != around or entry.session_id in catalog.live:
        item.around, item.row, item.ready = around, _written(catalog, item), None
    return item.row


def _ready_row(catalog: Catalog, item: _Item) -> types.SessionSummary:
    row = _row(catalog, item)
    if item.ready is None:
        item.ready = Ready(encode(row))
    return cast("types.SessionSummary", item.ready)


def _written(catalog: Catalog, item: _Item) -> types.SessionSummary:
    """The row, which another session that moved most often leaves as it was."""
    facts, rows = row_facts(catalog, item.entry, item.summary), catalog.shown.rows
    known = rows.get(item.entry.session_id, facts)
    row = rows.put(item.entry.session_id, facts, session_row(facts)) if known is None else known
    return cast("types.SessionSummary", row)


def _fitting(catalog: Catalog, params: types.SessionsParams) -> list[_Item]:
    """The sessions that the question means. A session without any message is none.

    Behind the page, a session that nobody has read yet is taken for one that fits: looking into
    each would delay the first answer, and its own page will ask again.
    """
    wanted, now_ms = _end(params), time.time() * 1000
    items: list[_Item] = []
    for entry in catalog.entries():
        if not _goes_in_time(catalog, entry, params, now_ms):
            continue
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


def _goes_in_time(
    catalog: Catalog, entry: SessionEntry, params: types.SessionsParams, now_ms: float
) -> bool:
    return params.expiring is None or goes_within(catalog, entry, params.expiring, now_ms)


def _end(params: types.SessionsParams) -> float:
    return inf if params.limit is None else params.offset + params.limit


_UNREAD = Summary()
_UNREAD.talk = True


def _is_meant(
    catalog: Catalog,
    entry: SessionEntry,
    summary: Summary,
    params: types.SessionsParams,
) -> bool:
    if params.agent not in (None, entry.agent):
        return False
    if not params.include_programmatic and (summary.entrypoint or "").startswith("sdk-"):
        return False
    if not params.include_archived and catalog.beside.sidecars(entry).archived:
        return False
    if not in_scope(catalog, entry, summary, params):
        return False
    return params.query is None or _matches(catalog, entry, summary, params.query)


def in_scope(
    catalog: Catalog,
    entry: SessionEntry,
    summary: Summary,
    params: types.SessionsParams | types.SearchParams | types.AbandonedParams | types.UsageParams,
) -> bool:
    """Say whether a session was started in the folder, or the repository, that is asked about."""
    if params.scope == "all" or params.folder is None:
        return True
    key, place = entry.file.key, place_of(catalog, entry, summary)
    folder = path_of(params.folder)
    if params.scope == "folder":
        return catalog.beside.places.in_folder(place, key, folder)
    return catalog.beside.places.in_repository(place, key, folder)


def _is_about_folder(params: types.SessionsParams) -> bool:
    return params.scope != "all" and params.folder is not None


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
