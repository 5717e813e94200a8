"""The records of a readable transcript, read from its file: a path with what decides how it reads.

Records that no client reads stand where they stand in the file, as long as the path goes on to the
active leaf.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from itertools import compress
from typing import NamedTuple

from forkpoint.active_line import NOT_SENT, SUMMARIZED, Entries
from forkpoint.edit_changes import changes_of
from forkpoint.folds import AGENT_NAMES
from forkpoint.index import TranscriptIndex
from forkpoint.line_changes import Changes
from forkpoint.passage import call_in
from forkpoint.patch_changes import changes_in_patch
from forkpoint.records.content import content_of
from forkpoint.records.decode import timestamp_of
from forkpoint.records.record import Flag, Kind, Role
from forkpoint.row import CallFacts, Row, TurnFacts
from forkpoint.session import ActivePath, Conversation, Fate
from forkpoint.tool_calls import EDITING_TOOLS, ToolCall
from forkpoint.transcript_file import TranscriptFile

AgentOf = Callable[[str], str | None]
"""Names the subagent that a call started, by the call's id, where its result does not."""

_UNREAD = (Kind.UNKNOWN, Kind.MALFORMED)
_UNREAD_MARKS = bytes(kind in _UNREAD for kind in range(256))
_ATTACHMENT = bytes([Role.ATTACHMENT])


class _State(NamedTuple):
    """What is said of some rows beside their lines, which never change."""

    rows: array[int]
    fates: bytes
    roles: bytes
    models: list[str | None]
    bodies: list[int]
    gap: int | None
    calls: list[tuple[int | None, str, str | None]]
    turns: list[TurnFacts | None]
    runs: tuple[int, int]


def entries_of(conversation: Conversation, path: ActivePath, cut_off: Sequence[int]) -> Entries:
    """Return the rows of a path behind those that a gap cuts off from it."""
    return Entries(
        array("i", cut_off) + path.entries.rows,
        bytes([NOT_SENT]) * len(cut_off) + path.entries.fates,
    )


def with_unread(index: TranscriptIndex, entries: Entries) -> Entries:
    """Put records of no known kind, and lines that are none, behind what they follow in the file.

    What a client sends again no more takes those in that stand inside of it.
    """
    marks = index.nodes.kind.translate(_UNREAD_MARKS)
    if not any(marks):
        return entries
    on_path = set(entries.rows)
    unread = [row for row in compress(range(len(marks)), marks) if row not in on_path]
    if not unread:
        return entries
    order = sorted(range(len(entries)), key=entries.rows.__getitem__)
    known = [entries.rows[place] for place in order]
    behind: dict[int, list[int]] = {}
    for row in unread:
        at = bisect_left(known, row)
        behind.setdefault(order[at - 1] if at else -1, []).append(row)
    rows, fates = array("i", behind.get(-1, [])), bytearray(len(behind.get(-1, [])))
    for place, row in enumerate(entries.rows):
        more = behind.get(place, ())
        follows = entries.fates[place : place + 2]
        is_inside = set(follows) == {SUMMARIZED}
        rows.append(row)
        rows.extend(more)
        fates.append(entries.fates[place])
        fates += bytes([SUMMARIZED if is_inside else NOT_SENT]) * len(more)
    return Entries(rows, bytes(fates))


class PathRows:
    """See `row.Rows`."""

    def __init__(
        self,
        index: TranscriptIndex,
        file: TranscriptFile,
        entries: Entries,
        *,
        end: int | None = None,
        gap: int | None = None,
        agent_of: AgentOf = lambda _: None,
    ) -> None:
        """Take a path.

        Args:
            index: of the transcript.
            file: where bodies are read.
            entries: all rows of the path.
            end: place before which the rows end; None = with the path.
            gap: the row behind a gap that nothing bridges.
            agent_of: see there.
        """
        self._index, self._file, self._agent_of = index, file, agent_of
        self._all = entries
        self._entries = entries if end is None else entries[:end]
        self._behind_gap = gap
        self._places: dict[int, int] | None = None
        self._last_run = (0, 0)
        typed, flags = Flag.TYPED, index.nodes.flags
        # Steps in C where they look at all rows of the path.
        bits = map(typed.__and__, map(flags.__getitem__, entries.rows))
        self._typed = bytes(map(bool, bits))

    def __len__(self) -> int:
        return len(self._entries)

    def prompts(self, start: int, end: int) -> int:
        """See `row.Rows`."""
        return self._typed.count(1, start, end)

    # --- what decides how rows read ---

    def state(self, start: int, end: int) -> _State:
        """See `row.Rows`."""
        nodes, entries = self._index.nodes, self._entries[start:end]
        rows, gap = entries.rows, self._behind_gap
        roles = bytes(map(nodes.role.__getitem__, rows))
        return _State(
            rows,
            entries.fates,
            roles,
            self._models(rows),
            [nodes.body_of.get(row, row) for row in rows] if nodes.body_of else [],
            gap if gap is not None and gap in rows else None,
            [
                (self._line_of(call.result), call.state, self._agent(call))
                for row in self._calling(rows)
                for call in self._calls(row)
            ],
            [self._turn(place) for place in self._typed_places(start, start + len(rows))],
            self._reach(start, start + len(rows), roles),
        )

    def _models(self, rows: Iterable[int]) -> list[str | None]:
        model_of, response = self._index.usage.model_of, self._index.joins.response
        return [model_of(response[row]) for row in rows]

    def _calling(self, rows: Iterable[int]) -> list[int]:
        flags, call = self._index.nodes.flags, Flag.CALL
        return [row for row in rows if flags[row] & call]

    def _calls(self, row: int) -> list[ToolCall]:
        """The calls that a row makes."""
        joins, tools = self._index.joins, self._index.tools
        calls = (tools.of(number, joins) for number in joins.tools(row))
        return [call for call in calls if call.row == row]

    def _line_of(self, row: int | None) -> int | None:
        """The line that holds a row's body."""
        return None if row is None else self._index.nodes.body_of.get(row, row)

    def _agent(self, call: ToolCall) -> str | None:
        if call.agent_id is not None or not call.starts_agent:
            return call.agent_id
        return self._agent_of(self._index.joins.call_ids[call.number])

    def _typed_places(self, start: int, end: int) -> list[int]:
        return [*compress(range(start, end), self._typed[start:end])]

    def _turn(self, place: int) -> TurnFacts | None:
        """What followed a prompt, up to the next one of the path."""
        end = self._typed.find(1, place + 1)
        rows = self._all.rows[place + 1 : end if end >= 0 else len(self._all)]
        response, usage = self._index.joins.response, self._index.usage
        numbers = dict.fromkeys(map(response.__getitem__, rows))
        told = [one for number in numbers if (one := usage.of(number)) is not None]
        if not told:
            return None
        return TurnFacts(len(told), told[-1].context, sum(one.output for one in told))

    # --- attachments in a row ---

    def _reach(self, start: int, end: int, roles: bytes) -> tuple[int, int]:
        """How far the first and the last attachments of some rows reach beyond them."""
        first = self._run(start)[0] if roles[:1] == _ATTACHMENT else 0
        last = self._run(end - 1) if roles[-1:] == _ATTACHMENT else (0, 0)
        return first, last[1] - last[0]

    def _run(self, place: int) -> tuple[int, int]:
        """The place of an attachment among those in a row, and how many these are."""
        first, end = self._last_run
        if first <= place < end:
            return place - first, end - first
        first, end = place, place + 1
        while first > 0 and self._goes_on(first):
            first -= 1
        while end < len(self._entries) and self._goes_on(end):
            end += 1
        self._last_run = (first, end)
        return place - first, end - first

    def _goes_on(self, place: int) -> bool:
        """Say whether two rows are attachments that stand close together."""
        rows, fates, role = self._entries.rows, self._entries.fates, self._index.nodes.role
        row = rows[place]
        are_both = role[rows[place - 1]] == role[row] == Role.ATTACHMENT
        is_apart = (fates[place - 1] == SUMMARIZED) != (fates[place] == SUMMARIZED)
        return are_both and not is_apart and row != self._behind_gap

    # --- bodies ---

    def read(self, start: int, end: int) -> list[Row]:
        """See `row.Rows`."""
        entries = self._entries[start:end]
        lines = self._file.bodies(entries.rows)
        facts = self._facts(entries.rows)
        turns = {place: self._turn(place) for place in self._typed_places(start, end)}
        models = self._models(entries.rows)
        return [
            self._row(place, entry, line, model, facts, turns.get(place))
            for place, (entry, line, model) in enumerate(
                zip(entries, lines, models, strict=True), start
            )
        ]

    def _row(
        self,
        place: int,
        entry: tuple[int, Fate],
        line: bytes,
        model: str | None,
        facts: dict[int, dict[str, CallFacts]],
        turn: TurnFacts | None,
    ) -> Row:
        index, (row, fate) = self._index, entry
        role = Role(index.nodes.role[row])
        return Row(
            ordinal=row,
            uuid=index.nodes.uuid(row) or "",
            role=role,
            fate=fate,
            timestamp=timestamp_of(line),
            body=content_of(line),
            model=model,
            behind_gap=row == self._behind_gap,
            calls=facts.get(row, {}),
            turn=turn,
            run=self._run(place) if role is Role.ATTACHMENT else None,
            compaction=index.compactions.get(row),
            problem=index.malformed.get(row),
            agent=AGENT_NAMES[index.agent],
        )

    def _facts(self, rows: Iterable[int]) -> dict[int, dict[str, CallFacts]]:
        """What became of the calls of some rows, by row and by the call's id."""
        call_ids = self._index.joins.call_ids
        calls = [call for row in self._calling(rows) for call in self._calls(row)]
        edits = [call for call in calls if call.name in EDITING_TOOLS and call.state == "ok"]
        changes = self._patched(calls) if self._index.agent == "codex" else self._changes(edits)
        facts: dict[int, dict[str, CallFacts]] = {}
        for call in calls:
            told = CallFacts(call.state, changes.get(call.number), self._agent(call))
            facts.setdefault(call.row, {})[call_ids[call.number]] = told
        return facts

    def _changes(self, edits: Sequence[ToolCall]) -> dict[int, Changes]:
        ends = [call.row if call.result is None else call.result for call in edits]
        lines = self._file.bodies([call.row for call in edits])
        results = self._file.bodies(ends)
        call_ids = self._index.joins.call_ids
        counted = {
            call.number: changes_of(line, call_ids[call.number], result)
            for call, line, result in zip(edits, lines, results, strict=True)
        }
        return {number: one for number, one in counted.items() if one is not None}

    def _patched(self, calls: Sequence[ToolCall]) -> dict[int, Changes]:
        """What patches of Codex changed; those of several files are a call for each in one row."""
        done = [call for call in calls if call.file is not None and call.state == "ok"]
        rows = list(dict.fromkeys(call.row for call in done))
        told: dict[str, Changes] = {}
        for line in self._file.bodies(rows):
            told |= changes_in_patch(line)
        call_ids = self._index.joins.call_ids
        named = ((call.number, told.get(call_ids[call.number])) for call in done)
        return {number: one for number, one in named if one is not None}

    # --- calls further up ---

    def caller(self, call_id: str, before: int) -> tuple[int, int] | None:
        """See `row.Rows`."""
        joins = self._index.joins
        number = joins.number(call_id)
        row = -1 if number is None else joins.call_row[number]
        if self._places is None:
            rows = self._entries.rows
            self._places = dict(zip(rows, range(len(rows)), strict=True))
        if self._places.get(row, before) >= before:
            return None
        return row, self._index.nodes.body_of.get(row, row)

    def label(self, call_id: str, row: int) -> str | None:
        """See `row.Rows`."""
        return call_in(content_of(self._file.bodies([row])[0]), call_id)
