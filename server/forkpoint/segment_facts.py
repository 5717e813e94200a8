"""What the branch tree tells of each segment beside its rows."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from forkpoint.growing_tree import GrowingTree
from forkpoint.index import TranscriptIndex
from forkpoint.nodes import NO_TIME
from forkpoint.records.record import Flag, Role
from forkpoint.segments import Segment
from forkpoint.tool_calls import is_edit
from forkpoint.usage import Tokens


class SegmentFacts(msgspec.Struct, frozen=True):
    """Facts of one segment.

    Attributes:
        prompts: how many prompts a person gave in it.
        label: its first prompt, or where there is none its first command or shell line.
        started, ended: times of its first and last record (ms since 1970 UTC); None without any.
        edited: files that its calls changed, as the agent wrote them, first change first.
        tokens: of the responses that end in it.
    """

    prompts: int
    label: str | None
    started: int | None
    ended: int | None
    edited: list[str]
    tokens: Tokens


class FactsOfTree:
    """The facts of a tree's segments, in their order; only what changed is looked at again."""

    def __init__(self, index: TranscriptIndex, tree: GrowingTree) -> None:
        """Look at all segments."""
        self._index = index
        self._all(tree)

    def _all(self, tree: GrowingTree) -> None:
        self.rows, self._cuts = tree.rows, tree.cuts
        self.facts = [self._of(tree, number) for number in range(len(tree.segments))]

    def grow(self, tree: GrowingTree) -> None:
        """Take in the rows by which the transcript went on (see `growth.is_calm`)."""
        if tree.cuts != self._cuts:
            self._all(tree)
            return
        facts = [*self.facts]
        for number in self._touched(tree):
            facts[number] = self._of(tree, number)
        self.rows, self.facts = tree.rows, facts

    def _touched(self, tree: GrowingTree) -> set[int]:
        """The segments that new rows stand in, or belong to as parts of responses or results."""
        joins = self._index.joins
        rows: set[int] = set()
        for row in range(self.rows, tree.rows):
            rows.update((row, *joins.siblings(row)))
            rows.update(joins.call_row[number] for number in joins.tools(row))
        numbers = (tree.number_of(row) for row in rows if row >= 0)
        return {number for number in numbers if number is not None}

    def _of(self, tree: GrowingTree, number: int) -> SegmentFacts:
        index, segment = self._index, tree.segments[number]
        role, time = index.nodes.role, index.nodes.time
        asked = [row for row in segment.prompts if role[row] == Role.PROMPT]
        first = (asked or segment.prompts)[:1]
        times = [time[row] for row in segment.rows]
        if min(times) == NO_TIME:
            times = [each for each in times if each != NO_TIME]
        return SegmentFacts(
            prompts=len(asked),
            label=index.summary.prompts[first[0]] if first else None,
            started=min(times, default=None),
            ended=max(times, default=None),
            edited=self._edited(segment),
            tokens=index.usage.total(self._ending(tree, number)),
        )

    def _ending(self, tree: GrowingTree, number: int) -> Iterable[int]:
        """The responses whose last row stands in a segment."""
        joins = self._index.joins
        responses = set(map(joins.response.__getitem__, tree.segments[number].rows))
        responses.discard(-1)
        return [each for each in responses if tree.number_of(joins.last_row(each)) == number]

    def _edited(self, segment: Segment) -> list[str]:
        flags, joins, tools = self._index.nodes.flags, self._index.joins, self._index.tools
        # The only calls of Codex that name a file are patches.
        call, patches = Flag.CALL, self._index.agent == "codex"
        edited: dict[str, None] = {}
        for row in segment.rows:
            if not flags[row] & call:
                continue
            for number in joins.tools(row):
                made = tools.of(number, joins)
                if made.row != row or made.file is None:
                    continue
                if is_edit(made) or (patches and made.state == "ok"):
                    edited[made.file] = None
        return list(edited)
