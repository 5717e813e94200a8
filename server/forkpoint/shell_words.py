"""Of which simple commands is a command line made, and to which files does their output go?

Quotes as a POSIX shell has them, but nothing is expanded; a backslash before a letter stays, so
that paths of Windows are left alone. The text of here-documents is no part of a command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(
    r"""
    (?P<blank> [^\S\n]+ | \#[^\n]* )
    | (?P<redirection> \d*(?: &>>? | >>?[&|]? | <<< | <<-? | <[&>]? ))
    | (?P<operator> [();|&\n]+ )
    | (?P<word> (?:
        \$\(\([^()\n]*\)\) | [^\s"'`\\();|&<>] | \\. | `[^`]*` | "(?:[^"\\]|\\.)*" | '[^']*'
      )+ )
    """,
    re.VERBOSE | re.DOTALL,
)
_QUOTED = re.compile(r"""'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(\W)""", re.DOTALL)
_ESCAPED = re.compile(r'\\(["\\$`])')
_SUBSTITUTED = re.compile(r"\$\(([^()`]*)\)|`([^`]*)`")
_NOT_EXPANDED = re.compile(r"""("(?:[^"\\]|\\.)*")|'[^']*'""", re.DOTALL)
_HERE_DOCUMENT = re.compile(r"(?<!<)<<-?[ \t]*\\?(['\"]?)([A-Za-z_][\w.-]*)\1")


class Simple(NamedTuple):
    """A command without operators: its words, and the files that its output goes to."""

    words: list[str]
    output: list[str]


def simple_commands(command: str) -> list[Simple] | None:
    """Return the commands between `;`, `|`, `&&`, parentheses and line ends; None = unclosed quote.

    Those inside words, as in `"$(date)"`, come last.
    """
    return _simple_commands(_without_here_documents(command).replace("\\\n", ""))


def _simple_commands(text: str) -> list[Simple] | None:
    found = [Simple([], [])]
    inside: list[Simple] = []
    redirection = ""
    end = 0
    for token in _TOKEN.finditer(text):
        if token.start() != end:
            return None
        end = token.end()
        if token.lastgroup == "operator":
            found.append(Simple([], []))
        if token.lastgroup == "word":
            _put(found[-1], _plain(token[0]), redirection)
            inside += _substituted(token[0])
        if token.lastgroup != "blank":
            redirection = token[0] if token.lastgroup == "redirection" else ""
    if end != len(text):
        return None
    return [simple for simple in found + inside if simple.words or simple.output]


def _put(simple: Simple, word: str, redirection: str) -> None:
    if not redirection:
        simple.words.append(word)
    elif ">" in redirection and not word.startswith("/dev/"):
        is_descriptor = redirection.endswith("&") and (word.isdigit() or word == "-")
        if not is_descriptor:
            simple.output.append(word)


def _plain(word: str) -> str:
    """A word without its quotes."""

    def unquoted(match: re.Match[str]) -> str:
        single, double, escaped = match.groups()
        if double is not None:
            return _ESCAPED.sub(r"\1", double)
        return single if single is not None else escaped

    return _QUOTED.sub(unquoted, word)


def _substituted(word: str) -> Iterator[Simple]:
    """The commands whose output becomes part of a word; of nested ones the innermost."""
    for match in _SUBSTITUTED.finditer(_NOT_EXPANDED.sub(r"\1", word)):
        yield from _simple_commands(match[1] or match[2] or "") or ()


def _without_here_documents(command: str) -> str:
    lines = command.split("\n")
    last = {line.strip("\t"): number for number, line in enumerate(lines)}
    kept: list[str] = []
    at = 0
    while at < len(lines):
        kept.append(lines[at])
        at += 1
        for match in _HERE_DOCUMENT.finditer(kept[-1]):
            # One that never ends is none: the two signs stand in a text or a calculation.
            if last.get(match[2], -1) >= at:
                while lines[at].strip("\t") != match[2]:
                    at += 1
                at += 1
    return "\n".join(kept)
