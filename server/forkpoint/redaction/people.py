"""Whose machine is it? Home folders, mail addresses, and the names of people and machines.

A folder below `/home` or `/Users` names a person wherever it stands. The bare name is taken out,
too, where more says that it is one: the session ran in that folder, or a shell greeted with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_SEPARATOR = r"(?:[/\\]{1,8}|%2[fF]|%5[cC])"
_NAME = r"[\w.-]{1,64}(?: [\w.-]{1,64}){1,3}(?=[/\\])|[\w.-]{1,64}"
"""One with blanks is known as such only before a separator."""
_FOLDER = re.compile(rf"((?:home|Users){_SEPARATOR})({_NAME})")
"""A home folder on any system, in a URI and in JSON, if what stands before it agrees."""
_BEFORE = re.compile(
    rf"(?:(?:(?:^|[^\w.~%-]|%3[aA])(?:{_SEPARATOR}mnt)?{_SEPARATOR}(?:[a-z]|var|export))|(?:^|[^\w.~%-]|%3[aA]))"
    rf"{_SEPARATOR}\Z"
)
"""A root, a drive or where one is mounted; another folder or a host is none."""
_BELOW_HOME = re.compile(
    rf"\[user \d+\](?:{_SEPARATOR}mnt)?(?:{_SEPARATOR}(?:[a-z]|var|export))?{_SEPARATOR}\Z"
)
"""What was taken out already is a folder, as the name was that stood there."""
_FURTHEST = 40
_DASHED = re.compile(r"(?<![\w-])((?:[A-Za-z]-)?-(?:home|Users)-)([A-Za-z0-9]{1,64})(?![a-z0-9])")
"""The same in the name of a project's folder, where a name ends at its first odd character."""
_ODD = re.compile(r"[^A-Za-z0-9]")
_NOBODY = frozenset(
    ["Shared", "Public", "Default", "linuxbrew", ".", "..", "...", "All Users", "user", "username"]
)

_MAIL = re.compile(
    r"(?<![\w.+-])[\w.+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![\w@])"
)
_NO_MAIL = re.compile(
    r"(?:git|noreply|no-reply)@.*|.*\.(?:png|jpe?g|gif|svg|webp|css|js|ts|tsx|jsx|json|md|py|html"
    r"|service|socket|timer|target|mount)",
    re.IGNORECASE,
)
"""What looks like an address: a repository, a picture of twice the size, a unit of systemd."""

_GREETING = re.compile(
    r"(?<![\w.+-])([a-z_][a-z0-9_.-]{0,31})@([A-Za-z0-9][A-Za-z0-9-]{0,62}):(?=[~/][^\s]*[ ]?[$#%])"
)
_UNAME = re.compile(r"\b(?:Linux|Darwin) ([A-Za-z0-9][\w.-]{0,62}) \d+\.\d+\.\d+")

_SIGNED = re.compile(
    r"((?!\s)[^\W\d_][\w.'\u2019-]{0,40}(?: [\w.'\u2019-]{1,40}){0,4}) {1,2}"
    r"<[\w.+-]{1,64}@[\w.-]{1,255}>"
)
_LABEL = re.compile(r"(?:.* )?(?:[Bb]y|[Ff]rom|[Tt]o|and|Cc|Author|Committer|Commit|Tagger|Name) ")
_CONFIGURED = re.compile(
    r"(?:user\.name(?:=|[ \t]{1,4})[\"']?|Git user: |\bGIT_(?:AUTHOR|COMMITTER)_NAME=[\"']?)"
    r"([^\"'\n\\=$<>(){}]{2,60}?)(?=[\"'\n\\]|[ \t]+--|\Z)"
)
_SHORT = 4
"""Characters from which on a user or a host is looked for by its bare name."""
_ORDINARY_WORDS = """
root user users admin administrator ubuntu debian fedora centos alpine runner node vscode code coder
codespace codespaces vagrant docker container test tests tester guest home work build builder
developer demo app apps application main master claude anthropic codex agent server client local
localhost host hostname default public shared system service daemon nobody http email name secret
token password python java ruby rust golang project projects repo source data files temp jenkins
gitlab github actions circleci buildkite workspace sandbox machine linux darwin windows macbook
desktop laptop computer
type text content message role input image thinking attachment prompt rendered subtype assistant
document timestamp filename description date
"""
_ORDINARY = frozenset(_ORDINARY_WORDS.split())
"""Accounts and machines of these names are nobody's, and the words stand everywhere, be it as the
names of a record's fields."""


class People:
    """Names as they are met, and texts without them; the same name gets the same placeholder.

    Attributes:
        paths: whether home folders are taken out.
        names: whether users, hosts, mail addresses and authors are.
    """

    def __init__(self, *, paths: bool, names: bool) -> None:
        self.paths, self.names = paths, names
        self._numbers: dict[str, dict[str, str]] = {}
        self._bare: dict[str, str] = {}
        self._owners: set[str] = set()
        self._dashed: dict[str, str] = {}
        self._patterns: tuple[int, re.Pattern[str] | None, re.Pattern[str] | None] = (
            -1,
            None,
            None,
        )
        self.counts: dict[str, int] = {}

    # --- what is known ---

    def know_folders(self, folders: Iterable[str]) -> None:
        """Take in folders that a session ran in: their owners are known by their bare names."""
        for folder in folders:
            match = _FOLDER.search(folder)
            if match is not None and _is_home(match):
                self._know("user", match[2])
                self._own(match[2])

    def know_machine(self, user: str | None, host: str | None) -> None:
        """Take in whose machine this is: the session was probably recorded here."""
        self._know("user", user or "")
        self._know("host", (host or "").partition(".")[0])

    def look(self, text: str) -> None:
        """Take in what a text tells of people; texts without them come later."""
        if self.paths and _may_hold_folders(text):
            for match in _FOLDER.finditer(text):
                if match[2] not in self._owners and _is_home(match):
                    self._own(match[2])
        if self.names:
            self._look_for_names(text)

    def _look_for_names(self, text: str) -> None:
        if "@" in text:
            for match in _GREETING.finditer(text):
                self._know("user", match[1])
                self._know("host", match[2])
            for match in _SIGNED.finditer(text):
                name = _LABEL.sub("", match[1])
                if " " in name or name != match[1] or match.string[: match.start()].endswith(": "):
                    self._know("name", name)
        if "user" in text or "GIT_" in text:
            for match in _CONFIGURED.finditer(text):
                self._know("name", match[1].strip())
        if "Linux " in text or "Darwin " in text:
            for match in _UNAME.finditer(text):
                self._know("host", match[1].partition(".")[0])

    def _own(self, name: str) -> None:
        self._owners.add(name)
        dashed = _ODD.sub("-", name)
        if "-" in dashed and dashed.strip("-"):
            self._dashed[dashed] = name

    def _know(self, kind: str, name: str) -> None:
        if len(name) < _SHORT or name.lower() in _ORDINARY or name.lower().startswith("claude"):
            return
        if kind == "name" and " " not in name and len(name) < _SHORT + 1:
            return
        self._bare.setdefault(name, kind)

    # --- what is taken out ---

    def without(self, text: str) -> str:
        """Return a text with placeholders in the place of names."""
        if self.paths and _may_hold_folders(text):
            text = self._dashes(_FOLDER.sub(self._folder, text))
        if self.names:
            if "@" in text:
                text = _MAIL.sub(self._mail, text)
            text = self._names(text)
        return text

    def _folder(self, match: re.Match[str]) -> str:
        # Whose home is known is known below any other root, too.
        if match[2] not in self._owners and not _is_home(match):
            return match[0]
        name = match[2].rstrip(".")
        return match[1] + self._placeholder("user", name, "homePath") + match[2][len(name) :]

    def _dashes(self, text: str) -> str:
        pattern = self._compiled()[0]
        if pattern is not None:
            text = pattern.sub(
                lambda m: m[1] + self._placeholder("user", self._dashed[m[2]], "homePath"), text
            )
        return _DASHED.sub(self._dash, text)

    def _dash(self, match: re.Match[str]) -> str:
        return match[1] + self._placeholder("user", match[2], "homePath")

    def _mail(self, match: re.Match[str]) -> str:
        if _NO_MAIL.fullmatch(match[0]):
            return match[0]
        return self._placeholder("email", match[0].lower(), "email")

    def _names(self, text: str) -> str:
        pattern = self._compiled()[1]
        if pattern is None:
            return text
        return pattern.sub(lambda m: self._placeholder(self._bare[m[0]], m[0]), text)

    def _compiled(self) -> tuple[re.Pattern[str] | None, re.Pattern[str] | None]:
        known = len(self._bare) + len(self._dashed)
        if self._patterns[0] != known:
            dashed, bare = _either(self._dashed), _either(self._bare)
            self._patterns = (
                known,
                re.compile(rf"((?:[A-Za-z]-)?-(?:home|Users)-)({dashed})(?![A-Za-z0-9])")
                if dashed
                else None,
                re.compile(rf"(?<![A-Za-z0-9_])(?:{bare})(?![A-Za-z0-9_])") if bare else None,
            )
        return self._patterns[1:]

    def _placeholder(self, kind: str, value: str, counted: str | None = None) -> str:
        numbers = self._numbers.setdefault(kind, {})
        known = numbers.get(value)
        if known is None:
            known = numbers[value] = f"[{kind} {len(numbers) + 1}]"
        self.counts[counted or kind] = self.counts.get(counted or kind, 0) + 1
        return known


def _is_home(match: re.Match[str]) -> bool:
    start = match.start()
    before = match.string[max(start - _FURTHEST, 0) : start]
    is_root = _BEFORE.search(before) is not None and _BELOW_HOME.search(before) is None
    return match[2] not in _NOBODY and is_root


def _may_hold_folders(text: str) -> bool:
    return "home" in text or "Users" in text


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
