"""The fast way into an index: runs of usual lines, folded together.

The general way (`folds`) takes half a dozen objects and calls per line; here columns are filled for
all rows at once, and rows that are neither answers nor results (`exchanges`) are then looked at one
by one. What is out of the ordinary goes the general way in its place, so that no order of fields
and no release is taken for granted. Both ways give the same index: a batch with a uuid that is odd
or was there before is refused, as only then a row may not be its own node. Indexing 1 GiB of
transcripts takes less than half the time, reading included.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import compress
from typing import Any, NamedTuple

from forkpoint.exchanges import ANSWER, MARKS, RESULT, UNUSUAL, Exchange
from forkpoint.folds import Folds
from forkpoint.nodes import NO_TIME
from forkpoint.records.decode import decode
from forkpoint.records.record import PREVIEW_SOURCE, Flag, Kind, Record, Role
from forkpoint.records.scanned import Scanned
from forkpoint.records.usual import Client, Odd, Row, Run, State
from forkpoint.records.work_lines import ATTACHMENTS, SETTINGS
from forkpoint.transcript import Lines


def fold_batch(folds: Folds, lines: Lines, run: Run) -> bool:
    """Fold in what was made of lines that follow each other; False if nothing was done."""
    rows = run.rows
    timestamps = [row.timestamp for row in rows]
    uuids = [row.uuid for row in rows]
    parents = [row.parent for row in rows]
    sizes = list(map(len, lines.raw))
    first = folds.nodes.extend(lines.offset, sizes, uuids, parents, timestamps)
    if first is None:
        return False
    folds.joins.grow(len(rows))
    see(folds, timestamps.__getitem__, folds.nodes.time[first:])
    Batch(folds, lines.raw.__getitem__, first, run).fold()
    return True


def see(folds: Folds, said_at: Callable[[int], str | None], times: Sequence[int]) -> None:
    """Fold in the first and the last timestamp that can be read."""
    for places in (range(len(times)), reversed(range(len(times)))):
        place = next((place for place in places if times[place] != NO_TIME), None)
        if place is not None:
            folds.summary.seen_at(said_at(place))


class Batch:
    """Rows that were appended, on their way through the folds.

    Nearly all answers and results are done with as columns. The other rows are looked at one by
    one, by readers which return False for what they leave to the general way.
    """

    def __init__(
        self, folds: Folds, line: Callable[[int], bytes], first: int, run: Run | Scanned
    ) -> None:
        self.folds = folds
        self.line = line
        self.first = first
        self.rows: Any = run if isinstance(run, Scanned) else run.rows
        self.clients = run.clients
        self.of_agent = folds.of_agent
        self.flags = folds.nodes.flags
        self.exchange = Exchange(folds)
        self.codes = bytearray()
        # By place, 1 for a row that is to be looked at.
        self.apart = bytearray()
        # The client from here on, that of the row before, and what was folded in of it already.
        self.now = Client()
        self.client: Client | None = None
        self.foreign = 0
        self.went_on = False
        self.titles: list[str] = []
        self.prompts: list[str] = []

    def fold(self) -> None:
        """Fold in all rows."""
        self.sort()
        self.fill()
        place = -1
        while (place := self.apart.find(1, place + 1)) >= 0:
            self.now = self.clients.get(place, self.now)
            self.look(place)
        self.settle(len(self.codes))
        self.exchange.settle(self.first + len(self.rows))

    def look(self, place: int) -> None:
        """Fold in a row that is looked at."""
        row, ordinal = self.rows[place], self.first + place
        if row is None or not _READERS[self.codes[place]](self, row, ordinal):
            self.unusual(row, ordinal)

    def sort(self) -> None:
        """Tell apart what is usual among answers and what the user's rows are."""
        rows, first = self.rows, self.first
        codes = self.codes = bytearray([CODES.get(row.type, UNUSUAL) for row in rows])
        places = compress(range(len(rows)), codes.translate(_ARE_ANSWERS))
        self.exchange.sort_answers(rows, places, first, codes)
        places = compress(range(len(rows)), codes.translate(_ARE_RESULTS))
        self.exchange.sort_results(rows, places, first, codes)

    def fill(self) -> None:
        """Fill the columns, as if nothing else was to be found, and choose the rows to look at."""
        nodes, codes, first = self.folds.nodes, self.codes, self.first
        nodes.kind[first:] = codes.translate(_KINDS)
        nodes.role[first:] = codes.translate(_ROLES)
        in_graph = codes.translate(IN_GRAPH)
        self.apart = self.to_look_at(in_graph)
        aside = set[object]() if self.of_agent else self.aside(in_graph)
        flags = _FLAGS
        if aside == {True}:
            flags = _FLAGS_ASIDE
        elif True in aside:
            self.apart = bytearray(b"\1") * len(codes)
        elif codes.translate(_TALK).count(1):
            self.folds.summary.talk = True
        nodes.flags[first:] = array("I", map(flags.__getitem__, codes))
        for place in self.clients:
            self.apart[place] = 1

    def aside(self, in_graph: bytearray) -> set[object]:
        """Return what rows in the graph say of being a sidechain's."""
        return {row.is_sidechain for row in compress(self.rows, in_graph)}

    def to_look_at(self, in_graph: bytearray) -> bytearray:
        """Choose the rows of some kinds, and those with a field that hardly any has."""
        apart = self.codes.translate(_APART)
        rare = [row.is_meta or row.forked is not None for row in compress(self.rows, in_graph)]
        for place in compress(compress(range(len(in_graph)), in_graph), rare):
            apart[place] = 1
        return apart

    def unusual(self, row: Row | State | Odd | None, ordinal: int) -> None:
        """Go the general way."""
        place = ordinal - self.first
        self.settle(place)
        if isinstance(row, Odd):
            record = row.record
        else:
            record = decode(self.line(place)[:-1])[0].value
            assert isinstance(record, Record)
        if record.message_id is not None or record.blocks:
            self.exchange.settle(ordinal)
        if self.of_agent:
            record.flags &= ~Flag.SIDECHAIN
        nodes = self.folds.nodes
        nodes.kind[ordinal] = record.kind
        nodes.role[ordinal] = record.role
        nodes.flags[ordinal] = record.flags
        self.folds.joins.join(record, ordinal)
        self.folds.fold_record(record, ordinal, ordinal)
        # The next row says again what its client is.
        self.client = None
        following = self.codes.translate(IN_GRAPH).find(1, place + 1)
        if following >= 0:
            self.apart[following] = 1

    def settle(self, _end: int) -> None:
        """Fold in that of which only the last counts, of the rows before a place."""
        # The last that is not blank.
        any(map(self.folds.summary.titled, reversed(self.titles)))
        any(map(self.folds.summary.prompted, reversed(self.prompts)))
        self.titles.clear()
        self.prompts.clear()

    # --- rows ----------------------------------------------------------------------------------

    def common_flags(self, row: Row) -> int:
        """Fold in what a row says of its client, and return the flags of all kinds of rows."""
        client = self.now
        if client is not self.client:
            self.meet(client)
        flags = self.foreign
        if row.is_sidechain and not self.of_agent:
            flags |= Flag.SIDECHAIN
        elif not self.went_on:
            self.went_on = True
            self.folds.summary.went_on(client.git_branch, client.entrypoint)
        if row.is_meta or row.forked is not None:
            flags |= self.rare_flags(row)
        return flags

    def meet(self, client: Client) -> None:
        """Fold in what rows from here on say of their client."""
        self.client, self.went_on, self.foreign = client, False, 0
        self.folds.summary.written_by(client.cwd, client.version)
        if self.folds.is_foreign(client.session_id):
            self.foreign = Flag.FOREIGN
            self.folds.summary.foreign_sessions.add(client.session_id or "")
            self.apart = bytearray(b"\1") * len(self.rows)

    def rare_flags(self, row: Row) -> int:
        """Return the flags of a row with a field that hardly any has."""
        flags = Flag.META if row.is_meta else 0
        if row.forked is None:
            return flags
        summary = self.folds.summary
        if summary.forked_from is None:
            summary.forked_from = row.forked.sessionId
        return flags | Flag.COPIED

    def exchanged(self, row: Row, ordinal: int) -> bool:
        """Take in what an answer or a result says besides."""
        flags = self.common_flags(row)
        self.flags[ordinal] |= flags
        if not flags & Flag.SIDECHAIN:
            self.folds.summary.talk = True
        return True

    def words(self, row: Row, ordinal: int) -> bool:
        """Take in words that begin with no mark of the client's."""
        text = row.message and row.message.content
        if not isinstance(text, str) or not text or text[0] in MARKS:
            return False
        if row.is_meta or row.is_summary:
            return False
        if row.source == "system" or (row.origin and row.origin.kind not in (None, "human")):
            return False
        self.typed(text, row, ordinal)
        return True

    def typed(self, text: str, row: Row, ordinal: int) -> None:
        """Take in a person's words."""
        flags = self.common_flags(row) | Flag.TYPED
        if not flags & Flag.SIDECHAIN:
            self.folds.summary.talk = True
            self.folds.summary.typed(text[:PREVIEW_SOURCE], ordinal, Role.PROMPT)
        self.flags[ordinal] = flags

    def attachment(self, row: Row, ordinal: int) -> bool:
        """Take in what the client adds to a conversation."""
        attachment = row.attachment
        if attachment is None or row.uuid is None or attachment.type == "queued_command":
            return False
        flags = self.common_flags(row)
        rendered = bytes(row.rendered)
        if rendered.startswith(b"[") and rendered != b"[]":
            flags |= Flag.RENDERED
        kind = attachment.type
        if kind == "hook_success":
            flags |= Flag.HOOK_NOTE
        if kind in ATTACHMENTS:
            self.folds.states.notes.setdefault(kind, []).append(ordinal)
        self.flags[ordinal] = flags
        return True

    def system(self, row: Row, ordinal: int) -> bool:
        """Take in a note of the client."""
        if row.uuid is None or row.subtype in _OWN_ROLES:
            return False
        self.flags[ordinal] = self.common_flags(row)
        return True

    def none(self, _row: Any, _ordinal: int) -> bool:
        """Leave a row to the general way."""
        return False

    # --- lines outside the graph ---------------------------------------------------------------

    def state(self, row: Row | State, ordinal: int) -> bool:
        """Take in a line of which only the place counts."""
        if not isinstance(row, State):
            return False
        if row.type in SETTINGS:
            self.folds.states.last[row.type] = ordinal
        return True

    def last_prompt(self, row: Row | State, ordinal: int) -> bool:
        """Take in the text beside a pointer, and the pointer."""
        if not isinstance(row, State):
            return False
        if row.last_prompt:
            self.prompts.append(row.last_prompt[:PREVIEW_SOURCE])
        if (pointer := row.pointer()) is not None:
            self.folds.pointers[ordinal] = pointer
        return True

    def ai_title(self, row: Row | State, _ordinal: int) -> bool:
        """Take in a title."""
        if not isinstance(row, State):
            return False
        if row.ai_title is not None:
            self.titles.append(row.ai_title[:PREVIEW_SOURCE])
        return True

    def file_history(self, row: Row | State, _ordinal: int) -> bool:
        """Take in a line of the history of files."""
        if not isinstance(row, State):
            return False
        snapshot, checkpoints = row.snapshot, self.folds.checkpoints
        if snapshot is not None:
            kind = "update" if row.is_update else "base"
            prompt = snapshot.prompt or row.row
            return checkpoints.apply_written(kind, row.row, prompt, bytes(snapshot.files))
        if (line := row.delta()) is not None:
            checkpoints.apply(line)
        return True


class _Kind(NamedTuple):
    """What a row is as long as nothing else is found."""

    read: Callable[[Batch, Any, int], bool]
    kind: int = Kind.STATE
    role: int = Role.STATE
    flags: int = 0


_Answer = partial(_Kind, Batch.exchanged, Kind.ASSISTANT, Role.RESPONSE)
_BY_CODE = [
    _Kind(Batch.none),
    _Answer(),
    _Answer(Flag.PROSE),
    _Answer(Flag.CALL),
    _Kind(Batch.exchanged, Kind.USER, Role.TOOL_RESULT, Flag.RESULT),
    _Kind(Batch.exchanged, Kind.USER, Role.COMPACT_SUMMARY),
    _Kind(Batch.words, Kind.USER, Role.PROMPT),
]
CODES: dict[str | None, int] = {"assistant": ANSWER, "user": RESULT}
"""Of types of lines, as far as the type tells."""
for _name, _kind in {
    "attachment": _Kind(Batch.attachment, Kind.ATTACHMENT, Role.ATTACHMENT),
    "system": _Kind(Batch.system, Kind.SYSTEM, Role.SYSTEM),
    "progress": _Kind(Batch.system, Kind.PROGRESS, Role.SYSTEM),
    "mode": _Kind(Batch.state),
    "permission-mode": _Kind(Batch.state),
    "queue-operation": _Kind(Batch.state),
    "last-prompt": _Kind(Batch.last_prompt),
    "ai-title": _Kind(Batch.ai_title),
    "file-history-snapshot": _Kind(Batch.file_history),
    "file-history-delta": _Kind(Batch.file_history),
}.items():
    CODES[_name] = len(_BY_CODE)
    _BY_CODE.append(_kind)


def _table(values: Iterable[int]) -> bytes:
    """Of what `bytes.translate` makes of codes."""
    return bytes(values).ljust(256, b"\0")


_READERS = [kind.read for kind in _BY_CODE]
_KINDS = _table(kind.kind for kind in _BY_CODE)
_ROLES = _table(kind.role for kind in _BY_CODE)
_FLAGS = [kind.flags for kind in _BY_CODE]
_FLAGS_ASIDE = [flags | Flag.SIDECHAIN for flags in _FLAGS]
_ARE_ANSWERS = _table(code == ANSWER for code in range(256))
_ARE_RESULTS = _table(code == RESULT for code in range(256))
_TALK = _table(kind.read is Batch.exchanged for kind in _BY_CODE)
IN_GRAPH = _table(kind.kind != Kind.STATE for kind in _BY_CODE)
_APART = _table(kind.read is not Batch.exchanged for kind in _BY_CODE)
_OWN_ROLES = frozenset({"compact_boundary", "local_command", "api_error"})
