"""What did a conversation leave in the prompt cache, at the point from which it would go on?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from forkpoint.cache.idle import Moment, moment_of
from forkpoint.cache.request_log import RequestLog
from forkpoint.cache.requests import CacheRequest, Lifetime
from forkpoint.growing_calls import calls_of
from forkpoint.nodes import NO_TIME, milliseconds
from forkpoint.records.cache_notes import Answer, answer_in, compaction_ms_in
from forkpoint.records.record import Kind
from forkpoint.records.work_lines import PROMPT, REBUILT, TOOL_CHANGES, offered_tools_in
from forkpoint.session import Conversation
from forkpoint.tool_calls import EDITING_TOOLS

Bodies = Callable[[Sequence[int]], Sequence[bytes]]

_MOST_TOKENS = 1_000_000_000
"""No conversation is larger; a number above it is a broken file's."""


class RecordedPrompt(msgspec.Struct, frozen=True):
    """The system prompt that the client wrote down to send again (2.1.268 and later).

    Attributes:
        tools: names of the tools that were sent in full; None where they were not written down.
        row: the attachment.
    """

    tools: tuple[str, ...] | None
    row: int


class Compacted(msgspec.Struct, frozen=True):
    """A compaction that no answer has followed yet.

    Attributes:
        tokens: what it left of the conversation; None where it does not say.
        asked: when its own request was sent.
    """

    tokens: int | None
    asked: Moment | None


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """The last request on the way to a point, and what its cache entry depends on.

    Attributes:
        request: the last answered one; None where none was.
        blocks: rows of its answer.
        answer: what the rows of the answer say that used the entry last, on whatever way.
        used: when that was, or when it was summarized.
        lifetime: of its entry; None where nothing tells.
        lifetime_source: what tells it.
        was_longer: requests before it had a lifetime of an hour, and it has five minutes.
        cached_before: any request up to here read or wrote the cache.
        prompt: the system prompt recorded for the way; None where the client has to build one.
        defers_tools: tools were announced in the conversation instead of being sent in full.
        edited: files were changed with the client's tools since the newest compaction.
        edited_before: or before it.
        images: pictures on the way, at least.
        summarized: the way begins at a compaction.
        compacted: the newest row is a compaction.
        first: the conversation's first answered request.
    """

    request: CacheRequest | None
    blocks: Sequence[int]
    answer: Answer | None
    used: Moment | None
    lifetime: Lifetime | None
    lifetime_source: str
    was_longer: bool
    cached_before: bool
    prompt: RecordedPrompt | None
    defers_tools: bool
    edited: bool
    edited_before: bool
    images: int
    summarized: bool
    compacted: Compacted | None
    first: CacheRequest | None


class StandingReader:
    """Reads where a conversation stands.

    Args:
        conversation: the transcript.
        requests: its requests (see `requests_of`).
        bodies: reads records by ordinal.
        log: reads kept requests.
        version: the client that would go on; None stands for the newest.
    """

    def __init__(
        self,
        conversation: Conversation,
        requests: Sequence[CacheRequest],
        bodies: Bodies,
        log: RequestLog,
        version: str | None,
    ) -> None:
        self._conversation, self._index = conversation, conversation.index
        self._requests, self._bodies, self._log = requests, bodies, log
        self._version = version
        self._places = {request.response: place for place, request in enumerate(requests)}

    def at_leaf(self) -> Standing:
        """Where the client would go on."""
        entries = self._conversation.path(self._version).entries
        rows = [row for row, fate in entries if fate != "summarized"]
        return self._standing(rows, [row for row, _ in entries])

    def before(self, row: int) -> Standing:
        """Where a rewind to a prompt would go on."""
        parent = self._index.nodes.parent[row]
        if parent < 0:
            return self._standing([], [])
        entries = self._conversation.path(self._version, parent).entries
        rows = [row for row, fate in entries if fate != "summarized"]
        return self._standing(rows, [row for row, _ in entries])

    def fast_before(self, standing: Standing) -> bool:
        """Say whether any request on the way was made in fast mode; reads all answers."""
        rows = [self._index.joins.last_row(each.response) for each in self._line(standing)]
        return any(answer_in(body).fast for body in self._bodies(rows))

    def _standing(self, rows: Sequence[int], whole: Sequence[int]) -> Standing:
        place, boundary = self._newest(rows)
        request = None if place is None else self._requests[place]
        through = [] if place is None else self._through(place)
        answer = self._answer(through[-1]) if through else None
        on_way = set(rows)
        line = [] if place is None else list(self._up(place))
        lifetimes = [each.lifetime for each in line]
        return Standing(
            request=request,
            blocks=() if request is None else self._index.joins.rows_of(request.response),
            answer=answer,
            used=self._last_use(through),
            lifetime=None if request is None else request.lifetime,
            lifetime_source=self._lifetime_source(request),
            was_longer=lifetimes[:1] == ["5m"] and "1h" in lifetimes,
            cached_before=any(each.usage.cache_read + each.written for each in line),
            prompt=self._prompt(on_way),
            defers_tools=any(row in on_way for row in self._notes(TOOL_CHANGES)),
            edited=self._edits(on_way),
            edited_before=self._edits(set(whole) - on_way),
            images=self._images(rows),
            summarized=any(row in self._index.compactions for row in rows),
            compacted=None if boundary is None else self._compacted(boundary),
            first=line[-1] if line else None,
        )

    def _lifetime_source(self, request: CacheRequest | None) -> str:
        if request is None:
            return ""
        is_asked = self._index.usage.asked_lifetime_of(request.response) is not None
        return "promptCacheRequested" if is_asked else "usage.cache_creation"

    def _newest(self, rows: Sequence[int]) -> tuple[int | None, int | None]:
        """The place of the last answered request, and the compaction behind it if there is one."""
        boundary = next((row for row in reversed(rows) if row in self._index.compactions), -1)
        for row in reversed(rows):
            place = self._places.get(self._index.joins.response[row])
            # Rows that a compaction kept stand before it in the file, and were not sent behind it.
            if place is not None and row > boundary:
                return place, None
        if boundary < 0:
            return None, None
        older = [place for place, each in enumerate(self._requests) if each.row < boundary]
        return (older[-1] if older else None), boundary

    def _up(self, place: int | None) -> Iterator[CacheRequest]:
        while place is not None:
            yield self._requests[place]
            place = self._requests[place].before

    def _line(self, standing: Standing) -> Iterator[CacheRequest]:
        request = standing.request
        return iter(()) if request is None else self._up(self._places[request.response])

    def _answer(self, request: CacheRequest) -> Answer:
        """The last row of a response has its final words."""
        [body] = self._bodies([self._index.joins.last_row(request.response)])
        return answer_in(body)

    def _moment(self, request: CacheRequest, answer: Answer) -> Moment | None:
        kept = self._log.find(answer.request_id, request.row)
        at = NO_TIME if kept is None else milliseconds(kept.at)
        return moment_of(request, self._index.nodes, at)

    def _through(self, place: int) -> list[CacheRequest]:
        """A request and those that sent all of it again, in file order."""
        through = {place: self._requests[place]}
        for later in range(place + 1, len(self._requests)):
            request = self._requests[later]
            if request.before in through and not request.compacted:
                through[later] = request
        return list(through.values())

    def _last_use(self, through: Sequence[CacheRequest]) -> Moment | None:
        """The newest of: the request, those that went on from it, compactions of what they sent."""
        ends = dict.fromkeys([*through[:1], *through[-1:]])
        uses = [self._moment(request, self._answer(request)) for request in ends]
        uses += self._compactions_of(through)
        return max((use for use in uses if use), key=lambda use: use.earliest, default=None)

    def _compactions_of(self, through: Sequence[CacheRequest]) -> Iterator[Moment]:
        """When compactions summarized what one of these requests had sent."""
        chain = self._conversation.chain(self._version).unpruned
        places = {self._places[request.response] for request in through}
        for later in self._requests:
            if later.compacted and later.before in places:
                rows = chain.up(later.row)
                boundary = next((row for row in rows if row in chain.compactions), None)
                moment = None if boundary is None else self._asked(boundary)
                if moment is not None:
                    yield moment

    def _compacted(self, boundary: int) -> Compacted:
        tokens = self._index.compactions[boundary].tokens_after
        is_sound = tokens is not None and 0 <= tokens <= _MOST_TOKENS
        return Compacted(tokens if is_sound else None, self._asked(boundary))

    def _asked(self, boundary: int) -> Moment | None:
        """The summary was asked for before the boundary was written, by as long as it took."""
        at = self._index.nodes.time[boundary]
        if at == NO_TIME:
            return None
        took = compaction_ms_in(self._bodies([boundary])[0])
        return Moment(at - took, at)

    def _notes(self, kind: str) -> Sequence[int]:
        return self._index.states.notes.get(kind, [])

    def _prompt(self, on_way: set[int]) -> RecordedPrompt | None:
        recorded = [row for row in self._notes(PROMPT) if row in on_way]
        rebuilt = [row for row in self._notes(REBUILT) if row in on_way]
        if not recorded or (rebuilt and rebuilt[-1] > recorded[-1]):
            return None
        for row in reversed(recorded):
            tools = offered_tools_in(self._bodies([row])[0])
            if tools is not None:
                return RecordedPrompt(tuple(tools), row)
        return RecordedPrompt(None, recorded[-1])

    def _edits(self, rows: set[int]) -> bool:
        calls = calls_of(self._conversation)
        return any(
            call.name in EDITING_TOOLS and call.state == "ok" and call.row in rows for call in calls
        )

    def _images(self, rows: Sequence[int]) -> int:
        """Pictures stand in long rows; escaped quotes keep a text from being taken for one."""
        nodes = self._index.nodes
        users = [row for row in rows if nodes.kind[row] == Kind.USER]
        long = [row for row in users if nodes.length[row] > _LONG][-_MOST_LOOKED_AT:]
        return sum(body.count(_IMAGE) for body in self._bodies(long))


_IMAGE = b'"type":"image"'
_LONG = 2000
"""Bytes of a row below which it holds no picture."""
_MOST_LOOKED_AT = 200
