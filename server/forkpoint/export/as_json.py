"""An export as JSON, one record per line, for programs.

The shape, version 1. Fields may be added; none is renamed or given another meaning.

    {"format": "forkpoint-export", "version": 1,
     "session": {sessionId, title, project, gitBranch, clientVersion, models[], createdAt,
       updatedAt},
     "redacted": ["secrets" | "paths" | "names"],
     "transcripts": [{agentId, title, path, leaf, toolUseId, recordCount, leftOut {kind: count},
       "records": [{ordinal, uuid, role, time, fate, model, blocks[]}]}],
     "redactions": {kind: count}, "secretRules": ["built-in" | "detect-secrets"],
     "spilledOutputs": count, "imagesWithoutData": count}

`role` and `fate` are those of `forkpoint/activePath`; `leftOut` has the kinds of `shown.LEFT_OUT`.
A block has a `kind`, and by that: text `{text}`; thinking `{text}`, empty where it was stored
encrypted; toolUse `{toolUseId, name, file, summary, input}`; toolResult `{toolUseId, isError, text,
sizeBytes, spilled}`; image `{mediaType, sizeBytes}`; other `{name, subject, text}`. Texts are whole
and as they were written, control characters included; only bytes in base64 are a note of their
size. Records are not given raw: the transcript itself is that, and has what is left out here.
"""

from __future__ import annotations

from typing import Any

import orjson

from forkpoint.export.shown import About, Chapter, Ending, Row, images_in
from forkpoint.records.blocks import ContentBlock, Image, Other, Text, Thinking, ToolResult, ToolUse
from forkpoint.records.record import Role

VERSION = 1
_ROLES = {
    role: "".join([first, *map(str.title, rest)])
    for role in Role
    for first, *rest in [role.name.lower().split("_")]
}


class JsonWriter:
    """See the module."""

    media_type = "application/json"
    suffix = "json"

    def __init__(self) -> None:
        self.images = 0
        self._chapters = 0
        self._rows = 0

    def begin(self, about: About) -> str:
        """Return the facts of the session."""
        session = {
            "sessionId": about.session_id,
            "title": about.title,
            "project": about.project,
            "gitBranch": about.git_branch,
            "clientVersion": about.version,
            "models": [*about.models],
            "createdAt": about.created,
            "updatedAt": about.updated,
        }
        head = {
            "format": "forkpoint-export",
            "version": VERSION,
            "session": session,
            "redacted": [*about.redacted],
        }
        return f'{_dumps(head)[:-1]},\n"transcripts":['

    def chapter(self, chapter: Chapter) -> str:
        """Begin a transcript."""
        head = {
            "agentId": chapter.agent_id,
            "title": chapter.title,
            "path": chapter.path,
            "leaf": chapter.leaf,
            "toolUseId": chapter.call_id,
            "recordCount": chapter.records,
            "leftOut": {kind: count for kind, count in chapter.left_out.items() if count},
        }
        before = "]},\n" if self._chapters else "\n"
        self._chapters += 1
        self._rows = 0
        return f'{before}{_dumps(head)[:-1]},"records":[\n'

    def row(self, row: Row) -> str:
        """Return a record in one line."""
        before = ",\n" if self._rows else ""
        self._rows += 1
        self.images += images_in(row)
        return before + _dumps(
            {
                "ordinal": row.ordinal,
                "uuid": row.uuid or None,
                "role": _ROLES[row.role] if row.role is not Role.STATE else None,
                "time": row.timestamp,
                "fate": row.fate,
                "model": row.model,
                "blocks": [_block(block) for block in row.body.blocks],
            }
        )

    def end(self, ending: Ending) -> str:
        """Return the counts."""
        tail = {
            "redactions": ending.redactions,
            "secretRules": [*ending.secret_rules],
            "spilledOutputs": ending.spilled,
            "imagesWithoutData": ending.images,
        }
        return f"]}}],\n{_dumps(tail)[1:]}\n"


def _block(block: ContentBlock) -> dict[str, Any]:
    match block:
        case Text(text=text) | Thinking(text=text):
            return {"kind": block.kind, "text": text}
        case ToolUse():
            return {
                "kind": block.kind,
                "toolUseId": block.call_id,
                "name": block.name,
                "file": block.file,
                "summary": block.summary,
                "input": orjson.Fragment(block.input_text or "null"),
            }
        case ToolResult():
            return {
                "kind": block.kind,
                "toolUseId": block.call_id,
                "isError": block.is_error,
                "text": block.text,
                "sizeBytes": block.size_bytes,
                "spilled": block.spilled,
            }
        case Image():
            return {
                "kind": block.kind,
                "mediaType": block.media_type,
                "sizeBytes": block.size_bytes,
            }
        case Other():
            return {
                "kind": block.kind,
                "name": block.name,
                "subject": block.subject,
                "text": block.text,
            }


def _dumps(value: object) -> str:
    return orjson.dumps(value).decode()
