"""What the next request would carry: from the leaf to an ordered list of rows (format.md 7, 8).

The walk by parents misses the other results of parallel calls and may run into gaps; the client
puts rows back, bridges, leaves some out and repairs an unfinished end. Every row that it considers
is in the answer, with its fate.
"""

from __future__ import annotations

from collections.abc import Iterable, MutableSequence, Sequence

import msgspec

from forkpoint.chain import Chain
from forkpoint.leaf import Leaf
from forkpoint.nodes import MISSING
from forkpoint.records.record import Flag, Kind, Role
from forkpoint.tip import Repair, Tip, end_of, end_rows, open_calls


class Request(msgspec.Struct, frozen=True):
    """The active path as a client would send it.

    Attributes:
        rows: ordinals in the order of the request, rows that are never sent among them.
        sent: those of them whose content the request carries.
        hangs_on: the row on which the next row would hang (repairs aside); None for a new root.
        tip: how the path ends.
        repairs: what the client does about gaps and an unfinished end, gaps first.
    """

    rows: list[int]
    sent: set[int]
    hangs_on: int | None
    tip: Tip
    repairs: list[Repair]


def next_request(chain: Chain, leaf: Leaf) -> Request:
    """Return the rows that a resume at this leaf puts into its request."""
    if leaf.row is None:
        return Request([], set(), leaf.boundary, "empty", [])
    row = stand_in(chain, leaf.row)
    walked, gaps = walk(chain, row)
    rows: list[int] = []
    known = bytearray(len(chain.nodes))
    put_back(chain, walked, known, rows, [])
    trail = [] if leaf.bare else [below for below in tail(chain, row) if not known[below]]
    rows += trail
    for below in trail:
        known[below] = True
    end = end_of(chain, row, rows, trail, open_calls(chain, rows, known), known)
    sent = {at for at, is_sent in zip(rows, fates(chain, rows), strict=True) if is_sent}
    return Request(rows, sent - end.dropped, end.hangs_on, end.tip, gaps + end.repairs)


# --- from the leaf to a list -------------------------------------------------------------------


def stand_in(chain: Chain, leaf: int) -> int:
    """Return where the walk begins: a leaf that kept rows hang on gives way to the last of them."""
    return chain.kept[-1] if chain.kept and leaf == chain.anchor else leaf


def walk(chain: Chain, leaf: int) -> tuple[list[int], list[Repair]]:
    """Walk from a row to the root, over gaps where the client does.

    Returns:
        The rows, root first, and what was done at gaps.
    """
    path = [leaf]
    if chain.is_plain:
        parent = chain.nodes.parent
        while (above := parent[path[-1]]) >= 0:
            path.append(above)
        if above != MISSING:
            return path[::-1], []
    return _walk_on(chain, path)


def _walk_on(chain: Chain, path: list[int]) -> tuple[list[int], list[Repair]]:
    walked = set(path)
    gaps: list[Repair] = []
    while True:
        row = path[-1]
        above = chain.parent(row)
        if above >= 0 and above not in walked:
            pass
        elif above >= 0 or above == MISSING:
            bridge = chain.bridge(row, walked)
            if bridge is None:
                gaps.append(Repair("cutAtGap", row))
                return path[::-1], gaps
            gaps.append(Repair("bridgedGap", row, bridge))
            above = bridge
        else:
            return path[::-1], gaps
        path.append(above)
        walked.add(above)


def recover(chain: Chain, path: list[int]) -> list[int]:
    """Put back the rows of parallel calls that a walk missed, where the client does."""
    out: list[int] = []
    put_back(chain, path, bytearray(len(chain.nodes)), out, [])
    return out


def put_back(
    chain: Chain,
    path: Sequence[int],
    done: bytearray,
    out: MutableSequence[int],
    starts: MutableSequence[int],
) -> bool:
    """Do the same step by step, so that it can be gone on with (see `ActiveLine`).

    Args:
        chain: a client's view.
        path: rows that were walked.
        done: per row, whether it stands in `out`.
        out: is appended to.
        starts: gets for each row of the path how long `out` was before.

    Returns:
        Whether another row makes one of the calls, too: its results may belong to several steps.
    """
    kind, flags, joins = chain.nodes.kind, chain.nodes.flags, chain.joins
    response, rows_of = joins.response, joins.rows_of
    on_path = _places(chain, path)
    recovers, assistant, joined = chain.rules.recovers != "none", Kind.ASSISTANT, _JOINED
    told: set[int] = set()
    # A repeated row may have lost the flag, but its calls stay known.
    is_shared, is_odd = False, bool(chain.nodes.first_of) or not chain.is_plain
    for row in path:
        starts.append(len(out))
        if done[row]:
            continue
        if kind[row] == assistant and recovers:
            answer = rows_of(response[row]) if response[row] >= 0 else [row]
            if len(answer) > 1 or flags[row] & joined or is_odd:
                step, is_shared_here = _step(chain, answer, on_path, told)
                is_shared = is_shared or is_shared_here
                _add(step, done, out)
                continue
        done[row] = True
        out.append(row)
    return is_shared


def _add(step: Iterable[int], done: bytearray, out: MutableSequence[int]) -> None:
    for member in step:
        if not done[member]:
            done[member] = True
            out.append(member)


_JOINED = Flag.CALL | Flag.RESULT


def _places(chain: Chain, path: Sequence[int]) -> dict[int, int] | None:
    """Where the path holds which row, for clients to which that matters."""
    if chain.rules.recovers != "resultsFirst":
        return None
    return {row: at for at, row in enumerate(path)}


def _step(
    chain: Chain, answer: Sequence[int], on_path: dict[int, int] | None, told: set[int]
) -> tuple[list[int], bool]:
    """One response with the results of its calls, as the client orders them.

    Results stand behind the first step that has them: calls in `told` were another row's, too.
    """
    joins = chain.joins
    siblings = chain.those_of(answer)
    results: list[int] = []
    is_shared = False
    for sibling in siblings:
        for number in joins.tools(sibling):
            if joins.call_row[number] != sibling:
                is_shared = True
                if number in told:
                    continue
                told.add(number)
            results += joins.results(number)
    if len(results) > 1:
        results = sorted(set(results))
    results = chain.those_of(results)
    if on_path is not None:
        walked = [result for result in results if result in on_path]
        results = [result for result in results if result not in on_path]
        results += sorted(walked, key=lambda result: on_path[result])
    return siblings + results, is_shared


# --- what trails the leaf ----------------------------------------------------------------------


def tail(chain: Chain, leaf: int) -> list[int]:
    """Return the rows below a leaf that are no talk, each before its own, siblings by time."""
    out: list[int] = []
    seen: set[int] = set()
    for start in end_rows(chain, leaf):
        waiting = _trailing(chain, start, seen)
        while waiting:
            out.append(waiting.pop())
            waiting += _trailing(chain, out[-1], seen)
    return out


def _trailing(chain: Chain, row: int, seen: set[int]) -> list[int]:
    """What trails a row and was not seen yet, the latest first."""
    found = [
        child
        for child in chain.children(row)
        if child not in seen and _may_trail(chain, child) and chain.is_main(child)
    ]
    seen.update(found)
    return sorted(found, key=lambda child: chain.nodes.time[child], reverse=True)


def _may_trail(chain: Chain, row: int) -> bool:
    kind, trails = chain.nodes.kind[row], chain.rules.trails
    if kind == Kind.ATTACHMENT:
        return trails == "all"
    return kind == Kind.SYSTEM and trails != "nothing"


# --- what is sent ------------------------------------------------------------------------------


def fates(chain: Chain, rows: Iterable[int]) -> bytearray:
    """Say of each row whether it is sent, the end's repairs aside: a byte per row, 1 or 0."""
    kind, flags, user, assistant = chain.nodes.kind, chain.nodes.flags, Kind.USER, Kind.ASSISTANT
    return bytearray(
        [
            kind[row] == user
            or (
                flags[row] & _ERROR_NOTE != _ERROR_NOTE
                if kind[row] == assistant
                else _is_sent(chain, row)
            )
            for row in rows
        ]
    )


_ERROR_NOTE = Flag.API_ERROR | Flag.SYNTHETIC


def _is_sent(chain: Chain, row: int) -> bool:
    """Say it of a row that is no talk."""
    nodes = chain.nodes
    if nodes.kind[row] == Kind.ATTACHMENT:
        return nodes.has(row, Flag.RENDERED) or nodes.role[row] == Role.PROMPT
    if not nodes.has(row, Flag.LOCAL_COMMAND) or not chain.rules.sends_local_commands:
        return False
    return chain.rules.sends_display_only or not nodes.has(row, Flag.DISPLAY_ONLY)
