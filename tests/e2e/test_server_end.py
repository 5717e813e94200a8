"""The server ends when it is told to, or when the client is gone, and does not tarry."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from tests.e2e.stdio_client import StdioClient

STUB = [sys.executable, str(Path(__file__).with_name("stub_server.py"))]


def shutdown_and_exit(client: StdioClient) -> None:
    assert client.request("shutdown")["result"] is None
    late = client.request("forkpoint/sessions")
    assert late["error"] == {"code": -32600, "message": "The server is shutting down."}
    client.notify("exit", None)


def hang_up(client: StdioClient) -> None:
    client.process.stdin.close()


@pytest.mark.parametrize(("end", "code"), [(shutdown_and_exit, 0), (hang_up, 1)])
def test_the_end_comes_at_once_also_in_the_middle_of_work(end, code: int):
    with StdioClient(STUB) as client:
        client.initialize()
        busy = client.ask("forkpoint/subagents", {"sessionId": "takesLong"})
        client.request("forkpoint/sessions", {"limit": 0})
        started = time.monotonic()
        end(client)
        assert client.process.wait(20) == code
        assert time.monotonic() - started < 5
        if code == 0:
            assert client.answer(busy)["error"]["code"] == -32800
    assert "Traceback" not in client.log
