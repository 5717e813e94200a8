"""The patches of Codex: the text of an `apply_patch` call, in each form that a model gives it.

    *** Begin Patch
    *** Add File: <path>              then lines with `+`
    *** Delete File: <path>
    *** Update File: <path>           then, if it is moved, *** Move to: <path>
    @@ <a line that stands before>    or @@ alone; the first hunk may do without
    <lines with ` `, `-` or `+`>      an empty line is an empty line of the file
    *** End of File                   the lines before it are the last of the file
    *** End Patch

Grammar and what is forgiven: codex-rs/apply-patch of the open source, 2025-04 to 2026; there blanks
around markers do not count, a CR before an LF neither, and the whole may stand in a here-document
that no shell took off. A call is `apply_patch` as a tool of its own (text, or `{"input": ...}`), a
list of words (`["apply_patch", TEXT]`, `["bash", "-lc", SCRIPT]`), or a script as one string.
What was applied stands in an event (`patch_apply_end`): a unified diff or the content by path.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from forkpoint.layout import is_absolute, joined
from forkpoint.records.file_changes import FileChange, Hunk, Patch
from forkpoint.records.unified_diff import hunks_of
from forkpoint.shell_words import simple_commands
from forkpoint.shell_writes import LONGEST

_BEGIN, _END = "*** Begin Patch", "*** End Patch"
_ADD, _DELETE, _UPDATE = "*** Add File: ", "*** Delete File: ", "*** Update File: "
_MOVE, _END_OF_FILE = "*** Move to: ", "*** End of File"
_ENVIRONMENT = "*** Environment ID: "
"""Newer clients may say in which of several environments a patch is meant (2026)."""

_NAMES = ("apply_patch", "applypatch")
_SHELL_FLAGS = ("-lc", "-c", "-command", "/c")
_HERE_MARK = re.compile(r"""<<-?[ \t]*(["']?)(\w+)\1[ \t]*""")
_HERE_CALL = re.compile(
    r"""
    (?: ^ | [;&|(\n] ) [ \t]*
    (?: cd [ \t]+ (?P<folder> "[^"\n]*" | '[^'\n]*' | [^\s"';&|]+ ) [ \t]* && \s* )?
    (?: applypatch | apply_patch ) [ \t]*
    <<-? [ \t]* (?P<quote>["']?) (?P<mark>\w+) (?P=quote) [^\n]* \n
    """,
    re.VERBOSE,
)
_MOST_CALLS = 100
"""Here-documents of one script that are looked for: each may be sought to the script's end."""


def patch_in_text(text: str) -> Patch:
    """Read the text of a patch; whatever is wrong with it is said in `problem`."""
    lines = _without_here_marks([line.removesuffix("\r") for line in text.strip().split("\n")])
    if lines[0].strip() != _BEGIN:
        return Patch(problem=f"The first line of the patch is not “{_BEGIN}”.")
    reader = _Reader(lines)
    changes: list[FileChange] = []
    problem = None
    while not reader.is_at_end and problem is None:
        change = reader.change()
        if isinstance(change, str):
            problem = f"Line {reader.at + 1} of the patch: {change}"
        elif change is not None:
            changes.append(change)
    if problem is None and lines[-1].strip() != _END:
        problem = f"The last line of the patch is not “{_END}”."
    return Patch(tuple(changes), problem)


def patch_in_command(command: str | Sequence[str]) -> Patch | None:
    """Read the patch that a shell call applies; None where it applies none.

    Args:
        command: a script, or the words of a command, as the call has it. Paths behind a `cd` of
            the script are joined to its folder.
    """
    if not isinstance(command, str):
        words = list(command)
        if len(words) == 2 and words[0] in _NAMES:
            return patch_in_text(words[1])
        if len(words) < 3 or words[-2].lower() not in _SHELL_FLAGS:
            return None
        command = words[-1]
    if not any(name in command for name in _NAMES):
        return None
    return _joined_patches([*_in_script(command)])


def patch_in_input(call_input: object) -> Patch | None:
    """Read the patch of a call by its input as decoded: a text, or the fields of its arguments.

    Fields as the tools have them: `input` or `patch` (apply_patch), `command` (shell,
    shell_command, local_shell_call's action), `cmd` (exec_command).
    """
    if isinstance(call_input, str):
        return patch_in_text(call_input)
    if not isinstance(call_input, Mapping):
        return None
    fields = cast("Mapping[str, object]", call_input)
    for name in ("input", "patch"):
        text = fields.get(name)
        if isinstance(text, str):
            return patch_in_text(text)
    command = fields.get("command", fields.get("cmd"))
    if isinstance(command, str):
        return patch_in_command(command)
    if isinstance(command, list):
        words = cast("list[object]", command)
        return patch_in_command([word for word in words if isinstance(word, str)])
    return None


def changes_in_event(changes: object) -> Patch:
    """Read what an event tells of an applied patch: its `changes`, by path.

    Each is `{"type": "add", "content"}`, `{"type": "delete", "content"}` or `{"type": "update",
    "unified_diff", "move_path"}`; releases of 2025 wrote `{"update": {...}}`. A change that cannot
    be read is left out and said; the others stand.
    """
    if not isinstance(changes, Mapping):
        return Patch(problem="The event names no files.")
    found: list[FileChange] = []
    problems: list[str] = []
    for path, told in cast("Mapping[str, object]", changes).items():
        change = _change_of_event(path, told)
        if isinstance(change, str):
            problems.append(change)
        else:
            found.append(change)
    return Patch(tuple(found), " ".join(problems) or None)


class _Reader:
    """Goes through the lines of a patch."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._end = len(lines) - (len(lines) > 1 and lines[-1].strip() == _END)
        self.at = 1

    @property
    def is_at_end(self) -> bool:
        return self.at >= self._end

    def change(self) -> FileChange | str | None:
        """Read the next change; None for a line between two, a sentence for one that is wrong."""
        header = self._lines[self.at].strip()
        if not header or header.startswith(_ENVIRONMENT):
            self.at += 1
            return None
        for marker, read in ((_ADD, self._add), (_DELETE, self._delete), (_UPDATE, self._update)):
            if header.startswith(marker):
                self.at += 1
                return read(header.removeprefix(marker))
        return "it is none of “*** Add File”, “*** Delete File” and “*** Update File”."

    def _add(self, path: str) -> FileChange:
        start = self.at
        while not self.is_at_end and self._lines[self.at].startswith("+"):
            self.at += 1
        content = "".join(line[1:] + "\n" for line in self._lines[start : self.at])
        return FileChange("add", path, content=content)

    def _delete(self, path: str) -> FileChange:
        return FileChange("delete", path)

    def _update(self, path: str) -> FileChange | str:
        moved_to = None
        if not self.is_at_end and self._lines[self.at].startswith(_MOVE):
            moved_to = self._lines[self.at].removeprefix(_MOVE).strip()
            self.at += 1
        hunks: list[Hunk] = []
        while not self.is_at_end and not self._lines[self.at].startswith("*"):
            if not self._lines[self.at].strip():
                self.at += 1
                continue
            hunk = self._hunk(is_first=not hunks)
            if isinstance(hunk, str):
                return hunk
            hunks.append(hunk)
        if not hunks and moved_to is None:
            return "the update changes nothing."
        return FileChange("update", path, moved_to, hunks=tuple(hunks))

    def _hunk(self, *, is_first: bool) -> Hunk | str:
        head = self._lines[self.at]
        context = head.removeprefix("@@ ") if head.startswith("@@ ") else None
        if context is not None or head.rstrip() == "@@":
            self.at += 1
        elif not is_first:
            return "a hunk begins with “@@”."
        old: list[str] = []
        new: list[str] = []
        start = self.at
        while not self.is_at_end:
            line = self._lines[self.at]
            if line[:1] not in ("", " ", "-", "+"):
                break
            if line[:1] != "+":
                old.append(line[1:])
            if line[:1] != "-":
                new.append(line[1:])
            self.at += 1
        if self.at == start:
            return "a line of a hunk begins with “ ”, “-” or “+”."
        at_end = not self.is_at_end and self._lines[self.at].rstrip() == _END_OF_FILE
        self.at += at_end
        return Hunk(tuple(old), tuple(new), context, at_end)


def _without_here_marks(lines: list[str]) -> list[str]:
    mark = _HERE_MARK.fullmatch(lines[0])
    if mark is None or len(lines) < 4 or not lines[-1].endswith(mark[2]):
        return lines
    return "\n".join(lines[1:-1]).strip().split("\n")


def _in_script(script: str) -> Iterator[Patch]:
    """The patches of a script: from here-documents, else from words in quotes."""
    at = 0
    for _ in range(_MOST_CALLS):
        call = _HERE_CALL.search(script, at)
        if call is None:
            break
        mark = re.compile(rf"^[ \t]*{call['mark']}[ \t]*(?=$|[;)])", re.MULTILINE)
        end = mark.search(script, call.end())
        text = script[call.end() : end.start() if end else len(script)]
        yield _below(patch_in_text(text), (call["folder"] or "").strip("\"'"))
        at = end.end() if end else len(script)
    if at == 0 and len(script) <= LONGEST:
        for simple in simple_commands(script) or ():
            if len(simple.words) == 2 and simple.words[0] in _NAMES:
                yield patch_in_text(simple.words[1])


def _joined_patches(patches: Sequence[Patch]) -> Patch | None:
    if not patches:
        return None
    problems = [patch.problem for patch in patches if patch.problem]
    changes = tuple(change for patch in patches for change in patch.changes)
    return Patch(changes, " ".join(problems) or None)


def _below(patch: Patch, folder: str) -> Patch:
    """The patch with its relative paths in a folder."""

    def path_in(path: str) -> str:
        return path if not folder or is_absolute(path) else joined(folder, path)

    changes = tuple(
        FileChange(
            each.kind,
            path_in(each.path),
            None if each.moved_to is None else path_in(each.moved_to),
            each.content,
            each.hunks,
        )
        for each in patch.changes
    )
    return Patch(changes, patch.problem)


def _change_of_event(path: str, told: object) -> FileChange | str:
    fields = _fields(told)
    kind = fields.get("type")
    if kind is None and len(fields) == 1:
        kind = next(iter(fields))
        fields = _fields(fields[kind])
    if kind == "update":
        hunks = hunks_of(_text(fields.get("unified_diff")) or "")
        if isinstance(hunks, str):
            return hunks
        return FileChange("update", path, _text(fields.get("move_path")), hunks=hunks)
    content = _text(fields.get("content"))
    if kind == "delete":
        return FileChange("delete", path, content=content)
    if kind == "add" and content is not None:
        return FileChange("add", path, content=content)
    return "A change of the event has a form that is not known."


def _fields(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
