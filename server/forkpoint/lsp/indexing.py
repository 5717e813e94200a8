"""Reads all transcripts behind the answers, and tells which rows of the list changed by it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Generic, NamedTuple, Protocol, TypeVar

from pygls.protocol import LanguageServerProtocol

from forkpoint.lsp.catalog_thread import CatalogThread, NoCatalog, Urgency
from forkpoint.lsp.progress import ReadingProgress
from forkpoint.prices import Prices
from forkpoint.protocol.encode import encode
from forkpoint.protocol.types import DidChangeCatalogParams

logger = logging.getLogger(__name__)

SLICE_SECONDS = 0.05
"""Time after which a piece of background work makes way, when no question makes it do so before."""

MOST_FAILURES = 3
"""In turn; then nothing more is tried until there is news."""

KEEP_SECONDS = 5.0
"""How long after reading what was read is written for the next start."""

NEWS_SECONDS = 0.1
"""Changes that come within this time are told together."""


Changes = tuple[Sequence[str], Sequence[str], Sequence[str]]
"""Ids of sessions added, changed and removed."""


class Catalog(Protocol):
    """What the server needs from a catalog, beyond what the features ask it."""

    @property
    def roots(self) -> Sequence[Path]:
        """The config folders."""
        ...

    @property
    def codex_homes(self) -> Sequence[Path]:
        """The folders of the other agent."""
        ...

    def refresh(self, paths: Iterable[str] | None) -> None:
        """Read what changed at some paths; None = look at everything."""
        ...

    def look_who_is_live(self) -> None:
        """Notice clients that began or ended."""
        ...

    def heed(self, is_unwanted: Callable[[], bool]) -> None:
        """Learn by what to ask whether the answer that is being worked out is wanted no more."""
        ...

    def be_helped(self, wake: Callable[[], None]) -> None:
        """Have another process read, too; `wake` says, on any thread, that it has."""
        ...

    def awaits_help(self) -> bool:
        """Say whether something is still to come from that process."""
        ...

    def index_next(self) -> bool:
        """Index one more transcript; False when none was left."""
        ...

    def keep(self) -> None:
        """Write what is worth to be kept over a restart."""
        ...

    def close(self) -> None:
        """Let go of what is open; the catalog is not asked any more."""
        ...

    def indexing(self) -> tuple[int, int]:
        """Give the number of transcripts indexed, and of all found."""
        ...

    def take_changes(self) -> Changes:
        """Give what changed since this was last called."""
        ...

    def adopt(self, *, prices: Prices, account: str, status_line_cache: bool) -> None:
        """Go by what the user says; every session counts as changed."""
        ...


C = TypeVar("C", bound=Catalog)


class CatalogNews(Generic[C]):
    """Tells the client which sessions changed, at most once per `NEWS_SECONDS`.

    `found` is called when there may be more to read.
    """

    def __init__(
        self,
        protocol: LanguageServerProtocol,
        catalog: CatalogThread[C],
        found: Callable[[], None],
    ) -> None:
        self._protocol = protocol
        self._catalog = catalog
        self._found = found
        self._timer: asyncio.TimerHandle | None = None

    def expect(self) -> None:
        """Have a look soon: something was done that may have changed the catalog."""
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(NEWS_SECONDS, self._look)

    def _look(self) -> None:
        self._timer = None
        asked = self._catalog.ask(lambda catalog: catalog.take_changes(), Urgency.BACKGROUND)
        asyncio.wrap_future(asked).add_done_callback(self._tell)

    def _tell(self, asked: asyncio.Future[Changes]) -> None:
        if asked.cancelled() or isinstance(error := asked.exception(), NoCatalog):
            return
        if error is not None:
            logger.error("The changes of the catalog are not known", exc_info=error)
            return
        added, changed, removed = asked.result()
        if added or changed or removed:
            params = DidChangeCatalogParams(added=added, changed=changed, removed=removed)
            self._protocol.notify("forkpoint/didChangeCatalog", encode(params))
        if added or changed:
            self._found()


class BackgroundIndexing(Generic[C]):
    """Has the catalog index transcript by transcript until none is left.

    Attributes:
        progress: the last progress bar.
    """

    def __init__(
        self,
        protocol: LanguageServerProtocol,
        catalog: CatalogThread[C],
        news: CatalogNews[C],
    ) -> None:
        self._protocol = protocol
        self._catalog = catalog
        self._news = news
        self._task: asyncio.Task[None] | None = None
        self._wanted = False
        self._is_cancelled = False
        self._helped: C | None = None
        self._failures = 0
        self._woken = asyncio.Event()
        self._keeping: asyncio.TimerHandle | None = None
        self.progress: ReadingProgress | None = None

    def cancel(self, token: object) -> None:
        """Read nothing more unasked if this names our progress bar: the user had enough of it."""
        if self.progress is not None and token == self.progress.token:
            self._is_cancelled = True
            self._woken.set()

    def start(self) -> None:
        """Go on until nothing is left, also when another catalog takes the present one's place."""
        self._wanted = True
        self._loop = asyncio.get_running_loop()
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._run())

    async def _run(self) -> None:
        while self._wanted:
            # Whoever asks from here on may mean what the last piece of work has not seen.
            self._wanted = False
            await self._read_all()

    async def _read_all(self) -> None:
        progress = self.progress = ReadingProgress(self._protocol)
        try:
            while not self._is_cancelled and (state := await self._slice()).goes_on:
                # What is counted between copies afterwards, at each change of a live session, is
                # nothing that anybody waits for.
                if state.done < state.total:
                    progress.show(state.done, state.total)
                self._news.expect()
                if not state.more:
                    await self._woken.wait()
                    self._woken.clear()
        except NoCatalog:
            return
        finally:
            progress.end()
            self._news.expect()
        self._keep_soon()

    def _keep_soon(self) -> None:
        """What is read again and again while an agent works need not be written each time."""
        if self._keeping is None:
            loop = asyncio.get_running_loop()
            self._keeping = loop.call_later(KEEP_SECONDS, self._keep)

    def _keep(self) -> None:
        self._keeping = None
        asked = self._catalog.ask(lambda catalog: catalog.keep(), Urgency.BACKGROUND)
        asked.add_done_callback(_log_failure)

    async def _slice(self) -> _State:
        asked = self._catalog.ask(self._index_for_a_while, Urgency.BACKGROUND)
        return await asyncio.wrap_future(asked)

    def _index_for_a_while(self, catalog: C) -> _State:
        if self._helped is not catalog:
            self._helped = catalog
            catalog.be_helped(self._wake)
        until = time.monotonic() + SLICE_SECONDS
        more = True
        while more and time.monotonic() < until and not self._catalog.client_waits():
            more = self._index_one(catalog)
        return _State(more, catalog.awaits_help(), *catalog.indexing())

    def _index_one(self, catalog: C) -> bool:
        """Index one transcript; a failure ends the work only when it comes again and again."""
        try:
            more = catalog.index_next()
        except Exception:
            logger.exception("A transcript could not be indexed")
            self._failures += 1
            return self._failures < MOST_FAILURES
        self._failures = 0
        return more

    def _wake(self) -> None:
        with suppress(RuntimeError):  # The loop has ended.
            self._loop.call_soon_threadsafe(self._woken.set)


class _State(NamedTuple):
    more: bool
    awaits_help: bool
    done: int
    total: int

    @property
    def goes_on(self) -> bool:
        return self.more or self.awaits_help


def _log_failure(asked: Future[None]) -> None:
    error = None if asked.cancelled() else asked.exception()
    if error is not None and not isinstance(error, NoCatalog):
        logger.error("What was read could not be kept", exc_info=error)
