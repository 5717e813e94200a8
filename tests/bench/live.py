"""How long an appended line takes to the client, and how long the kernel alone takes to tell."""

from __future__ import annotations

import json
import os
import random
import shutil
import threading
import time
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import NamedTuple

from tests.bench.floors import SUFFIX, FolderWatch
from tests.bench.records import prompts_below
from tests.bench.server import Json, NotThereYet, TimedServer

APPENDS = 40
_GAP_SECONDS = 0.1
_PATIENCE = 5.0


class Latency(NamedTuple):
    """Milliseconds from an append to the client, and to whoever asks the kernel."""

    client: float
    kernel: float


def linked_home(home: Path, folder: Path, grows: Path) -> Path:
    """A config folder with the same files by hard links, but for the one that is to grow."""
    target = folder / grows.relative_to(home)

    def link(source: str, copy: str) -> None:
        (shutil.copy2 if Path(copy) == target else os.link)(source, copy)

    shutil.copytree(home, folder, copy_function=link)
    return target


def latencies(home: Path, transcript: Path, store: Path) -> list[Latency]:
    """Append to a transcript of a server's config folder, and time the news of each append."""
    session_id = transcript.name.removesuffix(SUFFIX)
    with TimedServer(home, store) as server:
        server.wait_until_read()
        path = {"sessionId": session_id, "limit": 1, "order": "backward"}
        leaf = server.ask("forkpoint/activePath", path).message["result"]["leaf"]["uuid"]
        server.ask("forkpoint/watch", {"sessionId": session_id})
        lines = prompts_below(leaf, session_id, APPENDS + 1)
        with _Kernel(transcript.parent) as kernel:
            found = [_latency(server, kernel, transcript, line) for line in lines]
        answer = server.ask("forkpoint/activePath", path).message["result"]
        assert answer["leaf"]["uuid"] == lines[-1]["uuid"], "the leaf is not the last line"
    return found[1:]


def _latency(server: TimedServer, kernel: _Kernel, transcript: Path, line: Json) -> Latency:
    time.sleep(_GAP_SECONDS * random.Random(line["uuid"]).uniform(0.6, 1.4))
    kernel.forget()
    data = json.dumps(line).encode() + b"\n"
    file = os.open(transcript, os.O_WRONLY | os.O_APPEND)
    began = time.perf_counter()
    os.write(file, data)
    os.close(file)
    told = _told(server, line)
    return Latency((told - began) * 1e3, (kernel.told() - began) * 1e3)


def _told(server: TimedServer, line: Json) -> float:
    """When the client was told that this line is the leaf now."""
    while True:
        try:
            told = server.next(_PATIENCE)
        except TimeoutError:
            raise NotThereYet("forkpoint/didChangeSession after an append") from None
        message = told.message
        is_news = message.get("method") == "forkpoint/didChangeSession"
        if is_news and message["params"]["leaf"] == line["uuid"]:
            return told.at


class _Kernel:
    """Listens to a folder in a thread."""

    def __init__(self, folder: Path) -> None:
        self._watch = FolderWatch(folder)
        self._times: SimpleQueue[float] = SimpleQueue()
        self._is_over = False
        self._thread = threading.Thread(target=self._listen)

    def __enter__(self) -> _Kernel:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over = True
        self._thread.join()
        self._watch.close()

    def forget(self) -> None:
        while not self._times.empty():
            self._times.get()

    def told(self) -> float:
        try:
            return self._times.get(timeout=_PATIENCE)
        except Empty:
            raise TimeoutError("the kernel told nothing") from None

    def _listen(self) -> None:
        while not self._is_over:
            at = self._watch.wait(0.2)
            if at is not None:
                self._times.put(at)
