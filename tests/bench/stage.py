"""What the rows of the table share: the corpus, its largest session, processes, a filled store."""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from tests.bench import sdk
from tests.bench.cached import from_cache
from tests.bench.corpus.make import PROOF, make_corpus
from tests.bench.floors import transcripts
from tests.bench.live import Latency, latencies, linked_home
from tests.bench.server import TimedServer
from tests.bench.worker import Worker

GIBIBYTE = 1 << 30
_OURS = "tests.bench.ours"


class Stored(NamedTuple):
    """A folder that the server filled; `is_used` is False when it left it empty."""

    folder: str
    bytes: int

    @property
    def is_used(self) -> bool:
        return self.bytes > 0


class Stage:
    """One run of the benchmarks over one corpus.

    Attributes:
        home: the corpus' config folder.
        sessions: what the manifest says of each session.
        is_full: whether the corpus is as large as the limits are meant for.
    """

    def __init__(self, corpus: Path, scratch: Path) -> None:
        self.scratch = scratch
        self.home = corpus / ".claude"
        self.projects = self.home / "projects"
        manifest = json.loads((corpus / "manifest.json").read_bytes())
        self.sessions: list[dict[str, Any]] = manifest["sessions"]
        self.is_full: bool = manifest["args"]["size"] >= GIBIBYTE
        self.largest = max(self.sessions, key=lambda session: session["bytes"])
        self._workers: list[Worker] = []
        self._folders = 0

    def end(self) -> None:
        for worker in self._workers:
            worker.end()

    @property
    def largest_path(self) -> Path:
        return self.projects / self.largest["dir"] / f"{self.largest['sessionId']}.jsonl"

    @cached_property
    def files(self) -> list[tuple[str, int, int, int]]:
        return transcripts(str(self.projects))

    @property
    def bytes(self) -> int:
        """Of all transcripts."""
        return sum(size for _, size, _, _ in self.files)

    def folder(self) -> Path:
        """A new, empty folder that goes when the run ends."""
        self._folders += 1
        folder = self.scratch / str(self._folders)
        folder.mkdir()
        return folder

    # --- processes ---

    @cached_property
    def ours(self) -> Worker:
        return self._kept(Worker(_OURS))

    @cached_property
    def floors(self) -> Worker:
        return self._kept(Worker("tests.bench.floors"))

    @cached_property
    def sdk(self) -> Worker:
        return self._kept(self.new_sdk())

    def new_ours(self) -> Worker:
        """A process that has done nothing yet; the caller ends it."""
        return Worker(_OURS)

    def new_sdk(self) -> Worker:
        """A process that has only imported the SDK; the caller ends it."""
        worker = Worker("tests.bench.sdk", sdk.environment(self.home))
        worker.run("load")
        return worker

    def _kept(self, worker: Worker) -> Worker:
        self._workers.append(worker)
        return worker

    # --- what servers leave ---

    @cached_property
    def store(self) -> Stored:
        """A store as the server leaves it behind when it has read everything."""
        folder = self.folder()
        with TimedServer(self.home, folder) as server:
            server.wait_until_read()
        size = sum(path.stat().st_size for path in folder.glob("transcripts.*"))
        return Stored(str(folder), size)

    @cached_property
    def words(self) -> Stored:
        """The folder of a search table with all transcripts in it."""
        folder = str(self.folder())
        filled = self.ours.run("fill_words", home=str(self.home), folder=folder)
        return Stored(folder, filled.answer)

    @cached_property
    def latencies(self) -> list[Latency]:
        """Of appends to the largest session, in a copy of the home."""
        home = self.folder() / ".claude"
        transcript = linked_home(self.home, home, self.largest_path)
        return latencies(home, transcript, self.folder())


def corpus_of(size: int) -> Path:
    """A corpus of about so many bytes from the cache, made when it is not there."""

    def install(folder: Path) -> None:
        print(f"Making a corpus of {size >> 20} MiB", flush=True)
        make_corpus(folder, size)

    return from_cache(f"bench-corpus-{size >> 20}-{PROOF[:8]}", install)
