"""A language client for tests: talks to a server process over its standard input and output."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Any

PATIENCE = 20.0
"""Seconds after which something that must come counts as missing."""


def read_body(stream: IO[bytes]) -> bytes | None:
    """Read one message; None at the end of the stream."""
    length = None
    while (line := stream.readline()) != b"\r\n":
        if not line:
            return None
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    assert length is not None, "a message without Content-Length"
    return stream.read(length)


def framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def eventually(holds: Callable[[], bool]) -> None:
    """Wait until something holds that no message announces."""
    until = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < until, "it never came true"
        time.sleep(0.02)


class StdioClient:
    """Starts a server and keeps all that it says.

    `replies` are the results this client gives to requests of the server, by method; what is not
    in there is refused.
    """

    def __init__(self, command: Sequence[str], replies: Mapping[str, Any] | None = None):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
        self._replies = dict(replies or {})
        self._heard: list[dict[str, Any]] = []
        self._news = threading.Condition()
        self._log: list[bytes] = []
        self._sending = threading.Lock()
        self._next_id = 0
        self._threads = [threading.Thread(target=run) for run in (self._listen, self._read_log)]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> StdioClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.stdin.close()
        try:
            self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            for thread in self._threads:
                thread.join()
            self.process.stdout.close()
            self.process.stderr.close()

    @property
    def log(self) -> str:
        """What the server wrote to its standard error so far."""
        return b"".join(self._log).decode()

    @property
    def heard(self) -> list[dict[str, Any]]:
        """All messages of the server so far, in order."""
        with self._news:
            return list(self._heard)

    def initialize(
        self,
        capabilities: Mapping[str, Any] | None = None,
        options: object = None,
        locale: str | None = None,
    ) -> Any:
        params: dict[str, Any] = {"processId": None, "rootUri": None}
        params["capabilities"] = dict(capabilities or {})
        if locale is not None:
            params["locale"] = locale
        answer = self.request("initialize", {**params, "initializationOptions": options})
        self.notify("initialized", {})
        return answer["result"]

    def request(self, method: str, params: object = None) -> dict[str, Any]:
        """Ask and wait for the whole answer, result or error."""
        return self.answer(self.ask(method, params))

    def ask(self, method: str, params: object = None) -> int:
        """Ask without waiting; the id leads to the answer."""
        self._next_id += 1
        message = {"jsonrpc": "2.0", "id": self._next_id, "method": method}
        self.send(message if params is None else {**message, "params": params})
        return self._next_id

    def answer(self, request_id: object, patience: float = PATIENCE) -> dict[str, Any]:
        return self.wait_for(
            lambda m: "method" not in m and m.get("id") == request_id, patience=patience
        )

    def notify(self, method: str, params: object) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def send(self, message: object) -> None:
        self.send_bytes(framed(json.dumps(message).encode()))

    def send_bytes(self, data: bytes) -> None:
        with self._sending:
            self.process.stdin.write(data)
            self.process.stdin.flush()

    def wait_for(
        self, wanted: Callable[[dict[str, Any]], bool], patience: float = PATIENCE
    ) -> dict[str, Any]:
        """Give the first message that fits, also one that came before."""
        until = time.monotonic() + patience
        seen = 0
        with self._news:
            while True:
                for message in self._heard[seen:]:
                    if wanted(message):
                        return message
                seen = len(self._heard)
                if not self._news.wait(until - time.monotonic()):
                    raise AssertionError(f"nothing fitting came; the log says:\n{self.log}")

    def _listen(self) -> None:
        while (body := read_body(self.process.stdout)) is not None:
            message = json.loads(body)
            with self._news:
                self._heard.append(message)
                self._news.notify_all()
            if "method" in message and "id" in message:
                self._reply(message)

    def _reply(self, request: dict[str, Any]) -> None:
        reply = {"jsonrpc": "2.0", "id": request["id"]}
        if request["method"] in self._replies:
            self.send({**reply, "result": self._replies[request["method"]]})
        else:
            self.send({**reply, "error": {"code": -32601, "message": "not here"}})

    def _read_log(self) -> None:
        self._log.extend(iter(self.process.stderr.readline, b""))
