"""What stands between a request that missed the cache and the one it builds on?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from forkpoint.cache.idle import Idle, Moment, idle_between, moment_of
from forkpoint.cache.request_log import Layer, RequestLog
from forkpoint.cache.requests import CacheRequest, Lifetime
from forkpoint.nodes import NO_TIME, milliseconds
from forkpoint.records.cache_notes import Answer, Prompt, answer_in, is_clearing, prompt_in
from forkpoint.records.record import Kind
from forkpoint.records.sent import SentRequest
from forkpoint.records.work_lines import PROMPT
from forkpoint.session import Conversation

Bodies = Callable[[Sequence[int]], Sequence[bytes]]


class Evidence(msgspec.Struct, frozen=True):
    """The facts that a cause is named by.

    Attributes:
        models: that answered before and after; None where a row names none.
        cleared: old tool results were taken out of the conversation between the two.
        rewound: other requests were made in between, on another way.
        idle: the time since the entry was used last, None where it cannot be told.
        idle_ms: the upper end of that time.
        lifetimes: of the entry, and of the one that the later request wrote.
        difference: what differs between the two kept requests; None where they tell nothing.
        prompts: the recorded system prompts and tools of both; None where none was recorded.
        restarted: the kept request says that the client was just started.
    """

    before: Answer
    after: Answer
    models: tuple[str | None, str | None]
    compacted: bool
    cleared: bool
    rewound: bool
    idle: Idle | None
    idle_ms: int
    lifetimes: tuple[Lifetime | None, Lifetime | None]
    difference: Layer | None
    prompts: tuple[Prompt | None, Prompt | None]
    restarted: bool


class EvidenceReader:
    """Collects evidence for the requests of one conversation.

    Args:
        conversation: the transcript.
        requests: its requests.
        bodies: reads records by ordinal.
        log: reads kept requests.
    """

    def __init__(
        self,
        conversation: Conversation,
        requests: Sequence[CacheRequest],
        bodies: Bodies,
        log: RequestLog,
    ) -> None:
        self._index = conversation.index
        self._chain = conversation.chain().unpruned
        self._requests = requests
        self._bodies, self._log = bodies, log
        self._prompt_rows = frozenset(self._index.states.notes.get(PROMPT, ()))

    def between(self, place: int, before: int) -> Evidence:
        """Collect what stands between two requests, the later of which builds on the earlier."""
        requests = self._requests
        after_request, before_request = requests[place], requests[before]
        before_answer, after_answer = self._answers([before_request, after_request])
        sent_before = self._sent(before_answer, before_request)
        sent_after = self._sent(after_answer, after_request)
        difference = None
        if sent_before is not None and sent_after is not None:
            difference = self._log.difference(sent_before, sent_after, after_request.row)
        used, lifetime = self._last_use(place, before, before_answer)
        again = self._moment(after_request, sent_after)
        idle, longest = None, 0
        if used is not None and again is not None:
            idle = idle_between(used, again, lifetime)
            longest = again.latest - used.earliest
        return Evidence(
            before=before_answer,
            after=after_answer,
            models=(before_request.model, after_request.model),
            compacted=after_request.compacted,
            cleared=after_answer.cleared or self._cleared(after_request, before_request),
            rewound=before != place - 1,
            idle=idle,
            idle_ms=longest,
            lifetimes=(lifetime, after_request.lifetime),
            difference=difference,
            prompts=(self._prompt(before_request.row), self._prompt(after_request.row)),
            restarted=sent_after is not None and sent_after.base is None and not sent_after.keep,
        )

    def _answers(self, requests: Sequence[CacheRequest]) -> list[Answer]:
        """The last row of a response has its final numbers."""
        rows = [self._index.joins.last_row(request.response) for request in requests]
        return [answer_in(body) for body in self._bodies(rows)]

    def _sent(self, answer: Answer, request: CacheRequest) -> SentRequest | None:
        return self._log.find(answer.request_id, request.row)

    def _moment(self, request: CacheRequest, sent: SentRequest | None) -> Moment | None:
        at = NO_TIME if sent is None else milliseconds(sent.at)
        return moment_of(request, self._index.nodes, at)

    def _last_use(
        self, place: int, before: int, answer: Answer
    ) -> tuple[Moment | None, Lifetime | None]:
        """Tell when the entry was used last, on other ways through the same point too."""
        last = next(
            other for other in range(place - 1, before - 1, -1) if self._goes_through(other, before)
        )
        request = self._requests[last]
        if last != before:
            [answer] = self._answers([request])
        return self._moment(request, self._sent(answer, request)), request.lifetime

    def _goes_through(self, place: int | None, point: int) -> bool:
        while place is not None and place > point:
            place = self._requests[place].before
        return place == point

    def _cleared(self, after: CacheRequest, before: CacheRequest) -> bool:
        rows = list(self._rows_between(after.row, before))
        system = [row for row in rows if self._index.nodes.kind[row] == Kind.SYSTEM]
        return any(is_clearing(body) for body in self._bodies(system))

    def _rows_between(self, row: int, before: CacheRequest) -> Iterator[int]:
        for above in self._chain.up(row):
            if self._index.joins.response[above] == before.response:
                return
            yield above

    def _prompt(self, row: int) -> Prompt | None:
        """The newest recorded prompt above a row."""
        if not self._prompt_rows:
            return None
        found = next((above for above in self._chain.up(row) if above in self._prompt_rows), None)
        return None if found is None else prompt_in(self._bodies([found])[0])
