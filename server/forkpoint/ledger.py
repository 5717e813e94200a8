"""What was spent, by what: tokens and dollars of transcripts as entries, and their sums.

An entry is a quarter of an hour of one model in one transcript: every zone's days begin with one.
Dollars are whole picodollars, so that sums do not depend on the order in which they are made.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import msgspec

from forkpoint.index import TranscriptIndex
from forkpoint.nodes import NO_TIME
from forkpoint.prices import Prices
from forkpoint.records.record import Flag, Usage
from forkpoint.usage import Tokens

QUARTER_MS = 900_000
PICODOLLARS = 1_000_000_000_000
_MOST_DOLLARS = 1e15
"""A response that costs more has a broken file's numbers, and counts as one without a price."""

Dimension = Literal["session", "day", "month", "project", "model", "agent", "subagent"]
"""What sums can be made by."""

DayOf = Callable[[int], str | None]
"""Gives the day, `2026-11-30`, in which a quarter of an hour lies; None where there is none."""


class Spent(msgspec.Struct):
    """A sum of responses.

    Attributes:
        tokens: of all of them.
        picodollars: of those whose model has a known price.
        unpriced: how many have none.
    """

    tokens: Tokens = msgspec.field(default_factory=Tokens)
    picodollars: int = 0
    unpriced: int = 0

    @property
    def dollars(self) -> float | None:
        """US dollars of what has a price; None where nothing has, though there is something."""
        if self.unpriced and self.unpriced == self.tokens.responses:
            return None
        return self.picodollars / PICODOLLARS

    def count(self, usage: Usage, dollars: float | None) -> None:
        """Add a response and its price."""
        self.tokens.add(usage)
        if dollars is None or not 0 <= dollars < _MOST_DOLLARS:
            self.unpriced += 1
        else:
            self.picodollars += round(dollars * PICODOLLARS)

    def add(self, other: Spent) -> None:
        """Add another sum."""
        mine, theirs = self.tokens, other.tokens
        mine.responses += theirs.responses
        mine.input += theirs.input
        mine.output += theirs.output
        mine.cache_read += theirs.cache_read
        mine.cache_write_5m += theirs.cache_write_5m
        mine.cache_write_1h += theirs.cache_write_1h
        self.picodollars += other.picodollars
        self.unpriced += other.unpriced


class Entry(msgspec.Struct, frozen=True):
    """What one model cost a transcript in a quarter of an hour.

    Attributes:
        quarter: quarters of an hour since 1970 UTC; None of responses without a time.
        by_subagent: a subagent spent it, be it in its own file or in that of the conversation.
    """

    quarter: int | None
    model: str | None
    by_subagent: bool
    spent: Spent


class Account(msgspec.Struct, frozen=True):
    """The entries of one transcript.

    Attributes:
        project: what is told apart as a project; None where nothing says one.
        agent: the coding agent that wrote it.
        subagent_id: the subagent whose file it is; None of a session's own transcript.
        copies: responses in it that count in another transcript.
    """

    session_id: str
    project: str | None
    agent: str
    subagent_id: str | None
    entries: Sequence[Entry]
    copies: int = 0


class Entries(NamedTuple):
    """What a transcript spent, and how many of its responses count elsewhere."""

    entries: list[Entry]
    copies: int


def entries_of(
    index: TranscriptIndex,
    elsewhere: Collection[str],
    prices: Prices,
    *,
    of_subagent: bool = False,
) -> Entries:
    """Sum up a transcript's responses.

    Args:
        index: the transcript.
        elsewhere: message ids that count in another one.
        prices: what a response costs.
        of_subagent: it is a subagent's own file.
    """
    sums: dict[tuple[int, str | None, bool], Spent] = {}
    copies = 0
    times, flags, joins, usages = index.nodes.time, index.nodes.flags, index.joins, index.usage
    names = joins.message_ids if elsewhere else None
    for response, row in enumerate(joins.first_row):
        usage = usages.of(response)
        if usage is None:
            continue
        if names is not None and names[response] in elsewhere:
            copies += 1
            continue
        time, model = times[row], usages.model_of(response)
        quarter = NO_TIME if time == NO_TIME else time // QUARTER_MS
        key = (quarter, model, of_subagent or bool(flags[row] & Flag.SIDECHAIN))
        spent = sums.get(key)
        if spent is None:
            spent = sums[key] = Spent()
        spent.count(usage, prices.cost(model, usage, usages.is_fast(response)))
    entries = [
        Entry(None if quarter == NO_TIME else quarter, model, by_subagent, spent)
        for (quarter, model, by_subagent), spent in sums.items()
    ]
    return Entries(entries, copies)


class Group(msgspec.Struct):
    """A sum of entries that have something in common.

    Attributes:
        key: for each dimension asked about what they have in common; None where nothing says it.
        own: of conversations themselves.
        subagents: of their subagents.
        sessions: ids of those that spent it.
        unpriced_models: those without a known price; None stands for one that is not named.
    """

    key: tuple[str | None, ...]
    own: Spent = msgspec.field(default_factory=Spent)
    subagents: Spent = msgspec.field(default_factory=Spent)
    sessions: set[str] = msgspec.field(default_factory=set[str])
    unpriced_models: set[str | None] = msgspec.field(default_factory=set[str | None])

    def add(self, account: Account, entry: Entry) -> None:
        """Add an entry."""
        (self.subagents if entry.by_subagent else self.own).add(entry.spent)
        self.sessions.add(account.session_id)
        if entry.spent.unpriced:
            self.unpriced_models.add(entry.model)

    def both(self) -> Spent:
        """Return what was spent in all."""
        spent = Spent()
        spent.add(self.own)
        spent.add(self.subagents)
        return spent


class Period(msgspec.Struct, frozen=True):
    """The days that are meant, both ends included; None leaves an end open.

    What has no time lies in no period, but in the one that is open at both ends.
    """

    since: str | None = None
    until: str | None = None

    def holds(self, day: str | None) -> bool:
        """Say whether a day is meant."""
        if self.since is None and self.until is None:
            return True
        if day is None:
            return False
        return (self.since or day) <= day <= (self.until or day)


class Ledger(NamedTuple):
    """Groups in order, and what all of them come to."""

    groups: list[Group]
    total: Group


def ledger_of(
    accounts: Iterable[Account], by: Sequence[Dimension], day_of: DayOf, period: Period
) -> Ledger:
    """Sum up accounts by some dimensions.

    Groups stand by their first dimension, and those that share it by the next: days and months as
    they came, all else by what it cost, the dearest first.
    """
    groups: dict[tuple[str | None, ...], Group] = {}
    total = Group(())
    for account, entry, day in _in_period(accounts, day_of, period):
        key = tuple([_part(dimension, account, entry, day) for dimension in by])
        group = groups.get(key)
        if group is None:
            group = groups[key] = Group(key)
        group.add(account, entry)
        total.add(account, entry)
    return Ledger(_in_order([*groups.values()], by) if by else [], total)


def _in_period(
    accounts: Iterable[Account], day_of: DayOf, period: Period
) -> Iterator[tuple[Account, Entry, str | None]]:
    days: dict[int | None, str | None] = {None: None}
    for account in accounts:
        for entry in account.entries:
            quarter = entry.quarter
            if quarter is not None and quarter not in days:
                days[quarter] = day_of(quarter)
            day = days[quarter]
            if period.holds(day):
                yield account, entry, day


def _part(dimension: Dimension, account: Account, entry: Entry, day: str | None) -> str | None:
    if dimension == "day":
        return day
    if dimension == "month":
        return day and day[:_MONTH]
    if dimension == "model":
        return entry.model
    if dimension == "session":
        return account.session_id
    if dimension == "project":
        return account.project
    return account.agent if dimension == "agent" else account.subagent_id


_MONTH = len("2026-11")

_Weight = tuple[int, int]
_Place = tuple[int, int, bool, str]


def _in_order(groups: list[Group], by: Sequence[Dimension]) -> list[Group]:
    weights: dict[tuple[str | None, ...], _Weight] = {}
    for group in groups:
        spent = group.both()
        for depth in range(1, len(by) + 1):
            dollars, tokens = weights.get(group.key[:depth], (0, 0))
            weights[group.key[:depth]] = (dollars + spent.picodollars, tokens + _all_of(spent))

    def place(group: Group) -> list[_Place]:
        parts: list[_Place] = []
        for depth, (dimension, value) in enumerate(zip(by, group.key, strict=True), 1):
            dollars, tokens = weights[group.key[:depth]]
            in_time = dimension in ("day", "month")
            weight = 0 if in_time else 1
            parts.append((-dollars * weight, -tokens * weight, value is None, value or ""))
        return parts

    return sorted(groups, key=place)


def _all_of(spent: Spent) -> int:
    tokens = spent.tokens
    return (
        tokens.input
        + tokens.output
        + tokens.cache_read
        + tokens.cache_write_5m
        + tokens.cache_write_1h
    )
