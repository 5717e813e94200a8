"""On which line of its file does something of a transcript stand?"""

from __future__ import annotations

from contextlib import suppress

from forkpoint import disk
from forkpoint.disk import Unreadable
from forkpoint.index import TranscriptIndex
from forkpoint.lsp.documents import lines_of
from forkpoint.row_lines import RowLines
from forkpoint.transcript_file import TranscriptFile


class TranscriptLines:
    """Lines from 0, worked out when the first is asked for; None where the file cannot be read."""

    def __init__(self, file: TranscriptFile, index: TranscriptIndex) -> None:
        self._file, self._index = file, index
        self._found: RowLines | None = None

    def _lines(self) -> RowLines | None:
        if self._found is None and self._file.conversation is not None:
            with suppress(Unreadable):
                self._found = lines_of(self._file.conversation, self._file)
        return self._found

    def of_row(self, row: int) -> int | None:
        """Return the line of a row."""
        lines = self._lines()
        return None if lines is None else lines[row]

    def of_offset(self, offset: int) -> int | None:
        """Return the line of a byte position behind all rows."""
        lines = self._lines()
        with suppress(Unreadable):
            if lines is not None:
                path, nodes = self._file.path, self._index.nodes
                return lines.line_at(offset, nodes, lambda spans: disk.read_spans(path, spans))
        return None
