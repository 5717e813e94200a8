"""Which files does a shell command write, as far as its text tells?

A guess from words, never more: a script may do anything. What names its files is "likely"; what is
not known to only read is "unknown".
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

Certainty = Literal["likely", "unknown"]


class Writes(NamedTuple):
    """What a command may have written.

    Attributes:
        files: paths as the command spells them, each once; empty where it names none.
        certainty: "likely" when it is one that writes.
    """

    files: tuple[str, ...]
    certainty: Certainty


def shell_writes(command: str) -> Writes | None:
    """Return what a command may have written; None for one that only reads."""
    words = _words(command)
    if words is None:
        return Writes((), "unknown")
    found = [_simple(part) for part in _parts(words)]
    files = tuple(dict.fromkeys(file for writes in found if writes for file in writes.files))
    certainties = {writes.certainty for writes in found if writes}
    if not certainties:
        return None
    return Writes(files, "likely" if "likely" in certainties else "unknown")


def _words(command: str) -> list[str] | None:
    """Words and operators; None where quotes do not close, as in a here-document's text."""
    lexer = shlex.shlex(command.replace("\\\n", " "), posix=True, punctuation_chars="();<>|&\n")
    lexer.whitespace = " \t\r"
    lexer.whitespace_split = True
    try:
        return list(lexer)
    except ValueError:
        return None


def _parts(words: Sequence[str]) -> list[list[str]]:
    """Simple commands: what stands between `;`, `|`, `&&`, parentheses and line ends."""
    parts: list[list[str]] = [[]]
    for word in words:
        is_redirection = ">" in word or "<" in word
        if word and not is_redirection and not word.strip("();|&\n"):
            parts.append([])
        else:
            parts[-1].append(word)
    return [part for part in parts if part]


def _simple(part: Sequence[str]) -> Writes | None:
    words, redirected = _without_redirections(part)
    while words and ("=" in words[0].lstrip("-") or words[0] in _PREFIXES):
        words = words[1:]
    named = _by_command(words) if words else None
    if not redirected:
        return named
    return Writes((*redirected, *(named.files if named else ())), "likely")


def _without_redirections(part: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """The words of a command, and the files that its output goes to."""
    words: list[str] = []
    targets: list[str] = []
    into: str | None = None
    for word in part:
        if into is not None:
            is_file = ">" in into and not word.isdigit() and word != "/dev/null" and word != "-"
            if is_file:
                targets.append(word)
            into = None
        elif word.strip("<>&|") == "" and ("<" in word or ">" in word):
            into = word
            if words and words[-1].isdigit():
                words.pop()
        else:
            words.append(word)
    return words, tuple(targets)


def _by_command(words: Sequence[str]) -> Writes | None:
    name = words[0].rsplit("/", 1)[-1]
    given = [word for word in words[1:] if not word.startswith("-")]
    options = [word for word in words[1:] if word.startswith("-")]
    if name in _WITH_SUBCOMMANDS:
        return _by_subcommand(name, given)
    if name in _WRITERS:
        return Writes(tuple(_WRITERS[name](given)), "likely")
    if name in ("sed", "perl"):
        in_place = any(option.startswith(("-i", "--in-place", "-pi")) for option in options)
        return Writes(tuple(given[1:]), "likely") if in_place else None
    if name == "find":
        acts = {"-delete", "-exec", "-execdir", "-ok"} & set(words)
        return Writes((), "unknown") if acts else None
    return None if name in _READERS else Writes((), "unknown")


def _by_subcommand(name: str, given: Sequence[str]) -> Writes | None:
    subcommand = given[0] if given else ""
    if subcommand in _WITH_SUBCOMMANDS[name]:
        return Writes((), "likely")
    return None if name == "git" else Writes((), "unknown")


def _all(given: Sequence[str]) -> Sequence[str]:
    return given


def _last(given: Sequence[str]) -> Sequence[str]:
    return given[-1:]


def _behind_first(given: Sequence[str]) -> Sequence[str]:
    return given[1:]


def _output(given: Sequence[str]) -> Sequence[str]:
    return [word.removeprefix("of=") for word in given if word.startswith("of=")]


def _no_names(_: Sequence[str]) -> Sequence[str]:
    return ()


_WRITERS: dict[str, Callable[[Sequence[str]], Sequence[str]]] = {
    "rm": _all,
    "mv": _all,
    "cp": _last,
    "ln": _last,
    "install": _last,
    "touch": _all,
    "mkdir": _all,
    "rmdir": _all,
    "truncate": _all,
    "tee": _all,
    "chmod": _behind_first,
    "chown": _behind_first,
    "dd": _output,
    "patch": _all,
    "unzip": _no_names,
    "tar": _no_names,
    "rsync": _last,
}
"""Commands that write, and which of their words are files written."""

_GIT = """
add am apply checkout cherry-pick clean clone commit init merge mv pull rebase reset restore revert
rm stash submodule switch worktree
"""

_WITH_SUBCOMMANDS: dict[str, frozenset[str]] = {
    "git": frozenset(_GIT.split()),
    "npm": frozenset(("install", "i", "ci", "add", "remove", "uninstall", "update", "init")),
    "pnpm": frozenset(("install", "i", "add", "remove", "update", "init")),
    "yarn": frozenset(("install", "add", "remove", "upgrade", "init")),
    "pip": frozenset(("install", "uninstall")),
    "uv": frozenset(("add", "remove", "sync", "lock", "init", "venv")),
    "cargo": frozenset(("add", "remove", "build", "fix", "fmt", "init", "new", "update")),
    "go": frozenset(("build", "fmt", "get", "generate", "mod", "install")),
}
"""Commands by whose second word it is decided."""

_PREFIXES = frozenset(
    ("sudo", "env", "time", "nohup", "command", "exec", "then", "do", "else", "!")
)

_READING = """
ls cat head tail less more wc grep egrep fgrep rg ag fd tree stat file du df pwd cd echo printf true
false test [ [[ ] which type whereis whoami id date sleep diff cmp sort uniq cut tr awk jq yq column
nl od xxd hexdump strings md5sum sha1sum sha256sum basename dirname realpath readlink printenv ps
top kill jobs wait uname hostname seq expr for in if fi done while case esac return exit set export
unset read
"""
_READERS = frozenset(_READING.split())
"""Commands that write no file by themselves, and words of the shell."""
