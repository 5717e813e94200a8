"""What are records called in the outline of a raw transcript?

As the index knows them, and the newest of those of which it has no words by what their lines say.
"""

from __future__ import annotations

from forkpoint import transcript_bytes
from forkpoint.index import TranscriptIndex
from forkpoint.inert import visible
from forkpoint.records.content import content_of
from forkpoint.records.decode import type_at_head
from forkpoint.records.record import Flag, Kind, Role
from forkpoint.row_names import row_name
from forkpoint.transcript_file import TranscriptFile

MOST_READ = 10_000
"""Lines that are looked at for one outline, the newest: others go by what the index knows."""
_LONGEST = 8 * 1024
"""Bytes of a line that is read whole for its first words; a longer one goes by its kind."""
_HEAD = 160
"""Bytes in which a state line says its type."""

_WITH_WORDS = bytes((Role.INJECTED, Role.ATTACHMENT, Role.SYSTEM, Role.API_ERROR))
_TYPED = bytes((Role.PROMPT, Role.COMMAND, Role.SHELL))
"""Of these the index has the words, but for outputs, repeats and what a subagent was told."""


def outline_names(index: TranscriptIndex, file: TranscriptFile) -> list[str]:
    """Return a name for each row, never empty; raises `Unreadable`."""
    spans = _to_read(index)
    read = dict(zip(spans, transcript_bytes.read_spans(file.path, spans.values()), strict=True))
    return [
        (_said(index, row, line) if (line := read.get(row)) is not None else None)
        or row_name(index, row)
        for row in range(len(index.nodes))
    ]


def _to_read(index: TranscriptIndex) -> dict[int, tuple[int, int]]:
    """The part of its line that names a row, for the newest rows that the index has no words of."""
    nodes = index.nodes
    spans: dict[int, tuple[int, int]] = {}
    for row in range(len(nodes) - 1, -1, -1):
        if nodes.kind[row] == Kind.STATE:
            spans[row] = (nodes.offset[row], min(nodes.length[row], _HEAD))
        elif _has_words(index, row) and nodes.length[row] <= _LONGEST:
            spans[row] = (nodes.offset[row], nodes.length[row])
        if len(spans) == MOST_READ:
            break
    return spans


def _has_words(index: TranscriptIndex, row: int) -> bool:
    nodes = index.nodes
    role = nodes.role[row]
    if role in _TYPED:
        return row not in index.summary.prompts
    is_answer = role == Role.RESPONSE and nodes.has(row, Flag.PROSE)
    return is_answer or role in _WITH_WORDS or nodes.kind[row] == Kind.UNKNOWN


def _said(index: TranscriptIndex, row: int, line: bytes) -> str:
    if index.nodes.kind[row] == Kind.STATE:
        return type_at_head(line) or ""
    return visible(content_of(line).preview)
