"""Which requests did a conversation make, and on which earlier one did each build?"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from typing import Literal
from weakref import WeakKeyDictionary, ref

import msgspec

from forkpoint.chain import Chain
from forkpoint.growth import is_calm, mark_of
from forkpoint.history import end_before
from forkpoint.joins import NONE, Joins
from forkpoint.nodes import MISSING, NO_TIME
from forkpoint.records.record import Flag, Usage
from forkpoint.session import Conversation

Lifetime = Literal["5m", "1h", "mixed", "off"]

_UNWANTED = Flag.SIDECHAIN | Flag.SYNTHETIC | Flag.API_ERROR


class CacheRequest(msgspec.Struct, frozen=True):
    """A request that the model answered.

    Attributes:
        response: its number (see `Joins.response`).
        row: the first row of its answer.
        before: place, in the list, of the nearest earlier request on its parent chain; None of a
            first one.
        compacted: a compaction lies between the two.
        lifetime: of the cache entries that it used; None where nothing tells.
        own: it was made in this session, not copied from another one.
    """

    response: int
    row: int
    usage: Usage
    model: str | None
    before: int | None
    compacted: bool
    lifetime: Lifetime | None
    own: bool

    @property
    def written(self) -> int:
        """Tokens written to the cache."""
        return self.usage.cache_write_5m + self.usage.cache_write_1h

    @property
    def size(self) -> int:
        """Tokens of the prompt; of one with several server-side steps, those of the last."""
        usage = self.usage
        return min(usage.input + usage.cache_read + self.written, usage.context)


def requests_of(conversation: Conversation, copied: Collection[str]) -> Sequence[CacheRequest]:
    """Return all requests with numbers, sidechains left out, in file order.

    The list goes on to change when the transcript goes on.

    Args:
        conversation: a transcript.
        copied: message ids that another session had first.
    """
    known = _KNOWN.get(conversation)
    if known is None or not known.goes_on(copied):
        known = _KNOWN[conversation] = _Requests(conversation, copied)
    return known.requests


class _Requests:
    """The requests of a transcript, gone on with while it merely goes on (see `growth`)."""

    def __init__(self, conversation: Conversation, copied: Collection[str]) -> None:
        # Whoever asks for it holds the conversation; this must not keep it.
        self._index = conversation.index
        self._conversation = ref(conversation)
        self._copied = copied
        self._mark = mark_of(self._index)
        self._newest_gap = NO_TIME
        self._places: dict[int, int] = {}
        self._firsts = _firsts(self._index.joins, range(len(self._index.joins.first_row)))
        self.requests: list[CacheRequest] = []
        self._add(self._firsts)

    def goes_on(self, copied: Collection[str]) -> bool:
        """Take in that the transcript went on; False where all has to be worked out anew."""
        index, start = self._index, self._mark.rows
        if copied != self._copied or not is_calm(index, self._mark):
            return False
        if start == len(index.nodes):
            return True
        if min(index.nodes.time[start:]) <= self._newest_gap:
            return False
        self._mark = mark_of(index, self._mark)
        responses = {*index.joins.response[start:]} - {NONE}
        if responses:
            self._work_out_anew(responses)
        return True

    def _work_out_anew(self, responses: Collection[int]) -> None:
        """Replace the requests from the first of some responses on."""
        new = _firsts(self._index.joins, responses)
        cut = bisect_left(self._firsts, new[0])
        tail = sorted({*self._firsts[cut:], *new})
        place = bisect_left(self.requests, new[0][0], key=lambda request: request.row)
        for request in self.requests[place:]:
            del self._places[request.response]
        del self._firsts[cut:], self.requests[place:]
        self._firsts += tail
        self._add(tail)

    def _add(self, firsts: Sequence[tuple[int, int]]) -> None:
        index, requests, places = self._index, self.requests, self._places
        conversation = self._conversation()
        if conversation is None:
            return
        # A request was sent before the rows were pruned, so the links of that time count.
        chain = conversation.chain().unpruned
        for row, response in firsts:
            usage = index.usage.of(response)
            if usage is None or not usage.context or index.nodes.has(row, _UNWANTED):
                continue
            before, compacted = self._before(chain, row)
            above = None if before is None else requests[before]
            places[response] = len(requests)
            is_copy = index.nodes.has(row, Flag.COPIED)
            requests.append(
                CacheRequest(
                    response=response,
                    row=row,
                    usage=usage,
                    model=index.usage.model_of(response),
                    before=before,
                    compacted=compacted,
                    lifetime=_lifetime(usage, index.usage.asked_lifetime_of(response), above),
                    own=not is_copy and index.joins.message_ids[response] not in self._copied,
                )
            )

    def _before(self, chain: Chain, row: int) -> tuple[int | None, bool]:
        """Climb to the nearest answer that is known already; a compaction on the way is noted."""
        compacted = False
        walked: set[int] = set()
        above: int | None = row
        while above is not None and above not in walked:
            walked.add(above)
            place = self._places.get(chain.joins.response[above])
            if place is not None:
                return place, compacted
            if above in chain.compactions:
                compacted = True
                above = end_before(chain, above)
            else:
                above = self._above(chain, above, walked)
        return None, compacted

    def _above(self, chain: Chain, row: int, walked: set[int]) -> int | None:
        parent = chain.parent(row)
        if parent == MISSING:
            self._newest_gap = max(self._newest_gap, chain.nodes.time[row])
            return chain.bridge(row, walked)
        return parent if parent >= 0 else None


_KNOWN: WeakKeyDictionary[Conversation, _Requests] = WeakKeyDictionary()


def _firsts(joins: Joins, responses: Iterable[int]) -> list[tuple[int, int]]:
    """The first row of each response, in file order."""
    return sorted((joins.first_row[response], response) for response in responses)


def _lifetime(usage: Usage, asked: str | None, above: CacheRequest | None) -> Lifetime | None:
    """Tell from what was asked, else from what was written, else from the request before.

    Server tools write for five minutes whatever the client asked for (cache-rules.md section 3).
    """
    if usage.cache_write_5m and usage.cache_write_1h:
        return "mixed"
    if asked in ("5m", "1h", "off"):
        return asked
    if usage.cache_write_5m or usage.cache_write_1h:
        return "5m" if usage.cache_write_5m else "1h"
    return above.lifetime if above is not None and usage.cache_read else None
