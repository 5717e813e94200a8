"""What is to be known about sums of usage, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from forkpoint.catalog import Catalog
from forkpoint.ledger import Account, Group
from forkpoint.protocol import types
from forkpoint.text_table import shown


def notes_of(catalog: Catalog, total: Group, accounts: Sequence[Account]) -> list[types.Problem]:
    """Say what dollars mean, what they leave out, and what is not in the sums.

    Args:
        catalog: all sessions.
        total: what was summed up.
        accounts: the transcripts that were meant, whatever the days.
    """
    return [
        types.Problem(code=code, sentence=sentence)
        for code, sentence in [
            *_of_dollars(catalog, total),
            *_of_reading(catalog),
            *_of_copies(accounts),
        ]
    ]


def _of_dollars(catalog: Catalog, total: Group) -> Iterator[tuple[str, str]]:
    by = "list prices and your own" if catalog.prices.own else "list prices"
    worth = f"Dollars are the API price equivalent: what the tokens cost at {by}."
    yield "priceEquivalent", f"{worth} {_BILLED[catalog.account]}"
    yield "notRecorded", _NOT_RECORDED
    spent = total.both()
    if spent.unpriced:
        names = sorted(
            [shown(model or "a model without a name") for model in total.unpriced_models]
        )
        more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
        yield (
            "unpriced",
            f"No price is known for {_responses(spent.unpriced)} ({', '.join(names[:_MOST_NAMES])}"
            f"{more}): the tokens are counted, the dollars come on top.",
        )


_MOST_NAMES = 5

_BILLED = {
    "subscription": "Your subscription is not billed by it.",
    "apiKey": "What your provider bills may differ.",
    "unknown": "A subscription is not billed by it.",
}

_NOT_RECORDED = (
    "Not in the sums is what leaves no answer in a transcript: requests that sum up a conversation "
    "for a compaction or find a title, and fees beside tokens, as for web searches."
)


def _of_reading(catalog: Catalog) -> Iterator[tuple[str, str]]:
    done, total = catalog.indexing()
    if done < total:
        yield (
            "indexing",
            f"These are sums so far: {total - done} of {total} transcripts are unread.",
        )
    failed = sum(entry.problem is not None for entry in catalog.entries())
    if failed:
        which = "One session" if failed == 1 else f"{failed} sessions"
        yield "unreadable", f"{which} could not be read."


def _of_copies(accounts: Sequence[Account]) -> Iterator[tuple[str, str]]:
    copies = sum([account.copies for account in accounts])
    if copies:
        stand = "stands as a copy" if copies == 1 else "stand as copies"
        yield (
            "copies",
            f"{_responses(copies).capitalize()} {stand} in other sessions, too: each counts once, "
            "in the session that had it first.",
        )
    untimed = sum(
        [
            entry.spent.tokens.responses
            for account in accounts
            for entry in account.entries
            if entry.quarter is None
        ]
    )
    if untimed:
        lies = "lies" if untimed == 1 else "lie"
        yield "noTime", f"{_responses(untimed).capitalize()} without a time {lies} in no day."


def _responses(count: int) -> str:
    return "one response" if count == 1 else f"{count:,} responses"
