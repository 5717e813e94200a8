"""What a transcript holds beside a path: other branches, subagents, state lines, and what is left.

Every record that does not stand in a readable text belongs to exactly one of these groups.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import compress

import msgspec

from forkpoint.nodes import CHAIN_KINDS, Nodes
from forkpoint.piece import LinkKind
from forkpoint.records.record import Flag, Kind
from forkpoint.segments import Segment
from forkpoint.session import Conversation

_SHOWN = bytes([1, *bytes(255)])
"""Turns a mark of what is shown into one of what is not."""


class Group(msgspec.Struct, frozen=True):
    """Records that one row stands for.

    Attributes:
        name: what they are; text of the transcript may be part of it.
        rows: their ordinals, in file order.
        kind, target: where they can be read; None where nowhere but in the file.
    """

    name: str
    rows: Sequence[int]
    kind: LinkKind | None = None
    target: str = ""


def elsewhere(
    conversation: Conversation, version: str | None, shown: Iterable[int], leaf: str | None
) -> list[Group]:
    """Group the records that a text does not show.

    Args:
        conversation: of the transcript.
        version: the client that would go on.
        shown: ordinals of the records that stand in the text.
        leaf: the record that was named as the end of the path; None for the active path.
    """
    nodes = conversation.index.nodes
    marks = bytearray(len(nodes))
    for row in shown:
        marks[row] = 1
    left = [*compress(range(len(nodes)), marks.translate(_SHOWN))]
    groups: list[Group] = []
    for group in _apart(conversation, version, left, leaf):
        if rows := [row for row in group.rows if not marks[row]]:
            for row in rows:
                marks[row] = 1
            groups.append(msgspec.structs.replace(group, rows=rows))
    return groups


def _apart(
    conversation: Conversation, version: str | None, left: Sequence[int], leaf: str | None
) -> Iterator[Group]:
    """Yield groups that may overlap: a record belongs to the first."""
    nodes = conversation.index.nodes
    if any(map(nodes.is_node, left)):
        if leaf is not None:
            active = conversation.path(version).entries.rows
            yield Group("The active path", active, "transcript")
        yield from _branches(conversation, version)
        yield from _subagents(nodes, left)
    yield from _by_kind(nodes, left)


def _branches(conversation: Conversation, version: str | None) -> Iterator[Group]:
    nodes, prompts = conversation.index.nodes, conversation.index.summary.prompts
    for segment in conversation.segments(version):
        if segment.active:
            continue
        label = prompts.get(segment.prompts[0]) if segment.prompts else None
        name = f"Branch: {label}" if label else "Branch without a prompt"
        end = _last(nodes, segment)
        uuid = None if end is None else nodes.uuid(end)
        rows = [row for row in segment.rows if nodes.kind[row] in CHAIN_KINDS]
        yield Group(name, rows, *(("branch", uuid) if uuid else (None, "")))


def _last(nodes: Nodes, segment: Segment) -> int | None:
    rows = reversed(segment.rows)
    return next((row for row in rows if nodes.kind[row] in CHAIN_KINDS), None)


def _subagents(nodes: Nodes, left: Sequence[int]) -> Iterator[Group]:
    """Subagents of clients of 1.x, whose rows stand in the session's own file."""
    root_of: dict[int, int] = {}
    below: dict[int, list[int]] = {}
    for row in left:
        if nodes.is_node(row) and nodes.flags[row] & Flag.SIDECHAIN:
            parent = nodes.parent[row]
            root = root_of[row] = root_of.get(parent, parent if parent >= 0 else row)
            below.setdefault(root, []).append(row)
    for rows in below.values():
        yield Group("Subagent in this file", rows, "branch", nodes.uuid(rows[-1]) or "")


def _by_kind(nodes: Nodes, left: Sequence[int]) -> Iterator[Group]:
    kind, known = nodes.kind, nodes.first_of
    repeats = [row for row in left if row in known] if known else []
    yield Group(_NAMES[None][len(repeats) != 1], repeats)
    for each, names in _NAMES.items():
        if each is not None:
            rows = [row for row in left if kind[row] == each]
            yield Group(names[len(rows) != 1], rows)
    yield Group("Records beside this path", left)


_NAMES: dict[Kind | None, tuple[str, str]] = {
    None: ("Line that repeats a record", "Lines that repeat a record"),
    Kind.STATE: ("State line", "State lines"),
    Kind.PROGRESS: ("Progress record", "Progress records"),
    Kind.UNKNOWN: ("Record of no known kind", "Records of no known kind"),
    Kind.MALFORMED: ("Line that is no record", "Lines that are no records"),
}


def total(groups: Collection[Group]) -> int:
    """Return how many records the groups hold."""
    return sum(len(group.rows) for group in groups)
