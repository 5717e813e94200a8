"""How the active path ends, and what a resume adds to an unfinished end (format.md section 8)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal

import msgspec

from forkpoint.chain import Chain
from forkpoint.records.record import Flag, Kind, Role

Tip = Literal[
    "complete",
    "awaitingAnswer",
    "toolRunningOrLost",
    "stoppedAfterTool",
    "interrupted",
    "apiError",
    "empty",
]
RepairKind = Literal[
    "syntheticToolResult", "noResponsePlaceholder", "droppedCall", "bridgedGap", "cutAtGap"
]


class Repair(msgspec.Struct, frozen=True):
    """Something that a resume adds, leaves out or steps over; `row` is the row it is about."""

    kind: RepairKind
    row: int
    other: int | None = None
    """The row at which a bridged gap goes on."""


class End(msgspec.Struct, frozen=True):
    """The end of a path.

    Attributes:
        tip: its state.
        hangs_on: the row on which the next row hangs, repairs aside.
        repairs: what is added or dropped for calls and prompts without an answer.
        dropped: rows on the path that are not sent because their calls have no result.
    """

    tip: Tip
    hangs_on: int
    repairs: list[Repair]
    dropped: set[int]


def end_of(
    chain: Chain,
    leaf: int,
    rows: Sequence[int],
    trail: Sequence[int],
    unanswered: Collection[int],
    known: bytearray,
) -> End:
    """Judge the end of a path.

    Args:
        chain: the client's view.
        leaf: the talk row at which the path ends.
        rows: the path in the order of the request, what trails the leaf included.
        trail: the rows that trail the leaf.
        unanswered: those of `rows` that make a call without result on the path, in that order.
        known: per row of the transcript, whether it is among `rows`.
    """
    at_end = set(end_rows(chain, leaf))
    pending = [row for row in unanswered if row in at_end]
    kept = pending if chain.rules.repair == "errorResult" else []
    if chain.rules.repair == "answerAll":
        kept = list(unanswered)
    dropped = {row for row in unanswered if row not in kept and _only_open(chain, row, known)}
    hangs_on = _last(chain, leaf, rows, trail, dropped)
    tip = _tip(chain, leaf, pending)
    if chain.rules.repair == "answerAll":
        return End(tip, hangs_on, [Repair("syntheticToolResult", row) for row in kept], dropped)
    repairs = _repairs(chain, _Left(rows, dropped), pending, hangs_on)
    return End(tip, hangs_on, repairs, dropped)


class _Left(msgspec.Struct):
    """What is left of a path, from its end: nobody looks far."""

    rows: Sequence[int]
    dropped: set[int]

    def __iter__(self) -> Iterator[int]:
        return (row for row in reversed(self.rows) if row not in self.dropped)


def open_calls(chain: Chain, rows: Iterable[int], known: bytearray) -> list[int]:
    """Return the rows that make a call without result among the known rows."""
    flags, call, joins = chain.nodes.flags, Flag.CALL, chain.joins
    calls = [row for row in rows if flags[row] & call]
    found: list[int] = []
    for row in calls:
        for number in joins.tools(row):
            results = joins.results(number)
            # Mostly there is one result.
            if not results or not (known[results[0]] or _is_any(results, known)):
                found.append(row)
                break
    return found


def _is_any(results: Iterable[int], known: bytearray) -> bool:
    return any(known[result] for result in results)


def end_rows(chain: Chain, leaf: int) -> list[int]:
    """The rows that may be the last: the leaf, or its response with calls and all their results."""
    calls = _calls_of(chain, leaf)
    if not calls:
        return [leaf]
    joins = chain.joins
    answer = joins.all_siblings(calls)
    results = {r for row in answer for n in joins.tools(row) for r in joins.results(n)}
    return sorted(row for row in answer | results | {leaf} if chain.has(row))


def _calls_of(chain: Chain, row: int) -> list[int]:
    """The call rows of the response that a row is part of or answers."""
    joins, nodes = chain.joins, chain.nodes
    if chain.rules.recovers == "none":
        return []
    if nodes.kind[row] == Kind.ASSISTANT:
        answer = joins.siblings(row)
    else:
        called = [joins.call_row[number] for number in joins.tools(row)]
        answer = sorted(joins.all_siblings([call for call in called if call >= 0]))
    return [call for call in answer if nodes.has(call, Flag.CALL) and chain.has(call)]


def _only_open(chain: Chain, row: int, known: bytearray) -> bool:
    """Say whether nothing of a row is left once its calls without result are taken out."""
    if chain.nodes.has(row, Flag.PROSE):
        return False
    joins = chain.joins
    return not any(_is_any(joins.results(number), known) for number in joins.tools(row))


def _last(
    chain: Chain, leaf: int, rows: Sequence[int], trail: Sequence[int], dropped: set[int]
) -> int:
    ends = [row for row in end_rows(chain, leaf) if row not in dropped]
    # Nothing hangs on the note of a hook that ended well, only behind it (2.0.76 to 2.1.332).
    trail = [row for row in trail if not chain.nodes.has(row, Flag.HOOK_NOTE)]
    if not ends:
        return next(iter(_Left(rows, dropped)), leaf)
    if len(ends) > 1 and chain.rules.recovers == "fileOrder":
        return max([*ends, *trail])
    return trail[-1] if trail else (leaf if leaf in ends else ends[-1])


def _tip(chain: Chain, leaf: int, pending: list[int]) -> Tip:
    if pending:
        return "toolRunningOrLost"
    role = Role(chain.nodes.role[leaf])
    return _TIPS.get(role, "complete")


_TIPS: dict[Role, Tip] = {
    Role.PROMPT: "awaitingAnswer",
    Role.COMPACT_SUMMARY: "complete",
    Role.INJECTED: "awaitingAnswer",
    Role.TOOL_RESULT: "stoppedAfterTool",
    Role.INTERRUPT: "interrupted",
    Role.API_ERROR: "apiError",
}


def _repairs(chain: Chain, left: _Left, pending: list[int], hangs_on: int) -> list[Repair]:
    if pending and chain.rules.repair == "errorResult":
        added = [Repair("syntheticToolResult", row) for row in pending]
        return [*added, Repair("noResponsePlaceholder", pending[-1])]
    repairs = [Repair("droppedCall", row) for row in pending]
    end = _last_but_system(chain, left, hangs_on)
    if _lacks_answer(chain, left, end):
        repairs.append(Repair("noResponsePlaceholder", end))
    return repairs


def _last_but_system(chain: Chain, left: _Left, hangs_on: int) -> int:
    """The row on which a placeholder would hang: no system row, unlike the next prompt."""
    kind = chain.nodes.kind
    if kind[hangs_on] != Kind.SYSTEM:
        return hangs_on
    return next((row for row in left if kind[row] != Kind.SYSTEM), hangs_on)


def _lacks_answer(chain: Chain, left: _Left, end: int) -> bool:
    """Say whether the path ends with a user row, or with what the client takes for one."""
    kind, rules = chain.nodes.kind, chain.rules
    if kind[end] == Kind.USER:
        return True
    if rules.attachments_ask == "always":
        return kind[next(iter(left), end)] == Kind.ATTACHMENT
    talk = next((row for row in left if chain.is_talk(row)), end)
    behind_prompt = kind[end] == Kind.ATTACHMENT and kind[talk] == Kind.USER
    return behind_prompt and rules.attachments_ask == "behindPrompt"
