"""What the index learns from one line: the agent-neutral facts of a record."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, Literal

import msgspec


class Kind(IntEnum):
    """What a line is to the graph."""

    STATE = 0
    """Has no uuid: a title, a pointer, a snapshot; takes no part in the graph."""
    USER = 1
    ASSISTANT = 2
    ATTACHMENT = 3
    SYSTEM = 4
    PROGRESS = 5
    """A link only: its children count as its parent's."""
    UNKNOWN = 6
    """Has a uuid and a type that no client seen so far reads: a gap to the client."""
    MALFORMED = 7


class Role(IntEnum):
    """What a record is to a reader."""

    STATE = 0
    PROMPT = 1
    RESPONSE = 2
    TOOL_RESULT = 3
    COMPACT_SUMMARY = 4
    COMPACT_BOUNDARY = 5
    COMMAND = 6
    SHELL = 7
    INJECTED = 8
    ATTACHMENT = 9
    SYSTEM = 10
    INTERRUPT = 11
    API_ERROR = 12


class Flag:
    """Yes-or-no facts that the leaf rule, the request and the branch tree ask for.

    Bits of a plain integer: members of an enumeration cost a call per use, once per record.
    """

    SIDECHAIN: Final = 1
    META: Final = 2
    BOUNDARY: Final = 4
    LOCAL_COMMAND: Final = 8
    """A `local_command` system record: sent as the user's text."""
    DISPLAY_ONLY: Final = 16
    API_ERROR: Final = 32
    """An error note that the client wrote in the answer's place: on the path, never sent."""
    CALL: Final = 64
    RESULT: Final = 128
    PROSE: Final = 256
    """Has a text block (thinking is none)."""
    TYPED: Final = 512
    """Words from a person's keys: a typed prompt, a command, a shell line, an absorbed prompt."""
    RENDERED: Final = 1024
    """An attachment that carries the text to send."""
    REPEAT: Final = 2048
    """Its uuid stood on an earlier line already; the node keeps the earlier place."""
    GLUED_HEAD: Final = 4096
    """A whole record with more behind it on the same line."""
    GLUED_REST: Final = 8192
    """A whole record behind something else on its line: no client reads it."""
    SYNTHETIC: Final = 16384
    """Written by the client in the model's name."""
    HOOK_NOTE: Final = 32768
    """The attachment that a hook leaves when it ends well."""
    COPIED: Final = 65536
    """Copied from another session by a fork that says so."""
    FOREIGN: Final = 131072
    """Names another session than the file's own."""


class Usage(msgspec.Struct, frozen=True, gc=False):
    """Tokens of one response, as counted by the API. `input` is the uncached part."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write_5m: int = 0
    cache_write_1h: int = 0
    context: int = 0
    """Tokens in the context after the response: of the last server-side iteration, if several."""


class Block(msgspec.Struct, gc=False):
    """One content block, reduced to what joins calls with results."""

    kind: str
    call_id: str | None = None
    name: str | None = None
    is_error: bool = False
    file: str | None = None
    """The path in a call's input, as the agent wrote it."""


class Kept(msgspec.Struct, frozen=True):
    """The rows that a compaction carried over, in either of its two written forms."""

    anchor: str | None
    uuids: tuple[str, ...] | None
    """`preservedMessages.uuids` (2.1.141 and later read it); None when the list is absent."""
    head: str | None
    tail: str | None


class Compaction(msgspec.Struct, frozen=True):
    """What a compact boundary says about itself."""

    trigger: str | None
    tokens_before: int | None
    tokens_after: int | None
    kept: Kept | None
    segment: Kept | None
    goes_on_from: str | None = None
    """The uuid of the row that it followed; it may be another file's, and no client walks it."""


class Pointer(msgspec.Struct, frozen=True):
    """A `last-prompt` line with the field `leafUuid` (2.1.120 and later write it)."""

    leaf: str | None
    explicit: bool
    rewound: bool = False


class Note(msgspec.Struct, frozen=True):
    """Any other state line that a summary shows: `name` says which, `value` is its text."""

    name: str
    value: str
    target: str | None = None
    """The uuid that the line is about: a summary's leaf."""


class PullRequest(msgspec.Struct, frozen=True):
    """A pull request that the agent linked to the session."""

    number: int | None
    url: str | None
    repository: str | None


class Backup(msgspec.Struct, frozen=True, gc=False):
    """What a file-history line says of one file; text as written, which may be anything."""

    path: str
    """The key: relative to the directory in which the client ran, or absolute."""
    state: Literal["copied", "absent", "broken", "unknown"]
    """absent = the name is null: the file did not exist. Without a name at all the client knows
    nothing of the file; a name that is no text makes a restore fail (2.1.332)."""
    name: str | None
    version: int | None
    time: str | None
    real_parent: str | None
    """Where the file's folder lay with links resolved; None = not written (before 2.1.224), empty =
    written as null, which no folder is."""


class FileHistoryLine(msgspec.Struct, frozen=True, gc=False):
    """A snapshot, an update of one, or a delta: states of files before a prompt ran."""

    kind: Literal["base", "update", "delta"]
    row: str | None
    """uuid of the row beside which it was written: the prompt itself, or the answer that edits."""
    prompt: str | None
    """uuid of the prompt whose checkpoint this is part of."""
    backups: tuple[Backup, ...]


class Retold(msgspec.Struct, frozen=True):
    """What a later line says of an earlier row: it holds a person's words.

    Attributes:
        uuid: of the row.
        text: the words, at most `PREVIEW_SOURCE` characters.
        here: the words stand in the later line as they were typed; in the row they may not.
    """

    uuid: str
    text: str
    here: bool = False


class Record(msgspec.Struct, gc=False):
    """One line, decoded once for the index; bodies stay on disk.

    Strings are None where the line has none or one of another type.
    """

    kind: Kind
    role: Role
    flags: int
    type: str
    subtype: str | None = None
    uuid: str | None = None
    parent: str | None = None
    timestamp: str | None = None
    session_id: str | None = None
    agent_id: str | None = None
    version: str | None = None
    cwd: str | None = None
    git_branch: str | None = None
    entrypoint: str | None = None
    message_id: str | None = None
    model: str | None = None
    usage: Usage | None = None
    asked_lifetime: str | None = None
    """The lifetime that the request asked of the cache: `5m`, `1h` or `off`."""
    fast: bool = False
    """The response came in fast mode."""
    blocks: tuple[Block, ...] = ()
    text: str = ""
    """The record's own words, for previews and titles: at most `PREVIEW_SOURCE` characters."""
    compaction: Compaction | None = None
    pointer: Pointer | None = None
    notes: tuple[Note, ...] = ()
    pull_request: PullRequest | None = None
    forked_from: str | None = None
    source_uuid: str | None = None
    """The typed prompt that an absorbed-prompt attachment repeats."""
    spawned_agent: str | None = None
    """The agent id in a spawn call's result."""
    spawned_in_background: bool = False
    """The spawn call's result says launched, not finished."""
    background_task: str | None = None
    """The task id in the result of a shell command that was left to run."""
    agent_ended: tuple[str, str] | None = None
    """A task notification's task id, which is the agent's, and its status."""
    denied: bool = False
    file_history: FileHistoryLine | None = None
    retold: tuple[Retold, ...] = ()
    """What a line of Codex tells of earlier rows."""
    used_by: str | None = None
    """The earlier rows' message id whose `usage` a line tells (Codex); they precede it."""
    files_of: tuple[str, tuple[str, ...]] | None = None
    """An earlier call's id, and the files of the patch that it applied (Codex)."""
    leads_to: tuple[str, str] | None = None
    """A call's id, and the thread that it began or deals with (Codex)."""
    agents_ended: tuple[tuple[str, str], ...] = ()
    """Threads that are told to be over, each with how it ended (Codex)."""


class Malformed(msgspec.Struct, frozen=True):
    """A line, or a part of one, that is no JSON object."""

    reason: str


PREVIEW_SOURCE = 2000
"""Enough for a 200-character preview after markup and blanks are gone."""
