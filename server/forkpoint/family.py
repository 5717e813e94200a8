"""Which sessions belong together, as a tree: each below the one that it came from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple


class Node(NamedTuple):
    """A session of a family.

    Attributes:
        parent: the session it came from; None for the root.
        depth: how many sessions stand above it.
    """

    session_id: str
    parent: str | None
    depth: int


def family_ids(session_id: str, parents: Mapping[str, str]) -> set[str]:
    """Return the ids of all sessions that are connected with one, itself included.

    Args:
        session_id: the one.
        parents: session -> the session that it came from, which may be in no other place.
    """
    children = _children(parents)
    todo, found = [session_id], {session_id}
    while todo:
        each = todo.pop()
        parent = parents.get(each)
        around = {*children.get(each, ()), *(() if parent is None else (parent,))}
        todo += around - found
        found |= around
    return found


def in_order(
    ids: Iterable[str], parents: Mapping[str, str], key: Callable[[str], Any]
) -> list[Node]:
    """Return a family from the root down, each session directly before those that came from it.

    Sessions that name each other in a circle are no family tree: the one with the least id is the
    root then.

    Args:
        ids: of the family.
        parents: see `family_ids`.
        key: what those with one parent are ordered by.
    """
    members = set(ids)
    known = {each: parents[each] for each in members if parents.get(each) in members}
    for circle in _circles(known):
        del known[min(circle)]
    children = _children(known)
    nodes: list[Node] = []
    todo = [Node(each, None, 0) for each in sorted(members - known.keys(), reverse=True)]
    while todo:
        node = todo.pop()
        nodes.append(node)
        below = sorted(children.get(node.session_id, ()), key=key, reverse=True)
        todo += [Node(each, node.session_id, node.depth + 1) for each in below]
    return nodes


def _children(parents: Mapping[str, str]) -> dict[str, list[str]]:
    children: dict[str, list[str]] = {}
    for each, parent in parents.items():
        children.setdefault(parent, []).append(each)
    return children


def _circles(parents: Mapping[str, str]) -> list[set[str]]:
    """Sessions that come from each other, a set per circle."""
    circles: list[set[str]] = []
    done: set[str] = set()
    for start in parents:
        way: dict[str, int] = {}
        each: str | None = start
        while each is not None and each not in way and each not in done:
            way[each] = len(way)
            each = parents.get(each)
        if each is not None and each in way:
            circles.append({one for one, place in way.items() if place >= way[each]})
        done.update(way)
    return circles
