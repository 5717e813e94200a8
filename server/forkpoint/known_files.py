"""Are the files that Claude read or edited still as it knows them?

A resume takes what Claude knows of a file from the last call on the active path that read or
edited it. A file counts as the same if nobody wrote to it since, as its time tells, or if it holds
what the call left Claude knowing.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import compress

from forkpoint import at_path, disk
from forkpoint.active_line import SUMMARIZED
from forkpoint.contents import READ_AT_ONCE, Contents, Working
from forkpoint.disk import Unreadable
from forkpoint.growing_calls import calls_of
from forkpoint.known_texts import is_known
from forkpoint.layout import is_absolute, tracked_file
from forkpoint.nodes import NO_TIME
from forkpoint.records.edits import edit_in, original_in
from forkpoint.records.work_lines import (
    TOLD_FILE,
    told_file_in,
    was_changed_before_it_ran,
    whole_text_in,
)
from forkpoint.session import Conversation
from forkpoint.tool_calls import EDITING_TOOLS, READING_TOOL, ToolCall
from forkpoint.transcript_file import TranscriptFile
from forkpoint.work_state import Knowledge


def known_files(conversation: Conversation, version: str | None) -> dict[str, ToolCall]:
    """Return the files that a client of a version knows after a resume.

    Returns:
        Absolute path -> the call that read or edited it last, in the order of the first calls.
    """
    entries = conversation.path(version).entries
    kept = set(compress(entries.rows, map(SUMMARIZED.__ne__, entries.fates)))
    start = conversation.index.summary.first_cwd
    paths: dict[str, str] = {}
    found: dict[str, ToolCall] = {}
    for call in calls_of(conversation):
        if call.name in _TELLING and call.state == "ok" and call.file and call.row in kept:
            path = paths.get(call.file) or tracked_file(call.file, start)
            found[path] = call
            paths[call.file] = path
    return found


_TELLING = EDITING_TOOLS | {READING_TOOL}


def knowledge_of(
    contents: Contents,
    transcript: TranscriptFile,
    conversation: Conversation,
    known: Mapping[str, ToolCall],
) -> dict[str, Knowledge]:
    """Return how each file stands against what Claude knows of it; raises `Unreadable`.

    Args:
        contents: reads the files.
        transcript: the session's.
        conversation: what was read of it.
        known: see `known_files`.
    """
    told = _told_files(transcript, conversation)
    comparison = _Comparison(contents, transcript, conversation)
    return {path: comparison.of(path, call, told.get(path)) for path, call in known.items()}


def _told_files(transcript: TranscriptFile, conversation: Conversation) -> dict[str, int]:
    """The newest node that told Claude of a change of a file by somebody else, by path."""
    rows = conversation.index.states.notes.get(TOLD_FILE, [])
    files = map(told_file_in, transcript.bodies(rows))
    start = conversation.index.summary.first_cwd
    return {tracked_file(file, start): row for row, file in zip(rows, files, strict=True) if file}


class _Comparison:
    """Compares files with what calls left Claude knowing, within what one question may read."""

    def __init__(
        self, contents: Contents, transcript: TranscriptFile, conversation: Conversation
    ) -> None:
        self._contents = contents
        self._transcript = transcript
        self._index = conversation.index
        self._left = READ_AT_ONCE

    def of(self, path: str, call: ToolCall, told: int | None) -> Knowledge:
        if not is_absolute(path) or call.result is None:
            return "unknown"
        is_told = told is not None and told > call.result
        since = self._index.nodes.time[told if told is not None and is_told else call.result]
        try:
            stat = disk.stat(at_path.real_path(path))
            if since != NO_TIME and stat.mtime_ns < (since + 1) * 1_000_000:
                return "same"
            self._left -= stat.size
            # What the whole file was when Claude was told of a change, no line says.
            if is_told or self._left < 0:
                return "unknown"
            content = self._contents.data(Working(path))
        except Unreadable as failure:
            return "gone" if failure.reason == "gone" else "unknown"
        return "unknown" if content is None else self._compare(content, call, call.result)

    def _compare(self, content: bytes, call: ToolCall, result: int) -> Knowledge:
        made, answered = self._transcript.bodies([call.row, result])
        if call.name == READING_TOOL:
            text = whole_text_in(answered)
            if text is None:
                return "unknown"
            return "same" if is_known(content, [text.encode("utf-8", "replace")], []) else "changed"
        edit = edit_in(made, self._index.joins.call_ids[call.number])
        if edit is None or was_changed_before_it_ran(answered):
            return "unknown"
        original = original_in(answered)
        if is_known(content, [], [(edit, original)]):
            return "same"
        return "changed" if edit.content is not None or original is not None else "unknown"
