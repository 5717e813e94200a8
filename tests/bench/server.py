"""The real server over standard input and output, with the time at which each message came."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from functools import cache
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from tests.e2e.stdio_client import framed, read_body

Json = dict[str, Any]

COMMAND = (sys.executable, "-m", "forkpoint", "serve")
_PATIENCE = 60.0
_READ_WITHIN = 1200.0
_UNKNOWN_METHOD = -32601


class NotThereYet(Exception):
    """Forkpoint cannot do what a row measures; the text says what is missing."""


class Told(NamedTuple):
    """A message of the server, and when it came by the performance counter."""

    at: float
    message: Json


@cache
def _environment() -> dict[str, str]:
    """As the VS Code client has it: what Python compiles is kept from one start to the next."""
    compiled = tempfile.mkdtemp(prefix="forkpoint-compiled-")
    atexit.register(shutil.rmtree, compiled, ignore_errors=True)
    return {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": compiled}


class TimedServer:
    """A server on some config folder, with a folder of its own for its store."""

    def __init__(self, home: Path, store: Path) -> None:
        pipe = subprocess.PIPE
        self.began = time.perf_counter()
        self._process = subprocess.Popen(
            COMMAND, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=_environment()
        )
        self._told: SimpleQueue[Told | None] = SimpleQueue()
        self._asked = 0
        self._listening = threading.Thread(target=self._listen)
        self._listening.start()
        try:
            self._begin(home, store)
        except BaseException:
            self._kill()
            raise

    def _begin(self, home: Path, store: Path) -> None:
        options = {"claudeConfigDirs": [str(home)], "cacheDir": str(store)}
        params: Json = {"processId": None, "rootUri": None, "capabilities": {}}
        self.ask("initialize", {**params, "initializationOptions": options})
        self.say("initialized", {})

    def __enter__(self) -> TimedServer:
        return self

    def __exit__(self, failure: object, *_: object) -> None:
        try:
            if failure is None:
                self.ask("shutdown", None)
                self.say("exit", None)
                self._process.wait(_PATIENCE)
        finally:
            self._kill()

    def _kill(self) -> None:
        self._process.kill()
        self._process.wait()
        self._listening.join()

    def say(self, method: str, params: object) -> None:
        self._send({"method": method, "params": params})

    def ask(self, method: str, params: object) -> Told:
        """Ask and wait for the result; raises `NotThereYet` for a method the server has not."""
        self._asked += 1
        self._send({"id": self._asked, "method": method, "params": params})
        while (told := self.next(_PATIENCE)).message.get("id") != self._asked:
            pass
        error = told.message.get("error")
        if error is not None and error["code"] == _UNKNOWN_METHOD:
            raise NotThereYet(method)
        assert error is None, error
        return told

    def next(self, patience: float) -> Told:
        """The next message, whatever it is; raises `TimeoutError`."""
        try:
            told = self._told.get(timeout=patience)
        except Empty:
            raise TimeoutError("the server does not say anything") from None
        assert told is not None, "the server ended"
        return told

    def wait_until_read(self) -> None:
        """Wait until every transcript is indexed."""
        until = time.monotonic() + _READ_WITHIN
        while time.monotonic() < until:
            indexing = self.ask("forkpoint/health", {}).message["result"]["indexing"]
            if indexing["done"] == indexing["total"]:
                return
            time.sleep(0.1)
        raise TimeoutError("the transcripts are not indexed in time")

    def _send(self, message: Json) -> None:
        assert self._process.stdin is not None
        message = {key: value for key, value in message.items() if value is not None}
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(framed(body))
        self._process.stdin.flush()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        while (body := read_body(self._process.stdout)) is not None:
            self._told.put(Told(time.perf_counter(), json.loads(body)))
        self._told.put(None)
