"""Tool calls and their results, with traps: nested keys that look like those of a record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tests.bench.corpus.text import iso, uid
from tests.bench.corpus.transcript import Json, Transcript

_IMAGES_FROM_BYTES = 3e6
"""Shorter sessions hold no screenshot."""


class Outcome(NamedTuple):
    """What one tool is given and what it gives back."""

    name: str
    given: Json
    content: Any
    result: Any
    edited: str | None = None


class Call(NamedTuple):
    """A call that waits for its result."""

    block: Json
    outcome: Outcome


def new_call(on: Transcript) -> Call:
    rng = on.rng
    call_id = f"toolu_01{rng.getrandbits(96):024x}"
    kind = rng.random()
    path = rng.choice(on.files)
    size = on.size(900, 1.35, 40, 100_000)
    tool = next(tool for until, tool in _TOOLS if kind < until)
    outcome = tool(on, path, size)
    # The chance is drawn for every call, so that longer sessions hold the same calls.
    if rng.random() < (0.0015 if on.target > _IMAGES_FROM_BYTES else 0):
        outcome = _screenshot(on, outcome)
    on.tools[outcome.name] = on.tools.get(outcome.name, 0) + 1
    block = {"type": "tool_use", "id": call_id, "name": outcome.name, "input": outcome.given}
    return Call(block, outcome)


def answer_call(on: Transcript, call: Call, parent: str, side: bool) -> None:
    """Write the result of a call below the record that makes it."""
    outcome = call.outcome
    failed = on.rng.random() < 0.04
    block = {
        "tool_use_id": call.block["id"],
        "type": "tool_result",
        "content": outcome.content,
        **({"is_error": True} if failed else {}),
    }
    body = {"type": "user", "message": {"role": "user", "content": [block]}}
    result = "Error: " + str(outcome.content)[:300] if failed else outcome.result
    tail = {"toolUseResult": result, "sourceToolAssistantUUID": parent}
    on.chain(body, tail, parent, side, of_prompt=True)
    if outcome.edited and not failed and not side:
        on.edited(outcome.edited)


def _bash(on: Transcript, path: str, size: int) -> Outcome:
    given = {"command": on.text(on.rng.randrange(30, 400)), "description": on.text(40)}
    content = on.text(size)
    result = {
        "stdout": content,
        "stderr": "",
        "interrupted": False,
        "isImage": False,
        "noOutputExpected": False,
    }
    return Outcome("Bash", given, content, result)


def _read(on: Transcript, path: str, size: int) -> Outcome:
    file = f"{on.cwd}/{path}"
    content = on.text(int(size * 2.2) if size < 40_000 else size)
    lines = content.count("\n") + 1
    numbers = {"numLines": lines, "startLine": 1, "totalLines": lines}
    result = {"type": "text", "file": {"filePath": file, "content": content, **numbers}}
    return Outcome("Read", {"file_path": file}, content, result)


def _edit(on: Transcript, path: str, size: int) -> Outcome:
    file = f"{on.cwd}/{path}"
    old, new = on.text(on.rng.randrange(40, 900)), on.text(on.rng.randrange(40, 1500))
    given = {"file_path": file, "old_string": old, "new_string": new, "replace_all": False}
    has_original = on.rng.random() < 0.35
    original = on.text(on.size(5000, 0.8, 300, 80_000)) if has_original else None
    lines = ["-" + line for line in old.split("\n")] + ["+" + line for line in new.split("\n")]
    hunk = {"oldStart": 10, "oldLines": 5, "newStart": 10, "newLines": 7, "lines": lines}
    result: Json = {
        "filePath": file,
        "oldString": old,
        "newString": new,
        "originalFile": original,
        "structuredPatch": [hunk],
        "userModified": False,
        "replaceAll": False,
    }
    return Outcome("Edit", given, f"The file {file} has been updated.", result, path)


def _write(on: Transcript, path: str, size: int) -> Outcome:
    file = f"{on.cwd}/{path}"
    text = on.text(on.size(2500, 0.9, 200, 60_000))
    result: Json = {
        "type": "create",
        "filePath": file,
        "content": text,
        "structuredPatch": [],
        "originalFile": None,
    }
    given = {"file_path": file, "content": text}
    return Outcome("Write", given, f"File created at: {file}", result, path)


def _grep(on: Transcript, path: str, size: int) -> Outcome:
    given = {"pattern": on.text(12), "path": on.cwd, "output_mode": "content"}
    content = on.text(size)
    result: Json = {
        "mode": "content",
        "numFiles": 0,
        "filenames": [],
        "content": content,
        "numLines": 9,
    }
    return Outcome("Grep", given, content, result)


def _tracker(on: Transcript, path: str, size: int) -> Outcome:
    rng, now = on.rng, iso(on.milliseconds)
    given = {"uuid": uid(rng), "type": "user", "timestamp": now, "parentUuid": uid(rng)}
    text = on.text(size)
    message = {"id": "msg_fake", "usage": {"input_tokens": 1, "output_tokens": 1}}
    part = {"type": "text", "uuid": uid(rng), "timestamp": now, "text": text, "message": message}
    content = [{"type": "text", "text": text}]
    return Outcome("mcp__tracker__get_issue", given, content, [part])


def _todo(on: Transcript, path: str, size: int) -> Outcome:
    todos = [
        {"content": on.text(50), "status": "pending", "activeForm": on.text(50)} for _ in range(5)
    ]
    content = "Todos have been modified successfully."
    return Outcome("TodoWrite", {"todos": todos}, content, {"oldTodos": [], "newTodos": todos})


def _screenshot(on: Transcript, outcome: Outcome) -> Outcome:
    size = on.rng.randrange(1_000_000, 3_000_000) & ~3
    data = on.texts.base64[:size]
    source = {"type": "base64", "data": data, "media_type": "image/png"}
    file = {"base64": "", "type": "image/png", "originalSize": size}
    content = [{"type": "image", "source": source}]
    return outcome._replace(content=content, result={"type": "image", "file": file})


_TOOLS: tuple[tuple[float, Callable[[Transcript, str, int], Outcome]], ...] = (
    (0.34, _bash),
    (0.60, _read),
    (0.80, _edit),
    (0.86, _write),
    (0.93, _grep),
    (0.97, _tracker),
    (1.0, _todo),
)
"""Each with the end of its part of the chances."""
