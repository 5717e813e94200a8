"""`forkpoint/abandoned`: which prompts were left behind, and what was answered to them?"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from forkpoint.catalog import Catalog
from forkpoint.copies import NOTHING
from forkpoint.disk import Unreadable
from forkpoint.fates import ABANDONED
from forkpoint.left_behind import LeftBehind, left_behind
from forkpoint.lsp.features.search import LARGEST_PAGE, PAGE, sessions_in_scope
from forkpoint.lsp.features.sessions import page
from forkpoint.nodes import NO_TIME
from forkpoint.protocol import types
from forkpoint.protocol.wire.common import iso_time
from forkpoint.protocol.wire.sessions import place_of, project_of, title_of_entry
from forkpoint.records.said import said_on
from forkpoint.records.searchable import Part
from forkpoint.session import Conversation
from forkpoint.session_entry import SessionEntry
from forkpoint.summary import Summary

PROMPT_LENGTH = 20_000
"""Characters of a prompt."""
ANSWER_LENGTH = 2_000
"""Characters of an answer."""


class _Item(NamedTuple):
    entry: SessionEntry
    conversation: Conversation
    left: LeftBehind


def abandoned(catalog: Catalog, params: types.AbandonedParams) -> types.AbandonedResult:
    """List prompts off the active path, newest first, of the sessions that are read."""
    catalog.rescan()
    entries = sessions_in_scope(catalog, params)
    items: list[_Item] = []
    unread = 0
    for entry in entries:
        conversation = _conversation(catalog, entry, is_named=params.session_id is not None)
        if conversation is None:
            unread += entry.problem is None
            continue
        # What a session has from another one was left behind there, unless only this one is meant.
        copied = catalog.facts.copies(entry) if params.session_id is None else NOTHING
        items += [
            _Item(entry, conversation, left)
            for left in _left(catalog, conversation)
            if copied.original_of(left.prompt) is None
        ]
    items.sort(key=lambda item: item.left.time, reverse=True)
    limit = min(params.limit or PAGE, LARGEST_PAGE)
    wanted = page(items, params.offset, limit)
    return types.AbandonedResult(
        prompts=[prompt for item in wanted if (prompt := _prompt(catalog, item)) is not None],
        total=len(items),
        indexing=None
        if not unread
        else types.Indexing(done=len(entries) - unread, total=len(entries)),
    )


def _conversation(catalog: Catalog, entry: SessionEntry, *, is_named: bool) -> Conversation | None:
    """A session as it is now; None while it is not read, unless it was asked for by name."""
    with suppress(Unreadable):
        if is_named:
            return catalog.read(entry)
        catalog.catch_up(entry)
        return entry.main.conversation
    return None


def _left(catalog: Catalog, conversation: Conversation) -> list[LeftBehind]:
    version = catalog.resuming_version
    fates = catalog.searching.fates.of(conversation, version, of_agent=False)
    # Most sessions have nothing of the kind.
    return left_behind(conversation.index.nodes, fates) if ABANDONED in fates else []


def _prompt(catalog: Catalog, item: _Item) -> types.AbandonedPrompt | None:
    entry, left, nodes = item.entry, item.left, item.conversation.index.nodes
    rows = [left.prompt, *left.answers]
    try:
        lines = entry.main.bodies(rows)
    except Unreadable:
        return None
    summary = catalog.summary(entry) or Summary()
    texts = [_text(line, part) for line, part in zip(lines, _parts(rows), strict=True)]
    answered = next((at for at in range(1, len(rows)) if texts[at]), None)
    return types.AbandonedPrompt(
        session_id=entry.session_id,
        title=title_of_entry(catalog, entry, summary),
        project=project_of(entry.file, place_of(catalog, entry, summary)),
        uuid=nodes.uuid(left.prompt) or "",
        ordinal=nodes.body_of.get(left.prompt, left.prompt),
        at=None if left.time == NO_TIME else iso_time(left.time),
        prompt=texts[0][:PROMPT_LENGTH],
        answer=texts[answered][:ANSWER_LENGTH] if answered is not None else "",
        answer_uuid=nodes.uuid(rows[answered]) if answered is not None else None,
        leaf=nodes.uuid(left.newest) or "",
        record_count=left.rows_below,
    )


def _parts(rows: Sequence[int]) -> list[Part]:
    return [Part.PROMPT, *[Part.ANSWER] * (len(rows) - 1)]


def _text(line: bytes, part: Part) -> str:
    said = said_on(line)[0] if line.strip() else None
    return "\n".join(text.text for text in said.texts if text.part is part) if said else ""
