"""Which fields does a record have that no known client writes?

Only the names of fields are looked at, never what they hold. The table has the fields that were met
in recorded sessions of the clients 1.0.128 to 2.1.332, in published ones, and those that
format.md names. Of a type that is not in it nothing is known, and nothing said.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec
from msgspec import Raw

_EVERY_ROW = """
type uuid parentUuid logicalParentUuid isSidechain sessionId session_id timestamp cwd gitBranch
version entrypoint userType slug agentId forkedFrom isMeta teamName agentName sessionKind
"""
"""Fields that user, assistant, attachment, system and progress rows share."""

_ROWS = {
    "user": """
        message toolUseResult sourceToolAssistantUUID toolDenialKind permissionDecision
        isCompactSummary isVisibleInTranscriptOnly summarizeMetadata summarizedTurnPromptUuids
        promptId promptSource permissionMode turnPosition turnOrigin turnCompanion imagePasteIds
        origin interruptedMessageId queueSkipAttachments rowSource sandboxed sentAtMs
        thinkingMetadata todos
    """,
    "assistant": """
        message requestId requestRef requestSessionId requestedModel promptCacheRequested effort
        perTurnEffort isApiErrorMessage error isAbortedMidStream apiBlockIndex attributionAgent
        madeBy serverClassifierRequest thinkingDisplay thinkingDurationMs toolInputStreamMs
    """,
    "attachment": "attachment rendered renderedRole renderedBesideToolResult",
    "system": """
        subtype content level toolUseID durationMs messageCount pendingBackgroundAgentCount
        compactMetadata commandRun isDisplayOnly hasOutput hookCount hookErrors hookInfos
        hookAdditionalContext failedHookErrorIndexes preventedContinuation stopReason
        retractedMessageUuids
    """,
    "progress": "data toolUseID parentToolUseID",
}
_STATE_LINES = {
    "last-prompt": "lastPrompt leafUuid explicit rewound cutUuid",
    "mode": "mode",
    "permission-mode": "permissionMode",
    "custom-title": "customTitle",
    "ai-title": "aiTitle",
    "tag": "tag",
    "agent-name": "agentName",
    "agent-color": "agentColor",
    "agent-setting": "agentSetting",
    "summary": "summary leafUuid",
    "file-history-snapshot": "messageId isSnapshotUpdate snapshot",
    "file-history-delta": "messageId snapshotMessageId trackingPath backup timestamp",
    "queue-operation": "operation content reason commandUuid deliveryId timestamp",
    "worktree-state": "worktreeSession",
    "relocated": "relocatedCwd",
    "pr-link": "prNumber prUrl prRepository timestamp",
    "cost-state": """
        totalCostUSD totalDuration totalAPIDuration totalAPIDurationWithoutRetries
        totalToolDuration totalLinesAdded totalLinesRemoved modelUsage hasUnknownModelCost startTime
    """,
    "api-request": """
        agentId base cacheControl echoWireToolInputs id keep params querySource requestDigest
        shapeHash tail thread timestamp version
    """,
    "api-request-shape": "agentId shape shapeHash timestamp version",
    "api-request-blob": "agentId hash message",
    "tools-used": "tools",
    "atis-latch": "atis",
    "fork-context-ref": "agentId parentSessionId parentLastUuid contextLength",
}


def _table() -> Mapping[str, frozenset[str]]:
    shared = _EVERY_ROW.split()
    rows = {name: frozenset([*shared, *own.split()]) for name, own in _ROWS.items()}
    always = ("type", "sessionId")
    lines = {name: frozenset([*always, *own.split()]) for name, own in _STATE_LINES.items()}
    return {**rows, **lines}


KNOWN_FIELDS = _table()
"""Fields by record type."""


class OddRecord(NamedTuple):
    """A record's type, the client version that it names, and its fields that nobody knows."""

    type: str
    version: str | None
    fields: list[str]


_fields = msgspec.json.Decoder(dict[str, Raw])
_text = msgspec.json.Decoder(str)


def odd_record(line: bytes) -> OddRecord | None:
    """Return the unknown fields of a record; None where it has none, or nothing can be said."""
    try:
        fields = _fields.decode(line)
        name = _text.decode(fields.get("type", b""))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    known = KNOWN_FIELDS.get(name)
    if known is None or fields.keys() <= known:
        return None
    return OddRecord(name, _version(fields.get("version")), sorted(fields.keys() - known))


def _version(field: Raw | None) -> str | None:
    try:
        return None if field is None else _text.decode(field)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
