"""Which rows of a transcript are copies of another's, and where do the two part?

`/branch` and `--fork-session` keep uuids, the SDKs' `forkSession` gives new ones and keeps message
ids and, but for the last row, times (format.md section 12). A resume by a client of 1.x copies
nothing: its new file goes on from a row of the old one. Nor does a paginated fork of Codex, or a
thread of it that was taken back: its header says up to which byte of another rollout it goes on.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from forkpoint.index import TranscriptIndex
from forkpoint.joins import NONE
from forkpoint.records.record import Flag, Kind, Role


class Copies(NamedTuple):
    """Rows of the copy, in file order.

    Attributes:
        rows: their ordinals.
        originals: by place in `rows`, the ordinal of the record in the original; `NONE` where that
            is not known, as the original is gone or other than it was.
    """

    rows: array[int]
    originals: array[int]

    def original_of(self, row: int) -> int | None:
        """Return what a row is a copy of; None where it is none, or the record is not known."""
        place = bisect_right(self.rows, row) - 1
        if place < 0 or self.rows[place] != row or self.originals[place] == NONE:
            return None
        return self.originals[place]


NOTHING = Copies(array("i"), array("i"))


def copies_of(index: TranscriptIndex, original: TranscriptIndex | None) -> Copies:
    """Return which rows of a transcript were copied from another.

    Args:
        index: the copy.
        original: what it was copied from; None where that is gone: then only what the rows say.
    """
    said = _said(index)
    if original is None:
        return Copies(array("i", said), array("i", [NONE]) * len(said))
    pairs = dict(index.nodes.common(original.nodes))
    if not pairs:
        pairs = _aligned(index, original, sorted({*said, *_up_to_last_shared(index, original)}))
    rows = sorted({*pairs, *said})
    return Copies(array("i", rows), array("i", [pairs.get(row, NONE) for row in rows]))


def _said(index: TranscriptIndex) -> list[int]:
    """Rows that say themselves that they were copied."""
    nodes = index.nodes
    bits = Flag.COPIED
    return [row for row, flags in enumerate(nodes.flags) if flags & bits and nodes.is_node(row)]


def main_rows(index: TranscriptIndex, start: int = 0) -> Iterable[int]:
    """Yield the nodes of the main conversation, in file order."""
    for row in range(start, len(index.nodes)):
        if _is_main(index, row):
            yield row


def _is_main(index: TranscriptIndex, row: int) -> bool:
    return index.nodes.is_node(row) and not index.nodes.has(row, Flag.SIDECHAIN)


def _up_to_last_shared(index: TranscriptIndex, original: TranscriptIndex) -> list[int]:
    """The rows up to the last one of a response that both transcripts have."""
    theirs = frozenset(original.joins.message_ids)
    shared = [n for n, message_id in enumerate(index.joins.message_ids) if message_id in theirs]
    if not shared:
        return []
    end = max(index.joins.rows_of(number)[-1] for number in shared)
    return [row for row in main_rows(index) if row <= end]


def _aligned(
    index: TranscriptIndex, original: TranscriptIndex, rows: Sequence[int]
) -> dict[int, int]:
    """Find what rows with other uuids are copies of: both files have them in the same order."""
    places: dict[object, list[int]] = {}
    theirs = [row for row in main_rows(original) if original.nodes.kind[row] != Kind.PROGRESS]
    for place, row in enumerate(theirs):
        places.setdefault(_likeness(original, row), []).append(place)
    found: dict[int, int] = {}
    at = -1
    for row in rows:
        alike = places.get(_likeness(index, row), ())
        later = bisect_right(alike, at)
        if later < len(alike):
            at = alike[later]
        elif at + 1 < len(theirs) and _same_kind(index, row, original, theirs[at + 1]):
            at += 1
        else:
            continue
        found[row] = theirs[at]
    return found


def _likeness(index: TranscriptIndex, row: int) -> object:
    number = index.joins.response[row]
    if number != NONE:
        return index.joins.message_ids[number]
    return index.nodes.kind[row], index.nodes.time[row]


def _same_kind(index: TranscriptIndex, row: int, original: TranscriptIndex, other: int) -> bool:
    """Say whether two rows may be one: the last row of an SDK's fork has the time of the fork."""
    if index.joins.response[row] != NONE or original.joins.response[other] != NONE:
        return False
    one, two = index.nodes, original.nodes
    return (one.kind[row], one.role[row]) == (two.kind[other], two.role[other])


# --- where they part -----------------------------------------------------------------------------


class Parting(msgspec.Struct, frozen=True):
    """The last record that two transcripts have in common; all are ordinals.

    Attributes:
        row: in the copy; None where it goes on from the other and copied nothing.
        original: in the original; None where it is gone, or has the record no more.
        prompt: with which the copy goes on; None where it did not yet.
        original_prompt: likewise of the original.
    """

    row: int | None
    original: int | None
    prompt: int | None
    original_prompt: int | None


def parting_of(
    index: TranscriptIndex, original: TranscriptIndex | None, copies: Copies
) -> Parting | None:
    """Return where a transcript and the one it came from part; None where nothing tells."""
    if not copies.rows:
        return _going_on(index, original)
    known = [place for place, row in enumerate(copies.originals) if row != NONE]
    last = known[-1] if known else len(copies.rows) - 1
    row, there = copies.rows[last], copies.originals[last] if known else None
    return Parting(
        row,
        there,
        _prompt_behind(index, row, frozenset(copies.rows)),
        None if original is None or there is None else _prompt_behind(original, there),
    )


def _going_on(index: TranscriptIndex, original: TranscriptIndex | None) -> Parting | None:
    """The point where a new file goes on from a row of an older one."""
    there = None if original is None else row_gone_on_from(index, original)
    if original is None or there is None:
        # A fork of a fork may go on from what both go on from.
        base = history_base(index)
        return None if base is None else Parting(None, None, _prompt_behind(index, -1), None)
    return Parting(None, there, _prompt_behind(index, -1), _prompt_behind(original, there))


def row_gone_on_from(index: TranscriptIndex, original: TranscriptIndex) -> int | None:
    """Return the row of another file that a file goes on from; None where it is not there."""
    base = history_base(index)
    if base is None or original.rollout is None:
        uuid = goes_on_from(index)
        return None if uuid is None else original.nodes.find(uuid)
    if original.session_id is None or original.session_id.lower() != base.lower():
        return None
    return _last_before(original, index.rollout.header.history_end if index.rollout else None)


def _last_before(index: TranscriptIndex, end: int | None) -> int | None:
    """Return the last row above a position in the file."""
    offsets = index.nodes.offset
    row = len(offsets) if end is None else bisect_left(offsets, end)
    return next((each for each in range(row - 1, -1, -1) if _is_main(index, each)), None)


def history_base(index: TranscriptIndex) -> str | None:
    """Return the rollout that one goes on from without holding its rows, as its header says."""
    base = index.rollout.header.history_base if index.rollout is not None else None
    return None if base is None or base.lower() == (index.session_id or "").lower() else base


def goes_on_from(index: TranscriptIndex) -> str | None:
    """Return the uuid that the first row hangs on, where that is not in the file."""
    first = next(iter(main_rows(index)), None)
    return None if first is None else index.nodes.missing.get(first)


def _prompt_behind(
    index: TranscriptIndex, row: int, copied: frozenset[int] = frozenset()
) -> int | None:
    role = index.nodes.role
    prompts = (each for each in index.summary.prompts if each > row and each not in copied)
    return next((each for each in sorted(prompts) if role[each] == Role.PROMPT), None)


# --- a copy that goes on -------------------------------------------------------------------------


class GrowingCopies:
    """`copies_of` a transcript that goes on: what it writes itself is looked at once."""

    def __init__(self) -> None:
        self._known: tuple[TranscriptIndex, TranscriptIndex | None, int, Copies] | None = None

    def of(self, index: TranscriptIndex, original: TranscriptIndex | None) -> Copies:
        """Return the copied rows; the original may have gone on, too, which changes nothing."""
        rows = len(index.nodes)
        known = self._known
        is_same = known is not None and known[0] is index and known[1] is original
        if known is not None and is_same and not _any_copied(index, original, known[2]):
            self._known = (index, original, rows, known[3])
            return known[3]
        copies = copies_of(index, original)
        # Before there is a copy the original may just not be read so far.
        self._known = (index, original, rows, copies) if copies.rows else None
        return copies


def _any_copied(index: TranscriptIndex, original: TranscriptIndex | None, start: int) -> bool:
    nodes = index.nodes
    new = range(start, len(nodes))
    if any(nodes.flags[row] & Flag.COPIED for row in new):
        return True
    return original is not None and any(_is_in(original, index, row) for row in new)


def _is_in(original: TranscriptIndex, index: TranscriptIndex, row: int) -> bool:
    number = index.joins.response[row]
    message_id = None if number == NONE else index.joins.message_ids[number]
    if message_id is not None and original.joins.message_ids.find(message_id) is not None:
        return True
    return original.nodes.find(index.nodes.uuid(row)) is not None
