"""Background reading goes on until nothing is left, whenever more comes to be there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from forkpoint.lsp.catalog_thread import CatalogThread
from forkpoint.lsp.indexing import BackgroundIndexing, CatalogNews
from forkpoint.prices import Prices

EDITOR: Any = SimpleNamespace(client_capabilities=SimpleNamespace(window=None), notify=print)
"""A client that shows no progress."""


class Shelf:
    """A catalog with so many transcripts to read; `at_end` is called when it runs out first."""

    def __init__(self, left: int, changed: Sequence[str] = ()) -> None:
        self.left = left
        self.changed = list(changed)
        self.at_end: Callable[[], None] | None = None
        self.elsewhere = 0
        self.roots: list[Path] = []

    def be_helped(self, wake: Callable[[], None]) -> None:
        self.wake = wake

    def awaits_help(self) -> bool:
        return self.elsewhere > 0

    def help_arrives(self) -> None:
        """Another process has read one; nobody is asked, so the reader is told."""
        self.elsewhere -= 1
        self.left += 1
        self.wake()

    def refresh(self, paths: Iterable[str] | None) -> None:
        pass

    def heed(self, is_unwanted: Callable[[], bool]) -> None:
        pass

    def look_who_is_live(self) -> None:
        pass

    def adopt(self, *, prices: Prices, account: str, status_line_cache: bool) -> None:
        pass

    def keep(self) -> None:
        pass

    def close(self) -> None:
        pass

    def index_next(self) -> bool:
        if self.left:
            self.left -= 1
            return True
        if self.at_end is not None:
            self.at_end, at_end = None, self.at_end
            at_end()
        return False

    def indexing(self) -> tuple[int, int]:
        return 0, self.left

    def take_changes(self) -> tuple[list[str], list[str], list[str]]:
        self.changed, changed = [], self.changed
        return [], changed, []


def reader(shelf: Shelf) -> tuple[BackgroundIndexing[Shelf], CatalogNews[Shelf]]:
    thread: CatalogThread[Shelf] = CatalogThread()
    thread.open(lambda: shelf)
    news = CatalogNews(EDITOR, thread, found=lambda: indexing.start())
    indexing = BackgroundIndexing(EDITOR, thread, news)
    return indexing, news


async def all_read(shelf: Shelf) -> None:
    """Wait until nothing is left; longer than a few seconds is never."""
    for _ in range(500):
        if shelf.left == 0 and shelf.at_end is None:
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"{shelf.left} transcripts were never read")


def test_it_reads_all() -> None:
    async def scenario() -> None:
        shelf = Shelf(50)
        indexing, _ = reader(shelf)
        indexing.start()
        await all_read(shelf)

    asyncio.run(scenario())


def test_it_ends_when_the_user_has_enough_of_it() -> None:
    async def scenario() -> None:
        shelf = Shelf(1)
        shelf.elsewhere = 1
        indexing, _ = reader(shelf)
        indexing.start()
        await all_read(shelf)
        progress = indexing.progress
        assert progress is not None
        indexing.cancel("another bar")
        indexing.cancel(progress.token)
        await asyncio.sleep(0.05)
        shelf.left = 5
        indexing.start()
        await asyncio.sleep(0.05)
        assert shelf.left == 5

    asyncio.run(scenario())


def test_it_waits_for_what_another_process_reads() -> None:
    async def scenario() -> None:
        shelf = Shelf(1)
        shelf.elsewhere = 2
        indexing, _ = reader(shelf)
        indexing.start()
        for _ in range(2):
            await all_read(shelf)
            await asyncio.sleep(0.05)
            shelf.help_arrives()
        await all_read(shelf)

    asyncio.run(scenario())


def test_what_comes_as_the_last_piece_of_work_ends_is_read_too() -> None:
    """The work has found nothing left, and nobody has heard of it yet."""

    async def scenario() -> None:
        shelf = Shelf(1)
        indexing, _ = reader(shelf)
        loop = asyncio.get_running_loop()

        def more() -> None:
            shelf.left = 3
            indexing.start()

        shelf.at_end = lambda: loop.call_soon_threadsafe(more)
        indexing.start()
        await asyncio.sleep(0)
        await all_read(shelf)

    asyncio.run(scenario())


def test_changes_that_are_told_set_it_going() -> None:
    async def scenario() -> None:
        shelf = Shelf(3, changed=["a"])
        _, news = reader(shelf)
        news.expect()
        await all_read(shelf)

    asyncio.run(scenario())
