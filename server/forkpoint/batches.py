"""The fast way into an index: runs of usual lines, folded together.

The general way (`folds`) takes half a dozen objects and calls per line; here columns are filled for
all rows at once, and then each row is looked at once. What is out of the ordinary goes the general
way in its place, so that no order of fields and no release is taken for granted. Both ways give the
same index: a batch with a uuid that is odd or was there before is refused, as only then a row may
not be its own node. Indexing 1 GiB of transcripts takes less than half the time, reading included.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from forkpoint.folds import Folds
from forkpoint.joins import NONE
from forkpoint.nodes import NO_TIME
from forkpoint.records.claude_code import SYNTHETIC, numbers_of
from forkpoint.records.decode import decode
from forkpoint.records.record import PREVIEW_SOURCE, Flag, Kind, Record, Role
from forkpoint.records.shapes import UsageShape
from forkpoint.records.usual import Client, Odd, Row, Run, State, UsualBlock, UsualMessage
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
    codes = bytes([_CODES.get(row.type, 0) for row in rows])
    folds.nodes.kind[first:] = codes.translate(_KINDS)
    folds.nodes.role[first:] = codes.translate(_ROLES)
    _see(folds, timestamps, folds.nodes.time[first:])
    _Batch(folds, lines.raw, first).fold(run)
    return True


def _see(folds: Folds, timestamps: Sequence[str | None], times: Sequence[int]) -> None:
    """Fold in the first and the last timestamp that can be read."""
    for places in (range(len(times)), reversed(range(len(times)))):
        place = next((place for place in places if times[place] != NO_TIME), None)
        if place is not None:
            folds.summary.seen_at(timestamps[place])


class _Batch:
    """Rows that were appended, on their way through the folds.

    The readers of rows return False for what they leave to the general way.
    """

    def __init__(self, folds: Folds, raw: Sequence[bytes], first: int) -> None:
        self.folds = folds
        self.raw = raw
        self.first = first
        self.of_agent = folds.of_agent
        self.joins = folds.joins
        self.tools = folds.tools
        self.flags = folds.nodes.flags
        # The client of the row before, what its rows have in common, and what they said already.
        self.client: Client | None = None
        self.foreign = 0
        self.went_on = False
        self.talks = False
        # The response of the row before, and what was said last of each response.
        self.message_id: str | None = None
        self.response = NONE
        self.model: str | None = None
        self.usages: dict[int, tuple[UsageShape, str, str | None]] = {}
        self.titles: list[str] = []
        self.prompts: list[str] = []

    def fold(self, run: Run) -> None:
        """Fold in all rows."""
        readers, ordinal = _READERS, self.first
        for row, client in zip(run.rows, run.clients, strict=True):
            read = readers.get(row.type)
            if read is None or not read(self, row, client, ordinal):
                self.unusual(row, ordinal)
            ordinal += 1
        self.settle()

    def unusual(self, row: Row | State | Odd, ordinal: int) -> None:
        """Go the general way."""
        self.settle()
        self.client = self.message_id = self.model = None
        if isinstance(row, Odd):
            record = row.record
        else:
            record = decode(self.raw[ordinal - self.first][:-1])[0].value
            assert isinstance(record, Record)
        if self.of_agent:
            record.flags &= ~Flag.SIDECHAIN
        nodes = self.folds.nodes
        nodes.kind[ordinal] = record.kind
        nodes.role[ordinal] = record.role
        nodes.flags[ordinal] = record.flags
        self.joins.join(record, ordinal)
        self.folds.fold_record(record, ordinal, ordinal)

    def settle(self) -> None:
        """Fold in that of which only the last counts."""
        if self.usages:
            said = {
                response: (numbers_of(usage), model, lifetime)
                for response, (usage, model, lifetime) in self.usages.items()
            }
            self.folds.usage.put(said)
            self.usages.clear()
        # The last that is not blank.
        any(map(self.folds.summary.titled, reversed(self.titles)))
        any(map(self.folds.summary.prompted, reversed(self.prompts)))
        self.titles.clear()
        self.prompts.clear()

    # --- rows ----------------------------------------------------------------------------------

    def common_flags(self, row: Row, client: Client) -> int:
        """Fold in what a row says of its client, and return the flags of all kinds of rows."""
        if client is not self.client:
            self.meet(client)
        flags = self.foreign
        if row.is_sidechain and not self.of_agent:
            flags |= _SIDECHAIN
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

    def rare_flags(self, row: Row) -> int:
        flags = Flag.META if row.is_meta else 0
        if row.forked is None:
            return flags
        summary = self.folds.summary
        if summary.forked_from is None:
            summary.forked_from = row.forked.sessionId
        return flags | Flag.COPIED

    def talk(self, flags: int) -> None:
        if not flags & _SIDECHAIN:
            self.talks = self.folds.summary.talk = True

    def assistant(self, row: Row, client: Client, ordinal: int) -> bool:
        message = row.message
        if message is None or row.uuid is None or message.model in _NO_MODELS:
            return False
        flags = self.common_flags(row, client)
        if not self.talks:
            self.talk(flags)
        message_id = message.id or row.request_id
        if message_id is not None:
            if message_id == self.message_id:
                self.joins.respond_again(self.response, ordinal)
            else:
                self.message_id = message_id
                self.response = self.joins.respond(message_id, ordinal)
            self.count(row, message)
        if isinstance(message.content, list):
            flags |= self.blocks(message.content, ordinal)
        self.flags[ordinal] = flags
        return True

    def count(self, row: Row, message: UsualMessage) -> None:
        """Remember the usage of the response, and its model in the order of the rows."""
        usage, model = message.usage, message.model
        if usage is not None and model is not None:
            self.usages[self.response] = (usage, model, row.asked_lifetime)
            if model != self.model:
                self.model = model
                self.folds.usage.know(model)

    def blocks(self, blocks: list[UsualBlock], ordinal: int) -> int:
        """Fold in the blocks of an answer, and return the flags that they give."""
        flags = 0
        for block in blocks:
            kind = block.type
            if kind == "tool_use":
                flags |= _CALL
                if block.id is not None:
                    number = self.joins.call(block.id, ordinal)
                    fields = block.input
                    file = fields and (fields.file_path or fields.notebook_path)
                    self.tools.called(number, block.name or "", file)
            elif kind == "text":
                flags |= _PROSE
            elif kind == "tool_result":
                self.result(block, ordinal)
        return flags

    def result(self, block: UsualBlock, ordinal: int) -> None:
        if block.answers is not None:
            number = self.joins.answer(block.answers, ordinal)
            if block.is_error:
                self.tools.answered(number, is_error=True)

    def user(self, row: Row, client: Client, ordinal: int) -> bool:
        message = row.message
        if message is None or row.uuid is None:
            return False
        content = message.content
        if isinstance(content, str):
            return self.prompt(row, content, client, ordinal)
        if content is None or len(content) != 1 or content[0].type != "tool_result":
            return False
        flags = self.common_flags(row, client)
        if not self.talks:
            self.talk(flags)
        self.result(content[0], ordinal)
        self.flags[ordinal] = flags | _RESULT
        return True

    def prompt(self, row: Row, text: str, client: Client, ordinal: int) -> bool:
        """Take in words that begin with no mark of the client's."""
        if not text or text[0] in "<[" or row.is_meta or row.is_summary:
            return False
        if row.source == "system" or (row.origin and row.origin.kind not in (None, "human")):
            return False
        flags = self.common_flags(row, client) | Flag.TYPED
        if not flags & _SIDECHAIN:
            self.talk(flags)
            self.folds.summary.typed(text[:PREVIEW_SOURCE], ordinal, Role.PROMPT)
        self.folds.nodes.role[ordinal] = Role.PROMPT
        self.flags[ordinal] = flags
        return True

    def attachment(self, row: Row, client: Client, ordinal: int) -> bool:
        attachment = row.attachment
        if attachment is None or row.uuid is None or attachment.type == "queued_command":
            return False
        flags = self.common_flags(row, client)
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

    def system(self, row: Row, client: Client, ordinal: int) -> bool:
        if row.uuid is None or row.subtype in _OWN_ROLES:
            return False
        self.flags[ordinal] = self.common_flags(row, client)
        return True

    # --- lines outside the graph ---------------------------------------------------------------

    def state(self, row: Row | State, _client: Client, ordinal: int) -> bool:
        if not isinstance(row, State):
            return False
        if row.type in SETTINGS:
            self.folds.states.last[row.type] = ordinal
        return True

    def last_prompt(self, row: Row | State, _client: Client, ordinal: int) -> bool:
        if not isinstance(row, State):
            return False
        if row.last_prompt:
            self.prompts.append(row.last_prompt[:PREVIEW_SOURCE])
        if (pointer := row.pointer()) is not None:
            self.folds.pointers[ordinal] = pointer
        return True

    def ai_title(self, row: Row | State, _client: Client, _ordinal: int) -> bool:
        if not isinstance(row, State):
            return False
        if row.ai_title is not None:
            self.titles.append(row.ai_title[:PREVIEW_SOURCE])
        return True

    def file_history(self, row: Row | State, _client: Client, _ordinal: int) -> bool:
        if not isinstance(row, State):
            return False
        snapshot, checkpoints = row.snapshot, self.folds.checkpoints
        if snapshot is not None:
            kind = "update" if row.is_update else "base"
            prompt = snapshot.prompt or row.row
            return checkpoints.apply_written(kind, row.row, prompt, snapshot.entries())
        if (line := row.delta()) is not None:
            checkpoints.apply(line)
        return True


_READERS: dict[str | None, Callable[[_Batch, Any, Client, int], bool]] = {
    "assistant": _Batch.assistant,
    "user": _Batch.user,
    "attachment": _Batch.attachment,
    "system": _Batch.system,
    "progress": _Batch.system,
    "mode": _Batch.state,
    "permission-mode": _Batch.state,
    "queue-operation": _Batch.state,
    "last-prompt": _Batch.last_prompt,
    "ai-title": _Batch.ai_title,
    "file-history-snapshot": _Batch.file_history,
    "file-history-delta": _Batch.file_history,
}

_USUAL = {
    "": (Kind.STATE, Role.STATE),
    "assistant": (Kind.ASSISTANT, Role.RESPONSE),
    "user": (Kind.USER, Role.TOOL_RESULT),
    "attachment": (Kind.ATTACHMENT, Role.ATTACHMENT),
    "system": (Kind.SYSTEM, Role.SYSTEM),
    "progress": (Kind.PROGRESS, Role.SYSTEM),
}
"""Kind and role by type, as long as nothing else is found."""
_CODES: dict[str | None, int] = {name: code for code, name in enumerate(_USUAL)}
_KINDS = bytes([kind for kind, _ in _USUAL.values()]).ljust(256, b"\0")
_ROLES = bytes([role for _, role in _USUAL.values()]).ljust(256, b"\0")
_OWN_ROLES = frozenset({"compact_boundary", "local_command", "api_error"})
_NO_MODELS = (None, SYNTHETIC)
# Attributes of a class take twice as long.
_SIDECHAIN, _RESULT, _CALL, _PROSE = Flag.SIDECHAIN, Flag.RESULT, Flag.CALL, Flag.PROSE
