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
        prices: what a response costs. An index does not keep which ones came in fast mode, so all
            have the usual price.
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
        dollars = self.prices.cost(index.usage.model_of(response), usage)
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
    for response, message_id in enumerate(index.joins.message_ids):
        row = index.joins.rows_of[response][0]
        if index.nodes.has(row, Flag.SIDECHAIN):
            tokens = spending.subagents
        elif index.nodes.has(row, Flag.COPIED) or message_id in copied:
            tokens = spending.inherited
        else:
            tokens = spending.own
        spending.count(index, response, tokens)
    return spending


def models_of(indexes: Iterable[TranscriptIndex]) -> list[str]:
    """Return the models that answered, first use first."""
    return list(dict.fromkeys(model for index in indexes for model in index.usage.models))
