"""Which files of a session did a person edit since the agent knew them last?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from forkpoint.backups import Copy
from forkpoint.contents import Contents, Working
from forkpoint.disk import Unreadable
from forkpoint.known_texts import is_known
from forkpoint.layout import tracked_file
from forkpoint.records.edits import Edit, edit_in, original_in
from forkpoint.session import Conversation
from forkpoint.session_entry import SessionEntry, all_calls
from forkpoint.tool_calls import ToolCall, is_edit
from forkpoint.transcript_file import TranscriptFile

COMPARED_AT_MOST = 64 * 1024 * 1024
"""Bytes of a file's copies that it is compared with, the newest first."""


class HandEdits:
    """Compares files with the session's copies and with what its edits made of them."""

    def __init__(self, contents: Contents, entry: SessionEntry, conversation: Conversation) -> None:
        self._contents = contents
        self._entry = entry
        self._versions = conversation.checkpoints().versions
        self._edits: dict[str, list[tuple[TranscriptFile, ToolCall]]] = {}
        start = conversation.index.summary.first_cwd
        for transcript, _, call in all_calls(entry):
            if is_edit(call) and call.result is not None and call.file:
                edits = self._edits.setdefault(tracked_file(call.file, start), [])
                edits.append((transcript, call))

    def has(self, path: str) -> bool:
        """Say whether a file holds what neither a copy nor an edit of the agent left there.

        False for one that is not there, cannot be read or is too large to compare.
        """
        try:
            content = self._contents.data(Working(path))
        except Unreadable:
            return False
        return content is not None and not is_known(
            content, self._newest_copies(path), self._edits_of(path)
        )

    def _newest_copies(self, path: str) -> Iterator[bytes]:
        """What the newest copies hold, oldest first, one at a time."""
        left = COMPARED_AT_MOST
        compared: list[Copy] = []
        for copy in reversed(self._copies(path)):
            left -= self._contents.size(copy) or 0
            if left < 0:
                break
            compared.append(copy)
        for copy in reversed(compared):
            with suppress(Unreadable):
                content = self._contents.data(copy)
                if content is not None:
                    yield content

    def _copies(self, path: str) -> Sequence[Copy]:
        names = (version.backup for version in self._versions.get(path, ()))
        root, session_id = self._entry.root, self._entry.session_id
        return [Copy(root, session_id, name) for name in names if name is not None]

    def _edits_of(self, path: str) -> Iterator[tuple[Edit, str | None]]:
        """The edits of a file, with what each replaced if its result tells."""
        for transcript, call in self._edits.get(path, ()):
            if call.result is not None:
                made, answered = transcript.bodies([call.row, call.result])
                call_id = transcript.refresh().index.joins.call_ids[call.number]
                edit = edit_in(made, call_id)
                if edit is not None:
                    yield edit, original_in(answered)
