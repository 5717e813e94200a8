"""What a rollout's items say of calls of tools: which, with what, on which files, how they ended.

Several items stand for a call (format.md section 19). Their results are items of their own, but for
what the API runs itself (a search of the web), where one item holds both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import blake2b
from typing import cast

import msgspec
from msgspec import Raw

from forkpoint.layout import is_absolute, joined
from forkpoint.records.apply_patch import changes_in_event, patch_in_input
from forkpoint.records.codex import Item, parts_in, text_of
from forkpoint.records.compact_json import compact_json
from forkpoint.records.mend import mend_string
from forkpoint.records.rollout_shapes import PayloadShape

_NAMES = {
    "local_shell_call": "local_shell",
    "web_search_call": "web_search",
    "tool_search_call": "tool_search",
    "image_generation_call": "image_generation",
}
CALLS = frozenset({"function_call", "custom_tool_call", *_NAMES})
OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output", "tool_search_output"})
ANSWERED = frozenset({"web_search_call", "image_generation_call"})
"""Calls whose item is also their result."""

MOST_FILES = 50
"""Files of one patch that are told apart."""
_MARKS = (b"*** Begin Patch", b"apply_patch", b"applypatch")


class RolloutCall(msgspec.Struct, frozen=True):
    """A call.

    Attributes:
        call_id: its own, or one that is made of what it says.
        given: its input, decoded.
        files: the files that a patch of it names, as it spells them; joined to the call's folder
            where it says one.
    """

    call_id: str
    name: str
    given: object
    files: tuple[str, ...] = ()


class RolloutOutput(msgspec.Struct, frozen=True):
    """What a call put out; `failed` where it says so."""

    call_id: str
    text: str
    failed: bool


def call_in(item: Item) -> RolloutCall:
    """Read a call, an item whose subtype is one of `CALLS`.

    One without an id is named after what it says.
    """
    subtype, says = item.subtype or "", item.says
    given = _given(says)
    name = says.name or _NAMES.get(subtype, "")
    if says.namespace and says.name:
        # Those of MCP servers end with the joint: `mcp__stock__`.
        joint = "" if says.namespace.endswith("__") else "."
        name = f"{says.namespace}{joint}{says.name}"
    patched = any(mark in bytes(raw) for raw in (says.arguments, says.input) for mark in _MARKS)
    if not patched and says.action:
        patched = any(mark in bytes(says.action) for mark in _MARKS)
    files = _patched(name, given) if patched else ()
    return RolloutCall(says.call_id or says.id or _made_up(item, given), name, given, files)


def _made_up(item: Item, given: object) -> str:
    """A name that does not hang on how the line is spelled."""
    said = f"{item.timestamp} {compact_json(given)}".encode("utf-8", "surrogatepass")
    return f"item-{blake2b(said, digest_size=8).hexdigest()}"


def ids_of(call: RolloutCall) -> list[str]:
    """Return an id for each file of a call, so that it is one call per file; its own is first."""
    return ids_of_files(call.call_id, len(call.files))


def ids_of_files(call_id: str, count: int) -> list[str]:
    """Return the ids of a call that is told apart by so many files; of none it has its own."""
    return [call_id, *(f"{call_id}#{n}" for n in range(2, count + 1))]


def _given(says: PayloadShape) -> object:
    """Arguments are JSON in a string (an object in files of others), an input is a text."""
    for raw in (says.arguments, says.input, says.action):
        data = bytes(raw)
        if data[:1] == b'"':
            text = mend_string(data)
            return _parsed(text) if raw is says.arguments else text
        if data and data != b"null":
            return _parsed(data)
    return {}


def _parsed(text: str | bytes) -> object:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return text if isinstance(text, str) else text.decode("utf-8", "replace")


def _patched(name: str, given: object) -> tuple[str, ...]:
    if isinstance(given, str) and "patch" not in name:
        return ()
    patch = patch_in_input(given)
    if patch is None:
        return ()
    folder = folder_asked_in(given)
    paths = dict.fromkeys(change.path for change in patch.changes)
    return tuple(path_from(folder, path) for path in list(paths)[:MOST_FILES])


def folder_asked_in(given: object) -> str | None:
    """Return the folder that a call asks to be run in, by its input."""
    if not isinstance(given, Mapping):
        return None
    fields = cast("Mapping[str, object]", given)
    folder = fields.get("workdir") or fields.get("working_directory")
    return folder if isinstance(folder, str) else None


def path_from(folder: str | None, path: str) -> str:
    """Join a path to the folder that it counts from, if both are known to be so."""
    if folder is None or not path or is_absolute(path):
        return path
    return joined(folder, path)


def changed_files(changes: Raw) -> tuple[str, ...]:
    """Return the paths that an event names whose patch was applied."""
    data = bytes(changes)
    if data[:1] != b"{":
        return ()
    patch = changes_in_event(_parsed(data))
    return tuple(dict.fromkeys(change.path for change in patch.changes))[:MOST_FILES]


# --- results -----------------------------------------------------------------------------------


class _OutputShape(msgspec.Struct, gc=False):
    """An output that is an object: of a function (2025), or what the client made of one."""

    output: str | None = None
    content: Raw = Raw()
    success: bool | None = None
    metadata: Raw = Raw()
    is_error: bool | None = msgspec.field(default=None, name="isError")


class _MetadataShape(msgspec.Struct, gc=False):
    exit_code: int | None = None


_output = msgspec.json.Decoder(_OutputShape)
_metadata = msgspec.json.Decoder(_MetadataShape)
_ERRORS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_HEAD = 400
"""Characters among which an output that is a text says how its command ended."""
_EXIT_CODE = re.compile(r"^(?:Exit code:|Process exited with code) *(-?\d+)", re.MULTILINE)


def output_in(says: PayloadShape) -> RolloutOutput:
    """Read what a call put out."""
    text, failed = _told(bytes(says.output))
    return RolloutOutput(says.call_id or says.id or "", text, failed or says.success is False)


def _told(data: bytes) -> tuple[str, bool]:
    if data[:1] == b'"':
        text = mend_string(data)
        if text.startswith('{"'):
            found = _object(text.encode("utf-8", "replace"))
            if found is not None and found.output is not None:
                return found.output, _failed(found)
        code = _EXIT_CODE.search(text[:_HEAD])
        return text, code is not None and int(code[1]) != 0
    if data[:1] == b"[":
        return "\n".join(part.text for part in parts_in(Raw(data)) if part.text), False
    found = _object(data)
    if found is None:
        return "" if data in (b"", b"null") else data.decode("utf-8", "replace"), False
    if found.output is not None:
        return found.output, _failed(found)
    text = text_of(found.content) or "\n".join(
        part.text for part in parts_in(found.content) if part.text
    )
    return text, _failed(found)


def _object(data: bytes) -> _OutputShape | None:
    try:
        return _output.decode(data) if data[:1] == b"{" else None
    except _ERRORS:
        return None


def _failed(found: _OutputShape) -> bool:
    if found.success is False or found.is_error is True:
        return True
    try:
        code = _metadata.decode(found.metadata).exit_code if found.metadata else None
    except _ERRORS:
        code = None
    return code not in (None, 0)


# --- events ------------------------------------------------------------------------------------

_EVENT_NAMES = {
    "patch_apply_end": "apply_patch",
    "web_search_end": "web_search",
    "image_generation_end": "image_generation",
    "exec_command_end": "exec_command",
}


def event_call(item: Item) -> tuple[RolloutCall, bool]:
    """Read of which call an event tells, and whether that failed."""
    says, subtype = item.says, item.subtype or ""
    name = _EVENT_NAMES.get(subtype, "")
    given: object = {}
    if says.invocation is not None:
        name = "__".join(filter(None, ("mcp", says.invocation.server, says.invocation.tool)))
        given = _parsed(bytes(says.invocation.arguments)) if says.invocation.arguments else {}
    elif says.changes:
        given = {"changes": _parsed(bytes(says.changes))}
    elif says.query is not None:
        given = {"query": says.query}
    elif says.command is not None:
        given = {"command": says.command}
    failed = says.success is False or says.exit_code not in (None, 0) or _is_refused(says)
    return RolloutCall(says.call_id or _made_up(item, given), name, given), failed


def _is_refused(says: PayloadShape) -> bool:
    """`result` of an MCP call is `{"Ok": ...}` or `{"Err": ...}`."""
    return bytes(says.result)[:8].replace(b" ", b"").startswith(b'{"Err"')
