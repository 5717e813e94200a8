"""What the next request would carry: from the leaf to an ordered list of rows (format.md 7, 8).

The walk by parents misses the other results of parallel calls and may run into gaps; the client
puts rows back, bridges, leaves some out and repairs an unfinished end. Every row that it considers
is in the answer, with its fate.
"""

from __future__ import annotations

import msgspec

from forkpoint.chain import Chain
from forkpoint.leaf import Leaf
from forkpoint.nodes import MISSING
from forkpoint.records.record import Flag, Kind, Role
from forkpoint.tip import Repair, Tip, end_of, end_rows


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
    row = _stand_in(chain, leaf.row)
    walked, gaps = walk(chain, row)
    rows = recover(chain, walked)
    known = set(rows)
    trail = [] if leaf.bare else [below for below in _tail(chain, row) if below not in known]
    rows += trail
    end = end_of(chain, row, rows, trail)
    sent = {at for at in rows if at not in end.dropped and _is_sent(chain, at)}
    return Request(rows, sent, end.hangs_on, end.tip, gaps + end.repairs)


# --- from the leaf to a list -------------------------------------------------------------------


def _stand_in(chain: Chain, leaf: int) -> int:
    """A leaf that kept rows hang on gives way to the last of them."""
    return chain.kept[-1] if chain.kept and leaf == chain.anchor else leaf


def walk(chain: Chain, leaf: int) -> tuple[list[int], list[Repair]]:
    """Walk from a row to the root, over gaps where the client does.

    Returns:
        The rows, root first, and what was done at gaps.
    """
    path, walked = [leaf], {leaf}
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
    if chain.rules.recovers == "none":
        return path
    on_path = {row: at for at, row in enumerate(path)}
    done: set[int] = set()
    out: list[int] = []
    for row in path:
        if row in done:
            continue
        step = [member for member in _response_step(chain, row, on_path) if member not in done]
        done.update(step)
        out += step
    return out


def _response_step(chain: Chain, row: int, on_path: dict[int, int]) -> list[int]:
    """One response with the results of its calls, as the client orders them; else the row alone."""
    if chain.nodes.kind[row] != Kind.ASSISTANT:
        return [row]
    answer = [sibling for sibling in chain.joins.siblings(row) if chain.has(sibling)]
    results = sorted(
        {
            result
            for sibling in answer
            for number in chain.joins.tools(sibling)
            for result in chain.joins.results(number)
            if chain.has(result)
        }
    )
    if chain.rules.recovers == "resultsFirst":
        walked = [result for result in results if result in on_path]
        results = [result for result in results if result not in on_path]
        results += sorted(walked, key=lambda result: on_path[result])
    return answer + results


# --- what trails the leaf ----------------------------------------------------------------------


def _tail(chain: Chain, leaf: int) -> list[int]:
    """The rows below the leaf that are no talk, each followed by its own, siblings by time."""
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


def _is_sent(chain: Chain, row: int) -> bool:
    nodes = chain.nodes
    kind = nodes.kind[row]
    if kind == Kind.USER:
        return True
    if kind == Kind.ASSISTANT:
        return not (nodes.has(row, Flag.API_ERROR) and nodes.has(row, Flag.SYNTHETIC))
    if kind == Kind.ATTACHMENT:
        return nodes.has(row, Flag.RENDERED) or nodes.role[row] == Role.PROMPT
    if not nodes.has(row, Flag.LOCAL_COMMAND) or not chain.rules.sends_local_commands:
        return False
    return chain.rules.sends_display_only or not nodes.has(row, Flag.DISPLAY_ONLY)
