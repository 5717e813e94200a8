"""Claude Code's lines: which fields they have and what they mean (format.md section 4).

Observed: clients 1.0.128 to 2.1.332. Field names of the agent stand in this package only;
everything above it speaks in the words of `record`.
"""

from __future__ import annotations

import re
from itertools import starmap

import msgspec
from msgspec import Raw, UnsetType

from forkpoint.records.mend import mend_object, mend_shape
from forkpoint.records.message import first_text, reduced
from forkpoint.records.record import (
    PREVIEW_SOURCE,
    Backup,
    Compaction,
    FileHistoryLine,
    Flag,
    Kept,
    Kind,
    Note,
    Pointer,
    PullRequest,
    Record,
    Role,
    Usage,
)
from forkpoint.records.shapes import (
    AttachmentShape,
    BackupShape,
    CompactMetadataShape,
    LineShape,
    SpawnedShape,
    UsageShape,
)
from forkpoint.records.tokens import in_fast_mode, numbers_of

_line = msgspec.json.Decoder(LineShape)
_spawned = msgspec.json.Decoder(SpawnedShape)
_backup_decoder = msgspec.json.Decoder(BackupShape)

_KINDS = {
    "user": Kind.USER,
    "assistant": Kind.ASSISTANT,
    "attachment": Kind.ATTACHMENT,
    "system": Kind.SYSTEM,
    "progress": Kind.PROGRESS,
}

_TYPES = """
user assistant attachment system progress last-prompt mode permission-mode custom-title ai-title
tag agent-name agent-color agent-setting summary file-history-snapshot file-history-delta
queue-operation worktree-state relocated pr-link cost-state api-request api-request-shape
api-request-blob tools-used atis-latch content-replacement fork-context-ref started result
repl-mode isolation-latch session-owner memory-mode derived-from bridge-session
history-suppression attribution-snapshot
"""
KNOWN_TYPES = frozenset(_TYPES.split())
"""Types that some observed or documented client writes; others are kept and counted as unknown."""

SYNTHETIC = "<synthetic>"
"""The model of what the client wrote in a model's name."""


def decode(line: bytes) -> Record:
    """Decode one line, typed; raises msgspec's or Unicode errors where it has another shape."""
    return _record(_line.decode(line))


def mend(value: dict[str, object]) -> Record:
    """Build a parsed object's record; a field of another shape counts as absent."""
    return _record(mend_shape(LineShape, value))


def _record(line: LineShape) -> Record:
    kind = _KINDS.get(line.type or "", Kind.UNKNOWN)
    record = Record(
        kind=Kind.STATE if line.uuid is None else kind,
        role=Role.STATE,
        flags=Flag.SIDECHAIN if line.isSidechain else 0,
        type=line.type or "",
        subtype=line.subtype,
        uuid=line.uuid,
        parent=line.parentUuid,
        timestamp=line.timestamp,
        session_id=line.sessionId,
        agent_id=line.agentId,
        version=line.version,
        cwd=line.cwd,
        git_branch=line.gitBranch,
        entrypoint=line.entrypoint,
        forked_from=line.forkedFrom.sessionId if line.forkedFrom else None,
    )
    if line.isMeta:
        record.flags |= Flag.META
    if line.forkedFrom:
        record.flags |= Flag.COPIED
    if (read := _READERS.get(line.type or "")) is not None:
        read(record, line)
    return record


# --- user rows ---------------------------------------------------------------------------------


def _read_user(record: Record, line: LineShape) -> None:
    content = line.message.content if line.message else Raw()
    record.blocks, record.text = reduced(content)
    record.role = _user_role(record, line)
    if record.role is Role.TOOL_RESULT:
        record.flags |= Flag.RESULT
        record.denied = line.toolDenialKind is not None
        _read_spawned(record, line.toolUseResult)
    if record.text.startswith(_NOTIFICATION_MARK):
        _read_notification(record)
    if record.role is Role.PROMPT or record.text.startswith(_TYPED_MARKS):
        typed = record.role in (Role.PROMPT, Role.COMMAND, Role.SHELL)
        record.flags |= Flag.TYPED if typed else 0


_COMMAND_MARKS = ("<command-name>", "<command-message>")
_COMMAND_OUTPUT = ("<local-command-stdout>", "<local-command-stderr>", "<local-command-caveat>")
_OF_COMMAND = (*_COMMAND_MARKS, *_COMMAND_OUTPUT)
_OF_SHELL = ("<bash-input>", "<bash-stdout>", "<bash-stderr>")
_TYPED_MARKS = (*_COMMAND_MARKS, "<bash-input>")
_NOTIFICATION_MARK = "<task-notification>"
_INJECTED_MARKS = (_NOTIFICATION_MARK, "<system-reminder>")
_INTERRUPT_MARK = "[Request interrupted by user"


def _user_role(record: Record, line: LineShape) -> Role:
    """Say which kind of user row this is; the order of the questions is part of the format."""
    if any([block.kind == "tool_result" for block in record.blocks]):
        return Role.TOOL_RESULT
    if line.isCompactSummary:
        return Role.COMPACT_SUMMARY
    if line.isMeta:
        return Role.INJECTED
    return _text_role(record, line)


def _text_role(record: Record, line: LineShape) -> Role:
    text = record.text
    if text.startswith(_OF_COMMAND):
        return Role.COMMAND
    if text.startswith(_OF_SHELL):
        return Role.SHELL
    if text.startswith(_NOTIFICATION_MARK) or _not_human(line):
        return Role.INJECTED
    if text.startswith(_INTERRUPT_MARK):
        return Role.INTERRUPT
    if text.startswith(_INJECTED_MARKS) or not (text or record.blocks):
        return Role.INJECTED
    return Role.PROMPT


def _not_human(line: LineShape) -> bool:
    if line.promptSource == "system":
        return True
    return line.origin is not None and line.origin.kind not in (None, "human")


def _read_spawned(record: Record, result: Raw) -> None:
    data = bytes(result)
    if b'"agentId"' not in data and b'"backgroundTaskId"' not in data:
        return
    try:
        spawned = _spawned.decode(data)
    except msgspec.DecodeError:
        return
    record.spawned_agent = spawned.agentId
    record.spawned_in_background = bool(spawned.isAsync)
    record.background_task = spawned.backgroundTaskId


def _read_notification(record: Record) -> None:
    task, status = _TASK_ID.search(record.text), _TASK_STATUS.search(record.text)
    if task is not None:
        record.agent_ended = (task[1], status[1] if status else "")


_TASK_ID = re.compile(r"<task-id>([^<]+)</task-id>")
_TASK_STATUS = re.compile(r"<status>([^<]+)</status>")


# --- other rows --------------------------------------------------------------------------------


def _read_assistant(record: Record, line: LineShape) -> None:
    record.role = Role.API_ERROR if line.isApiErrorMessage else Role.RESPONSE
    message = line.message
    if line.isApiErrorMessage:
        record.flags |= Flag.API_ERROR
    if message is None:
        return
    record.blocks, record.text = reduced(message.content)
    record.message_id = message.id or line.requestId
    record.model = message.model
    record.asked_lifetime = line.promptCacheRequested
    if message.model == SYNTHETIC:
        record.flags |= Flag.SYNTHETIC
    elif message.usage is not None:
        record.usage = usage_of(message.usage)
        record.fast = in_fast_mode(message.usage)
    for block in record.blocks:
        if block.kind == "tool_use":
            record.flags |= Flag.CALL
        elif block.kind == "text":
            record.flags |= Flag.PROSE


def usage_of(usage: UsageShape) -> Usage:
    """Return the tokens of one response; older clients give one sum of writes, all of 5 minutes."""
    return Usage(*numbers_of(usage))


def _read_system(record: Record, line: LineShape) -> None:
    record.role = Role.SYSTEM
    if line.subtype == "compact_boundary":
        record.role = Role.COMPACT_BOUNDARY
        record.flags |= Flag.BOUNDARY
        record.compaction = _compaction(line)
        return
    record.text = first_text(line.content)
    if line.subtype == "local_command":
        record.role = Role.COMMAND
        record.flags |= Flag.LOCAL_COMMAND
        record.flags |= Flag.DISPLAY_ONLY if line.isDisplayOnly else 0
        record.flags |= Flag.TYPED if record.text.startswith(_COMMAND_MARKS) else 0
    elif line.subtype == "api_error":
        record.role = Role.API_ERROR


def _compaction(line: LineShape) -> Compaction:
    meta = line.compactMetadata or CompactMetadataShape()
    listed, segment = meta.preservedMessages, meta.preservedSegment
    return Compaction(
        trigger=meta.trigger,
        tokens_before=meta.preTokens,
        tokens_after=meta.postTokens,
        kept=Kept(listed.anchorUuid, tuple(listed.uuids or ()), None, None) if listed else None,
        segment=Kept(segment.anchorUuid, None, segment.headUuid, segment.tailUuid)
        if segment
        else None,
        goes_on_from=line.logicalParentUuid,
    )


def _read_attachment(record: Record, line: LineShape) -> None:
    record.role = Role.ATTACHMENT
    attachment = line.attachment or AttachmentShape()
    record.subtype = attachment.type
    rendered = bytes(line.rendered)
    if rendered.startswith(b"[") and rendered != b"[]":
        record.flags |= Flag.RENDERED
    if attachment.type == "hook_success":
        record.flags |= Flag.HOOK_NOTE
    if attachment.type != "queued_command":
        return
    record.source_uuid = attachment.source_uuid
    record.text = first_text(attachment.prompt)
    if record.text.startswith(_NOTIFICATION_MARK):
        _read_notification(record)
    if attachment.isMeta or record.text.startswith(_INJECTED_MARKS) or _not_human(line):
        record.role = Role.INJECTED
    elif attachment.commandMode in (None, "prompt", "bash"):
        record.role = Role.SHELL if attachment.commandMode == "bash" else Role.PROMPT
        record.flags |= Flag.TYPED
    else:
        record.role = Role.INJECTED


def _read_progress(record: Record, line: LineShape) -> None:
    record.role = Role.SYSTEM


# --- state lines -------------------------------------------------------------------------------


def _read_last_prompt(record: Record, line: LineShape) -> None:
    if not isinstance(line.leafUuid, UnsetType):
        record.pointer = Pointer(line.leafUuid, bool(line.explicit), bool(line.rewound))
    if line.lastPrompt:
        record.notes = (Note("last-prompt", line.lastPrompt[:PREVIEW_SOURCE]),)


def _read_note(record: Record, line: LineShape) -> None:
    value: object = getattr(line, _NOTE_FIELDS[record.type])
    if isinstance(value, str):
        target = line.leafUuid if isinstance(line.leafUuid, str) else None
        record.notes = (Note(record.type, value[:PREVIEW_SOURCE], target),)


def _read_pull_request(record: Record, line: LineShape) -> None:
    record.pull_request = PullRequest(line.prNumber, line.prUrl, line.prRepository)


def _read_file_history(record: Record, line: LineShape) -> None:
    """The prompt is the inner id; of updates and deltas the outer one names the row that edits."""
    if line.snapshot is not None:
        record.file_history = FileHistoryLine(
            kind="update" if line.isSnapshotUpdate else "base",
            row=line.messageId,
            prompt=line.snapshot.messageId or line.messageId,
            backups=tuple(starmap(backup_in, line.snapshot.trackedFileBackups.items())),
        )
    elif line.trackingPath is not None:
        record.file_history = FileHistoryLine(
            kind="delta",
            row=line.messageId,
            prompt=line.snapshotMessageId,
            backups=(backup_in(line.trackingPath, line.backup),),
        )


def backup_in(path: str, raw: Raw | bytes) -> Backup:
    """Return what a file-history line says of one file."""
    try:
        shape = _backup_decoder.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return _odd_backup(path, bytes(raw))
    return backup_from(path, shape)


def backup_from(path: str, shape: BackupShape) -> Backup:
    """Return what the fields say of a file."""
    name, parent = shape.backupFileName, shape.realParentDir
    state = "absent" if name is None else "copied" if name else "broken"
    return Backup(
        path=path,
        state="unknown" if isinstance(name, UnsetType) else state,
        name=name if isinstance(name, str) else None,
        version=shape.version,
        time=shape.backupTime,
        real_parent=None if isinstance(parent, UnsetType) else parent or "",
    )


def _odd_backup(path: str, raw: bytes) -> Backup:
    """One of another shape: what fits counts, and a name that is no text is a broken one."""
    shape = mend_object(BackupShape, raw)
    name = shape.backupFileName
    is_object = raw[:1] == b"{"
    state = "broken" if raw == b"null" or (is_object and b'"backupFileName"' in raw) else "unknown"
    return Backup(
        path=path,
        state="copied" if isinstance(name, str) and name else "absent" if name is None else state,
        name=name if isinstance(name, str) else None,
        version=shape.version,
        time=shape.backupTime,
        real_parent=shape.realParentDir if isinstance(shape.realParentDir, str) else None,
    )


_NOTE_FIELDS = {
    "custom-title": "customTitle",
    "ai-title": "aiTitle",
    "tag": "tag",
    "agent-name": "agentName",
    "summary": "summary",
    "relocated": "relocatedCwd",
}

_READERS = {
    "user": _read_user,
    "assistant": _read_assistant,
    "system": _read_system,
    "attachment": _read_attachment,
    "progress": _read_progress,
    "last-prompt": _read_last_prompt,
    "pr-link": _read_pull_request,
    "file-history-snapshot": _read_file_history,
    "file-history-delta": _read_file_history,
    **dict.fromkeys(_NOTE_FIELDS, _read_note),
}
