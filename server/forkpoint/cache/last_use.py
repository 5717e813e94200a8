"""When does the cache entry of a conversation expire, as far as its index tells?

A list of sessions asks this of each: no body is read, and the request log is left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

import msgspec

from forkpoint.cache.idle import SECONDS, Moment
from forkpoint.cache.requests import Lifetime
from forkpoint.joins import NONE
from forkpoint.nodes import NO_TIME
from forkpoint.records.record import Flag, Usage
from forkpoint.session import Conversation


class LastUse(msgspec.Struct, frozen=True):
    """The last request on the active path.

    Attributes:
        model: that answered.
        lifetime: of its entry; None where nothing tells, `off` where none was asked for.
        sent: when it was sent.
    """

    usage: Usage
    model: str | None
    lifetime: Lifetime | None
    sent: Moment

    @property
    def expires(self) -> Moment | None:
        """When its entry goes, in milliseconds since 1970 UTC; None where nothing tells."""
        seconds = SECONDS.get(self.lifetime)
        if seconds is None:
            return None
        return Moment(self.sent.earliest + seconds * 1000, self.sent.latest + seconds * 1000)


def last_use(conversation: Conversation, version: str | None) -> LastUse | None:
    """Return the last request; None before the first answer, and right behind a compaction."""
    index = conversation.index
    nodes, response_of = index.nodes, index.joins.response
    newest_first = _rows_in_force(conversation, version)
    for row in newest_first:
        if row in index.compactions:
            return None
        usage = index.usage.of(response_of[row])
        if usage is None or nodes.has(row, Flag.SYNTHETIC | Flag.API_ERROR):
            continue
        first = index.joins.first_row[response_of[row]]
        parent = nodes.parent[first]
        latest = nodes.time[first]
        earliest = nodes.time[parent] if parent >= 0 else latest
        if NO_TIME in (earliest, latest) or earliest > latest:
            return None
        lifetime = _lifetime(conversation, chain([row], newest_first))
        model = index.usage.model_of(response_of[row])
        return LastUse(usage, model, lifetime, Moment(earliest, latest))
    return None


def _rows_in_force(conversation: Conversation, version: str | None) -> Iterator[int]:
    """The active path without what was summarized, from its end."""
    for row, fate in reversed(conversation.path(version).entries):
        if fate == "summarized":
            return
        yield row


def _lifetime(conversation: Conversation, newest_first: Iterable[int]) -> Lifetime | None:
    """As asked for, else that of the nearest request which wrote."""
    usages, response_of = conversation.index.usage, conversation.index.joins.response
    seen = NONE
    for row in newest_first:
        response = response_of[row]
        if response in (seen, NONE):
            continue
        seen = response
        usage = usages.of(response)
        if usage is not None and usage.cache_write_5m and usage.cache_write_1h:
            return "mixed"
        asked = usages.asked_lifetime_of(response)
        if asked in ("5m", "1h", "off"):
            return asked
        if usage is not None and usage.cache_write_5m + usage.cache_write_1h:
            return "5m" if usage.cache_write_5m else "1h"
    return None
