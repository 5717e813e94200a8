"""The shapes of Claude Code's lines, as far as the index reads them; all else is skipped unread.

Field names are the agent's own (observed: clients 1.0.128 to 2.1.332). A body that only a reader
of the record needs is left raw.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, Raw, UnsetType


class CacheCreationShape(msgspec.Struct, gc=False):
    """Cache writes by lifetime."""

    ephemeral_5m_input_tokens: int = 0
    ephemeral_1h_input_tokens: int = 0


class CountsShape(msgspec.Struct, gc=False):
    """Token counts of one server-side iteration, or of all."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_input_tokens: int = 0
    cache_creation_input_tokens: int = 0


class UsageShape(CountsShape, gc=False):
    """`message.usage`."""

    cache_creation: CacheCreationShape | None = None
    iterations: list[CountsShape] | None = None
    speed: Literal["standard", "fast"] | None = None


class MessageShape(msgspec.Struct, gc=False):
    """`message` of a user or assistant row; `content` is a string or blocks."""

    id: str | None = None
    model: str | None = None
    content: Raw = Raw()
    usage: UsageShape | None = None


class AttachmentShape(msgspec.Struct, gc=False):
    """`attachment`; `prompt` stands in a `queued_command` only."""

    type: str | None = None
    prompt: Raw = Raw()
    commandMode: str | None = None
    source_uuid: str | None = None
    isMeta: bool = False


class OriginShape(msgspec.Struct, gc=False):
    """`origin` of a user row."""

    kind: str | None = None


class ForkedShape(msgspec.Struct, gc=False):
    """`forkedFrom` on copied rows."""

    sessionId: str | None = None


class SegmentShape(msgspec.Struct, gc=False):
    """`preservedSegment` of a compact boundary."""

    headUuid: str | None = None
    anchorUuid: str | None = None
    tailUuid: str | None = None


class PreservedShape(msgspec.Struct, gc=False):
    """`preservedMessages` of a compact boundary (2.1.141 and later)."""

    anchorUuid: str | None = None
    uuids: list[str] | None = None


class CompactMetadataShape(msgspec.Struct, gc=False):
    """`compactMetadata` of a compact boundary."""

    trigger: str | None = None
    preTokens: int | None = None
    postTokens: int | None = None
    preservedMessages: PreservedShape | None = None
    preservedSegment: SegmentShape | None = None


class SnapshotShape(msgspec.Struct, gc=False):
    """`snapshot` of a file-history line: path as tracked -> its backup."""

    messageId: str | None = None
    trackedFileBackups: dict[str, Raw] = {}


class BackupShape(msgspec.Struct, gc=False):
    """One backup; its name is null where the file did not exist."""

    backupFileName: str | UnsetType | None = UNSET
    version: int | None = None
    backupTime: str | None = None
    realParentDir: str | UnsetType | None = UNSET


class LineShape(msgspec.Struct, gc=False):
    """Any line."""

    type: str | None = None
    subtype: str | None = None
    uuid: str | None = None
    parentUuid: str | None = None
    logicalParentUuid: str | None = None
    timestamp: str | None = None
    sessionId: str | None = None
    agentId: str | None = None
    isSidechain: bool | None = None
    isMeta: bool | None = None
    version: str | None = None
    cwd: str | None = None
    gitBranch: str | None = None
    entrypoint: str | None = None
    requestId: str | None = None
    promptCacheRequested: str | None = None
    message: MessageShape | None = None
    isCompactSummary: bool | None = None
    isApiErrorMessage: bool | None = None
    isDisplayOnly: bool | None = None
    promptSource: str | None = None
    origin: OriginShape | None = None
    toolDenialKind: str | None = None
    toolUseResult: Raw = Raw()
    forkedFrom: ForkedShape | None = None
    compactMetadata: CompactMetadataShape | None = None
    content: Raw = Raw()
    attachment: AttachmentShape | None = None
    rendered: Raw = Raw()
    leafUuid: str | UnsetType | None = UNSET
    explicit: bool | None = None
    rewound: bool | None = None
    lastPrompt: str | None = None
    customTitle: str | None = None
    aiTitle: str | None = None
    tag: str | None = None
    agentName: str | None = None
    summary: str | None = None
    prNumber: int | None = None
    prUrl: str | None = None
    prRepository: str | None = None
    relocatedCwd: str | None = None
    messageId: str | None = None
    snapshotMessageId: str | None = None
    isSnapshotUpdate: bool | None = None
    snapshot: SnapshotShape | None = None
    trackingPath: str | None = None
    backup: Raw = Raw()


class InputShape(msgspec.Struct, gc=False):
    """The input fields of a call that name a file."""

    file_path: str | None = None
    notebook_path: str | None = None


class BlockShape(msgspec.Struct, gc=False):
    """One content block."""

    type: str = ""
    id: str | None = None
    name: str | None = None
    tool_use_id: str | None = None
    is_error: bool | None = None
    text: Raw = Raw()
    input: Raw = Raw()


class SpawnedShape(msgspec.Struct, gc=False):
    """The fields of a result that name what the call started: a subagent, or a shell's task."""

    agentId: str | None = None
    isAsync: bool | None = None
    backgroundTaskId: str | None = None
