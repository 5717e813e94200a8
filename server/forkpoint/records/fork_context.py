"""What a forked subagent began with: the pointer on the first line of its file.

Known from published files (format.md section 4): no client that was run has written one here.
"""

from __future__ import annotations

from typing import NamedTuple

from forkpoint.records.decode import decode_object

TYPE = "fork-context-ref"


class ForkContext(NamedTuple):
    """The record up to which a subagent has the context of another transcript.

    Attributes:
        session_id: whose transcript.
        uuid: of the last record of the context.
        length: how many messages it has; None where not written.
    """

    session_id: str
    uuid: str
    length: int | None


def fork_context_in(line: bytes) -> ForkContext | None:
    """Return the pointer that a line holds; None where it is another line, or names nothing."""
    if TYPE.encode() not in line:
        return None
    fields = decode_object(line) or {}
    session_id, uuid = fields.get("parentSessionId"), fields.get("parentLastUuid")
    length = fields.get("contextLength")
    if fields.get("type") != TYPE or not isinstance(session_id, str) or not isinstance(uuid, str):
        return None
    if isinstance(length, bool) or not isinstance(length, int) or length < 0:
        length = None
    return ForkContext(session_id, uuid, length)
