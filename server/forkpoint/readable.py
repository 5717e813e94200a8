"""The readable transcript: a conversation as one Markdown text, with the place of every record."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import msgspec

from forkpoint.inert import inline
from forkpoint.passage import Passage, Passages, Row
from forkpoint.records.record import Role
from forkpoint.session import Fate

LIMIT = 2 * 1024 * 1024


class Header(msgspec.Struct, frozen=True):
    """What stands on top; None where unknown."""

    title: str | None
    project: str | None
    session_id: str
    version: str | None


class Section(msgspec.Struct, frozen=True):
    """Where a row stands.

    Attributes:
        line, end_line: 0-based, the end inclusive; a turn's section holds those of its rows.
        label: one line for an outline.
        level: 0 for a turn, 1 for a row inside of one (or before the first).
    """

    ordinal: int
    uuid: str
    line: int
    end_line: int
    label: str
    role: Role
    fate: Fate
    level: int


class Readable(msgspec.Struct, frozen=True):
    """The text, and its sections by line; it ends with a newline."""

    text: str
    sections: list[Section]


def readable(header: Header, rows: Iterable[Row], limit: int = LIMIT) -> Readable:
    """Write the conversation down.

    Args:
        header: facts for the top.
        rows: the active path, summarized rows first.
        limit: bytes of the text. When there are more, the oldest rows are left out, and a line
            says how many.
    """
    page = _Page(_header_lines(header))
    kept, left_out = _newest(rows, limit - page.size - _RESERVE)
    if left_out:
        page.add("", _left_out_line(left_out))
    for passage in kept:
        page.put(passage)
    return Readable("\n".join(page.lines) + "\n", page.sections())


BEFORE = "# Before the compaction: readable, not sent again"
SINCE = "# Since the compaction"
GAP = "# A gap: the next record's parent is missing, what stands above is not sent"
_OVERHEAD = 8
"""Bytes that a passage may cost beside its lines: blank lines and `### Claude` come with a name."""
_RESERVE = 384
"""Bytes for the three headings above and the line about what is left out."""


def _header_lines(header: Header) -> list[str]:
    facts = [
        ("Project", header.project),
        ("Session", header.session_id),
        ("Client", header.version),
    ]
    lines = [f"# {inline(header.title or 'Untitled session')}", ""]
    return lines + [f"- {name}: {inline(value)}" for name, value in facts if value]


def _newest(rows: Iterable[Row], room: int) -> tuple[deque[Passage], int]:
    """Put rows into words and keep the newest that fit; return how many do not."""
    passages = Passages()
    kept: deque[tuple[Passage, int]] = deque()
    used = left_out = 0
    for row in rows:
        passage = passages.of(row)
        size = _size(passage)
        if size > room // 2:
            passage = _too_long(passage)
            size = _size(passage)
        kept.append((passage, size))
        used += size
        while kept and used > room:
            used -= kept.popleft()[1]
            left_out += 1
    return deque(passage for passage, _ in kept), left_out


def _size(passage: Passage) -> int:
    heading = len(_claude(passage.row.model).encode()) if passage.speaker == "claude" else 0
    return _bytes(passage.lines) + heading + _OVERHEAD


def _bytes(lines: list[str]) -> int:
    return sum(len(line.encode()) + 1 for line in lines)


def _too_long(passage: Passage) -> Passage:
    """One row may not push out all others."""
    size = _bytes(passage.lines)
    first = passage.lines[0] if passage.opens_turn else f"▸ {inline(passage.label)}"
    lines = [first, f"… too long to show: {size:,} bytes, which the raw file has"]
    return msgspec.structs.replace(passage, lines=lines, tight=False)


def _left_out_line(count: int) -> str:
    rows = "1 older row is" if count == 1 else f"{count:,} older rows are"
    return f"… {rows} left out here; the raw file has them"


def _claude(model: str | None) -> str:
    return f"### Claude ({inline(model)})" if model else "### Claude"


class _Page:
    """Lines as they grow, and where each passage came to stand."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.size = _bytes(lines)
        self._places: list[tuple[Passage, int, int]] = []
        self._speaker: str | None = None
        self._model: str | None = None
        self._summarized = False

    def add(self, *lines: str) -> None:
        self.lines += lines

    def put(self, passage: Passage) -> None:
        new_part = self._part(passage)
        heading = self._heading(passage)
        if new_part or heading or not passage.tight or not self._places:
            self.add("")
        start = len(self.lines)
        if heading:
            self.add(heading, "")
        self.lines += passage.lines
        self._places.append((passage, start, len(self.lines) - 1))

    def _part(self, passage: Passage) -> bool:
        """Open another part of the text where the fate asks for it."""
        if passage.row.behind_gap:
            self.add("", GAP)
            self._speaker = None
            return True
        summarized = passage.row.fate == "summarized"
        if summarized is self._summarized:
            return False
        self.add("", BEFORE if summarized else SINCE)
        self._summarized, self._speaker = summarized, None
        return True

    def _heading(self, passage: Passage) -> str | None:
        """Name the speaker where another one spoke before, or another model."""
        speaker, model = passage.speaker, passage.row.model
        if speaker is None:
            return None
        changed = speaker != self._speaker or (model is not None and model != self._model)
        self._speaker = speaker
        if speaker != "claude" or not changed:
            return None
        heading = _claude(model if model != self._model else None)
        self._model = model or self._model
        return heading

    def sections(self) -> list[Section]:
        found: list[Section] = []
        turn_end: int | None = None
        for passage, start, end in reversed(self._places):
            turn_end = end if turn_end is None else turn_end
            found.append(_section(passage, start, turn_end if passage.opens_turn else end))
            turn_end = None if passage.opens_turn else turn_end
        return found[::-1]


def _section(passage: Passage, line: int, end_line: int) -> Section:
    row = passage.row
    return Section(
        ordinal=row.ordinal,
        uuid=row.uuid,
        line=line,
        end_line=end_line,
        label=passage.label,
        role=row.role,
        fate=row.fate,
        level=0 if passage.opens_turn else 1,
    )
