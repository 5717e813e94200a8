"""Passages below each other on a page: headings between them, and where each came to stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from forkpoint.inert import inline
from forkpoint.passage import Passage, Speaker, run_named
from forkpoint.piece import Fold, Link, shifted_folds, shifted_links
from forkpoint.records.record import Role
from forkpoint.row import Kind
from forkpoint.session import Fate
from forkpoint.times_read import time_of

BEFORE = "# Before the compaction: readable, not sent again"
SINCE = "# Since the compaction"
GAP = "# A gap: the next record's parent is missing, what stands above is not sent"


class Section(msgspec.Struct, frozen=True):
    """Where a row stands.

    Attributes:
        line, end_line: 0-based, the end inclusive; a turn's section holds those of its rows.
        label: one line for an outline.
        level: 0 for a turn, 1 for a row inside of one (or before the first).
        agent_id: the subagent that a call of it started.
    """

    ordinal: int
    uuid: str
    line: int
    end_line: int
    label: str
    role: Role
    fate: Fate
    level: int
    kind: Kind
    agent_id: str | None = None


class Above(msgspec.Struct, frozen=True):
    """What stands above a passage, as far as it matters.

    Attributes:
        lines: how many lines.
        speaker: who speaks there; None where nobody was named in this part of the text.
        model: the model that was named last.
        summarized: it is the part that is not sent again.
        begun: a passage is among it.
        run: the line above attachments in a row, of which more may follow.
    """

    lines: int
    speaker: Speaker | None = None
    model: str | None = None
    summarized: bool = False
    begun: bool = False
    run: int | None = None


class Part(msgspec.Struct, frozen=True):
    """Some passages that follow each other on the page.

    Attributes:
        text: their lines, each with its end.
        sections: one for each; the last turn's reaches to the end of the part.
        turns: places of the first and the last turn among them; None where none begins here.
        headings: lines of those that begin a part with another fate, and whether it is the part
            that is not sent again.
        end: what stands above the next part.
    """

    text: str
    sections: Sequence[Section]
    folds: Sequence[Fold]
    links: Sequence[Link]
    turns: tuple[int, int] | None
    headings: Sequence[tuple[int, bool]]
    end: Above


def part_of(passages: Iterable[Passage], above: Above) -> Part:
    """Write passages down below what stands above them."""
    page = _Page(above)
    for passage in passages:
        page.put(passage)
    return page.part()


def sections_of(parts: Iterable[Part]) -> list[Section]:
    """Return the sections of parts that follow each other; a turn may go on in later parts."""
    found: list[Section] = []
    turn: int | None = None
    for part in parts:
        start = len(found)
        found += part.sections
        if part.turns is None:
            continue
        first, last = part.turns
        _reach(found, turn, start + first)
        turn = start + last
    _reach(found, turn, len(found))
    return found


def folds_of(parts: Sequence[Part], end: int) -> list[Fold]:
    """Return what may be folded in parts that follow each other, by line.

    Args:
        parts: of the page.
        end: the last line of all.
    """
    headings = [heading for part in parts for heading in part.headings]
    ends = [*(line - 2 for line, _ in headings[1:]), end]
    summarized = [
        Fold(line, below, "summarized", folded=True)
        for (line, is_summarized), below in zip(headings, ends, strict=False)
        if is_summarized
    ]
    folds = [fold for part in parts for fold in part.folds]
    return sorted([*summarized, *folds], key=lambda fold: fold.line)


def _reach(sections: list[Section], turn: int | None, end: int) -> None:
    """Have a turn reach to the last of its rows, the one before `end`."""
    if turn is not None and turn < end - 1:
        end_line = sections[end - 1].end_line
        sections[turn] = msgspec.structs.replace(sections[turn], end_line=end_line)


def agent_heading(agent: str, model: str | None, timestamp: str | None) -> str:
    """Return the heading above what an agent says: with a model and a time where there is one."""
    name = f"### {agent} ({inline(model)})" if model else f"### {agent}"
    time = time_of(timestamp)
    return f"{name} · {time}" if time else name


class _Page:
    """Lines as they grow, and where each passage came to stand."""

    def __init__(self, above: Above) -> None:
        self._start = above.lines
        self._lines: list[str] = []
        self._folds: list[Fold] = []
        self._links: list[Link] = []
        self._headings: list[tuple[int, bool]] = []
        self._places: list[tuple[Passage, int, int]] = []
        self._begun = above.begun
        self._speaker: Speaker | None = above.speaker
        self._model = above.model
        self._summarized = above.summarized
        self._run = above.run

    def put(self, passage: Passage) -> None:
        lines = self._lines
        new_part = self._part(passage)
        heading = self._heading(passage)
        if new_part or heading or not passage.tight or not self._begun:
            lines.append("")
        start = self._start + len(lines)
        if heading:
            lines += [heading, ""]
        first = self._start + len(lines)
        self._folds += shifted_folds(passage.folds, first)
        self._links += shifted_links(passage.links, first)
        lines += passage.lines
        end = self._start + len(lines) - 1
        self._places.append((passage, start, end))
        self._begun = True
        self._in_a_row(passage, first, end)

    def _in_a_row(self, passage: Passage, first: int, end: int) -> None:
        """Have attachments in a row fold below the line that tells how many they are."""
        if run_named(passage.row):
            self._run = first
        if passage.row.run is None or passage.row.run[0] < passage.row.run[1] - 1:
            return
        if self._run is not None:
            self._folds.append(Fold(self._run, end, "attachments", folded=True))
        self._run = None

    def _part(self, passage: Passage) -> bool:
        """Open another part of the text where the fate asks for it."""
        if passage.row.behind_gap:
            self._part_begins(GAP, False)
            return True
        summarized = passage.row.fate == "summarized"
        if summarized is self._summarized:
            return False
        self._part_begins(BEFORE if summarized else SINCE, summarized)
        self._summarized = summarized
        return True

    def _part_begins(self, heading: str, summarized: bool) -> None:
        self._lines += ["", heading]
        self._headings.append((self._start + len(self._lines) - 1, summarized))
        self._speaker = None

    def _heading(self, passage: Passage) -> str | None:
        """Name the speaker where another one spoke before, or another model."""
        speaker, model = passage.speaker, passage.row.model
        if speaker is None:
            return None
        changed = speaker != self._speaker or (model is not None and model != self._model)
        self._speaker = speaker
        if speaker != "claude" or not changed:
            return None
        named = model if model != self._model else None
        heading = agent_heading(passage.row.agent, named, passage.row.timestamp)
        self._model = model or self._model
        return heading

    def part(self) -> Part:
        turns = [at for at, (passage, _, _) in enumerate(self._places) if passage.opens_turn]
        sections = [_section(*place) for place in self._places]
        for turn, end in zip(turns, [*turns, len(sections)][1:], strict=True):
            _reach(sections, turn, end)
        return Part(
            text="".join([f"{line}\n" for line in self._lines]),
            sections=sections,
            folds=self._folds,
            links=self._links,
            turns=(turns[0], turns[-1]) if turns else None,
            headings=self._headings,
            end=Above(
                self._start + len(self._lines),
                self._speaker,
                self._model,
                self._summarized,
                self._begun,
                self._run,
            ),
        )


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
        kind=passage.kind,
        agent_id=passage.agent_id,
    )
