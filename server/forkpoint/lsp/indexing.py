"""Reads all transcripts behind the answers, and tells which rows of the list changed by it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
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

NEWS_SECONDS = 0.1
"""Changes that come within this time are told together."""


Changes = tuple[Sequence[str], Sequence[str], Sequence[str]]
"""Ids of sessions added, changed and removed."""


class Catalog(Protocol):
    """What the server needs from a catalog, beyond what the features ask it."""

    def index_next(self) -> bool:
        """Index one more transcript; False when none was left."""
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
    """Has the catalog index transcript by transcript until none is left."""

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

    def start(self) -> None:
        """Go on until nothing is left, also when another catalog takes the present one's place."""
        self._wanted = True
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._run())

    async def _run(self) -> None:
        while self._wanted:
            # Whoever asks from here on may mean what the last piece of work has not seen.
            self._wanted = False
            await self._read_all()

    async def _read_all(self) -> None:
        progress = ReadingProgress(self._protocol)
        try:
            while (state := await self._slice()).more:
                progress.show(state.done, state.total)
                self._news.expect()
        except NoCatalog:
            return
        finally:
            progress.end()
            self._news.expect()

    async def _slice(self) -> _State:
        asked = self._catalog.ask(self._index_for_a_while, Urgency.BACKGROUND)
        return await asyncio.wrap_future(asked)

    def _index_for_a_while(self, catalog: C) -> _State:
        until = time.monotonic() + SLICE_SECONDS
        more = True
        while more and time.monotonic() < until and not self._catalog.client_waits():
            more = _index_one(catalog)
        return _State(more, *catalog.indexing())


class _State(NamedTuple):
    more: bool
    done: int
    total: int


def _index_one(catalog: Catalog) -> bool:
    """Index one transcript; a failure ends the work only when it would come again and again."""
    before = catalog.indexing()
    try:
        return catalog.index_next()
    except Exception:
        logger.exception("A transcript could not be indexed")
        return catalog.indexing() != before
