"""What did a command print, without what Codex writes around it for the model?

Each release says in its own way how a command ended (codex-rs/core/src/tools, 2025-06 to 2026):
`{"output": ..., "metadata": {"exit_code": 0}}`, `Exit code: 0 ... Output:`, or, of a session of
commands, `Process exited with code 0 ... Output:` with the number of tokens that there were before
something was cut out, a token for four bytes begun. What was cut is told by a mark in its place.
"""

from __future__ import annotations

import re

import msgspec

from forkpoint.records.codex import parts_in, text_of
from forkpoint.records.mend import mend_string
from forkpoint.records.rollout_shapes import PayloadShape

LARGEST = 1024 * 1024
"""Bytes of output from which on the client gives up the middle without a mark."""
_LARGEST_BARE, _MOST_LINES_BARE = 10 * 1024, 256
"""The same of the releases that write JSON, the first of which do not mark what they cut."""

_ENDED = re.compile(r"Exit code: 0\nWall time: [\d.]+ seconds\nOutput:\n")
_SESSION_ENDED = re.compile(
    r"(?:Chunk ID: [^\n]*\n)?Wall time: [\d.]+ seconds\nProcess exited with code 0\n"
    r"(?:Original token count: (\d+)\n)?Output:\n"
)
_CUT = re.compile(
    r"^Total output lines: \d|^Warning: truncated output|\[Output truncated"
    r"|\[\.\.\. (?:omitted|removed|output truncated|truncated)"
    r"|\[?…\s?\d+ (?:tokens|chars|characters|bytes|lines) truncated",
    re.MULTILINE,
)


class _Metadata(msgspec.Struct, gc=False):
    exit_code: int


class _Output(msgspec.Struct, gc=False):
    output: str
    metadata: _Metadata


class _Held(msgspec.Struct, gc=False):
    """An output that is an object around the text (2025)."""

    content: msgspec.Raw = msgspec.Raw()
    success: bool | None = None


_output = msgspec.json.Decoder(_Output)
_held = msgspec.json.Decoder(_Held)


def plain_output(says: PayloadShape) -> str | None:
    """Return all that a command printed.

    None where it failed, runs on, or something is or may be missing or altered.
    """
    told = _text(bytes(says.output))
    if told is None or says.success is False:
        return None
    text = _unwrapped(told)
    if text is None or _CUT.search(text) or "\ufffd" in text:
        return None
    return text


def _text(data: bytes) -> str | None:
    if data[:1] == b'"':
        return mend_string(data)
    if data[:1] == b"[":
        return _only_part(data)
    if data[:1] != b"{":
        return None
    try:
        held = _held.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return (
        None if held.success is False else text_of(held.content) or _only_part(bytes(held.content))
    )


def _only_part(data: bytes) -> str | None:
    parts = parts_in(msgspec.Raw(data)) if data[:1] == b"[" else []
    return parts[0].text if len(parts) == 1 else None


def _unwrapped(told: str) -> str | None:
    if told.startswith("{"):
        return _of_json(told)
    found = _ENDED.match(told)
    if found is not None:
        return _bounded(told[found.end() :], LARGEST)
    found = _SESSION_ENDED.match(told)
    if found is None:
        return None
    text = told[found.end() :]
    size = len(text.encode("utf-8", "replace"))
    is_whole = found[1] is None or int(found[1]) == (size + 3) // 4
    # A terminal writes a CR before each LF, so that the file's own cannot be told from those.
    return _bounded(text, LARGEST) if is_whole and "\r" not in text else None


def _of_json(told: str) -> str | None:
    try:
        found = _output.decode(told.encode("utf-8", "replace"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if found.metadata.exit_code != 0 or found.output.count("\n") >= _MOST_LINES_BARE:
        return None
    return _bounded(found.output, _LARGEST_BARE)


def _bounded(text: str, size: int) -> str | None:
    return text if len(text.encode("utf-8", "replace")) < size else None
