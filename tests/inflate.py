"""How does a case of fixtures/cases become the input its expectation speaks of?

Two cases are stored small and grown before use, one needs links that do not survive in every
checkout. `expect.json` says how: `inflate` lists the steps, `make_links` the links.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_OID, uuid5


def inflate(case: Path, target: Path) -> Path:
    """Copy `case` to the new folder `target`, grow its files, make its links; gives `target`."""
    shutil.copytree(case, target)
    expected = json.loads((case / "expect.json").read_bytes())
    for step in expected.get("inflate", []):
        path = target / step["file"]
        path.write_bytes(GROW[step["op"]](path.read_bytes(), step))
    for link in expected.get("make_links", []):
        (target / link["link"]).symlink_to(link["to"])
    return target


def repeat_mark(transcript: bytes, step: dict[str, Any]) -> bytes:
    """Put `times` copies of a text in place of every mark."""
    return transcript.replace(
        step["replace"].encode(), step["with_repeat_of"].encode() * step["times"]
    )


def repeat_pair(transcript: bytes, step: dict[str, Any]) -> bytes:
    """Chain `times` more copies of a tool call and its result behind the pair itself.

    `lines` are the 1-based lines of call and result. The record behind the pair is hung under
    the last copy, so that the chain stays whole.
    """
    lines = transcript.split(b"\n")
    first, after = step["lines"][0] - 1, step["lines"][1]
    call, result, follower = map(json.loads, lines[first : after + 1])

    copies: list[bytes] = []
    parent = result["uuid"]
    for row in _copies_of_pair(call, result, step["times"]):
        copies.append(_line(row))
        parent = row["uuid"]
    follower["parentUuid"] = parent
    return b"\n".join([*lines[:after], *copies, _line(follower), *lines[after + 1 :]])


GROW = {"replace": repeat_mark, "repeat-pair": repeat_pair}


def _copies_of_pair(
    call: dict[str, Any], result: dict[str, Any], times: int
) -> Iterator[dict[str, Any]]:
    """Rows with ids of their own, each hung under the row before it."""
    parent = result["uuid"]
    for number in range(times):
        call_uuid, result_uuid = (
            str(uuid5(NAMESPACE_OID, f"{row['uuid']} {number}")) for row in (call, result)
        )
        tool_use_id = f"toolu_{number:020d}"
        yield {
            **call,
            "uuid": call_uuid,
            "parentUuid": parent,
            "requestId": f"req_{number:020d}",
            "message": {
                **call["message"],
                "id": f"msg_{number:020d}",
                "content": [{**call["message"]["content"][0], "id": tool_use_id}],
            },
        }
        yield {
            **result,
            "uuid": result_uuid,
            "parentUuid": call_uuid,
            "sourceToolAssistantUUID": call_uuid,
            "message": {
                **result["message"],
                "content": [{**result["message"]["content"][0], "tool_use_id": tool_use_id}],
            },
        }
        parent = result_uuid


def _line(row: dict[str, Any]) -> bytes:
    return json.dumps(row, separators=(",", ":"), ensure_ascii=False).encode()
