"""What one line of a rollout tells of a read: a call that prints a file, or what it printed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, cast

from forkpoint.records.codex import Item, decode_item
from forkpoint.records.plain_output import plain_output
from forkpoint.records.rollout_calls import CALLS, OUTPUTS, call_in, folder_asked_in, output_in
from forkpoint.shell_reads import FileRead, read_by, read_by_tool

READING_TOOLS = frozenset(
    {"shell", "shell_command", "exec_command", "local_shell", "container.exec", "read_file"}
)
"""Tools of Codex that run a command or read a file, by the names that they had."""
_SHELLS = frozenset({"bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/bin/zsh", "/usr/bin/bash"})


class ToldRead(NamedTuple):
    """A call that reads.

    Attributes:
        folder: that the call asked to be run in; relative paths count from there.
        by_tool: a tool of its own read the file, no shell.
    """

    read: FileRead
    folder: str | None
    by_tool: bool = False


def read_told_in(line: bytes) -> ToldRead | None:
    """Return the read that a call's line asks for; None where it asks for none, or for more."""
    item = _item(line)
    if item is None or item.subtype not in CALLS:
        return None
    call = call_in(item)
    given = _fields(call.given)
    if call.name == "read_file":
        return _by_tool(given)
    if call.name not in READING_TOOLS or given.get("tty") is True:
        return None
    command = _command(given.get("cmd") or given.get("command"))
    read = None if command is None else read_by(command)
    return None if read is None else ToldRead(read, folder_asked_in(given))


def _fields(given: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", given) if isinstance(given, Mapping) else {}


def _item(line: bytes) -> Item | None:
    item = decode_item(line)[0].value if line else None
    return item if isinstance(item, Item) else None


def _command(given: object) -> str | list[str] | None:
    """A line for a shell, or the words of a command that no shell reads."""
    if isinstance(given, str):
        return given
    if not isinstance(given, list):
        return None
    words = [word for word in cast("list[object]", given) if isinstance(word, str)]
    if len(words) == 3 and words[0] in _SHELLS and words[1] in ("-lc", "-c"):
        return words[2]
    return words or None


def _by_tool(given: Mapping[str, object]) -> ToldRead | None:
    path, offset, limit = (given.get(name) for name in ("file_path", "offset", "limit"))
    is_plain = given.get("mode") in (None, "slice") and isinstance(path, str)
    if not is_plain or not isinstance(offset, int | None) or not isinstance(limit, int | None):
        return None
    return ToldRead(read_by_tool(cast("str", path), offset, limit), None, by_tool=True)


def output_told_in(line: bytes, told: ToldRead) -> str | None:
    """Return all that a read printed, by the line of its result; None where that is not certain."""
    item = _item(line)
    if item is None or item.subtype not in OUTPUTS:
        return None
    if not told.by_tool:
        return plain_output(item.says)
    output = output_in(item.says)
    return None if output.failed else output.text
