"""What an export shows: facts of a session, its transcripts, and the rows of a path."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, Protocol

import msgspec
import orjson

from forkpoint.records.blocks import Image, Text, ToolUse
from forkpoint.records.content import Body
from forkpoint.records.preview import own_words
from forkpoint.records.record import Role
from forkpoint.records.words import first_line, is_command, is_output, plain_words
from forkpoint.session import Fate

Format = Literal["markdown", "html", "json"]


class Row(msgspec.Struct, frozen=True):
    """A record of a path, whole.

    Attributes:
        pictures: the bytes of its `Image` blocks in base64, in their order; empty where they are
            not to be shown.
    """

    ordinal: int
    uuid: str
    role: Role
    fate: Fate
    timestamp: str | None
    model: str | None
    body: Body
    pictures: tuple[str, ...] = ()

    @property
    def is_turn(self) -> bool:
        """Whether a person typed it."""
        words = own_words(self.body.blocks)
        if self.role is Role.COMMAND:
            return is_command(words)
        return self.role in (Role.PROMPT, Role.SHELL) and not is_output(words)

    @property
    def first_words(self) -> str:
        """One line that tells a turn from others; may be empty."""
        return first_line(plain_words(own_words(self.body.blocks))) or self.body.preview


class Chapter(msgspec.Struct, frozen=True):
    """A transcript in an export: the session's own, or a subagent's.

    Attributes:
        agent_id: None for the session's own.
        path: which records are shown, in a sentence.
        records: how many those are.
        left_out: what the transcript has besides, by its kind (see `LEFT_OUT`).
        call_id: the call that started the subagent; None where unknown.
        prompts: uuid and first line of what a person typed, in the order of the path.
    """

    agent_id: str | None
    title: str
    path: str
    leaf: str | None
    records: int
    left_out: dict[str, int]
    call_id: str | None = None
    prompts: Sequence[tuple[str, str]] = ()


LEFT_OUT = {
    "otherBranches": "records on other branches",
    "subagents": "records of subagents that stand in the session's own file",
    "state": "lines that are titles, pointers or snapshots of files",
    "progress": "notes of progress",
    "unknown": "records of a type that no known client reads",
    "repeated": "lines that a later line with the same id replaces",
    "malformed": "lines that could not be read",
    "unfinished": "unfinished last lines",
    "subagentTranscripts": "transcripts of subagents",
}
"""What an export may leave out of a transcript: kinds, and what they are in words."""


class About(msgspec.Struct, frozen=True):
    """What stands on top; None where unknown.

    Attributes:
        redacted: what was taken out: "secrets", "paths", "names".
        agent: whose words the answers are.
        agents: agent id and title of each subagent that follows.
        callers: call id -> agent id, for the calls that started them.
    """

    title: str | None
    session_id: str
    project: str | None
    git_branch: str | None
    version: str | None
    models: Sequence[str]
    created: str | None
    updated: str | None
    redacted: Sequence[str]
    chapter: Chapter
    agent: str = "Claude"
    agents: Sequence[tuple[str, str]] = ()
    callers: dict[str, str] = {}


class Ending(msgspec.Struct, frozen=True):
    """What is known at the end.

    Attributes:
        redactions: how often each kind was taken out.
        spilled: outputs of tools that lie in files of their own, and are told by their beginning.
        images: pictures that are told by type and size only.
        secret_rules: whose rules looked for secrets: "built-in", "detect-secrets"; empty where
            nobody's did.
    """

    redactions: dict[str, int]
    spilled: int
    images: int
    secret_rules: Sequence[str] = ()


class Writer(Protocol):
    """Puts an export into text, piece by piece: `begin`, then chapters with rows, then `end`.

    Attributes:
        images: pictures of the rows so far that are told by type and size only.
    """

    media_type: str
    suffix: str
    images: int

    def begin(self, about: About) -> str:
        """Return what stands before the first chapter."""
        ...

    def chapter(self, chapter: Chapter) -> str:
        """Return what begins a chapter, and ends the one before."""
        ...

    def row(self, row: Row) -> str:
        """Return a record."""
        ...

    def end(self, ending: Ending) -> str:
        """Return what ends the last chapter and the text."""
        ...


READ_IT = "What was taken out was found by rules: read this before you share it."
BUILT_IN_ALONE = (
    "Secrets were looked for by the built-in rules only, since detect-secrets is not installed."
)
NO_PICTURES = "Pictures are not shown, since nothing can be taken out of them."


def left_out_sentences(chapter: Chapter) -> list[str]:
    """Say in numbers what a transcript has besides."""
    return [f"{LEFT_OUT[kind]}: {count:,}" for kind, count in chapter.left_out.items() if count]


def ending_sentences(ending: Ending) -> list[str]:
    """Say in numbers what is told only in part, and what was taken out."""
    said: list[str] = []
    if ending.spilled:
        said.append(f"outputs whose rest lies in files of their own: {ending.spilled:,}")
    if ending.images:
        said.append(f"pictures told by type and size only: {ending.images:,}")
    said += [
        f"taken out: {kind}, {count:,} times" for kind, count in sorted(ending.redactions.items())
    ]
    if is_built_in_alone(ending.secret_rules):
        said.append(BUILT_IN_ALONE)
    return said


def is_built_in_alone(secret_rules: Sequence[str]) -> bool:
    """Whether secrets were looked for by less than could be."""
    return [*secret_rules] == ["built-in"]


def input_text(call: ToolUse) -> str:
    """A call's input to be read: a line for each field, longer texts below their names.

    What is no object, as a patch that a tool of Codex takes, is given as it is.
    """
    try:
        fields: object = orjson.loads(call.input_text) if call.input_text else {}
    except orjson.JSONDecodeError:
        return call.input_text
    if not isinstance(fields, dict):
        return call.input_text
    parts: list[str] = []
    for name, value in fields.items():  # type: ignore[reportUnknownVariableType]  # JSON
        text = value if isinstance(value, str) else orjson.dumps(value).decode()
        is_apart = "\n" in text or text != text.strip()
        parts.append(f"{name}:\n{text}" if is_apart else f"{name}: {text}")
    return "\n".join(parts)


def spilled_in(row: Row) -> int:
    """How many outputs of a row lie elsewhere."""
    return sum(getattr(block, "spilled", None) is not None for block in row.body.blocks)


def images_in(row: Row) -> int:
    """How many pictures a row has."""
    return sum(isinstance(block, Image) for block in row.body.blocks)


def words_of(block: Text) -> str:
    """A text without the client's markup around what was typed or put out."""
    return plain_words(block.text)


def note_title(row: Row) -> str:
    """What a folded row is: one that neither a person nor the model wrote."""
    title = ROLE_WORDS[row.role]
    if row.body.preview:
        title = f"{title}: {row.body.preview}"
    return f"{title} ({FATE_WORDS[row.fate]})" if row.fate == "notSent" else title


def is_talk(row: Row) -> bool:
    """Whether a row is shown open: turns, answers, calls and their results."""
    return row.is_turn or row.role in (Role.RESPONSE, Role.TOOL_RESULT)


_TIME = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z")


def time_words(timestamp: str) -> str:
    """A time as people read it; one of another form as it is."""
    match = _TIME.fullmatch(timestamp)
    return f"{match[1]} {match[2]} UTC" if match else timestamp


ROLE_WORDS = {role: role.name.replace("_", " ").capitalize() for role in Role}
FATE_WORDS: dict[Fate, str] = {"sent": "", "summarized": "compacted", "notSent": "not sent"}
