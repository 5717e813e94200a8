"""Lines that a session goes on with."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


def prompts_below(leaf: str, session_id: str, count: int) -> list[Json]:
    """Prompts, each of which hangs on the one before, the first on `leaf`."""
    lines: list[Json] = []
    parent = leaf
    for number in range(count):
        uuid = f"{number:08x}-0000-4000-8000-00000000feed"
        line: Json = {
            "parentUuid": parent,
            "isSidechain": False,
            "type": "user",
            "message": {"role": "user", "content": f"And then, for the {number}th time?"},
            "uuid": uuid,
            "timestamp": f"2026-06-01T00:{number // 60:02d}:{number % 60:02d}.000Z",
            "userType": "external",
            "cwd": "/home/dev/app",
            "sessionId": session_id,
            "version": "2.1.290",
        }
        lines.append(line)
        parent = uuid
    return lines
