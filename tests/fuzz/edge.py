"""The edge of JSON-RPC: whatever comes in, every request gets one answer, and nothing else does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from forkpoint.catalog import Catalog
from forkpoint.lsp.framing import Frames, framed
from forkpoint.lsp.handlers import SERVED, STANDARD_HANDLERS
from forkpoint.lsp.server import ForkpointServer, create_server
from forkpoint.protocol.methods import REQUESTS
from tests.fixture_paths import FIXTURES

LEFT_OUT = ("initialize", "shutdown", "exit")
"""What begins or ends the server, of which there is one for all inputs."""
PATIENCE = 20.0
SESSION = "3ee8f041-aad2-49f1-a9be-9676af30b1e7"


def answers_everything(data: bytes) -> None:
    """Each line is a message; one that is a request is answered once."""
    _frames(data)
    edge = _edge()
    edge.loop.run_until_complete(edge.told(data.split(b"\n")))


def messages() -> Iterable[bytes]:
    """One request of each method, and what else a client may say."""
    for number, method in enumerate([*REQUESTS, *STANDARD_HANDLERS]):
        document = {"uri": f"forkpoint-transcript:/x.md?session={SESSION}"}
        params = {"sessionId": SESSION, "query": "a", "textDocument": document, "uri": "file:///x"}
        position = {"line": 3, "character": 1}
        asked = {**params, "position": position, "format": "html", "prompt": "x"}
        yield json.dumps(
            {"jsonrpc": "2.0", "id": number, "method": method, "params": asked}
        ).encode()
    for method, told in [
        ("$/cancelRequest", {"id": 1}),
        ("workspace/didChangeConfiguration", {"settings": {"forkpoint": {"prices": {}}}}),
        ("window/workDoneProgress/cancel", {"token": "x"}),
        ("textDocument/didOpen", {"textDocument": {"uri": "file:///x", "languageId": "x"}}),
    ]:
        yield json.dumps({"jsonrpc": "2.0", "method": method, "params": told}).encode()
    yield b'{"jsonrpc":"2.0","id":7,"result":null}\n{"jsonrpc":"2.0","id":8,"error":{"code":1}}'


def _frames(data: bytes) -> None:
    """Bytes in any portions are the same frames, and none is lost."""
    for stream in (data, framed(data) + data):
        whole, split = Frames(), Frames()
        whole.feed(stream)
        bodies, found = list(iter(whole.take, None)), []
        for start in range(0, len(stream), 7):
            split.feed(stream[start : start + 7])
            found += iter(split.take, None)
        assert found == bodies
        assert split.rest() == whole.rest()
        assert b"".join(frame.whole for frame in bodies) + whole.rest() == stream


class _Edge:
    """A server whose answers come here."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.server: ForkpointServer = create_server(
            lambda _: Catalog([FIXTURES / "demo" / "home"]), SERVED, STANDARD_HANDLERS
        )
        self._said: list[dict[str, Any]] = []
        self._news = asyncio.Event()
        self.server.rpc.set_writer(self)  # type: ignore[arg-type]
        self.loop.run_until_complete(self._begun())

    def write(self, message: bytes) -> None:
        """Take what the server says."""
        self._said.append(json.loads(message.partition(b"\r\n\r\n")[2]))
        self._news.set()

    def close(self) -> None:
        """Be a writer."""

    async def _begun(self) -> None:
        params = {"processId": None, "rootUri": None, "capabilities": {}}
        options = {"watch": "off"}
        self.server.rpc.handle_message(
            _request(0, "initialize", {**params, "initializationOptions": options})
        )
        await self._answered([0])

    async def told(self, lines: list[bytes]) -> None:
        self._said.clear()
        asked: list[Any] = []
        used: list[Any] = []
        for message in map(_loaded, lines[:8]):
            fields = message if isinstance(message, dict) else {}
            number = fields.get("id")
            if fields.get("method") in LEFT_OUT or (number is not None and number in used):
                continue
            used.append(number)
            if is_asked(message):
                asked.append(number)
            self.server.rpc.handle_message(message)
            await asyncio.sleep(0)
        await self._answered(asked)

    async def _answered(self, asked: list[Any]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not set(asked) <= {each.get("id") for each in self._answers()}:
                self._news.clear()
                await self._news.wait()
        given = [each["id"] for each in self._answers() if each["id"] is not None]
        assert all(given.count(number) == 1 for number in asked)
        for each in self._answers():
            assert ("result" in each) != ("error" in each)
            if "error" in each:
                assert "Traceback" not in json.dumps(each)

    def _answers(self) -> list[dict[str, Any]]:
        return [each for each in self._said if "method" not in each]


def is_asked(message: Any) -> bool:
    """Say whether a message is a request that somebody can answer."""
    return (
        isinstance(message, dict)
        and message.get("jsonrpc") == "2.0"
        and isinstance(message.get("method"), str)
        and (isinstance(message.get("id"), str) or type(message.get("id")) is int)
    )


def _request(number: int, method: str, params: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def _loaded(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


@cache
def _edge() -> _Edge:
    return _Edge()
