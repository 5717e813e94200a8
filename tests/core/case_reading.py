"""A small case's sessions, read: the questions that its expectations ask, in the core's words."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from forkpoint.index import TranscriptIndex
from forkpoint.joins import NONE
from forkpoint.nodes import TALK_KINDS
from forkpoint.records.decode import decode
from forkpoint.records.record import Flag, Record
from forkpoint.session import Conversation
from forkpoint.summary import Title, title_of
from forkpoint.transcript import TranscriptReader
from tests.builders import index_of


def read_case(folder: Path) -> dict[str, Reading]:
    """The sessions of a case by id."""
    sessions = {path.stem: Reading(path) for path in sorted(folder.glob("projects/*/*-*-*.jsonl"))}
    for session in sessions.values():
        session.case = list(sessions.values())
    return sessions


class Reading:
    """One session's transcript; `append` goes on reading it."""

    def __init__(self, path: Path) -> None:
        self.data = b""
        self.reader = TranscriptReader()
        self.index = TranscriptIndex(path.stem)
        self.append(path.read_bytes())
        self.agents = [
            index_of(agent.read_bytes(), path.stem)
            for agent in sorted(path.with_suffix("").glob("subagents/*.jsonl"))
        ]
        self.case = [self]

    def append(self, data: bytes) -> None:
        self.data += data
        self.index.apply(self.reader.feed(data))
        self.index.apply_tail(self.reader.offset, self.reader.tail)
        self.conversation = Conversation(self.index)
        self.path = self.conversation.path()

    # --- rows ---

    def rows(self, flags: int = 0) -> list[int]:
        """The nodes, or those with any of the flags."""
        nodes = self.index.nodes
        rows = [row for row in range(len(nodes)) if nodes.is_node(row)]
        return [row for row in rows if not flags or nodes.has(row, flags)]

    def uuids(self, rows: Iterable[int]) -> list[Any]:
        return [self.index.nodes.uuid(row) for row in rows]

    def marked(self, flags: int) -> list[Any]:
        return self.uuids(self.rows(flags))

    def unmarked(self, flags: int) -> list[Any]:
        return self.uuids(row for row in self.rows() if not self.index.nodes.has(row, flags))

    def talk(self, *fates: str) -> list[Any]:
        """User and assistant rows of the path."""
        rows = [row for row, fate in self.path.entries if fate in fates]
        return self.uuids(row for row in rows if self.index.nodes.kind[row] in TALK_KINDS)

    def active_leaf(self) -> str | None:
        leaf = self.path.leaf.row
        return None if leaf is None else self.index.nodes.uuid(leaf)

    def tips(self) -> list[Any]:
        """Ends of all lines, the active one among them."""
        active = [] if self.path.leaf.row is None else [self.path.leaf.row]
        return sorted(self.uuids([*self.conversation.other_tips(), *active]))

    def branches(self) -> int:
        return len(self.conversation.other_tips()) + bool(self.path.entries)

    def unreached(self) -> list[Any]:
        path = {row for row, _ in self.path.entries}
        return self.uuids(row for row in self.rows() if row not in path)

    def gaps(self) -> list[Any]:
        uuid, missing = self.index.nodes.uuid, self.index.nodes.missing
        gaps = [r for r in self.path.repairs if r.kind in ("bridgedGap", "cutAtGap")]
        return [
            {
                "child": uuid(gap.row),
                "missing_parent": missing[gap.row],
                "bridged_to": None if gap.other is None else uuid(gap.other),
            }
            for gap in gaps
        ]

    def has_loop(self) -> bool:
        return any(row in set(self._above(row)) for row in self.rows())

    def _above(self, row: int) -> Iterator[int]:
        for _ in self.rows():
            row = self.index.nodes.parent[row]
            if row < 0:
                return
            yield row

    def results_without_call(self) -> list[Any]:
        joins = self.index.joins
        return self.uuids(
            row
            for row in self.rows(Flag.RESULT)
            if all(joins.call_row[number] == NONE for number in joins.tools(row))
        )

    # --- bytes ---

    def lines(self, rows: Iterable[int]) -> list[int]:
        """The lines, from 1, on which rows stand."""
        ends = [at for at, byte in enumerate(self.data) if byte == 0x0A]
        offsets = [self.index.nodes.offset[row] for row in rows]
        return sorted({bisect_right(ends, offset - 1) + 1 for offset in offsets})

    def bad_lines(self) -> list[int]:
        """The lines that are no records, an unfinished last one too."""
        unfinished = bool(self.reader.tail) and not self.index.has_tail
        last = [self.data.count(b"\n") + 1] if unfinished else []
        return self.lines(self.index.malformed) + last

    def texts(self) -> dict[str, str]:
        """The own words of each record, decoded again from its place in the file."""
        nodes = self.index.nodes
        texts: dict[str, str] = {}
        for row in self.rows():
            start = nodes.offset[row]
            [piece] = decode(self.data[start : start + nodes.length[row]])
            assert isinstance(piece.value, Record)
            texts[nodes.uuid(row) or ""] = piece.value.text
        return texts

    # --- usage ---

    def tokens(self, keep: Callable[[int], bool] | None = None) -> dict[str, int]:
        """What the responses of some rows have used, in the words of the expectations."""
        return _tokens([(self.index, self._responses(self.index, keep))])

    def tokens_of_agents(self) -> dict[str, int]:
        own = self._responses(self.index, lambda row: row in self.rows(Flag.SIDECHAIN))
        agents = [(agent, self._responses(agent)) for agent in self.agents]
        return _tokens([(self.index, own), *agents])

    def tokens_of_all(self) -> dict[str, int]:
        return _tokens([(index, self._responses(index)) for index in [self.index, *self.agents]])

    def models(self) -> list[str]:
        return sorted(
            {model for index in [self.index, *self.agents] for model in index.usage.models}
        )

    def _responses(
        self, index: TranscriptIndex, keep: Callable[[int], bool] | None = None
    ) -> set[int]:
        rows = range(len(index.nodes))
        return {index.joins.response[row] for row in rows if keep is None or keep(row)}

    # --- the list ---

    def title(self) -> Title:
        """The title; a summary may stand in any file of the project."""
        summaries = [text for other in self.case for text in other.index.summary.summaries]
        own = [text for text, target in summaries if self.index.nodes.find(target) is not None]
        return title_of(self.index.summary, own[-1] if own else None)

    def last_activity(self) -> str:
        moment = datetime.fromisoformat(self.index.summary.updated or "")
        return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _tokens(responses: list[tuple[TranscriptIndex, set[int]]]) -> dict[str, int]:
    sums = [index.usage.total(numbers) for index, numbers in responses]
    short, long = sum(s.cache_write_5m for s in sums), sum(s.cache_write_1h for s in sums)
    return {
        "responses": sum(s.responses for s in sums),
        "input": sum(s.input for s in sums),
        "output": sum(s.output for s in sums),
        "cache_read": sum(s.cache_read for s in sums),
        "cache_creation": short + long,
        "cache_creation_5m": short,
        "cache_creation_1h": long,
    }
