"""`forkpoint/rewindPreview`: what would going back to a prompt do?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from forkpoint.protocol.types.cache_impact import CacheNote

RewindAction = Literal["overwrite", "delete", "create", "unchanged", "skip"]
"""What a restore of the code would do to a file."""

SkipReason = Literal[
    "symlink",
    "hardLink",
    "pruned",
    "parentMoved",
    "notRegular",
    "unreadable",
    "notWritable",
    "keptBack",
]
"""Why a file would be left alone: it, or what lies in its copy's place, is a link or no regular
file; the copy is gone or cannot be read; its folder is not where it was; it cannot be written;
keptBack = it would be deleted, but the client deletes nothing when a restore failed."""

CodeReason = Literal[
    "noBackups", "noCheckpoint", "tooOld", "abandoned", "compacted", "nothingToRestore"
]
"""Why the agent could not restore code: it keeps no copies of files (Codex); no checkpoint was
recorded at the prompt; it is not among the newest hundred; the prompt is not on the active path, or
lies before the newest compaction; nothing could be restored, since copies are gone or files cannot
be written."""

Certainty = Literal["likely", "unknown"]
"""likely = the command is one that writes; unknown = it is none that is known to only read."""


@frozen(kw_only=True)
class RewindPreviewParams:
    """Where to go back to."""

    session_id: str
    """The session."""
    prompt: str
    """uuid of the prompt: what is restored is the state before it."""


@frozen(kw_only=True)
class RewindConversation:
    """What going back does to the conversation; "kept" is what stands before the prompt."""

    prompts: int
    """Prompts of the active path that would be dropped."""
    responses: int
    """Responses that would be dropped."""
    prompts_kept: int
    """Prompts that would stay."""
    responses_kept: int
    """Responses that would stay."""
    tokens_now: int | None
    """Tokens in the context at the tip; null = no response tells."""
    tokens_after: int | None
    """Tokens in the context before the prompt, by the last response there; null = none tells."""


@frozen(kw_only=True)
class RewindFile:
    """What a restore of the code would do to one file."""

    file: str
    """URI of the file."""
    action: RewindAction
    """What would happen to it."""
    reason: SkipReason | None
    """Why it would be skipped; null for the other actions."""
    version: int | None
    """The version that would be restored; null = none is recorded."""
    document: str | None
    """URI of the content that it would have, an empty text for one that would be deleted; null =
    the copy is gone."""
    hand_edited: bool
    """Whether it differs from all that the agent knows of it: its copies and its own edits."""
    outside_workspace: bool
    """Whether it lies outside the session's starting directory."""
    mode_changes: bool
    """Whether its permissions would become those of the copy."""
    added: int | None
    """Lines that it would gain; null = unknown, binary, or too large."""
    removed: int | None
    """Lines that it would lose; null likewise."""


@frozen(kw_only=True)
class RewindCode:
    """What going back does to files."""

    available: bool
    """Whether the agent would restore code at this prompt."""
    reason: CodeReason | None
    """Why not; null when it would."""
    sentence: str
    """The outcome in words."""
    files: Sequence[RewindFile]
    """The files that it knows of, in the order in which the agent first edited them."""


@frozen(kw_only=True)
class ShellCall:
    """A shell command that ran after the prompt and may have written files."""

    tool_use_id: str
    """Id of the call."""
    uuid: str
    """uuid of the record that holds it."""
    ordinal: int
    """Ordinal of that record."""
    agent_id: str | None
    """The subagent that ran it; null = the session itself."""
    command: str
    """The command in one line of at most 200 characters."""
    files: Sequence[str]
    """URIs of files that it names as written; empty where it does not tell."""
    certainty: Certainty
    """How sure it is that something was written."""


@frozen(kw_only=True)
class SubagentEdits:
    """Files that a subagent edited after the prompt: its edits are in no checkpoint."""

    agent_id: str
    """The subagent's id."""
    tool_use_id: str | None
    """The call that started it; null = unknown."""
    files: Sequence[str]
    """URIs of the files."""


@frozen(kw_only=True)
class NotCovered:
    """What a restore would not undo."""

    shell: Sequence[ShellCall]
    """Shell commands."""
    subagents: Sequence[SubagentEdits]
    """Edits of subagents."""


@frozen(kw_only=True)
class RewindPreviewResult:
    """What would happen; nothing does."""

    conversation: RewindConversation
    """The conversation part."""
    code: RewindCode
    """The files part."""
    not_covered: NotCovered
    """What stays as it is although it came after the prompt."""
    cache: CacheNote
    """What the prompt cache does for the next request from there."""
