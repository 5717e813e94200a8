"""Records with their bodies."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from forkpoint import disk
from forkpoint.index import TranscriptIndex
from forkpoint.protocol import types
from forkpoint.protocol.uri import file_uri
from forkpoint.protocol.wire.common import ROLES, resolved_uri
from forkpoint.records import blocks
from forkpoint.records.claude_code import KNOWN_TYPES
from forkpoint.records.codex import KNOWN_LINES, Item, decode_item
from forkpoint.records.content import content_of
from forkpoint.records.decode import decode, timestamp_of
from forkpoint.records.record import Flag, Record, Role
from forkpoint.session import Fate


def record_view(
    index: TranscriptIndex, ordinal: int, line: bytes, transcript: str, results: Path
) -> types.RecordView:
    """Return one line of a transcript.

    Args:
        index: the transcript's index.
        ordinal: which record.
        line: its bytes.
        transcript: the file's path.
        results: the session's folder of spilled tool results.
    """
    nodes = index.nodes
    told = _told(line) if index.rollout is None else _told_in_rollout(index, ordinal, line)
    return types.RecordView(
        ordinal=ordinal,
        uuid=nodes.uuid(ordinal),
        parent_uuid=told.parent,
        type=told.type,
        subtype=told.subtype,
        known=told.known,
        role=told.role,
        timestamp=told.timestamp,
        raw=types.RawLine(
            uri=file_uri(transcript), offset=nodes.offset[ordinal], length=nodes.length[ordinal]
        ),
        blocks=[_block(index, block, results) for block in content_of(line).blocks],
        problem=index.malformed.get(ordinal),
    )


class _Told(NamedTuple):
    """What a line says of itself; nothing, if it is no record."""

    parent: str | None = None
    type: str | None = None
    subtype: str | None = None
    known: bool = False
    role: types.Role | None = None
    timestamp: str | None = None


def _told(line: bytes) -> _Told:
    record = decode(line)[0].value
    if not isinstance(record, Record):
        return _Told()
    is_known = record.type in KNOWN_TYPES
    about = (record.parent, record.type or None, record.subtype, is_known)
    return _Told(*about, ROLES[record.role], record.timestamp)


def _told_in_rollout(index: TranscriptIndex, ordinal: int, line: bytes) -> _Told:
    """What a line of a rollout hangs on and what it is, it does not say itself."""
    item = decode_item(line)[0].value
    if not isinstance(item, Item):
        return _Told()
    nodes = index.nodes
    above = nodes.parent[ordinal]
    parent = nodes.uuid(above) if above >= 0 else None
    role = ROLES[Role(nodes.role[ordinal])]
    is_known = item.type in KNOWN_LINES
    return _Told(parent, item.type or None, item.subtype, is_known, role, item.timestamp)


def path_entry(
    index: TranscriptIndex, row: int, fate: Fate, line: bytes, session_id: str | None = None
) -> types.PathEntry:
    """Return one record of a path, without its body; with the session if that is an older one."""
    body = content_of(line)
    response = index.joins.response[row]
    return types.PathEntry(
        uuid=index.nodes.uuid(row) or "",
        ordinal=row,
        role=ROLES[Role(index.nodes.role[row])] or "system",
        from_person=index.nodes.has(row, Flag.TYPED),
        message_id=index.joins.message_ids[response] if response >= 0 else None,
        timestamp=timestamp_of(line),
        preview=body.preview,
        blocks=[
            types.BlockNote(kind=note.kind, name=note.name, tool_use_id=note.call_id)
            for note in body.notes
        ],
        fate=fate,
        session_id=session_id,
    )


def _block(index: TranscriptIndex, block: blocks.ContentBlock, results: Path) -> types.Block:
    match block:
        case blocks.Text(text=text, cut_at=cut):
            return types.TextBlock(text=text, cut_at=cut)
        case blocks.Thinking(text=text, cut_at=cut):
            return types.ThinkingBlock(text=text, cut_at=cut)
        case blocks.ToolUse():
            return types.ToolUseBlock(
                tool_use_id=block.call_id,
                name=block.name,
                file=_file(index, block.file),
                summary=block.summary,
            )
        case blocks.ToolResult():
            return types.ToolResultBlock(
                tool_use_id=block.call_id,
                is_error=block.is_error,
                spilled=_spilled(results, block.spilled),
                size_bytes=block.size_bytes,
                text=block.text,
                cut_at=block.cut_at,
            )
        case blocks.Image(media_type=media_type, size_bytes=size):
            return types.ImageBlock(media_type=media_type, size_bytes=size)
        case blocks.Other(name=name, text=text):
            return types.OtherBlock(name=name, text=text)


def _spilled(results: Path, name: str | None) -> str | None:
    """The file of a spilled result, if it is still there and in its folder."""
    if name is None or not disk.lies_within(results / name, results):
        return None
    return file_uri(str(results / name))


def _file(index: TranscriptIndex, path: str | None) -> str | None:
    return None if path is None else resolved_uri(path, index.summary.first_cwd)
