r"""Text of a transcript in a Markdown file that a forge will render, where it must not act.

It makes no link, picture, HTML, heading or list of its own, calls nobody, and ends no fence. What
a reader sees is what was written, but for control characters, which are pictured.
"""

from __future__ import annotations

import html
import re

from forkpoint.inert import visible

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_TICKS = re.compile("`+")
_ACTS = re.compile(r"[\\`*_\[\]<>&~|$]|:(?=//)|(?<=www)\.", re.IGNORECASE)
_BEGINS = re.compile(r"^(?:[#+=-]|\d{1,9}(?=[.)](?:\s|$)))")
_CLOSES = re.compile(r"(?<!\\)#+$")
"""Ends a heading unseen."""
_CALLS = re.compile(r"@(?=[\w])|#(?=\d)")
"""A forge tells the person behind `@`, and links `#1` to an issue, escaped or not."""
_JOINER = "\u2060"
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[^`]*")


def shown(text: str) -> str:
    """Return a text without colours of a terminal, its other control characters pictured."""
    return visible(_COLOURS.sub("", text) if "\x1b" in text else text)


def line(text: str) -> str:
    """Return a text as part of a line, be it the first one."""
    escaped = _ACTS.sub(r"\\\g<0>", " ".join(shown(text).split()))
    escaped = _CALLS.sub(rf"\g<0>{_JOINER}", _BEGINS.sub(_begin, escaped))
    return _CLOSES.sub(r"\\\g<0>", escaped)


def tag_text(text: str) -> str:
    """Return a text as part of a line of HTML, as between `<summary>` and its end."""
    return _CALLS.sub(rf"\g<0>{_JOINER}", html.escape(shown(text).replace("\n", " ")))


def fence(text: str) -> list[str]:
    """Return a text in a fence longer than all in it."""
    lines = shown(text).strip("\n").split("\n")
    ticks = max((len(run) for one in lines for run in _TICKS.findall(one)), default=0)
    marks = "`" * max(3, ticks + 1)
    return [f"{marks}text", *lines, marks]


def prose(text: str) -> list[str]:
    """Return words as paragraphs with their line breaks; what they fence stays fenced."""
    out: list[str] = []
    paragraph: list[str] = []
    lines = iter(shown(text).strip("\n").split("\n"))
    for one in lines:
        opening = _FENCE.fullmatch(one)
        if opening is not None or not one.strip():
            out += _joined(paragraph)
            paragraph = []
        if opening is not None:
            closing = re.compile(rf" {{0,3}}{re.escape(opening[1])}{opening[1][0]}*\s*")
            inside: list[str] = []
            for fenced in lines:
                if closing.fullmatch(fenced):
                    break
                inside.append(fenced)
            out += ["", *fence("\n".join(inside))]
        elif one.strip():
            paragraph.append(_paragraph_line(one))
    return _without_outer_blanks([*out, *_joined(paragraph)])


def _paragraph_line(text: str) -> str:
    words = text.lstrip()
    indent = text[: len(text) - len(words)].expandtabs(4)
    inner = _ACTS.sub(r"\\\g<0>", words.rstrip())
    begun = _CALLS.sub(rf"\g<0>{_JOINER}", _BEGINS.sub(_begin, inner))
    return "\N{NO-BREAK SPACE}" * len(indent) + begun


def _begin(match: re.Match[str]) -> str:
    return match[0] + "\\" if match[0][0].isdigit() else "\\" + match[0]


def _joined(paragraph: list[str]) -> list[str]:
    if not paragraph:
        return []
    return ["", *(f"{one}\\" for one in paragraph[:-1]), paragraph[-1]]


def _without_outer_blanks(lines: list[str]) -> list[str]:
    start, end = 0, len(lines)
    while start < end and not lines[start]:
        start += 1
    while end > start and not lines[end - 1]:
        end -= 1
    return lines[start:end]
