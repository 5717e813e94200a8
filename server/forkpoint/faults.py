"""What of a transcript is not as it should be, row by row?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

import msgspec

from forkpoint.index import TranscriptIndex
from forkpoint.inert import visible
from forkpoint.nodes import Nodes
from forkpoint.records.claude_code import KNOWN_TYPES
from forkpoint.records.codex import KNOWN_LINES, decode_item
from forkpoint.records.decode import decode, type_at_head
from forkpoint.records.record import Flag, Kind, Malformed
from forkpoint.records.words import one_line
from forkpoint.row_names import reason_in_words
from forkpoint.worded import say

Code = Literal["malformed", "danglingParent", "cycle", "duplicateUuid", "unknownType", "tornTail"]

MOST = 500
"""Faults of one kind that are told: what is broken everywhere is not told line by line."""


class Fault(msgspec.Struct, frozen=True):
    """Something odd about a row.

    Attributes:
        about: another row that it concerns.
    """

    row: int
    code: Code
    sentence: str
    about: int | None = None


def faults_of(index: TranscriptIndex, read: Callable[[Sequence[int]], list[bytes]]) -> list[Fault]:
    """Return the faults in file order; of each kind the first `MOST`.

    Args:
        index: the transcript's index.
        read: gives the bytes of rows; asked only where types are met that nobody knows.
    """
    kinds = (
        _malformed(index),
        _dangling(index),
        _cycles(index.nodes),
        _duplicates(index.nodes),
        _unknown(index, read),
    )
    found = [fault for kind in kinds for fault, _ in zip(kind, range(MOST), strict=False)]
    return sorted(found, key=lambda fault: fault.row)


def _malformed(index: TranscriptIndex) -> Iterator[Fault]:
    for row, reason in index.malformed.items():
        sentence = say("This is no record: {reason}.", reason=reason_in_words(reason))
        yield Fault(row, "malformed", sentence)


def _dangling(index: TranscriptIndex) -> Iterator[Fault]:
    for row, parent in sorted(index.nodes.missing.items()):
        sentence = say(
            "The parent of this record is missing: {parent} is not in the file.",
            parent=visible(one_line(parent)),
        )
        yield Fault(row, "danglingParent", sentence)


def _cycles(nodes: Nodes) -> Iterator[Fault]:
    for row in rings(nodes):
        sentence = say("The parents of this record lead back to it.")
        yield Fault(row, "cycle", sentence, nodes.parent[row])


def rings(nodes: Nodes) -> list[int]:
    """Return the rows whose parents lead back to them, in file order."""
    parent = nodes.parent
    # One of each ring stands before its parent, or is it.
    suspects = [row for row in range(len(parent)) if parent[row] >= row]
    done: set[int] = set()
    found: set[int] = set()
    for row in suspects:
        walked: dict[int, None] = {}
        while row >= 0 and row not in done and row not in walked:
            walked[row] = None
            row = parent[row]
        if row in walked:
            way = list(walked)
            found.update(way[way.index(row) :])
        done.update(walked)
    return sorted(found)


def _duplicates(nodes: Nodes) -> Iterator[Fault]:
    for row, first in nodes.first_of.items():
        if nodes.body_of.get(first) == row:
            sentence = say(
                "This uuid stands on record {first}, too: its place counts, and this content.",
                first=first,
            )
        else:
            sentence = say(
                "This uuid stands on record {first}, too: this content does not count.", first=first
            )
        yield Fault(row, "duplicateUuid", sentence, first)


def _unknown(
    index: TranscriptIndex, read: Callable[[Sequence[int]], list[bytes]]
) -> Iterator[Fault]:
    if not index.unknown_types:
        return
    is_rollout = index.rollout is not None
    known = KNOWN_LINES if is_rollout else KNOWN_TYPES
    for row, type_name in _types(_of_no_known_kind(index), read, is_rollout=is_rollout):
        if type_name not in known:
            sentence = say(
                "No known client writes records of this type: {type}.",
                type=visible(one_line(type_name)) or say("none"),
            )
            yield Fault(row, "unknownType", sentence)


def _of_no_known_kind(index: TranscriptIndex) -> list[int]:
    """The rows that may be unknown: a state line's type is no column."""
    nodes = index.nodes
    odd = (Kind.UNKNOWN, Kind.STATE)
    # A repeated uuid's first row takes over the kind of the later one.
    return [
        row
        for row, kind in enumerate(nodes.kind)
        if kind in odd or row in nodes.body_of or nodes.flags[row] & Flag.REPEAT
    ]


_AT_ONCE = 200
_HEAD = 100


def _types(
    rows: Sequence[int], read: Callable[[Sequence[int]], list[bytes]], *, is_rollout: bool
) -> Iterable[tuple[int, str]]:
    for start in range(0, len(rows), _AT_ONCE):
        some = rows[start : start + _AT_ONCE]
        for row, line in zip(some, read(some), strict=True):
            if (type_name := _type_of(line, is_rollout=is_rollout)) is not None:
                yield row, type_name


def _type_of(line: bytes, *, is_rollout: bool) -> str | None:
    """The type, from the head where it stands first: most of these lines begin with it."""
    if not is_rollout and (type_name := type_at_head(line[:_HEAD])) is not None:
        return type_name
    value = (decode_item(line) if is_rollout else decode(line))[0].value
    return None if isinstance(value, Malformed) else value.type
