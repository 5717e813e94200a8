"""What happened to a file, as far as sessions recorded it: edits of the agent's tools, and copies.

Over all sessions and their subagents, in the order of time. Call and result are read from the
transcripts, the newest first and no more than one question may read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

import msgspec

from forkpoint import at_path
from forkpoint.catalog import Catalog
from forkpoint.contents import Empty
from forkpoint.disk import Unreadable
from forkpoint.file_histories import KeptVersion
from forkpoint.index import TranscriptIndex
from forkpoint.layout import path_key, tracked_file
from forkpoint.line_origins import Step
from forkpoint.nodes import NO_TIME, milliseconds
from forkpoint.patch_calls import FilePatch
from forkpoint.patch_steps import patched_steps
from forkpoint.records.edits import apply_edit
from forkpoint.records.outcomes import Outcome, outcome_in
from forkpoint.session_entry import SessionEntry
from forkpoint.text_lines import KnownLines, agent_text
from forkpoint.tool_calls import ToolCall, is_edit
from forkpoint.transcript_file import TranscriptFile
from forkpoint.written_text import is_binary

READ_AT_MOST = 32 * 1024 * 1024
"""Bytes of records, and of copies, that are read for one question."""

MOST_STEPS = 5000
"""Edits that are looked at for one question."""

READ_OF_SUBAGENTS = 16 * 1024 * 1024
"""Bytes of subagents' transcripts that are read for an answer where nobody read them before."""

_BATCH = 200


class FileCall(msgspec.Struct, frozen=True):
    """A call that worked on the file.

    Attributes:
        agent_id: the subagent that made it; None = the session itself.
    """

    entry: SessionEntry
    agent_id: str | None
    transcript: TranscriptFile
    index: TranscriptIndex
    call: ToolCall

    @property
    def call_id(self) -> str:
        """The id that call and result share; copies of a session's rows have it, too."""
        return self.index.joins.call_ids[self.call.number]

    @property
    def time(self) -> int:
        """When it was answered, else made (ms since 1970, or `NO_TIME`)."""
        times = self.index.nodes.time
        answered = NO_TIME if self.call.result is None else times[self.call.result]
        return times[self.call.row] if answered == NO_TIME else answered


class FilePast(NamedTuple):
    """What is known of a file's past.

    Attributes:
        steps: newest first; the key of an edit is its call id.
        calls: the edits by call id.
        is_whole: False where older steps were left out, as there are too many.
    """

    steps: list[Step]
    calls: dict[str, FileCall]
    is_whole: bool


def past_of(
    catalog: Catalog, paths: Sequence[str], lines: KnownLines, *, since: int | None = None
) -> FilePast:
    """Return what happened to a file.

    Args:
        catalog: all sessions; what is small and unread is read for this.
        paths: absolute path of the file, and those that it had before.
        lines: makes equal states one object.
        since: leave out what was before that time (ms since 1970); None = nothing.
    """
    histories = [catalog.histories.of_file(path) for path in paths]
    _read_subagents(catalog)
    keys = {path_key(path) for each in paths for path in (each, at_path.real_path(each))}
    keys.update(*(tracker.file.keys for history in histories for tracker in history.files))
    edits = [each for each in _edits(catalog, keys) if since is None or each.time >= since]
    newest = _newest(edits)
    steps = [*_edit_steps(newest, lines)]
    first = steps[0].time if len(newest) < len(edits) else since
    copies = [version for history in histories for version in history.versions]
    seen, are_all = _copy_steps(catalog, copies, first, lines)
    steps += seen
    patched, are_all_patches = patched_steps(catalog.patches, paths, lines, since)
    steps += [each.step for each in patched]
    # A copy is made before the edit, or before the prompt, whose time it may share.
    steps.sort(key=lambda step: (step.time, step.key is not None))
    calls = {each.call_id: each for each in newest}
    calls |= {str(each.step.key): _call_of(each.patch) for each in patched}
    is_whole = are_all and are_all_patches and len(newest) == len(edits)
    return FilePast(steps[::-1], calls, is_whole=is_whole)


def _call_of(patch: FilePatch) -> FileCall:
    return FileCall(patch.entry, patch.agent_id, patch.transcript, patch.index, patch.call)


def _copy_steps(
    catalog: Catalog, versions: Sequence[KeptVersion], first: int | None, lines: KnownLines
) -> tuple[list[Step], bool]:
    """What copies tell from a time on, and whether all of them could be read."""
    left = READ_AT_MOST
    steps: list[Step] = []
    for version in reversed(versions):
        time, source = milliseconds(version.recorded.version.time), version.source
        if source is None or time == NO_TIME or (first is not None and time < first):
            continue
        with suppress(Unreadable):
            data = b"" if isinstance(source, Empty) else catalog.contents.data(source)
            left -= len(data or b"")
            if left < 0:
                return steps, False
            if data is not None and not is_binary(data):
                text = lines.of(agent_text(data))
                steps.append(Step(None, time, text, text))
    return steps, True


def edit_step(edit: FileCall, lines: KnownLines) -> Step:
    """Return one edit as a step, by what its own record and that of its result tell."""
    [outcome] = _outcomes([edit])
    return _step(edit, outcome, outcome, lines)


def _edits(catalog: Catalog, keys: Iterable[str]) -> list[FileCall]:
    """Successful edits of a file, oldest first; what a fork copied counts for the first session."""
    wanted = frozenset(keys)
    found: dict[str, FileCall] = {}
    entries = sorted(catalog.entries(), key=lambda entry: catalog.origin(entry) is not None)
    for each in (call for entry in entries for call in _calls_on(entry, wanted)):
        if is_edit(each.call) and each.call.result is not None:
            found.setdefault(each.call_id, each)
    return sorted(found.values(), key=lambda each: (each.time, each.call.result))


def _calls_on(entry: SessionEntry, keys: frozenset[str]) -> Iterator[FileCall]:
    agents = ((agent_id, agent.transcript) for agent_id, agent in entry.agents.items())
    for agent_id, transcript in ((None, entry.main), *agents):
        if transcript.conversation is None:
            continue
        index = transcript.conversation.index
        start = index.summary.first_cwd
        named = {
            file for file in index.tools.files() if path_key(tracked_file(file, start)) in keys
        }
        for call in index.tools.on(named, index.joins) if named else ():
            yield FileCall(entry, agent_id, transcript, index, call)


def _read_subagents(catalog: Catalog) -> None:
    left = READ_OF_SUBAGENTS
    for entry in catalog.entries():
        unread = [each for each in entry.agents.values() if each.transcript.conversation is None]
        left -= sum(each.transcript.stat.size for each in unread if each.transcript.stat)
        if left < 0:
            return
        if unread:
            catalog.read_agents(entry)


def _newest(edits: Sequence[FileCall]) -> list[FileCall]:
    """The newest edits that may be read, oldest first."""
    left = READ_AT_MOST
    for at in range(len(edits) - 1, -1, -1):
        length = edits[at].index.nodes.length
        left -= length[edits[at].call.row] + length[edits[at].call.result or 0]
        if left < 0 or len(edits) - at > MOST_STEPS:
            return list(edits[at + 1 :])
    return list(edits)


def _edit_steps(edits: Sequence[FileCall], lines: KnownLines) -> Iterator[Step]:
    """The steps, oldest first; what no record tells of a text is made from the edit before."""
    text: str | None = None
    for start in range(0, len(edits), _BATCH):
        batch = edits[start : start + _BATCH]
        for edit, told in zip(batch, _outcomes(batch), strict=True):
            made = _made_from(told, text)
            yield _step(edit, told, made, lines)
            text = made.after


def _made_from(told: Outcome, text: str | None) -> Outcome:
    """What an edit made of the text that the edit before it left, where its records do not tell."""
    if told.before is not None or text is None or told.edit is None:
        return told
    after = apply_edit(told.edit, text)
    return told if after is None else Outcome(text, after, told.edit, told.hunks)


def _step(edit: FileCall, told: Outcome, made: Outcome, lines: KnownLines) -> Step:
    before = None if made.before is None else lines.of(made.before)
    after = None if made.after is None else lines.of(made.after)
    return Step(edit.call_id, edit.time, before, after, told)


def _outcomes(edits: Sequence[FileCall]) -> list[Outcome]:
    """What call and result tell of some edits; nothing where a transcript is gone."""
    bodies: dict[tuple[int, int], bytes] = {}
    rows: dict[int, tuple[TranscriptFile, list[int]]] = {}
    for edit in edits:
        of_file = rows.setdefault(id(edit.transcript), (edit.transcript, []))[1]
        of_file += [edit.call.row, edit.call.result or 0]
    for number, (transcript, wanted) in rows.items():
        with suppress(Unreadable):
            read = transcript.bodies(wanted)
            bodies |= {(number, row): body for row, body in zip(wanted, read, strict=True)}
    return [
        outcome_in(
            bodies.get((id(edit.transcript), edit.call.row), b""),
            bodies.get((id(edit.transcript), edit.call.result or 0), b""),
            edit.call_id,
        )
        for edit in edits
    ]
