"""Which files does a shell command write, as far as its text tells?

A guess from words, never more: a script may do anything. What names its files is "likely"; what is
not known to only read is "unknown".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from forkpoint.shell_words import Simple, simple_commands

LONGEST = 20_000
"""Characters of a command above which it is not looked at: some 0.1 s."""

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
    parts = simple_commands(command) if len(command) <= LONGEST else None
    if parts is None:
        return Writes((), "unknown")
    found = [writes for part in parts if (writes := _simple(part)) is not None]
    if not found:
        return None
    files = tuple(dict.fromkeys(file for writes in found for file in writes.files))
    is_likely = any(writes.certainty == "likely" for writes in found)
    return Writes(files, "likely" if is_likely else "unknown")


def _simple(part: Simple) -> Writes | None:
    words = part.words
    while words and ("=" in words[0].lstrip("-") or words[0] in _PREFIXES):
        words = words[1:]
    named = _by_command(words) if words else None
    if not part.output:
        return named
    return Writes((*part.output, *(named.files if named else ())), "likely")


def _by_command(words: Sequence[str]) -> Writes | None:
    name = words[0].rsplit("/", 1)[-1]
    given = [word for word in words[1:] if not word.startswith("-")]
    options = [word for word in words[1:] if word.startswith("-")]
    if name in _WITH_SUBCOMMANDS:
        return _by_subcommand(name, _subcommand(words[1:]))
    if name in _WRITERS:
        return Writes(tuple(_WRITERS[name](given)), "likely")
    if name in ("sed", "perl", "yq"):
        in_place = any(option.startswith(("-i", "--in-place", "-pi")) for option in options)
        return Writes(tuple(given[1:]), "likely") if in_place else None
    if name == "find":
        acts = {"-delete", "-exec", "-execdir", "-ok"} & set(words)
        return Writes((), "unknown") if acts else None
    return None if name in _READERS else Writes((), "unknown")


def _subcommand(words: Sequence[str]) -> str:
    """The first word that is no option, and no value of one."""
    rest = iter(words)
    for word in rest:
        if word in _OPTIONS_WITH_VALUE:
            next(rest, None)
        elif not word.startswith("-"):
            return word
    return ""


def _by_subcommand(name: str, subcommand: str) -> Writes | None:
    if subcommand in _WITH_SUBCOMMANDS[name]:
        return Writes((), "likely")
    is_reading = name == "git" and subcommand in _GIT_READING
    return None if is_reading or not subcommand else Writes((), "unknown")


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
    "truncate": _last,
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

_GIT_READERS = """
blame branch cat-file check-ignore config describe diff fetch for-each-ref grep help log ls-files
ls-remote ls-tree merge-base name-rev push reflog remote rev-list rev-parse shortlog show show-ref
status symbolic-ref tag version
"""
_GIT_READING = frozenset(_GIT_READERS.split())
"""Those that leave the files alone; all others may be somebody's aliases."""

_OPTIONS_WITH_VALUE = frozenset(
    ("-C", "-c", "--git-dir", "--work-tree", "--prefix", "--dir", "--cwd", "--directory")
)
"""That may stand before a subcommand."""

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
    ("sudo", "env", "time", "nohup", "command", "exec", "then", "do", "else", "!", "{")
)

_READING = """
ls cat head tail less more wc grep egrep fgrep rg ag fd tree stat file du df pwd cd echo printf true
false test [ [[ ] } which type whereis whoami id date sleep diff cmp sort uniq cut tr awk jq column
nl od xxd hexdump strings md5sum sha1sum sha256sum basename dirname realpath readlink printenv ps
top kill jobs wait uname hostname seq expr for in if fi done while case esac return exit set export
unset read
"""
_READERS = frozenset(_READING.split())
"""Commands that write no file by themselves, and words of the shell."""
