"""`forkpoint/cacheHistory`: what did the prompt cache serve, and where did it break?"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from forkpoint.cache.history import CacheBreak, CacheEntry, history_of
from forkpoint.catalog import Catalog
from forkpoint.index import TranscriptIndex
from forkpoint.nodes import NO_TIME
from forkpoint.protocol import types
from forkpoint.protocol.wire.common import iso_time, token_counts
from forkpoint.usage import Tokens


def cache_history(catalog: Catalog, params: types.CacheHistoryParams) -> types.CacheHistoryResult:
    """List the requests that a transcript's conversation made itself."""
    conversation = catalog.conversation(params.session_id, params.agent_id)
    transcript = catalog.transcript(params.session_id, params.agent_id)
    copied = _copied(catalog, params)
    entries = history_of(conversation, copied, transcript.bodies, transcript.lines, catalog.prices)
    return types.CacheHistoryResult(
        requests=[_request(conversation.index, entry) for entry in entries],
        totals=_totals(entries),
    )


def _copied(catalog: Catalog, params: types.CacheHistoryParams) -> Collection[str]:
    """Message ids that the session has from another one; a subagent's file has none."""
    if params.agent_id is not None:
        return ()
    entry = catalog.entry(params.session_id)
    index = catalog.facts.known_index(params.session_id)
    return () if index is None else catalog.facts.copied(entry, index)


def _request(index: TranscriptIndex, entry: CacheEntry) -> types.CacheRequest:
    request, usage = entry.request, entry.request.usage
    time = index.nodes.time[request.row]
    return types.CacheRequest(
        message_id=index.joins.message_ids[request.response],
        uuid=index.nodes.uuid(request.row) or "",
        ordinal=request.row,
        at=None if time == NO_TIME else iso_time(time),
        model=request.model,
        ttl=request.lifetime,
        input=usage.input,
        cache_read=usage.cache_read,
        cache_write_5m=usage.cache_write_5m,
        cache_write_1h=usage.cache_write_1h,
        output=usage.output,
        cost_usd=entry.dollars,
        break_=None if entry.broken is None else _break(entry.broken),
    )


def _break(broken: CacheBreak) -> types.CacheBreak:
    return types.CacheBreak(
        lost_tokens=broken.lost,
        cost_usd=broken.dollars,
        cause=broken.cause,
        certainty=broken.certainty,
        expected=broken.expected,
        sentence=broken.sentence,
    )


def _totals(entries: Sequence[CacheEntry]) -> types.CacheTotals:
    tokens = Tokens()
    for entry in entries:
        tokens.add(entry.request.usage)
    breaks = [entry.broken for entry in entries if entry.broken is not None]
    return types.CacheTotals(
        tokens=token_counts(tokens),
        cost_usd=_sum(entry.dollars for entry in entries),
        expected=_break_totals([each for each in breaks if each.expected]),
        avoidable=_break_totals([each for each in breaks if not each.expected]),
    )


def _break_totals(breaks: Sequence[CacheBreak]) -> types.BreakTotals:
    return types.BreakTotals(
        count=len(breaks),
        lost_tokens=sum(each.lost for each in breaks),
        cost_usd=_sum(each.dollars for each in breaks),
    )


def _sum(amounts: Iterable[float | None]) -> float | None:
    """Add up; one that is not known makes the sum unknown."""
    known: list[float] = []
    for amount in amounts:
        if amount is None:
            return None
        known.append(amount)
    return sum(known)
