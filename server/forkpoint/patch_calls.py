"""Which patches did Codex apply to files, over all its sessions, in the order of time?

Calls are known by the index; what they did is read from their lines, and from the event that tells
what was applied where the client wrote one. What a fork copied counts for the first session. Calls
that showed one of these files stand among them.
"""

from __future__ import annotations

import math
import posixpath
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import NamedTuple

import msgspec

from forkpoint.disk import Unreadable
from forkpoint.index import TranscriptIndex
from forkpoint.layout import is_absolute, joined, path_key, tracked_file
from forkpoint.nodes import NO_TIME
from forkpoint.prompt_numbers import AskedBy, PromptNumbers
from forkpoint.rebuilt import PatchStep
from forkpoint.records.file_changes import FileChange, Patch
from forkpoint.records.patched_calls import ToldPatch, patch_told_in
from forkpoint.records.record import Flag, Kind
from forkpoint.seen_calls import reading_calls, seen_calls
from forkpoint.session import Conversation
from forkpoint.session_entry import SessionEntry
from forkpoint.shell_reads import Seen
from forkpoint.started_by import caller_of
from forkpoint.tool_calls import ToolCall
from forkpoint.transcript_file import TranscriptFile

_EVENT_WITHIN = 40
"""Lines behind a call, up to a few behind its result, among which its event is looked for."""
_BEHIND_RESULT = 8
_SUCCEEDED = {"ok": True, "error": False, "denied": False, "pending": None, "interrupted": None}


class FilePatch(msgspec.Struct, frozen=True):
    """What a call did to one file, or showed of it.

    Attributes:
        key: names it among all that were done to the file.
        agent_id: the subagent that made the call; None = the session itself.
        path: the file, absolute.
        moved_to: where the call moved it to.
    """

    key: str
    entry: SessionEntry
    agent_id: str | None
    transcript: TranscriptFile
    index: TranscriptIndex
    call: ToolCall
    path: str
    moved_to: str | None
    step: PatchStep
    preview: str | None
    on_active_path: bool


class _Call(NamedTuple):
    """A call with what it did; the index has one call for each of its files."""

    calls: list[ToolCall]
    call_id: str
    patch: Patch
    folder: str | None

    def on(self, path: str, start: str | None) -> ToolCall:
        """The call on one of its files."""
        same = (call for call in self.calls if tracked_file(call.file or "", start) == path)
        return next(same, self.calls[0])


class PatchSource(NamedTuple):
    """A transcript that may tell of patches: a session's own, or that of a subagent."""

    entry: SessionEntry
    transcript: TranscriptFile
    agent_id: str | None


def patch_bytes(source: PatchSource) -> int:
    """Return how many bytes of lines `file_patches` reads of a transcript, about."""
    conversation = source.transcript.conversation
    if conversation is None:
        return 0
    nodes = conversation.index.nodes
    patching = [calls[0] for calls in _patching(conversation.index).values()]
    reading = reading_calls(conversation.index) if patching else []
    return sum(nodes.length[call.row] for call in (*patching, *reading))


def file_patches(source: PatchSource, version: str | None) -> list[FilePatch]:
    """Return what calls of a transcript did to files and showed of them, in order of its lines.

    Args:
        source: the transcript; what was not read of it tells nothing.
        version: of the client that would resume.
    """
    entry, transcript, agent_id = source
    conversation = transcript.conversation
    if conversation is None:
        return []
    prompts = _Prompts(source, conversation, version)
    made: list[FilePatch] = []
    start = conversation.index.summary.first_cwd
    for each in _calls(transcript, conversation.index):
        numbers: dict[str, int] = {}
        for change in each.patch.changes:
            path = _absolute(change.path, each, conversation.index)
            numbers[path] = numbers.get(path, 0) + 1
            step = prompts.step(each.calls[0], each.call_id, change)
            made.append(
                FilePatch(
                    key=_key(each.call_id, numbers[path]),
                    entry=entry,
                    agent_id=agent_id,
                    transcript=transcript,
                    index=conversation.index,
                    call=each.on(path, start),
                    path=path,
                    moved_to=None
                    if change.moved_to is None
                    else _absolute(change.moved_to, each, conversation.index),
                    step=step,
                    preview=prompts.preview(each.calls[0].row),
                    on_active_path=not step.rolled_back,
                )
            )
    made += _reads(source, conversation.index, prompts, made)
    return sorted(made, key=lambda each: each.call.row)


def _reads(
    source: PatchSource, index: TranscriptIndex, prompts: _Prompts, patches: Sequence[FilePatch]
) -> Iterator[FilePatch]:
    """What calls showed of the files that the transcript patches."""
    spans: dict[str, list[tuple[int, float]]] = {}
    for patch in patches:
        end = math.inf if patch.call.result is None else patch.call.result
        for path in filter(None, (patch.path, patch.moved_to)):
            spans.setdefault(path_key(path), []).append((patch.call.row, end))
    if not spans:
        return
    seen = seen_calls(source.transcript, index, lambda path: path_key(path) in spans)
    for call, path, shown in seen:
        done = call.row if call.result is None else call.result
        if any(start < done and call.row < end for start, end in spans[path_key(path)]):
            continue  # which of the two ran first is not told
        call_id = index.joins.call_ids[call.number]
        step = prompts.step(call, call_id, None, shown)
        yield FilePatch(
            key=_key(call_id, 1),
            entry=source.entry,
            agent_id=source.agent_id,
            transcript=source.transcript,
            index=index,
            call=call,
            path=path,
            moved_to=None,
            step=step,
            preview=prompts.preview(call.row),
            on_active_path=not step.rolled_back,
        )


def _key(call_id: str, number: int) -> str:
    digest = blake2b(call_id.encode("utf-8", "replace"), digest_size=8).hexdigest()
    return digest if number == 1 else f"{digest}-{number}"


class _Prompts:
    """What each call came of; a subagent's came of what its caller in the session came of."""

    def __init__(self, source: PatchSource, own: Conversation, version: str | None) -> None:
        entry, _, agent_id = source
        main = entry.main.conversation
        self._nodes = own.index.nodes
        self._is_agent = agent_id is not None
        self._caller = None if agent_id is None else caller_of(entry, agent_id)
        self._main = own if main is None or agent_id is None else main
        self._numbers = PromptNumbers(self._main, version)

    def _asked(self, row: int) -> AskedBy:
        if not self._is_agent:
            return self._numbers.of(row)
        if self._caller is None:
            return AskedBy(None, 0, on_active_path=True)
        return self._numbers.of(self._caller)

    def preview(self, row: int) -> str | None:
        asked = self._asked(row).row
        return None if asked is None else self._main.index.summary.prompts.get(asked)

    def step(
        self, call: ToolCall, call_id: str, change: FileChange | None, seen: Seen | None = None
    ) -> PatchStep:
        nodes = self._nodes
        asked = self._asked(call.row)
        answered = NO_TIME if call.result is None else nodes.time[call.result]
        return PatchStep(
            change=change,
            row=nodes.uuid(call.row) or "",
            prompt=None if asked.row is None else self._main.index.nodes.uuid(asked.row),
            time=nodes.time[call.row] if answered == NO_TIME else answered,
            call_id=call_id,
            rolled_back=not asked.on_active_path,
            succeeded=_SUCCEEDED[call.state],
            seen=seen,
        )


def _patching(index: TranscriptIndex) -> dict[str, list[ToolCall]]:
    """The calls that patch files, by their ids; what a fork has from another is the other's."""
    found: dict[str, list[ToolCall]] = {}
    for call in index.tools.all(index.joins):
        # A patch of several files is a call for each; they stand in one line.
        if call.file is not None and not index.nodes.flags[call.row] & Flag.COPIED:
            call_id = index.joins.call_ids[call.number].partition("#")[0]
            found.setdefault(call_id, []).append(call)
    return found


def _calls(transcript: TranscriptFile, index: TranscriptIndex) -> Iterator[_Call]:
    for call_id, calls in _patching(index).items():
        with suppress(Unreadable):
            asked, patch = _patch_of(transcript, index, call_id, calls[0])
            if patch is not None:
                yield _Call(calls, call_id, patch, asked.folder if asked else None)


def _patch_of(
    transcript: TranscriptFile, index: TranscriptIndex, call_id: str, call: ToolCall
) -> tuple[ToldPatch | None, Patch | None]:
    """The call's own line, and what was applied: as the event tells it, else as it was asked."""
    [line] = transcript.bodies([call.row])
    asked = patch_told_in(line)
    if asked is not None and asked.is_event:
        return asked, asked.patch
    for told in map(patch_told_in, transcript.lines(_lines_behind(index, call))):
        if told is not None and told.is_event and told.call_id == call_id and told.patch.changes:
            return asked, told.patch
    return asked, None if asked is None else asked.patch


def _lines_behind(index: TranscriptIndex, call: ToolCall) -> Sequence[int]:
    """Lines that are no rows, behind a call."""
    kinds = index.nodes.kind
    end = max(call.row, call.result or 0) + _BEHIND_RESULT
    rows = range(call.row + 1, min(end, call.row + _EVENT_WITHIN, len(kinds)))
    return [row for row in rows if kinds[row] == Kind.STATE]


def _absolute(path: str, each: _Call, index: TranscriptIndex) -> str:
    """The path in the folder that the call was run in, which the index joined its files to."""
    if is_absolute(path):
        return tracked_file(path, None)
    below = [_below(each.folder, change.path) for change in each.patch.changes]
    wanted, named = _below(each.folder, path), posixpath.normpath(below[0])
    file = tracked_file(each.calls[0].file or "", index.summary.first_cwd)
    is_named = file.endswith(f"/{named}")
    return tracked_file(wanted, file[: -len(named)] if is_named else index.summary.first_cwd)


def _below(folder: str | None, path: str) -> str:
    return path if not folder or is_absolute(path) else joined(folder, path)
