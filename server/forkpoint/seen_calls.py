"""Which calls of a transcript showed a file as it was?

Only those count whose command does nothing but print one file, and whose output is known to be all
that it printed (see `shell_reads`, `plain_output`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import NamedTuple

from forkpoint.disk import Unreadable
from forkpoint.index import TranscriptIndex
from forkpoint.layout import is_absolute, joined, tracked_file
from forkpoint.records.record import Flag
from forkpoint.records.told_reads import READING_TOOLS, ToldRead, output_told_in, read_told_in
from forkpoint.shell_reads import Seen, seen_in
from forkpoint.tool_calls import ToolCall
from forkpoint.transcript_file import TranscriptFile

MOST_SHOWN = 16 * 1024 * 1024
"""Bytes of results that are read of one transcript, of its last calls."""
_AT_ONCE = 256


class SeenCall(NamedTuple):
    """A call, the file that it read, absolute, and what it showed."""

    call: ToolCall
    path: str
    seen: Seen


def reading_calls(index: TranscriptIndex) -> list[ToolCall]:
    """Return the calls that may read a file; what a fork has from another is the other's."""
    flags = index.nodes.flags
    return [
        call
        for call in index.tools.all(index.joins)
        if call.name in READING_TOOLS
        and call.file is None
        and call.state == "ok"
        and not flags[call.row] & Flag.COPIED
    ]


def seen_calls(
    transcript: TranscriptFile, index: TranscriptIndex, is_wanted: Callable[[str], bool]
) -> list[SeenCall]:
    """Return what calls showed of some files, in the order of their lines.

    Args:
        transcript: whose lines are read.
        index: of that transcript.
        is_wanted: says of an absolute path whether it is one of those files.
    """
    found: list[SeenCall] = []
    left, lengths = MOST_SHOWN, index.nodes.length
    for call, path, told in reversed([*_asked(transcript, index, is_wanted)]):
        left -= lengths[call.result or 0]
        if left < 0:
            break
        with suppress(Unreadable):
            [line] = transcript.bodies([call.result or 0])
            output = output_told_in(line, told)
            seen = None if output is None else seen_in(told.read, output)
            if seen is not None:
                found.append(SeenCall(call, path, seen))
    return found[::-1]


def _asked(
    transcript: TranscriptFile, index: TranscriptIndex, is_wanted: Callable[[str], bool]
) -> Iterator[tuple[ToolCall, str, ToldRead]]:
    calls = [call for call in reading_calls(index) if call.result is not None]
    for start in range(0, len(calls), _AT_ONCE):
        some = calls[start : start + _AT_ONCE]
        with suppress(Unreadable):
            for call, line in zip(
                some, transcript.bodies([each.row for each in some]), strict=True
            ):
                told = read_told_in(line)
                path = None if told is None else _path(told, index)
                if told is not None and path is not None and is_wanted(path):
                    yield call, path, told


def _path(told: ToldRead, index: TranscriptIndex) -> str | None:
    """The file that is read, absolute; None where that is not certain."""
    path, summary = told.read.path, index.summary
    if not is_absolute(path):
        folder = told.folder or ""
        if not is_absolute(folder):
            # Which of several folders a turn was in, only its own line tells.
            if len(summary.cwds) > 1 or summary.first_cwd is None:
                return None
            folder = joined(summary.first_cwd, folder) if folder else summary.first_cwd
        path = joined(folder, path)
    return tracked_file(path, None) if path.startswith("/") else None
