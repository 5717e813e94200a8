"""What a session spent, what it inherited, and what its subagents spent (format.md section 17)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from forkpoint.index import TranscriptIndex
from forkpoint.prices import Prices
from forkpoint.records.record import Flag
from forkpoint.usage import Tokens


class Spending(msgspec.Struct):
    """Sums over responses, each counted once.

    Attributes:
        prices: what a response costs.
        own: of the main conversation, without what was copied.
        subagents: of sidechains in the same file; a caller adds subagents' own files.
        inherited: of responses that were copied from another session.
        dollars: for `own` and `subagents`; None as soon as one response has no known price.
    """

    prices: Prices
    own: Tokens = msgspec.field(default_factory=Tokens)
    subagents: Tokens = msgspec.field(default_factory=Tokens)
    inherited: Tokens = msgspec.field(default_factory=Tokens)
    dollars: float | None = 0.0

    def add_subagent(self, index: TranscriptIndex) -> None:
        """Add a subagent's own transcript."""
        for response in range(len(index.joins.message_ids)):
            self.count(index, response, self.subagents)

    def count(self, index: TranscriptIndex, response: int, tokens: Tokens) -> None:
        """Add one response to one of the sums."""
        usage = index.usage.of(response)
        if usage is None:
            return
        tokens.add(usage)
        if tokens is self.inherited:
            return
        model, fast = index.usage.model_of(response), index.usage.is_fast(response)
        dollars = self.prices.cost(model, usage, fast)
        if dollars is None or self.dollars is None:
            self.dollars = None
        else:
            self.dollars += dollars


def spending_of(index: TranscriptIndex, copied: Collection[str], prices: Prices) -> Spending:
    """Count a session's main transcript.

    Args:
        index: the transcript.
        copied: message ids that another session had first.
        prices: what a response costs.
    """
    spending = Spending(prices)
    _add(spending, index, copied, range(len(index.joins.message_ids)))
    return spending


def _add(
    spending: Spending, index: TranscriptIndex, copied: Collection[str], responses: range
) -> None:
    flags, joins = index.nodes.flags, index.joins
    for response in responses:
        bits = flags[joins.first_row[response]]
        if bits & Flag.SIDECHAIN:
            tokens = spending.subagents
        elif bits & Flag.COPIED or (copied and joins.message_ids[response] in copied):
            tokens = spending.inherited
        else:
            tokens = spending.own
        spending.count(index, response, tokens)


_OPEN = 256
"""Responses at the end of a file that may still get rows."""


class GrowingSpending:
    """`spending_of` a transcript that goes on: all but the last responses are counted once."""

    def __init__(self) -> None:
        self._settled: Spending | None = None
        self._end = 0
        self._question: object = None

    def reopen(self, response: int) -> None:
        """Note that a response, and maybe later ones, got rows."""
        if response < self._end:
            self._settled = None

    def of(self, index: TranscriptIndex, copied: Collection[str], prices: Prices) -> Spending:
        """Return a sum that the caller may change."""
        count = len(index.joins.message_ids)
        question = (frozenset(copied), prices)
        if self._settled is None or self._question != question:
            self._settled, self._end, self._question = Spending(prices), 0, question
        settled = max(self._end, count - _OPEN)
        _add(self._settled, index, copied, range(self._end, settled))
        self._end = settled
        spending = _copy(self._settled)
        _add(spending, index, copied, range(settled, count))
        return spending


def _copy(spending: Spending) -> Spending:
    twin = msgspec.structs.replace
    return twin(
        spending,
        own=twin(spending.own),
        subagents=twin(spending.subagents),
        inherited=twin(spending.inherited),
    )


def models_of(indexes: Iterable[TranscriptIndex]) -> list[str]:
    """Return the models that answered, first use first."""
    return list(dict.fromkeys(model for index in indexes for model in index.usage.models))
