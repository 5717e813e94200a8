"""Text of a transcript inside a Markdown document, where it must not act.

It may come from anywhere: a web page that a tool read, a file, another person. It starts no heading
and no fence, is no link, picture or HTML, moves no cursor and turns no reading direction.
"""

from __future__ import annotations

import re

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff"
    "\U000e0000-\U000e007f]"
)
"""Control characters but tab and line feed, and what reorders, splits or hides text."""


def visible(text: str) -> str:
    """Show what a terminal would obey and a reader would not see: ␛, ␍, ⟦U+202E⟧."""
    return _UNSEEN.sub(_picture, text.replace("\r\n", "\n"))


def _picture(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"⟦U+{code:04X}⟧"


_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*(?:[@-~]|\Z)"  # colours, moves of the cursor
    r"|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\|\Z)"  # titles, links and what else has an end of its own
    r"|[ -/]+[0-~]"  # character sets
    r"|[0-Z\\`-~])"
)
"""What a terminal obeys and does not show (ECMA-48)."""


def without_escapes(text: str) -> str:
    """Leave out what a terminal would take as an order: programs colour what they put out."""
    return _ESCAPES.sub("", text) if "\x1b" in text else text


_ACTING = re.compile(r"<|(?<=\])\(|\\(?=[!-/:-@\[-`{-~]|$)")


def inline(text: str) -> str:
    r"""Put text into a line that begins with words of ours.

    Escaped are `<`, the bracket that makes a link or picture, and a backslash that would escape.
    """
    return _ACTING.sub(lambda match: "\\" + match[0], visible(text).replace("\n", " "))


def literal(text: str) -> list[str]:
    """Indent text by four columns: to Markdown a code block, to a reader a quotation.

    The line above must be blank and may not belong to a list.
    """
    lines = visible(text).strip("\n").split("\n")
    return [f"    {line}" if line else "" for line in lines]


def fenced(text: str, most: int) -> tuple[list[str], int]:
    """Fence the first `most` lines of a text; return them and how many more there are."""
    lines = visible(text).strip("\n").split("\n")
    shown = lines[:most]
    ticks = max((len(run) for line in shown for run in _TICKS.findall(line)), default=0)
    fence = "`" * max(3, ticks + 1)
    return [f"{fence}text", *shown, fence], len(lines) - len(shown)


_TICKS = re.compile("`+")


def code(text: str) -> str:
    """Put text into one code span, in which nothing acts and no address becomes a link."""
    shown = visible(text).replace("\n", " ")
    ticks = "`" * (max(map(len, _TICKS.findall(shown)), default=0) + 1)
    pad = " " if shown[:1] in ("`", "") or shown[-1:] == "`" or not shown.strip() else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"
