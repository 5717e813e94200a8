"""What the rows of a conversation say of the prompt cache.

Field names as clients 1.0.128 to 2.1.332 write them; `diagnostics` and `context_management` are the
API's own and were in none of the recordings. The texts of a prompt are hashed at once.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from forkpoint.records.decode import decode_object
from forkpoint.records.sent import digest, objects, text

Diagnosis = Literal["model", "system", "tools", "messages", "same", "notFound"]
"""What the API found when it compared with the request before; same = nothing differs, or there was
nothing to compare; notFound = it no longer knew the request before."""

_DIAGNOSES: dict[str, Diagnosis] = {
    "model_changed": "model",
    "system_changed": "system",
    "tools_changed": "tools",
    "messages_changed": "messages",
    "previous_message_not_found": "notFound",
}


class Answer(msgspec.Struct, frozen=True):
    """What the rows of a response say of its request.

    Attributes:
        request_id: names the line that keeps the request (see `records.sent`).
        diagnosis: the API's own; None where it was not asked or could not tell.
        cleared: the API took old tool results out of this request.
        uncounted: its numbers are not those of the request: cut off in mid-stream, or not billed.
    """

    version: str | None
    cwd: str | None
    git_branch: str | None
    entrypoint: str | None
    effort: str | None
    fast: bool
    request_id: str | None
    diagnosis: Diagnosis | None
    cleared: bool
    uncounted: bool


class Prompt(msgspec.Struct, frozen=True):
    """The system prompt and tools that a row recorded, as digests; None where it has none."""

    system: str | None
    tools: str | None


def answer_in(line: bytes) -> Answer:
    """Return what an assistant row says of its request."""
    fields = decode_object(line) or {}
    message = objects(fields.get("message"))
    unusual = ("isAbortedMidStream", "isVirtual", "isUnmetered")
    return Answer(
        version=text(fields.get("version")),
        cwd=text(fields.get("cwd")),
        git_branch=text(fields.get("gitBranch")),
        entrypoint=text(fields.get("entrypoint")),
        effort=text(fields.get("effort")),
        fast=objects(message.get("usage")).get("speed") == "fast",
        request_id=text(fields.get("requestRef")),
        diagnosis=_diagnosis(message),
        cleared=bool(objects(message.get("context_management")).get("applied_edits")),
        uncounted=any(fields.get(name) is True for name in unusual),
    )


def _diagnosis(message: dict[str, object]) -> Diagnosis | None:
    if "diagnostics" not in message:
        return None
    if message["diagnostics"] is None:
        return "same"
    reason = objects(message["diagnostics"]).get("cache_miss_reason")
    named = text(objects(reason).get("type")) or text(reason)
    return _DIAGNOSES.get(named or "")


def prompt_in(line: bytes) -> Prompt:
    """Return the digests of a row that recorded system prompt and tools."""
    attachment = objects((decode_object(line) or {}).get("attachment"))
    return Prompt(digest(attachment.get("systemPrompt")), digest(attachment.get("tools")))


def is_clearing(line: bytes) -> bool:
    """Say whether a system row tells that old tool results were taken out of the conversation."""
    return (decode_object(line) or {}).get("subtype") == "microcompact_boundary"


def compaction_ms_in(line: bytes) -> int:
    """Return how many milliseconds a compaction took, from its boundary; 0 where it is not said."""
    took = objects((decode_object(line) or {}).get("compactMetadata")).get("durationMs")
    return took if isinstance(took, int) and 0 < took < _LONGEST_COMPACTION_MS else 0


_LONGEST_COMPACTION_MS = 3_600_000
"""A summary that took longer is a broken number."""
