"""`forkpoint/locate`: where is what a tool call wrote or read, in the file as it is now?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from forkpoint import at_path
from forkpoint.catalog import Catalog
from forkpoint.changed_lines import Change, Run
from forkpoint.contents import Working
from forkpoint.disk import Reason, Unreadable
from forkpoint.edited_place import How, Place, Search, search, search_block
from forkpoint.file_steps import FileCall, edit_step, past_of
from forkpoint.layout import is_absolute, joined, last_part, tracked_file
from forkpoint.line_map import LineMaps
from forkpoint.line_origins import Step
from forkpoint.nodes import NO_TIME
from forkpoint.notebook_cell import cell_places
from forkpoint.protocol import types
from forkpoint.protocol.errors import RequestFailed
from forkpoint.protocol.uri import file_uri
from forkpoint.protocol.wire.common import resolved_uri
from forkpoint.protocol.wire.places import (
    confidence_of,
    edit_sentence,
    read_sentence,
    text_range,
)
from forkpoint.records.edits import shell_command_in
from forkpoint.records.outcomes import new_cell_in, part_read_in, wanted_lines_in
from forkpoint.renames import renames_in
from forkpoint.text_lines import KnownLines, Lines, agent_text, lines_of
from forkpoint.tool_calls import EDITING_TOOLS, READING_TOOL, SHELL_TOOLS, CallState
from forkpoint.worded import say
from forkpoint.written_text import is_binary

MOST_COMMANDS = 2000
"""Shell commands behind a call that are looked at for a file that is gone."""


class _Asked(NamedTuple):
    """The call that is asked about, and what its answer begins with."""

    call: FileCall
    uuid: str
    uri: str | None
    path: str

    @property
    def is_edit(self) -> bool:
        """Whether the call edits its file; the only calls of Codex with files are patches."""
        return self.call.call.name in EDITING_TOOLS or self.call.entry.agent == "codex"

    def nothing(self, sentence: str, uri: str | None = None) -> types.LocateResult:
        """Answer with the file alone."""
        return types.LocateResult(
            file=uri or self.uri,
            range=None,
            confidence="fileOnly",
            sentence=sentence,
            ranges=[],
            uuid=self.uuid,
        )


class _File(NamedTuple):
    """The file now: a path that it had before, if it was renamed since, and the lines."""

    path: str
    renamed: bool
    lines: Lines


def locate(catalog: Catalog, params: types.LocateParams) -> types.LocateResult:
    """Look for the call's text in the file; bodies and the file are read for this."""
    asked = _asked(catalog, params)
    call = asked.call.call
    if call.file is None:
        return asked.nothing(say("This call works on no file."))
    if not is_absolute(asked.path):
        return asked.nothing(say("Where this file lies is not recorded."))
    if asked.is_edit and call.state != "ok":
        return asked.nothing(_NOT_DONE[call.state])
    lines = KnownLines()
    file = _file_now(catalog, asked, lines)
    if isinstance(file, str):
        return asked.nothing(file)
    if asked.is_edit:
        return _of_edit(catalog, asked, file, lines)
    if call.name == READING_TOOL:
        return _of_read(catalog, asked, file, lines)
    return asked.nothing(say("Which part of the file this call is about is not recorded."))


def _asked(catalog: Catalog, params: types.LocateParams) -> _Asked:
    conversation = catalog.conversation(params.session_id, params.agent_id)
    index = conversation.index
    number = index.joins.number(params.tool_use_id)
    call = None if number is None else index.tools.of(number, index.joins)
    if call is None or call.row < 0:
        sentence = say(
            "There is no call {tool_use_id} in this transcript.", tool_use_id=params.tool_use_id
        )
        raise RequestFailed("unknownRecord", sentence)
    transcript = catalog.transcript(params.session_id, params.agent_id)
    entry = catalog.entry(params.session_id)
    start = index.summary.first_cwd
    return _Asked(
        call=FileCall(entry, params.agent_id, transcript, index, call),
        uuid=index.nodes.uuid(call.row) or "",
        uri=None if call.file is None else resolved_uri(call.file, start),
        path=tracked_file(call.file or "", start),
    )


_NOT_DONE: dict[CallState, str] = {
    "ok": "",
    "error": say("This call failed: it changed nothing."),
    "denied": say("This call was denied: it changed nothing."),
    "pending": say("No result of this call is stored: whether it changed the file is not known."),
    "interrupted": say("This call was interrupted: whether it changed the file is not known."),
}
_UNREADABLE: dict[Reason, str] = {
    "gone": say("The file is no longer there."),
    "denied": say("Reading the file is not allowed."),
    "notRegular": say("What lies there now is no regular file."),
    "io": say("The system could not read the file."),
    "damaged": say("The file is compressed, and damaged."),
    "notUnpackable": say("The file is compressed, and nothing is installed that unpacks it."),
}


def _file_now(catalog: Catalog, asked: _Asked, lines: KnownLines) -> _File | str:
    """The lines of the file, or a sentence that says why there are none."""
    try:
        return _read(catalog, asked.path, lines, renamed=False)
    except Unreadable as failure:
        if failure.reason != "gone":
            return _UNREADABLE[failure.reason]
    patched = catalog.patches.of_file(asked.path)
    path = _renamed(asked) if patched is None else patched.file.path
    try:
        return _read(catalog, path, lines, renamed=True)
    except Unreadable as failure:
        return _UNREADABLE[failure.reason]


def _read(catalog: Catalog, path: str, lines: KnownLines, *, renamed: bool) -> _File | str:
    data = catalog.contents.data(Working(path))
    if data is None:
        return say("The file is too large to be looked into.")
    if is_binary(data):
        return say("The file is no text.")
    return _File(path, renamed, lines.of(agent_text(data)))


def _renamed(asked: _Asked) -> str:
    """The path that shell commands behind the call gave to the file, in the order they ran."""
    path = asked.path
    start = asked.call.index.summary.first_cwd
    for command in _commands_behind(asked.call):
        for old, new in renames_in(command):
            if tracked_file(old, start) == path:
                into = tracked_file(new, start)
                path = joined(into, last_part(path)) if _names_folder(new, into) else into
    return path


def _names_folder(new: str, path: str) -> bool:
    return new.endswith("/") or at_path.is_folder(path)


def _commands_behind(made: FileCall) -> Iterator[str]:
    index, call_ids = made.index, made.index.joins.call_ids
    calls = [call for call in index.tools.all(index.joins) if call.row > made.call.row]
    ran = [call for call in calls if call.name in SHELL_TOOLS and call.state == "ok"]
    for call in ran[:MOST_COMMANDS]:
        [body] = made.transcript.bodies([call.row])
        if command := shell_command_in(body, call_ids[call.number]):
            yield command


def _of_edit(catalog: Catalog, asked: _Asked, file: _File, lines: KnownLines) -> types.LocateResult:
    maps = LineMaps()
    found = search(file.lines, _steps(catalog, asked, file, lines), asked.call.call_id, maps)
    if not found.places and (cell := _cell(asked, file.lines)) is not None:
        found = cell
    return _answer(asked, file, found.places, edit_sentence(found))


def _steps(catalog: Catalog, asked: _Asked, file: _File, lines: KnownLines) -> list[Step]:
    """The call and all that happened to the file since, newest first."""
    made = asked.call
    paths = list(dict.fromkeys((file.path, asked.path)))
    since = None if made.time == NO_TIME else made.time
    steps = past_of(catalog, paths, lines, since=since).steps
    places = [at for at, step in enumerate(steps) if step.key == made.call_id]
    if places:
        return steps[: places[0] + 1]
    if asked.is_edit:
        # Too much happened since: the text is compared with the file as it is now.
        return [edit_step(made, lines)]
    return steps


def _cell(asked: _Asked, now: Lines) -> Search | None:
    """The places of a notebook's cell, where its text is all that is recorded."""
    made = asked.call
    [body] = made.transcript.bodies([made.call.row])
    source = new_cell_in(body, made.call_id)
    if not source:
        return None
    spans = [Run(*lines) for lines in cell_places(source, now)]
    place = _named(spans[0], "same") if len(spans) == 1 else _named(None, None, len(spans))
    return Search([place], is_undone=False, is_unknown=not spans, later=0)


def _of_read(catalog: Catalog, asked: _Asked, file: _File, lines: KnownLines) -> types.LocateResult:
    made = asked.call
    if made.call.result is None:
        return asked.nothing(_NOT_DONE[made.call.state], file_uri(file.path))
    body, answered = made.transcript.bodies([made.call.row, made.call.result])
    read, wanted = part_read_in(answered), wanted_lines_in(body, made.call_id)
    if read is None or made.call.state != "ok":
        if wanted is None or made.call.state != "ok":
            return asked.nothing(say("What was read is not recorded."), file_uri(file.path))
        start, count = wanted
        end = len(file.lines) if count is None else min(start + count, len(file.lines))
        run = Run(min(start, end), end)
        sentence = say(
            "These are the lines that were asked for; whether they changed is not known."
        )
        place = _named(run, "carried")
        return _answer(asked, file, [place], sentence)
    block = lines_of(read.text)
    if not block:
        return asked.nothing(say("The file was empty when it was read."), file_uri(file.path))
    steps = _steps(catalog, asked, file, lines)
    place = search_block(file.lines, steps, block, read.start, LineMaps())
    return _answer(asked, file, [place], read_sentence(place))


def _named(run: Run | None, how: How | None, copies: int = 1) -> Place:
    """A place that was not found by lines that were compared."""
    change = Change(run or Run(0, 0), (), frozenset())
    return Place(change, run, how, 0, copies)


def _answer(asked: _Asked, file: _File, places: list[Place], sentence: str) -> types.LocateResult:
    ranges = [text_range(place.now, file.lines) for place in places if place.now is not None]
    if file.renamed:
        sentence = say("The file was renamed since. {sentence}", sentence=sentence)
    return types.LocateResult(
        file=file_uri(file.path) if file.renamed else asked.uri,
        range=ranges[0] if ranges else None,
        confidence=confidence_of(places),
        sentence=sentence,
        ranges=ranges,
        uuid=asked.uuid,
    )
