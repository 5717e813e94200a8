"""What did the cache do for each request, and where did it break?

A break is what the client itself counts as a miss. Columns of the index find the candidates; only
what stands around them is read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import msgspec

from forkpoint.cache.cause import EXPECTED, Cause, Certainty, cause_of
from forkpoint.cache.evidence import Evidence, EvidenceReader
from forkpoint.cache.request_log import RequestLog
from forkpoint.cache.requests import CacheRequest, requests_of
from forkpoint.cache.sentences import sentence_of
from forkpoint.prices import Price, Prices
from forkpoint.session import Conversation
from forkpoint.usage import ResponseUsage

READ_SHARE, SHORT = 0.95, 2000
"""A request misses if it reads a smaller share, and falls short by at least so many tokens."""

Read = Callable[[Sequence[int]], Sequence[bytes]]


class CacheBreak(msgspec.Struct, frozen=True):
    """Tokens that should have been read from the cache and were not.

    Attributes:
        lost: how many.
        dollars: what they cost more than reading them; None where the price is not known.
        expected: somebody asked for what changed the prefix.
    """

    lost: int
    dollars: float | None
    cause: Cause
    certainty: Certainty
    expected: bool
    sentence: str


class CacheEntry(msgspec.Struct, frozen=True):
    """A request of the session's own with its price and its break."""

    request: CacheRequest
    dollars: float | None
    broken: CacheBreak | None


def history_of(
    conversation: Conversation,
    copied: Collection[str],
    bodies: Read,
    lines: Read,
    prices: Prices,
) -> list[CacheEntry]:
    """Return the requests that a transcript's conversation made itself, in file order.

    Args:
        conversation: the transcript.
        copied: message ids that another session had first: they are compared with, not listed.
        bodies: reads records by ordinal, as they count.
        lines: reads the lines of some ordinals.
        prices: what a request costs.
    """
    requests = requests_of(conversation, copied)
    if conversation.index.agent == "codex":
        # What makes its cache miss is known for none of its causes: what was read is all there is.
        own = (request for request in requests if request.own)
        return [CacheEntry(each, prices.cost(each.model, each.usage), None) for each in own]
    log = RequestLog(conversation.index.sent_requests, lines)
    evidence = EvidenceReader(conversation, requests, bodies, log)
    return [
        _entry(place, requests, evidence, prices, conversation.index.usage)
        for place, request in enumerate(requests)
        if request.own
    ]


def _entry(
    place: int,
    requests: Sequence[CacheRequest],
    reader: EvidenceReader,
    prices: Prices,
    usages: ResponseUsage,
) -> CacheEntry:
    request = requests[place]
    fast = usages.is_fast(request.response)
    dollars = prices.cost(request.model, request.usage, fast)
    lost = 0 if request.before is None else shortfall(requests[request.before], request)
    if request.before is None or not lost:
        return CacheEntry(request, dollars, None)
    evidence = reader.between(place, request.before)
    if evidence.before.uncounted or evidence.after.uncounted:
        return CacheEntry(request, dollars, None)
    price = prices.price_for(request.model, request.usage, fast)
    return CacheEntry(request, dollars, _break(request, lost, evidence, price))


def _break(request: CacheRequest, lost: int, evidence: Evidence, price: Price | None) -> CacheBreak:
    found = cause_of(evidence)
    return CacheBreak(
        lost=lost,
        dollars=None if price is None else premium(request, lost, price),
        cause=found.cause,
        certainty=found.certainty,
        expected=found.cause in EXPECTED,
        sentence=sentence_of(found, evidence, lost),
    )


def shortfall(before: CacheRequest, request: CacheRequest) -> int:
    """Return by how many tokens a request missed the cache, 0 if it did not.

    There is nothing to miss where the request before left nothing in the cache, or where this one
    asked for none.
    """
    if request.lifetime == "off" or not before.usage.cache_read + before.written:
        return 0
    expected = min(before.size, request.size)
    read = request.usage.cache_read
    short = expected - read
    return short if read < READ_SHARE * expected and short >= SHORT else 0


def premium(request: CacheRequest, lost: int, price: Price) -> float:
    """Return what lost tokens cost more than reading them, in US dollars.

    They were written again; what was not written was sent at the plain price.
    """
    usage = request.usage
    again = min(lost, request.written)
    dollars = (lost - again) * price.input - lost * price.cache_read
    if again:
        writes = usage.cache_write_5m * price.cache_write_5m
        writes += usage.cache_write_1h * price.cache_write_1h
        dollars += again * writes / request.written
    return dollars / 1_000_000
