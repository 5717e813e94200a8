"""What a file held before and after a call that edited it, as call and result tell.

Fields of `toolUseResult` as clients 1.0.98 to 2.1.332 have them (format.md section 4.2). Those of
NotebookEdit are unconfirmed: no recording has one, and where they are others the call counts as one
that does not tell. What was really replaced stands in the result: the client mends quotes, and a
person may change an edit before it is made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import msgspec

from forkpoint.records.decode import decode_object
from forkpoint.records.edits import Edit, Replacement, apply_edit, edit_in


class Hunk(msgspec.Struct, frozen=True):
    """A place of the structured patch.

    Attributes:
        start: 0-based line of the text after the edit.
        old, new: the lines before and after, with those around them that stay.
    """

    start: int
    old: tuple[str, ...]
    new: tuple[str, ...]


class Outcome(msgspec.Struct, frozen=True):
    """What an edit made of a file.

    Attributes:
        before: the text before; empty if there was no file; None where nothing tells.
        after: the text after; None likewise.
        edit: what was replaced, to be tried on a text that something else tells.
        hunks: the patch, in the order of the text.
    """

    before: str | None
    after: str | None
    edit: Edit | None
    hunks: tuple[Hunk, ...]


class PartRead(msgspec.Struct, frozen=True):
    """What a call read of a file: `start` is the 0-based first line."""

    start: int
    text: str


def outcome_in(call: bytes, result: bytes, call_id: str) -> Outcome:
    """Return what an edit made, from the record of the call and that of its result."""
    told = _fields((decode_object(result) or {}).get("toolUseResult"))
    notebook = _text(told.get("original_file")), _text(told.get("updated_file"))
    if None not in notebook:
        return Outcome(*notebook, None, ())
    edit = _told_edit(told) or edit_in(call, call_id)
    before = "" if told.get("type") == "create" else _original(told)
    after = None
    if edit is not None and (before is not None or edit.content is not None):
        after = apply_edit(edit, before)
    return Outcome(before, after, edit, _hunks(told))


def part_read_in(result: bytes) -> PartRead | None:
    """Return what the result of a call that read a file holds of it; None where it is no text."""
    told = _fields((decode_object(result) or {}).get("toolUseResult"))
    file = _fields(told.get("file"))
    text, start = _text(file.get("content")), file.get("startLine")
    if text is None:
        return None
    return PartRead(max(start - 1, 0) if isinstance(start, int) else 0, text)


def wanted_lines_in(call: bytes, call_id: str) -> tuple[int, int | None] | None:
    """Return the 0-based first line and the number of lines that a call asks to read.

    None where it asks for the whole file; a number of None means to the end.
    """
    call_input = input_in(call, call_id)
    offset, limit = call_input.get("offset"), call_input.get("limit")
    if not isinstance(offset, int) and not isinstance(limit, int):
        return None
    start = max(offset - 1, 0) if isinstance(offset, int) else 0
    return start, max(limit, 1) if isinstance(limit, int) else None


def new_cell_in(call: bytes, call_id: str) -> str | None:
    """Return the new text of a cell, from the record of a call that edits a notebook."""
    return _text(input_in(call, call_id).get("new_source"))


def input_in(call: bytes, call_id: str) -> Mapping[str, object]:
    """Return a call's input; empty where the record does not make the call."""
    message = _fields((decode_object(call) or {}).get("message"))
    for block in map(_fields, _list(message.get("content"))):
        if block.get("type") == "tool_use" and block.get("id") == call_id:
            return _fields(block.get("input"))
    return {}


def _original(told: Mapping[str, object]) -> str | None:
    return _text(told.get("originalFile", told.get("originalFileContents")))


def _told_edit(told: Mapping[str, object]) -> Edit | None:
    """The edit in the words of its result; None where that has none."""
    path = _text(told.get("filePath"))
    if path is None:
        return None
    if (content := _text(told.get("content"))) is not None:
        return Edit(path, content, ())
    if (edits := _list(told.get("edits"))) or "oldString" in told:
        made = [_replacement(_fields(each)) for each in edits] or [_replacement(told)]
        replacements = tuple(each for each in made if each is not None)
        return Edit(path, None, replacements) if len(replacements) == len(made) else None
    return None


def _replacement(fields: Mapping[str, object]) -> Replacement | None:
    old = _text(fields.get("oldString", fields.get("old_string")))
    new = _text(fields.get("newString", fields.get("new_string")))
    if old is None or new is None:
        return None
    everywhere = fields.get("replaceAll", fields.get("replace_all"))
    return Replacement(old, new, everywhere is True)


def _hunks(told: Mapping[str, object]) -> tuple[Hunk, ...]:
    found = [_hunk(_fields(each)) for each in _list(told.get("structuredPatch"))]
    return tuple(hunk for hunk in found if hunk is not None)


def _hunk(fields: Mapping[str, object]) -> Hunk | None:
    start, lines = fields.get("newStart"), _list(fields.get("lines"))
    texts = [line for line in lines if isinstance(line, str) and not line.startswith("\\")]
    if not isinstance(start, int) or not texts:
        return None
    old = tuple(line[1:] for line in texts if not line.startswith("+"))
    new = tuple(line[1:] for line in texts if not line.startswith("-"))
    return Hunk(max(start - 1, 0), old, new)


def _fields(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _list(value: object) -> Sequence[object]:
    return cast("list[object]", value) if isinstance(value, list) else ()


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
