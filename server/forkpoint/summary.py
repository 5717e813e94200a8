"""What a session list shows of one transcript: a fold that ends in titles, times and names."""

from __future__ import annotations

from hashlib import blake2b
from typing import Literal

import msgspec

from forkpoint.client_rules import parse_version
from forkpoint.records.record import Flag, Kind, Note, PullRequest, Record, Role
from forkpoint.records.words import one_line, plain_words

TitleSource = Literal["custom", "ai", "summary", "lastPrompt", "firstPrompt", "command", "none"]


MOST_CWDS = 50
"""Directories kept of a session; more are no way of working but somebody's trap."""


class Summary:
    """Facts of one transcript, folded line by line.

    Attributes:
        custom_title, ai_title, tag, agent_name: the last values; None where none or emptied.
        summaries: (text, uuid of the row it is about); about this session only if it has that row.
        first_prompt, last_prompt, first_command: one-line previews.
        first_cwd, last_cwd, relocated: directories as written; `cwds` are all, at most `MOST_CWDS`.
        version, first_version: the newest and the first client version named.
        created, updated: first and last readable timestamp in file order, as written.
        talk: whether any user or assistant row stands outside sidechains.
        prompts: node -> preview of a person's words, in file order.
    """

    def __init__(self) -> None:
        self.custom_title: str | None = None
        self.ai_title: str | None = None
        self.tag: str | None = None
        self.agent_name: str | None = None
        self.summaries: list[tuple[str, str]] = []
        self.first_prompt: str | None = None
        self.last_prompt: str | None = None
        self.first_command: str | None = None
        self.first_cwd: str | None = None
        self.last_cwd: str | None = None
        self.relocated: str | None = None
        self.cwds: dict[str, None] = {}
        self.git_branch: str | None = None
        self.version: str | None = None
        self.first_version: str | None = None
        self.entrypoint: str | None = None
        self.created: str | None = None
        self.updated: str | None = None
        self.forked_from: str | None = None
        self.pull_requests: list[PullRequest] = []
        self.foreign_sessions: set[str] = set()
        self.talk = False
        self.prompts: dict[int, str] = {}
        self._texts: dict[int, bytes] = {}
        self._newest_version = (0, 0, 0)

    def seen_at(self, timestamp: str | None) -> None:
        """Take in a timestamp that can be read."""
        self.created = self.created or timestamp
        self.updated = timestamp

    def apply(self, record: Record, node: int) -> None:
        """Take in all else of a record.

        Args:
            record: the record.
            node: its ordinal, a repeat's first.
        """
        for note in record.notes:
            self._note(note)
        if record.pull_request is not None and record.pull_request not in self.pull_requests:
            self.pull_requests.append(record.pull_request)
        if record.kind is Kind.STATE:
            return
        self.written_by(record.cwd, record.version)
        if record.forked_from is not None and self.forked_from is None:
            self.forked_from = record.forked_from
        if not record.flags & Flag.SIDECHAIN:
            self.talk = self.talk or record.kind in (Kind.USER, Kind.ASSISTANT)
            self.went_on(record.git_branch, record.entrypoint)
            if record.flags & Flag.TYPED:
                self.typed(record.text, node, record.role)

    def written_by(self, cwd: str | None, version: str | None) -> None:
        """Take in what any row says of its client."""
        if cwd is not None:
            self.first_cwd = self.first_cwd or cwd
            if cwd != self.last_cwd and len(self.cwds) < MOST_CWDS:
                self.cwds[cwd] = None
            self.last_cwd = cwd
        self._version(version)

    def went_on(self, git_branch: str | None, entrypoint: str | None) -> None:
        """Take in what a row outside sidechains says."""
        if git_branch:
            self.git_branch = git_branch
        self.entrypoint = self.entrypoint or entrypoint

    def typed(self, text: str, node: int, role: Role) -> None:
        """Take in a person's words."""
        plain = plain_words(text) if text.startswith("<") else text
        words = one_line(plain) or "[image]"
        self.prompts[node] = words
        self._texts[node] = blake2b(text.encode(), digest_size=8).digest()
        if role is Role.COMMAND:
            self.first_command = self.first_command or words
        else:
            self.first_prompt = self.first_prompt or words

    def same_words(self, one: int, other: int) -> bool:
        """Say whether two prompts are the same text."""
        return self._texts.get(one) == self._texts.get(other) is not None

    def _version(self, version: str | None) -> None:
        if version is None or version == self.version:
            return
        self.first_version = self.first_version or version
        parsed = parse_version(version)
        if parsed is not None and parsed >= self._newest_version:
            self._newest_version, self.version = parsed, version

    def titled(self, ai_title: str) -> bool:
        """Take in the title that the agent gave, and say whether there is something in it."""
        title = one_line(ai_title)
        self.ai_title = title or self.ai_title
        return bool(title)

    def prompted(self, last_prompt: str) -> bool:
        """Take in the text beside a pointer, and say whether there is something in it."""
        words = one_line(plain_words(last_prompt))
        self.last_prompt = words or self.last_prompt
        return bool(words)

    def _note(self, note: Note) -> None:
        value = one_line(note.value)
        if note.name == "custom-title":
            self.custom_title = value or None
        elif note.name == "ai-title":
            self.titled(note.value)
        elif note.name == "tag":
            self.tag = value or None
        elif note.name == "agent-name":
            self.agent_name = value or None
        elif note.name == "last-prompt":
            self.prompted(note.value)
        elif note.name == "relocated":
            self.relocated = note.value
        elif note.name == "summary" and note.target is not None and value:
            self.summaries.append((value, note.target))


class Title(msgspec.Struct, frozen=True):
    """A title and where it comes from."""

    text: str
    source: TitleSource


def title_of(summary: Summary, own_summary: str | None) -> Title:
    """Choose the display title: what a person named it, what the agent named it, what was asked.

    Args:
        summary: the transcript's facts.
        own_summary: the newest summary text that is about a row of this session.
    """
    choices: list[tuple[str | None, TitleSource]] = [
        (summary.custom_title, "custom"),
        (summary.ai_title, "ai"),
        (own_summary, "summary"),
        (summary.first_prompt, "firstPrompt"),
        (summary.last_prompt, "lastPrompt"),
        (summary.first_command, "command"),
    ]
    return next((Title(text, source) for text, source in choices if text), Title("", "none"))
