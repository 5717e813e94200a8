"""What people and tools said, without the client's markup around it.

The marks were seen in clients 1.0.128 to 2.1.332; records carry them inside their text.
"""

from __future__ import annotations

import re

PREVIEW = 200
"""Characters of a one-line preview on the wire."""

_COMMAND = ("<command-name>", "<command-message>")
_OUTPUT = re.compile(
    r"<(local-command-stdout|local-command-stderr|local-command-caveat|bash-stdout|bash-stderr)>"
    r"(.*?)(?:</\1>|\Z)",
    re.DOTALL,
)
_CONTEXT = ("<ide_", "<system-reminder>")
_RESULT_MARK = re.compile(r"</?(?:tool_use_error|persisted-output)>")


_STYLE = re.compile(r"\x1b\[[0-9;]*m")
"""A terminal's colours: the client keeps them in what commands put out."""


def one_line(text: str) -> str:
    """Fold white space, drop terminal colours and cut to `PREVIEW` characters."""
    if "\x1b" in text:
        text = _STYLE.sub("", text[: PREVIEW * 16])
    # Most texts fill the line with a quarter of what a text full of blanks takes.
    line = " ".join(text[: PREVIEW * 2].split())
    if len(line) < PREVIEW:
        line = " ".join(text.lstrip()[: PREVIEW * 8].split())
    return line[:PREVIEW].rstrip()


def first_line(text: str) -> str:
    """Return the first line with something on it, cut to `PREVIEW` characters."""
    head = text.lstrip()[: PREVIEW * 8].splitlines()
    return one_line(head[0]) if head else ""


def plain_words(text: str) -> str:
    """Return what was typed, or what a command or a shell line put out; other text as it is."""
    if is_command(text):
        return f"{_tag(text, 'command-name')} {_tag(text, 'command-args')}".strip()
    if text.startswith("<bash-input>"):
        return f"! {_tag(text, 'bash-input')}"
    if is_output(text):
        return "\n".join(match[2] for match in _OUTPUT.finditer(text) if match[2])
    return text


def is_command(text: str) -> bool:
    """Say whether this is a typed slash command."""
    return text.startswith(_COMMAND)


def is_output(text: str) -> bool:
    """Say whether this came out of a command or a shell line, not from a person's keys."""
    return _OUTPUT.match(text) is not None


def is_context(text: str) -> bool:
    """Say whether the client put this into a prompt: open files, selections, reminders."""
    return text.startswith(_CONTEXT)


def without_result_marks(text: str) -> str:
    """Drop the tags that the client lays around errors and spilled output."""
    return _RESULT_MARK.sub("", text)


def _tag(text: str, name: str) -> str:
    match = re.search(rf"<{name}>(.*?)(?:</{name}>|\Z)", text, re.DOTALL)
    return match[1].strip() if match else ""
