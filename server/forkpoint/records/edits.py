"""What a call did to files, as far as it and its result say.

Field names as the tools of clients 1.0.128 to 2.1.332 have them (format.md section 4.2). Texts are
what the client works with: UTF-8 without a byte order mark, lines ending in LF.
"""

from __future__ import annotations

from typing import cast

import msgspec

from forkpoint.records.as_told import fields_of, list_of, text_of
from forkpoint.records.decode import decode_object


class Replacement(msgspec.Struct, frozen=True):
    """A piece of text put in another's place, once or wherever it stands."""

    old: str
    new: str
    everywhere: bool


class Patch(msgspec.Struct, frozen=True):
    """What a result says of a change.

    Attributes:
        lines: of its hunks, with their signs.
        made_file: there was no file before; then there is no hunk either.
    """

    lines: list[str]
    made_file: bool


class Edit(msgspec.Struct, frozen=True):
    """A call that edits a file.

    Attributes:
        path: the file, as the agent wrote it.
        content: all of the new text, of a call that writes the file anew.
        replacements: otherwise what is replaced, one after the other.
    """

    path: str
    content: str | None
    replacements: tuple[Replacement, ...]


def edit_in(line: bytes, call_id: str) -> Edit | None:
    """Return an edit from the record that makes the call; None where it is none that is known."""
    return _edit(input_in(line, call_id))


def shell_command_in(line: bytes, call_id: str) -> str | None:
    """Return what a shell call runs, from the record that makes the call."""
    return text_of(input_in(line, call_id).get("command"))


def original_in(line: bytes) -> str | None:
    """Return what a file held before the edit, from the record with the result; None = not told.

    Clients leave it out for large files, and subagents' results have none. MultiEdit has another
    name for it.
    """
    result = fields_of((decode_object(line) or {}).get("toolUseResult"))
    return text_of(result.get("originalFile", result.get("originalFileContents")))


def patch_in(line: bytes) -> Patch | None:
    """Return what a result says of a change, from the record with the result.

    None where it says nothing: subagents' results, and those of clients of 1.x, have no account.
    """
    account = fields_of((decode_object(line) or {}).get("toolUseResult"))
    hunks = account.get("structuredPatch")
    if not isinstance(hunks, list):
        return None
    lines = [list_of(fields_of(hunk).get("lines")) for hunk in cast("list[object]", hunks)]
    texts = [text for hunk in lines for text in hunk if isinstance(text, str)]
    return Patch(texts, made_file=account.get("type") == "create")


def was_kept_from_running(line: bytes) -> bool:
    """Say whether a result tells that the call never ran.

    A rule that forbids it says so before. A person's refusal may also be Esc in mid-run: both are
    written alike (2.1.332).
    """
    return (decode_object(line) or {}).get("toolDenialKind") == "permission-rule"


def apply_edit(edit: Edit, before: str | None) -> str | None:
    """Return the text after an edit; None where it cannot be told from the text before."""
    if edit.content is not None:
        return edit.content
    # Nothing is replaced only in a file that is empty or not there: the client refuses all others.
    text = before or ""
    for replacement in edit.replacements:
        if replacement.old not in text or (text and not replacement.old):
            return None
        count = -1 if replacement.everywhere else 1
        text = text.replace(_taken_out(replacement, text), replacement.new, count)
    return text


def _taken_out(replacement: Replacement, text: str) -> str:
    """What is replaced: text that is deleted takes the line end behind it along (2.1.332, seen)."""
    whole_line = replacement.old + "\n"
    takes_line_end = not replacement.new and replacement.old and whole_line in text
    return whole_line if takes_line_end and not replacement.old.endswith("\n") else replacement.old


def input_in(call: bytes, call_id: str) -> dict[str, object]:
    """Return a call's input; empty where the record does not make the call."""
    message = fields_of((decode_object(call) or {}).get("message"))
    for block in map(fields_of, list_of(message.get("content"))):
        if block.get("type") == "tool_use" and block.get("id") == call_id:
            return fields_of(block.get("input"))
    return {}


def _edit(call_input: dict[str, object]) -> Edit | None:
    path = text_of(call_input.get("file_path"))
    if path is None:
        return None
    content = text_of(call_input.get("content"))
    edits = list_of(call_input.get("edits")) or [call_input]
    replacements = [_replacement(fields_of(edit)) for edit in edits]
    if content is None and None in replacements:
        return None
    return Edit(path, content, tuple(r for r in replacements if r is not None))


def _replacement(fields: dict[str, object]) -> Replacement | None:
    old, new = text_of(fields.get("old_string")), text_of(fields.get("new_string"))
    if old is None or new is None:
        return None
    return Replacement(old, new, fields.get("replace_all") is True)
