"""The readable transcript: a conversation as one Markdown text, with the place of every record.

Of a long conversation the newest rows are shown. Rows are put into words in batches, and batches
that stay as they were are kept, so that a text which grows costs what is new of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from forkpoint.elsewhere import Group
from forkpoint.inert import inline
from forkpoint.page import Above, Part, Section, agent_heading, folds_of, part_of, sections_of
from forkpoint.passage import Passage, Passages
from forkpoint.piece import NOTHING, Fold, Link, Piece, shifted_links, stacked
from forkpoint.records.content import Body
from forkpoint.row import Rows
from forkpoint.top import (
    OWN_HEADING,
    Elsewhere,
    Header,
    earlier_line,
    elsewhere_piece,
    header_lines,
    later_line,
)

LIMIT = 512 * 1024
"""Bytes of one text: written, sent and laid out by an editor in some tenths of a second, whatever
the length of the transcript."""

__all__ = ["Header", "Later", "Prefix", "Readable", "ReadablePath", "Rows", "Section", "readable"]


class Readable(msgspec.Struct, frozen=True):
    """The text, which ends with a newline, and what stands where, by line.

    Attributes:
        earlier: how many rows of the path are left out on top.
        inherited: the sections of each prefix that stands above the rows.
    """

    text: str
    sections: list[Section]
    folds: list[Fold] = []
    links: list[Link] = []
    elsewhere: list[Elsewhere] = []
    earlier: int = 0
    inherited: list[list[Section]] = []


class Prefix(msgspec.Struct, frozen=True):
    """Records of an older file that a conversation goes on from, as they stand above its own.

    Attributes:
        piece: a heading and their lines.
        sections: lines count from the piece's first.
        earlier: how many rows are left out on top.
    """

    piece: Piece
    sections: Sequence[Section]
    earlier: int = 0

    def moved(self, by: int) -> list[Section]:
        """Return the sections where they stand some lines further below."""
        return [
            msgspec.structs.replace(each, line=each.line + by, end_line=each.end_line + by)
            for each in self.sections
        ]


class Later(msgspec.Struct, frozen=True):
    """How many rows stand below those of a text, and the ordinal before which the next part ends.

    None is the end of the path.
    """

    count: int
    before: int | None


def readable(header: Header, rows: Rows, limit: int = LIMIT) -> Readable:
    """Write a conversation down once; see `ReadablePath`."""
    return ReadablePath(limit).write(header, rows)


BATCH = 64
"""Rows that are put into words at once. Batches begin at fixed places of the path, so that a text
does not depend on what was asked before."""
_LEAD = 2
"""Rows before a batch that decide how it begins: of the first only the call counts, of the second
how it ends."""
_OVERHEAD = 8
"""Bytes that a passage may cost beside its lines: blank lines and `### Claude` come with a name."""
_RESERVE = 384
"""Bytes for the headings of the parts and the lines about what is left out."""
_NO_BODY = Body(())


class _Batch(msgspec.Struct, frozen=True):
    """Rows in words.

    Attributes:
        state: all that the rows depend on by themselves.
        prompts: how many prompts stand before them.
        calls: the calls before them that were looked for, and where they were found.
        sizes: bytes that each passage may cost.
    """

    state: object
    prompts: int
    calls: dict[str, tuple[int, int] | None]
    passages: list[Passage]
    sizes: list[int]
    size: int


class _Written(msgspec.Struct, frozen=True):
    """A part of the page, and what it was made of: the batch, from a row on, below what."""

    batch: _Batch
    start: int
    above: Above
    part: Part


class ReadablePath:
    """A path that is written down again whenever it grew.

    The text takes at most `limit` bytes. When there is more, the oldest rows are left out, and a
    line says how many. So that the top does not move with every new row, they are left out in
    steps: of the rows at which a text would begin that takes between three quarters of the limit
    and all of it, that one is the first whose place in the path is divisible by the greatest power
    of two. It stays the first until it does not fit any more, or one divisible by a greater one
    comes; mostly this is an eighth to a quarter of the limit later. The choice depends on the path
    alone.
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._person = "You"
        self._batches: dict[int, _Batch] = {}
        self._written: dict[int, _Written] = {}

    def prefix(
        self, heading: str, rows: Rows, earlier: Callable[[int, int | None], Piece]
    ) -> Prefix:
        """Write rows down as they stand above those of a file that goes on from them.

        Args:
            heading: above them.
            rows: of the same transcript each time.
            earlier: given how many rows are left out, and before which ordinal, leads to them.
        """
        start = self._first_shown(rows, self._limit - _RESERVE)
        above = earlier(start, self._ordinal(start)) if start else NOTHING
        top = stacked([Piece([heading]), above], spaced=True)
        parts = self._parts(start, len(top.lines))
        lines = "".join(part.text for part in parts).split("\n")[:-1]
        end = len(top.lines) + len(lines)
        piece = Piece(
            [*top.lines, *lines],
            [*top.folds, *folds_of(parts, end - 1)],
            [*top.links, *(link for part in parts for link in part.links)],
        )
        return Prefix(piece, sections_of(parts), start)

    def write(
        self,
        header: Header,
        rows: Rows,
        groups: Sequence[Group] = (),
        later: Later | None = None,
        prefixes: Sequence[Prefix] = (),
    ) -> Readable:
        """Write the conversation down.

        Args:
            header: facts for the top, the same person each time.
            rows: of the same transcript each time.
            groups: what of the transcript is not among the rows.
            later: what stands below the rows; None where nothing does.
            prefixes: what stands above them if none of them is left out there.
        """
        self._person = header.person
        aside, elsewhere = elsewhere_piece(groups)
        top = stacked([Piece(header_lines(header)), aside], spaced=True)
        around = sum(map(_bytes, (top.lines, header.before.lines, header.behind.lines)))
        start = self._first_shown(rows, self._limit - around - _RESERVE)
        above = earlier_line(start, self._ordinal(start)) if start else header.before
        top = stacked([top, above], spaced=True)
        top, inherited = (top, []) if start else _with_prefixes(top, prefixes)
        parts = self._parts(start, len(top.lines))
        end = parts[-1].end.lines if parts else len(top.lines)
        below = header.behind if later is None else later_line(later.count, later.before)
        links = [*top.links, *(link for part in parts for link in part.links)]
        links += shifted_links(below.links, end + 1)
        texts = [part.text for part in parts]
        return Readable(
            text="".join([*_block(top.lines), *texts, *_below(below.lines)]),
            sections=sections_of(parts),
            folds=[*top.folds, *folds_of(parts, end - 1)],
            links=links,
            elsewhere=_further_below(elsewhere, top),
            earlier=start,
            inherited=inherited,
        )

    def _ordinal(self, place: int) -> int | None:
        """The ordinal of a row that was put into words."""
        batch = self._batches.get(place // BATCH)
        at = place % BATCH
        return batch.passages[at].row.ordinal if batch and at < len(batch.passages) else None

    def _first_shown(self, rows: Rows, room: int) -> int:
        """Put the newest rows into words and return the place of the first that is shown."""
        known, self._batches = self._batches, {}
        first, used = len(rows), 0
        rank: float = 0
        for number, prompts in _backwards(rows):
            batch = self._batches[number] = self._batch(known.get(number), rows, number, prompts)
            if 4 * (used + batch.size) < 3 * room:
                first, used = number * BATCH, used + batch.size
                continue
            for at in reversed(range(len(batch.sizes))):
                used += batch.sizes[at]
                if used > room:
                    return first
                place = number * BATCH + at
                its_rank = _rank(place) if 4 * used >= 3 * room else 0
                if its_rank >= rank:
                    first, rank = place, its_rank
        return first

    def _batch(self, known: _Batch | None, rows: Rows, number: int, prompts: int) -> _Batch:
        start, end = number * BATCH, min((number + 1) * BATCH, len(rows))
        lead = max(start - _LEAD, 0)
        state = rows.state(lead, end)
        if known is not None and known.prompts == prompts and known.state == state:
            looked_for = known.calls.items()
            if all(rows.caller(call_id, lead) == found for call_id, found in looked_for):
                return known
        calls: dict[str, tuple[int, int] | None] = {}
        passages = Passages(_labels(rows, lead, calls), self._person)
        read = rows.read(lead, end)
        for row in read[: start - lead]:
            passages.of(row)
        passages.prompts = prompts
        done = [_short(passages.of(row), self._limit // 2) for row in read[start - lead :]]
        sizes = [_size(passage) for passage in done]
        return _Batch(state, prompts, calls, done, sizes, sum(sizes))

    def _parts(self, first: int, lines: int) -> list[Part]:
        """Lay the batches out from the first row that is shown on."""
        known, self._written = self._written, {}
        above = Above(lines)
        parts: list[Part] = []
        for number, batch in sorted(self._batches.items()):
            start = max(first - number * BATCH, 0)
            written = known.get(number)
            if (
                written is None
                or written.batch is not batch
                or (written.start, written.above) != (start, above)
            ):
                part = part_of(batch.passages[start:], above)
                written = _Written(batch, start, above, part)
            self._written[number] = written
            parts.append(written.part)
            above = written.part.end
        return parts


def _backwards(rows: Rows) -> Iterator[tuple[int, int]]:
    """Yield the number of each batch, the last first, and how many prompts stand before it."""
    last = (len(rows) - 1) // BATCH
    prompts = rows.prompts(0, last * BATCH) if last > 0 else 0
    for number in range(last, -1, -1):
        yield number, prompts
        prompts -= rows.prompts(max(number - 1, 0) * BATCH, number * BATCH)


def _rank(place: int) -> float:
    """The greatest power of two that divides a place; the very first is divided by all."""
    return place & -place if place else float("inf")


def _labels(
    rows: Rows, before: int, found: dict[str, tuple[int, int] | None]
) -> Callable[[str], str | None]:
    """How calls before a place are named; notes where each was found."""

    def label(call_id: str) -> str | None:
        caller = found[call_id] = rows.caller(call_id, before)
        return None if caller is None else rows.label(call_id, caller[0])

    return label


def _block(lines: list[str]) -> list[str]:
    return ["\n".join(lines), "\n"]


def _below(lines: list[str]) -> list[str]:
    return ["\n", *_block(lines)] if lines else []


def _with_prefixes(top: Piece, prefixes: Sequence[Prefix]) -> tuple[Piece, list[list[Section]]]:
    """Put records of older files below the top, and say where each came to stand."""
    found: list[list[Section]] = []
    for prefix in prefixes:
        top = stacked([top, prefix.piece], spaced=True)
        found.append(prefix.moved(len(top.lines) - len(prefix.piece.lines)))
    return (stacked([top, Piece([OWN_HEADING])], spaced=True) if prefixes else top), found


def _further_below(elsewhere: Sequence[Elsewhere], top: Piece) -> list[Elsewhere]:
    """Put lines that count from their fold's first where they stand in the text."""
    if not elsewhere:
        return []
    first = top.folds[0].line
    return [Elsewhere(each.line + first, each.label, each.rows) for each in elsewhere]


def _short(passage: Passage, most: int) -> Passage:
    """Let go of the body, and of lines that take more bytes than one row may."""
    row = msgspec.structs.replace(passage.row, body=_NO_BODY)
    if _size(passage) > most:
        passage = _too_long(passage)
    return msgspec.structs.replace(passage, row=row)


def _size(passage: Passage) -> int:
    row = passage.row
    is_named = passage.speaker == "claude"
    heading = len(agent_heading(row.agent, row.model, row.timestamp).encode()) if is_named else 0
    return _bytes(passage.lines) + heading + _OVERHEAD


def _bytes(lines: list[str]) -> int:
    return sum([len(line.encode()) + 1 for line in lines])


def _too_long(passage: Passage) -> Passage:
    """One row may not push out all others."""
    size = _bytes(passage.lines)
    first = passage.lines[0] if passage.opens_turn else f"▸ {inline(passage.label)}"
    lines = [first, f"… too long to show: {size:,} bytes, which the raw file has"]
    return msgspec.structs.replace(passage, lines=lines, tight=False, folds=(), links=())
