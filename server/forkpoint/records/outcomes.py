"""What a file held before and after a call that edited it, as call and result tell.

Fields of `toolUseResult` as clients 1.0.98 to 2.1.332 have them (format.md section 4.2). Those of
NotebookEdit are unconfirmed: no recording has one, and where they are others the call counts as one
that does not tell. What was really replaced stands in the result: the client mends quotes, and a
person may change an edit before it is made.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from forkpoint.records.as_told import fields_of, list_of, text_of
from forkpoint.records.decode import decode_object
from forkpoint.records.edits import Edit, Replacement, apply_edit, edit_in, input_in


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
    told = fields_of((decode_object(result) or {}).get("toolUseResult"))
    notebook = text_of(told.get("original_file")), text_of(told.get("updated_file"))
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
    told = fields_of((decode_object(result) or {}).get("toolUseResult"))
    file = fields_of(told.get("file"))
    text, start = text_of(file.get("content")), file.get("startLine")
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
    return text_of(input_in(call, call_id).get("new_source"))


def _original(told: Mapping[str, object]) -> str | None:
    return text_of(told.get("originalFile", told.get("originalFileContents")))


def _told_edit(told: Mapping[str, object]) -> Edit | None:
    """The edit in the words of its result; None where that has none."""
    path = text_of(told.get("filePath"))
    if path is None:
        return None
    if (content := text_of(told.get("content"))) is not None:
        return Edit(path, content, ())
    if (edits := list_of(told.get("edits"))) or "oldString" in told:
        made = [_replacement(fields_of(each)) for each in edits] or [_replacement(told)]
        replacements = tuple(each for each in made if each is not None)
        return Edit(path, None, replacements) if len(replacements) == len(made) else None
    return None


def _replacement(fields: Mapping[str, object]) -> Replacement | None:
    old = text_of(fields.get("oldString", fields.get("old_string")))
    new = text_of(fields.get("newString", fields.get("new_string")))
    if old is None or new is None:
        return None
    everywhere = fields.get("replaceAll", fields.get("replace_all"))
    return Replacement(old, new, everywhere is True)


def _hunks(told: Mapping[str, object]) -> tuple[Hunk, ...]:
    found = [_hunk(fields_of(each)) for each in list_of(told.get("structuredPatch"))]
    return tuple(hunk for hunk in found if hunk is not None)


def _hunk(fields: Mapping[str, object]) -> Hunk | None:
    start, lines = fields.get("newStart"), list_of(fields.get("lines"))
    texts = [line for line in lines if isinstance(line, str) and not line.startswith("\\")]
    if not isinstance(start, int) or not texts:
        return None
    old = tuple(line[1:] for line in texts if not line.startswith("+"))
    new = tuple(line[1:] for line in texts if not line.startswith("-"))
    return Hunk(max(start - 1, 0), old, new)
