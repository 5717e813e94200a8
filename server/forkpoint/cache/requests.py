"""Which requests did a conversation make, and on which earlier one did each build?"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import msgspec

from forkpoint.chain import Chain
from forkpoint.history import end_before
from forkpoint.nodes import MISSING
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


def requests_of(conversation: Conversation, copied: Collection[str]) -> list[CacheRequest]:
    """Return all requests with numbers, sidechains left out, in file order.

    Args:
        conversation: a transcript.
        copied: message ids that another session had first.
    """
    index = conversation.index
    # A request was sent before the rows were pruned, so the links of that time count.
    chain = conversation.chain().unpruned
    places: dict[int, int] = {}
    requests: list[CacheRequest] = []
    firsts = sorted((rows[0], response) for response, rows in enumerate(index.joins.rows_of))
    for row, response in firsts:
        usage = index.usage.of(response)
        if usage is None or not usage.context or index.nodes.has(row, _UNWANTED):
            continue
        before, compacted = _before(chain, row, places)
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
                own=not is_copy and index.joins.message_ids[response] not in copied,
            )
        )
    return requests


def _before(chain: Chain, row: int, places: dict[int, int]) -> tuple[int | None, bool]:
    """Climb to the nearest answer that is known already; a compaction on the way is noted."""
    compacted = False
    walked: set[int] = set()
    above: int | None = row
    while above is not None and above not in walked:
        walked.add(above)
        place = places.get(chain.joins.response[above])
        if place is not None:
            return place, compacted
        if above in chain.compactions:
            compacted = True
            above = end_before(chain, above)
        else:
            above = _above(chain, above, walked)
    return None, compacted


def _above(chain: Chain, row: int, walked: set[int]) -> int | None:
    parent = chain.parent(row)
    if parent == MISSING:
        return chain.bridge(row, walked)
    return parent if parent >= 0 else None


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
