"""Which calls run in a followed session that is quiet, but has sent somebody out?"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from forkpoint.catalog import Catalog
from forkpoint.lsp.features.watch import watch
from forkpoint.protocol import types
from tests.builders import SESSION, line, row
from tests.disk.test_live import linux, started

Json = dict[str, Any]

LAUNCHED = {"isAsync": True, "status": "async_launched", "agentId": "a1"}
ENDED = (
    "<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>\n</task-notification>"
)


def sent_out(*after: bytes) -> bytes:
    """A prompt, a call that launches agent a1 at 09:00:10, what the model then says, and more."""
    spawn = {"type": "tool_use", "id": "call_1", "name": "Agent", "input": {"description": "Look"}}
    result: list[Json] = [{"type": "tool_result", "tool_use_id": "call_1", "content": "launched"}]
    rows_of_call = [
        row("u1", None, 0),
        row("t1", "u1", 10, {"message": {"content": [spawn]}}),
        row("r1", "t1", 20, {"message": {"content": result}, "toolUseResult": LAUNCHED}),
        row("a1", "r1", 30),
    ]
    return b"".join(line(**fields) for fields in rows_of_call) + b"".join(after)


NOTIFIED = line(**row("u2", "a1", 40, {"message": {"content": ENDED}, "isMeta": True}))


def home_with(root: Path, transcript: bytes, client: Json | None) -> Path:
    """A home with one session, and the registry file of this very process if it has a client."""
    path = root / "projects" / "-home-dev-shop" / f"{SESSION}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(transcript)
    if client is not None:
        pid = os.getpid()
        facts = {"pid": pid, "procStart": started(pid), "sessionId": SESSION, "status": "busy"}
        (root / "sessions").mkdir()
        (root / "sessions" / f"{pid}.json").write_text(json.dumps({**facts, **client}))
    return root


@linux
@pytest.mark.parametrize(
    ("transcript", "client", "running"),
    [
        pytest.param(sent_out(), {}, [("call_1", True)], id="it works on"),
        pytest.param(sent_out(), {"startedAt": 1}, [("call_1", True)], id="sent by this client"),
        pytest.param(sent_out(NOTIFIED), {}, [], id="it has ended"),
        pytest.param(sent_out(), None, [], id="its client has ended"),
        pytest.param(sent_out(), {"startedAt": 2**42}, [], id="sent by a client before"),
    ],
)
def test_who_works_in_the_background(
    tmp_path: Path, transcript: bytes, client: Json | None, running: list[tuple[str, bool]]
) -> None:
    catalog = Catalog([home_with(tmp_path, transcript, client)])
    told = watch(catalog, types.WatchParams(session_id=SESSION))
    assert [(call.tool_use_id, call.in_background) for call in told.running] == running
    assert told.tip in ("complete", "awaitingAnswer")
