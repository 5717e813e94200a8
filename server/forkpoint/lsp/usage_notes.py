"""What is to be known about sums of usage, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from forkpoint.catalog import Catalog
from forkpoint.ledger import Account, Group
from forkpoint.protocol import types
from forkpoint.text_table import shown
from forkpoint.worded import counted, joined, say


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
    by = say("list prices and your own") if catalog.prices.own else say("list prices")
    worth = say("Dollars are the API price equivalent: what the tokens cost at {by}.", by=by)
    yield "priceEquivalent", joined([worth, _BILLED[catalog.account]])
    yield "notRecorded", _NOT_RECORDED
    spent = total.both()
    if spent.unpriced:
        names = sorted(
            [shown(model or say("a model without a name")) for model in total.unpriced_models]
        )
        more = (
            say(" and {count} more", count=len(names) - _MOST_NAMES)
            if len(names) > _MOST_NAMES
            else ""
        )
        yield (
            "unpriced",
            say(
                "No price is known for {responses} ({names}{more}): the tokens are counted, the "
                "dollars come on top.",
                responses=_responses(spent.unpriced),
                names=", ".join(names[:_MOST_NAMES]),
                more=more,
            ),
        )


_MOST_NAMES = 5

_BILLED = {
    "subscription": say("Your subscription is not billed by it."),
    "apiKey": say("What your provider bills may differ."),
    "unknown": say("A subscription is not billed by it."),
}

_NOT_RECORDED = say(
    "Not in the sums is what leaves no answer in a transcript: requests that sum up a "
    "conversation for a compaction or find a title, and fees beside tokens, as for web searches."
)


def _of_reading(catalog: Catalog) -> Iterator[tuple[str, str]]:
    done, total = catalog.indexing()
    if done < total:
        yield (
            "indexing",
            say(
                "These are sums so far: {unread} of {total} transcripts are unread.",
                unread=total - done,
                total=total,
            ),
        )
    failed = sum(entry.problem is not None for entry in catalog.entries())
    if failed:
        one, many = "One session could not be read.", "{count} sessions could not be read."
        yield "unreadable", counted(failed, one, many)


def _of_copies(accounts: Sequence[Account]) -> Iterator[tuple[str, str]]:
    copies = sum([account.copies for account in accounts])
    if copies:
        yield (
            "copies",
            counted(
                copies,
                "One response stands as a copy in other sessions, too: each counts once, in the "
                "session that had it first.",
                "{count:,} responses stand as copies in other sessions, too: each counts once, in "
                "the session that had it first.",
            ),
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
        yield (
            "noTime",
            counted(
                untimed,
                "One response without a time lies in no day.",
                "{count:,} responses without a time lie in no day.",
            ),
        )


def _responses(count: int) -> str:
    return counted(count, "one response", "{count:,} responses")
