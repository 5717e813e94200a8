"""Where a resuming client would go on, and which rule says so (format.md section 6).

The answer is by the version of the client that resumes, not of the file. `Pointers` is what the
`last-prompt` lines of a transcript say; `find_leaf` weighs them against the chain.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from forkpoint.chain import Chain
from forkpoint.ends import Ends, talk_above
from forkpoint.nodes import CHAIN_KINDS, NO_TIME
from forkpoint.records.record import Flag, Kind, Pointer

Rule = Literal[
    "pointer",
    "pointerDescendant",
    "explicitPointer",
    "lastRecord",
    "newestTimestamp",
    "cleared",
    "requested",
]

NIL = "00000000-0000-0000-0000-000000000000"
"""Written with the first row after a rewind (2.1.300 and later): names no row, so no pointer."""


class Leaf(msgspec.Struct, frozen=True):
    """The talk row at which a client goes on.

    Attributes:
        row: ordinal of a user or assistant row; None where the next prompt is a new root.
        rule: what decided.
        pointer: the uuid that the newest counting pointer names, None without one.
        bare: the next row hangs on the leaf itself, not behind what trails it: the pointer says
            that the conversation was rewound (seen in files only, no client run wrote it).
        boundary: a boundary without summary on which the next row hangs (2.1.100 and older).
    """

    row: int | None
    rule: Rule
    pointer: str | None = None
    bare: bool = False
    boundary: int | None = None


class _State(msgspec.Struct):
    """The fold over a file's pointer lines; field names are the rule's own (format.md 6.1)."""

    pointer: str | None = None
    explicit: bool = False
    named: bool = False
    cleared: bool = False
    seen: bool = False
    rewound: bool = False


def find_leaf(chain: Chain, pointers: dict[int, Pointer]) -> Leaf:
    """Return the active leaf of a transcript for the chain's client version.

    Args:
        chain: the client's view.
        pointers: ordinal of each `last-prompt` line that has a `leafUuid` -> what it says.
    """
    return PointerFold(chain, pointers).leaf(chain)


class PointerFold:
    """What the lines of a file say together about where to go on."""

    def __init__(self, chain: Chain, pointers: dict[int, Pointer]) -> None:
        """Fold all lines in; see `find_leaf`."""
        self._state = _fold(chain, pointers) if chain.rules.pointer else _State()
        self._last = _last_row(chain)
        self._ends: Ends | None = None
        # Times count only where no pointer line stands.
        self._newest = NO_TIME if self._state.seen else max(chain.nodes.time, default=NO_TIME)

    def grow(self, chain: Chain, pointers: dict[int, Pointer], start: int) -> None:
        """Fold in the lines from `start` on, none of which is a boundary or repeats a uuid."""
        state = self._state
        for line in range(start, chain.end):
            if _is_main_line(chain, line):
                self._last = line
                state.explicit = state.cleared = False
                if self._ends is not None and chain.is_main(line):
                    self._ends.add(chain, line)
            elif line in pointers and chain.rules.pointer:
                _turn(state, pointers[line], chain.rules.null_clears)
        self._newest = max(self._newest, max(chain.nodes.time[start:], default=NO_TIME))

    def leaf(self, chain: Chain) -> Leaf:
        """Return the active leaf; see `find_leaf`."""
        state, last = self._state, self._last
        if chain.rules.newest_by_time:
            return _newest_by_time(chain)
        if state.cleared:
            return Leaf(None, "cleared", state.pointer)
        if last is None:
            return Leaf(None, "lastRecord", state.pointer)
        pointed = chain.nodes.find(state.pointer)
        if pointed is not None and not chain.has(pointed):
            pointed = None
        if pointed is not None and chain.nodes.has(pointed, Flag.SIDECHAIN) and state.explicit:
            return Leaf(None, "explicitPointer", state.pointer)
        if not chain.kept or (state.explicit and pointed is not None):
            is_newest = chain.nodes.time[last] >= self._newest
            found = _from_pointer(chain, state, pointed, last, is_newest=is_newest)
            if found is not None:
                return found
        if self._ends is None:
            self._ends = Ends(chain)
        return _from_ends(chain, state, pointed, last, self._ends)


def _from_pointer(
    chain: Chain, state: _State, pointed: int | None, last: int, *, is_newest: bool
) -> Leaf | None:
    at, rule = pointed, _pointer_rule(state)
    if at not in (None, last) and not state.explicit and _yields(chain, state, at, last):
        at, rule = last, "pointerDescendant"
    if at is None and not chain.kept:
        at = last if is_newest else _last_or_below(chain, state, last)
        rule = "lastRecord"
    row = None if at is None else talk_above(chain, at)
    bare = state.rewound and rule == "explicitPointer"
    return None if row is None else Leaf(row, rule, state.pointer, bare)


def _pointer_rule(state: _State) -> Rule:
    return "explicitPointer" if state.explicit else "pointer"


def _yields(chain: Chain, state: _State, at: int, last: int) -> bool:
    """Say whether a plain pointer gives way to the last row."""
    return chain.descends(last, at) or _batch(chain, state, at, last) or _split(chain, at, last)


def _batch(chain: Chain, state: _State, pointed: int, last: int) -> bool:
    """The pointer is a call or result of a parallel batch and the last row is a sibling's."""
    if not chain.rules.batch or state.named:
        return False
    joins = chain.joins
    calls = {joins.call_row[n] for n in joins.tools(pointed) if joins.call_row[n] >= 0}
    members: set[int] = set()
    for sibling in joins.all_siblings(calls):
        for number in joins.tools(sibling):
            members |= {joins.call_row[number], *joins.results(number)}
    return chain.descends_from_any(last, members)


def _split(chain: Chain, pointed: int, last: int) -> bool:
    """The pointer ends an answer whose rows others stand between, and newer talk hangs on those."""
    if not chain.rules.split:
        return False
    answer = chain.joins.siblings(pointed)
    if len(answer) < 2 or answer[-1] != pointed or chain.nodes.kind[pointed] != Kind.ASSISTANT:
        return False
    if any(chain.nodes.has(row, Flag.CALL) for row in answer):
        return False
    between = _rows_between(chain, answer)
    hangs = chain.descends_from_any(last, between) and not chain.descends(last, pointed)
    return hangs and not chain.children(pointed) and not chain.children(last)


def _rows_between(chain: Chain, answer: list[int]) -> set[int]:
    inside = range(answer[0] + 1, answer[-1])
    return {
        row for row in inside if chain.is_main(row) and not chain.is_talk(row) and row not in answer
    }


def _last_or_below(chain: Chain, state: _State, last: int) -> int:
    """Without any pointer line, newer rows below the last row win over it (2.1.258 and later)."""
    if state.seen or not chain.rules.below_last:
        return last
    time = chain.nodes.time
    if all(time[row] <= time[last] for row in chain.rows()):
        return last
    below = [row for row in _below(chain, last) if chain.is_main(row)]
    return max(below, key=lambda row: (time[row], row), default=last)


def _below(chain: Chain, top: int) -> Iterable[int]:
    waiting = [top]
    while waiting:
        for child in chain.children(waiting.pop()):
            if child != top:  # parents may go round
                waiting.append(child)
                yield child


def _from_ends(chain: Chain, state: _State, pointed: int | None, last: int, ends: Ends) -> Leaf:
    if not ends.rows:
        return Leaf(None, "lastRecord", state.pointer)
    if len(ends.rows) == 1:
        end = next(iter(ends.rows))
        return Leaf(end, _end_rule(chain, state, pointed, end), state.pointer)
    at, rule = last, "lastRecord"
    # A pointer to talk that was set on purpose has been followed already.
    if pointed in ends.rows and not _exempt(chain, state, pointed, last):
        at, rule = pointed, "pointer"
    row = talk_above(chain, at)
    if row is None:
        row = max(Ends(chain).rows, key=lambda end: chain.nodes.time[end])
    return Leaf(row, rule, state.pointer)


def _exempt(chain: Chain, state: _State, pointed: int, last: int) -> bool:
    return _batch(chain, state, pointed, last) or _split(chain, pointed, last)


def _end_rule(chain: Chain, state: _State, pointed: int | None, end: int) -> Rule:
    if pointed is None or not chain.descends(end, pointed):
        return "lastRecord"
    return _pointer_rule(state) if end == pointed else "pointerDescendant"


# --- the fold over pointer lines ---------------------------------------------------------------


def _fold(chain: Chain, pointers: dict[int, Pointer]) -> _State:
    state = _State()
    before = 0
    bounds = {row for row in chain.bounds if not chain.nodes.has(row, Flag.SIDECHAIN)}
    for ordinal in sorted({*(line for line in pointers if line < chain.end), *bounds}):
        # Only the two marks hang on the rows between.
        if (state.explicit or state.cleared) and _main_row_in(chain, before, ordinal + 1):
            state.explicit = state.cleared = False
        before = ordinal + 1
        if ordinal in bounds:
            state.pointer, state.named = None, False
        else:
            _turn(state, pointers[ordinal], chain.rules.null_clears)
    if (state.explicit or state.cleared) and _main_row_in(chain, before, chain.end):
        state.explicit = state.cleared = False
    return state


def _turn(state: _State, line: Pointer, null_clears: bool) -> None:
    state.seen = True
    if line.leaf is not None:
        again = line.leaf == state.pointer
        state.explicit = line.explicit or (state.explicit and again)
        state.named = line.explicit or (state.named and again)
        state.pointer, state.cleared = line.leaf, False
        state.rewound = line.rewound
    elif line.explicit and null_clears:
        state.pointer, state.explicit, state.named, state.cleared = None, False, False, True


def _main_row_in(chain: Chain, start: int, stop: int) -> bool:
    """Say whether a main row, a repeated one too, stands in a range of lines."""
    return any(_is_main_line(chain, row) for row in range(stop - 1, start - 1, -1))


def _is_main_line(chain: Chain, row: int) -> bool:
    nodes = chain.nodes
    if nodes.kind[row] not in CHAIN_KINDS or nodes.has(row, Flag.SIDECHAIN):
        return False
    return chain.in_file(nodes.first_of.get(row, row))


def _last_row(chain: Chain) -> int | None:
    nodes = chain.nodes
    for row in range(min(chain.end, len(nodes)) - 1, -1, -1):
        if row in nodes.first_of and chain.rules.repeats == "never":
            continue
        if _is_main_line(chain, row):
            return nodes.first_of.get(row, row)
    return None


def _newest_by_time(chain: Chain) -> Leaf:
    """To 2.1.100 the newest timestamp is the leaf, of system rows too; of equal ones the later."""
    time = chain.nodes.time
    newest = max(chain.rows(), key=lambda row: (time[row], row), default=None)
    if newest is None:
        return Leaf(None, "newestTimestamp")
    row = talk_above(chain, newest)
    return Leaf(row, "newestTimestamp", boundary=newest if row is None else None)
