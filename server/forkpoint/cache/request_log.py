"""What differs between two requests, by the lines in which the client kept them?"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Literal

from forkpoint.records.sent import SentRequest, Shape, request_in, shape_in
from forkpoint.sent_requests import SentRequests

Layer = Literal["model", "tools", "system", "thinking", "effort", "headers", "messages", "nothing"]

BATCH = 64
"""Lines read at once; a request stands a few lines before its answer."""
FAR = 64
"""Batches after which a search ends: requests before that are left unread."""


def keeps_across_efforts(model: str | None) -> bool:
    """Say whether a model's cache does not depend on the effort level, at the maker's own API."""
    return _KEEPS_ACROSS_EFFORTS.search(model or "") is not None


_KEEPS_ACROSS_EFFORTS = re.compile(r"(?:opus-5-5|sonnet-5-5|fable-5-1)(?!\d)")


class RequestLog:
    """Kept requests, read backwards from where they are needed.

    Args:
        kept: where the lines lie.
        lines: reads lines by ordinal.
    """

    def __init__(
        self, kept: SentRequests, lines: Callable[[Sequence[int]], Sequence[bytes]]
    ) -> None:
        self._kept, self._lines = kept, lines
        self._known: dict[str, SentRequest] = {}
        self._read: set[int] = set()
        self._shapes: dict[str, Shape] | None = None

    def find(self, request_id: str | None, row: int) -> SentRequest | None:
        """Return the request of an answer that stands at a row; None where it was not kept."""
        if request_id is None or request_id in self._known:
            return self._known.get(request_id or "")
        batch = bisect_left(self._kept.requests, row) // BATCH
        for number in range(batch, max(-1, batch - FAR), -1):
            self._read_batch(number)
            if request_id in self._known:
                return self._known[request_id]
        return None

    def difference(self, before: SentRequest, after: SentRequest, row: int) -> Layer | None:
        """Return the first layer in which a request differs from an earlier one; None = unknown.

        Args:
            before: the earlier request.
            after: the later one.
            row: where the later one's answer stands.
        """
        if before.model != after.model:
            return "model"
        if before.shape != after.shape:
            return self._shape_difference(before, after)
        if before.thinking != after.thinking:
            return "thinking"
        if before.effort != after.effort and not keeps_across_efforts(after.model):
            return "effort"
        if before.betas != after.betas:
            return "headers"
        if self._keeps(before, after, row):
            return "nothing"
        older, newer = self._messages(before, row), self._messages(after, row)
        if older is None or newer is None:
            return None
        return "nothing" if newer[: len(older)] == older else "messages"

    def _shape_difference(self, before: SentRequest, after: SentRequest) -> Layer | None:
        if self._shapes is None:
            shapes = [shape_in(line) for line in self._lines(self._kept.shapes)]
            self._shapes = {shape.shape: shape for shape in shapes if shape.shape is not None}
        older = self._shapes.get(before.shape or "")
        newer = self._shapes.get(after.shape or "")
        if older is None or newer is None:
            return None
        return "tools" if older.tools != newer.tools else "system"

    def _keeps(self, before: SentRequest, after: SentRequest, row: int) -> bool:
        """Say whether the later request is based on the earlier, and on all of its messages."""
        length = before.keep + len(before.tail)
        seen: set[str] = set()
        request: SentRequest | None = after
        while request is not None and request.keep >= length and request.request_id not in seen:
            if request.base == before.request_id:
                return request.keep == length
            seen.add(request.request_id)
            request = self.find(request.base, row)
        return False

    def _messages(self, request: SentRequest, row: int) -> list[str] | None:
        """Put the hashes of a request's messages together, from the request that it is based on."""
        later: list[SentRequest] = []
        seen: set[str] = set()
        base: SentRequest | None = request
        while base is not None and base.keep and base.request_id not in seen:
            seen.add(base.request_id)
            later.append(base)
            base = self.find(base.base, row)
        if base is None or base.keep:
            return None
        messages = list(base.tail)
        for each in reversed(later):
            if each.keep > len(messages):
                return None
            del messages[each.keep :]
            messages += each.tail
        return messages

    def _read_batch(self, number: int) -> None:
        if number in self._read:
            return
        self._read.add(number)
        rows = self._kept.requests[number * BATCH : (number + 1) * BATCH]
        for line in self._lines(rows):
            request = request_in(line)
            if request is not None:
                self._known[request.request_id] = request
