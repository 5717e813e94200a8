"""Which file does a shell command print, and from which line to which?

Only commands that do nothing but print one file count, as agents look at files: `cat`, `head`,
`tail -n +N`, `sed -n A,Bp`, `nl -ba`, and the latter two behind one another. Anything that a shell
would expand, or that goes on to do something else, is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from forkpoint.shell_words import simple_commands
from forkpoint.worded import say

LONGEST = 2000
"""Characters of a command above which it is not looked at."""
END_UNTOLD = say("The read does not tell whether the last line ends.")

_OTHERWISE = re.compile(r"[;&<>()\n$`*?\[\]{}~!\\#]")
"""What makes a command another one, wherever it stands, but for the end of a range of `sed`."""
_RANGE = re.compile(r"(\d+)(?:,(\d+|\$))?p")
_NUMBERED = re.compile(r" *(\d+)\t(.*)", re.DOTALL)
_NUMBERED_BY_TOOL = re.compile(r"L(\d+): (.*)", re.DOTALL)
_LINES_BY_TOOL, _CUT_BY_TOOL = 2000, 500
"""Lines that the tool that numbers with `L1: ` gives unasked, and bytes of a line from which on it
cuts it without saying so."""


class FileRead(NamedTuple):
    """What is asked for of a file.

    Attributes:
        path: as the command spells it.
        first: number of the first line.
        last: of the last line; None = up to the end of the file.
        numbered: the form in which each line has its number.
        keeps_end: whether a missing end of the last line can be seen. `sed` adds one on some
            systems, and `nl` does on all.
    """

    path: str
    first: int = 1
    last: int | None = None
    numbered: re.Pattern[str] | None = None
    keeps_end: bool = True


class Seen(NamedTuple):
    """What a read showed of a file.

    Attributes:
        text: all that it held; None = some lines were shown, not all.
        unsure: what the read does not tell of the text, as a sentence.
        first: number of the first line shown.
        lines: the lines shown, without their ends.
        ends: nothing stands behind them.
    """

    text: str | None
    unsure: str | None = None
    first: int = 1
    lines: tuple[str, ...] = ()
    ends: bool = True


def read_by(command: str | Sequence[str]) -> FileRead | None:
    """Return what a command prints; None where it is no plain read of one file.

    Args:
        command: a line for a shell, or the words of one command.
    """
    if not isinstance(command, str):
        return _single(command)
    plain = command.replace(",$p", ",0p")
    if len(command) > LONGEST or _OTHERWISE.search(plain) or "||" in command:
        return None
    parts = simple_commands(command) or []
    if len(parts) == 1 and "|" not in command:
        return _single(parts[0].words)
    if len(parts) == 2 and command.count("|") == 1:
        return _numbered_range(parts[0].words, parts[1].words)
    return None


def read_by_tool(path: str, offset: int | None, limit: int | None) -> FileRead:
    """Return what a call of a tool that reads files asks for."""
    first = offset or 1
    last = first + (_LINES_BY_TOOL if limit is None else limit) - 1
    return FileRead(path, first, last, _NUMBERED_BY_TOOL, keeps_end=False)


def _single(words: Sequence[str]) -> FileRead | None:
    match list(words):
        case ["cat", path] | ["cat", "--", path]:
            read = FileRead(path)
        case ["cat", "-n", path]:
            read = FileRead(path, numbered=_NUMBERED)
        case ["nl", "-ba", path] | ["nl", "-b", "a", path]:
            read = FileRead(path, numbered=_NUMBERED, keeps_end=False)
        case ["sed", "-n", script, path]:
            read = _ranged(FileRead(path, keeps_end=False), script)
        case ["head", path]:
            read = FileRead(path, last=10)
        case ["head", "-n", count, path] if count.isdecimal():
            read = FileRead(path, last=int(count[:9]))
        case ["head", option, path] if option.removeprefix("-").removeprefix("n").isdecimal():
            read = FileRead(path, last=int(option.removeprefix("-").removeprefix("n")[:9]))
        case ["tail", "-n", start, path] if start[:1] == "+" and start[1:].isdecimal():
            read = FileRead(path, max(int(start[1:10]), 1))
        case _:
            return None
    return None if read is None or not read.path or read.path.startswith("-") else read


def _numbered_range(numbering: Sequence[str], printing: Sequence[str]) -> FileRead | None:
    read = _single(numbering)
    if read is None or read.numbered is None or len(printing) != 3 or printing[:2] != ["sed", "-n"]:
        return None
    return _ranged(read._replace(keeps_end=False), printing[2])


def _ranged(read: FileRead, script: str) -> FileRead | None:
    found = _RANGE.fullmatch(script)
    if found is None:
        return None
    first, last = int(found[1][:9]), found[2] or found[1]
    end = None if last == "$" else int(last[:9])
    return read._replace(first=first, last=end) if first and (end is None or end >= first) else None


def seen_in(read: FileRead, output: str) -> Seen | None:
    """Return what a read showed, by its output; None where that is not just lines of the file.

    Args:
        read: what was asked for.
        output: all that the command printed.
    """
    lines, ends_open = output.split("\n"), not output.endswith("\n")
    lines = lines if ends_open and output else lines[:-1]
    if read.numbered is not None:
        bare = _without_numbers(lines, read.numbered, read.first)
        if bare is None:
            return None
        lines = bare
    asked = None if read.last is None else read.last - read.first + 1
    if asked is not None and len(lines) > asked:
        return None
    is_open = ends_open and bool(lines) and read.numbered is not _NUMBERED_BY_TOOL
    ends = asked is None or len(lines) < asked or is_open
    if read.first == 1 and ends and read.numbered is not _NUMBERED_BY_TOOL:
        text = "\n".join(lines) + ("" if is_open or not lines else "\n")
        is_sure = read.keeps_end or is_open or not lines
        return Seen(text, None if is_sure else END_UNTOLD)
    bare_lines = tuple(line.removesuffix("\r") for line in lines)
    return Seen(None, None, read.first, bare_lines, ends) if lines else None


def _without_numbers(lines: list[str], form: re.Pattern[str], first: int) -> list[str] | None:
    """The lines without their numbers, if these follow one another."""
    made: list[str] = []
    for number, line in enumerate(lines, first):
        found = form.fullmatch(line)
        if found is None or found[1] != str(number):
            return None
        if form is _NUMBERED_BY_TOOL and len(found[2].encode("utf-8", "replace")) >= _CUT_BY_TOOL:
            return None
        made.append(found[2])
    return made


def shows(text: str, seen: Seen) -> bool:
    """Say whether a text has the lines that a read showed, where it showed them."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    if lines and not lines[-1]:
        lines.pop()
    start = seen.first - 1
    end = start + len(seen.lines)
    return tuple(lines[start:end]) == seen.lines and (not seen.ends or len(lines) == end)
