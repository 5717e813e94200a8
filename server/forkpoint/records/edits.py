"""What a call did to files, as far as it and its result say.

Field names as the tools of clients 1.0.128 to 2.1.332 have them (format.md section 4.2). Texts are
what the client works with: UTF-8 without a byte order mark, lines ending in LF.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import msgspec

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
    return _edit(_input_of(line, call_id))


def shell_command_in(line: bytes, call_id: str) -> str | None:
    """Return what a shell call runs, from the record that makes the call."""
    return _text(_input_of(line, call_id).get("command"))


def original_in(line: bytes) -> str | None:
    """Return what a file held before the edit, from the record with the result; None = not told.

    Clients leave it out for large files, and subagents' results have none. MultiEdit has another
    name for it.
    """
    result = _fields((decode_object(line) or {}).get("toolUseResult"))
    return _text(result.get("originalFile", result.get("originalFileContents")))


def patch_in(line: bytes) -> Patch | None:
    """Return what a result says of a change, from the record with the result.

    None where it says nothing: subagents' results, and those of clients of 1.x, have no account.
    """
    account = _fields((decode_object(line) or {}).get("toolUseResult"))
    hunks = account.get("structuredPatch")
    if not isinstance(hunks, list):
        return None
    lines = [_list(_fields(hunk).get("lines")) for hunk in cast("list[object]", hunks)]
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


def _input_of(line: bytes, call_id: str) -> dict[str, object]:
    message = _fields((decode_object(line) or {}).get("message"))
    for block in map(_fields, _list(message.get("content"))):
        if block.get("type") == "tool_use" and block.get("id") == call_id:
            return _fields(block.get("input"))
    return {}


def _edit(call_input: dict[str, object]) -> Edit | None:
    path = _text(call_input.get("file_path"))
    if path is None:
        return None
    content = _text(call_input.get("content"))
    edits = _list(call_input.get("edits")) or [call_input]
    replacements = [_replacement(_fields(edit)) for edit in edits]
    if content is None and None in replacements:
        return None
    return Edit(path, content, tuple(r for r in replacements if r is not None))


def _replacement(fields: dict[str, object]) -> Replacement | None:
    old, new = _text(fields.get("old_string")), _text(fields.get("new_string"))
    if old is None or new is None:
        return None
    return Replacement(old, new, fields.get("replace_all") is True)


def _fields(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _list(value: object) -> Sequence[object]:
    return cast("list[object]", value) if isinstance(value, list) else ()


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
