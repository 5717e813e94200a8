"""`forkpoint/lineHistory`: who wrote the lines of a file?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from forkpoint.catalog import Catalog
from forkpoint.contents import Working
from forkpoint.disk import Reason, Unreadable
from forkpoint.file_steps import FileCall, FilePast, past_of
from forkpoint.line_authors import Author, authors_of
from forkpoint.line_map import LineMaps
from forkpoint.nodes import NO_TIME
from forkpoint.prompt_numbers import PromptNumbers
from forkpoint.protocol import types
from forkpoint.protocol.errors import RequestFailed
from forkpoint.protocol.uri import path_of
from forkpoint.protocol.wire.common import iso_time
from forkpoint.protocol.wire.sessions import title_of_entry
from forkpoint.session import Conversation
from forkpoint.session_entry import SessionEntry
from forkpoint.started_by import caller_of
from forkpoint.text_lines import KnownLines, agent_text
from forkpoint.worded import counted, joined, say
from forkpoint.written_text import is_binary

_REASONS: dict[Reason, str] = {
    "gone": say("There is no such file."),
    "denied": say("Reading the file is not allowed."),
    "notRegular": say("What lies there is no regular file."),
    "io": say("The system could not read the file."),
    "damaged": say("The file is compressed, and damaged."),
    "notUnpackable": say("The file is compressed, and nothing is installed that unpacks it."),
}


def line_history(catalog: Catalog, params: types.LineHistoryParams) -> types.LineHistoryResult:
    """Go back through the file's past; it is read as it is saved."""
    path = path_of(params.file)
    try:
        data = catalog.contents.data(Working(path))
    except Unreadable as failure:
        raise RequestFailed("unknownFile", _REASONS[failure.reason]) from None
    if data is None or is_binary(data):
        too_large = say("The file is too large to be looked into.")
        return _answer(catalog, [], [], too_large if data is None else say("The file is no text."))
    lines = KnownLines()
    now = lines.of(agent_text(data))
    past = past_of(catalog, [path], lines)
    if not past.calls:
        return _answer(catalog, [], [], say("No session edited this file with the agent's tools."))
    authors = authors_of(now, past.steps, LineMaps())
    changes = _Changes(catalog, past)
    runs = [*_runs(authors.lines, changes, is_whole=past.is_whole)]
    return _answer(catalog, runs, changes.rows, _sentence(past, authors.unknown))


def _answer(
    catalog: Catalog,
    runs: Sequence[types.LineRun],
    changes: Sequence[types.LineChange],
    sentence: str,
) -> types.LineHistoryResult:
    done, total = catalog.indexing()
    indexing = types.Indexing(done=done, total=total)
    return types.LineHistoryResult(runs=runs, changes=changes, sentence=sentence, indexing=indexing)


def _sentence(past: FilePast, unknown: int) -> str:
    words: list[str] = []
    if not past.is_whole:
        words.append(say("Only the newest edits of this file were looked at."))
    if unknown:
        words.append(
            counted(
                unknown,
                "What one edit wrote cannot be told from what is recorded.",
                "What {count} edits wrote cannot be told from what is recorded.",
            )
        )
    return joined(words)


def _runs(
    authors: Sequence[Author], changes: _Changes, *, is_whole: bool
) -> Iterator[types.LineRun]:
    line = 0
    for author, group in groupby(authors):
        count = sum(1 for _ in group)
        by: types.LineAuthor = author.by
        if by == "older" and not is_whole:
            by = "unknown"
        yield types.LineRun(
            line=line,
            end_line=line + count - 1,
            by=by,
            change=None if author.key is None else changes.number(str(author.key)),
            since=_time(author.since),
            until=_time(author.until),
        )
        line += count


def _time(milliseconds: int | None) -> str | None:
    return None if milliseconds in (None, NO_TIME) else iso_time(milliseconds or 0)


class _Changes:
    """The calls that wrote lines, numbered newest first."""

    def __init__(self, catalog: Catalog, past: FilePast) -> None:
        self._catalog, self._past = catalog, past
        self._numbers: dict[str, int] = {}
        self._prompts: dict[str, PromptNumbers] = {}
        self.rows: list[types.LineChange] = []

    def number(self, call_id: str) -> int:
        """Return the place of a call in `rows`."""
        if call_id not in self._numbers:
            self._numbers[call_id] = len(self.rows)
            self.rows.append(self._row(self._past.calls[call_id]))
        return self._numbers[call_id]

    def _row(self, made: FileCall) -> types.LineChange:
        index, entry = made.index, made.entry
        prompt, number, on_path = self._asked_by(made)
        main = entry.main.conversation
        title = title_of_entry(self._catalog, entry, main.index.summary).text if main else ""
        return types.LineChange(
            session_id=entry.session_id,
            agent_id=made.agent_id,
            title=title,
            tool_use_id=made.call_id,
            name=made.call.name,
            uuid=index.nodes.uuid(made.call.row) or "",
            ordinal=made.call.row,
            at=_time(index.nodes.time[made.call.row]),
            prompt=prompt,
            prompt_number=number,
            on_active_path=on_path,
        )

    def _asked_by(self, made: FileCall) -> tuple[types.PromptReference | None, int | None, bool]:
        """The prompt in the session's own transcript; a subagent's calls came of its caller's."""
        row = made.call.row if made.agent_id is None else caller_of(made.entry, made.agent_id)
        main = made.entry.main.conversation
        if row is None or main is None:
            return None, None, True
        asked = self._prompts_of(made.entry, main).of(row)
        if asked.row is None:
            return None, None, asked.on_active_path
        preview = main.index.summary.prompts.get(asked.row)
        uuid = main.index.nodes.uuid(asked.row) or ""
        reference = types.PromptReference(uuid=uuid, preview=preview)
        return reference, asked.number, asked.on_active_path

    def _prompts_of(self, entry: SessionEntry, main: Conversation) -> PromptNumbers:
        if entry.session_id not in self._prompts:
            numbers = PromptNumbers(main, self._catalog.resuming_version)
            self._prompts[entry.session_id] = numbers
        return self._prompts[entry.session_id]
