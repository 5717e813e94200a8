"""Has the catalog read what changed, and tells what happened to the sessions that are followed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Generic, TypeVar

from forkpoint.lsp.catalog_thread import CatalogThread, NoCatalog, Urgency
from forkpoint.lsp.indexing import Catalog
from forkpoint.lsp.options import Options
from forkpoint.protocol.encode import encode
from forkpoint.protocol.types import DidChangeSessionParams
from forkpoint.watch import Watch

logger = logging.getLogger(__name__)

SOONEST_SECONDS = 0.016
"""Changes are told at once, but not more often than a screen shows them."""
LATEST_SECONDS = 0.25
"""While changes keep coming the pause between two looks doubles up to this."""
APART_SECONDS = 0.05
"""Changes that are so far apart are no stream of them: each is told at once. More than the watch
holds back while more and more comes."""
PULSE_SECONDS = 2.0
"""How often to look whether a running client died: it cannot say so."""
_TURNS = 5
"""Turns of the loop between an answer that is known and one that is written: three (pygls 2.1)."""


C = TypeVar("C", bound=Catalog)

TakeMoves = Callable[[C], list[DidChangeSessionParams]]


class Live(Generic[C]):
    """Watches the config folders, and passes on what that means.

    `news` is called when the list may have changed, too.

    Attributes:
        order: held while moves are asked for and told. Who answers where a session stands holds it
            as well, so that nobody hears of an older place behind a newer one.
    """

    def __init__(
        self,
        tell: Callable[[str, object], None],
        catalog: CatalogThread[C],
        take_moves: TakeMoves[C] | None,
        news: Callable[[], None],
    ) -> None:
        self._tell = tell
        self._catalog = catalog
        self._take_moves = take_moves
        self._news = news
        self._watch: Watch | None = None
        self._starts = 0
        self._paths: set[str] | None = set()
        self._timer: asyncio.TimerHandle | None = None
        self._pause = SOONEST_SECONDS
        self._not_before = 0.0
        self._heard_at = 0.0
        self._is_asking = False
        self.order = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._pulse: asyncio.TimerHandle | None = None

    def start(self, options: Options) -> None:
        """Watch as the options say from now on, in place of what was watched."""
        self.stop()
        self._starts += 1
        started = self._starts
        if options.watch == "off":
            return
        asked = self._catalog.ask(
            lambda catalog: (list(catalog.roots), list(catalog.codex_homes)), Urgency.BACKGROUND
        )
        mode = options.watch
        loop = asyncio.get_running_loop()

        def heard(watch: Watch, paths: set[str] | None) -> None:
            with suppress(RuntimeError):  # The loop has ended.
                loop.call_soon_threadsafe(self._heard, watch, paths)

        def begin(done: asyncio.Future[tuple[list[Path], list[Path]]]) -> None:
            if started != self._starts or done.cancelled() or done.exception() is not None:
                return
            roots, homes = done.result()
            self._watch = Watch(roots, heard, mode, homes)
            self._watch.start()
            self._beat()

        asyncio.wrap_future(asked).add_done_callback(begin)

    def go_by(self, before: Options, options: Options) -> None:
        """Watch other folders, or in another way, where the options ask for that."""
        if _watched(before) != _watched(options):
            self.start(options)

    def stop(self) -> None:
        """Watch no longer."""
        if self._watch is not None:
            self._watch.stop()
            self._watch = None
        if self._pulse is not None:
            self._pulse.cancel()
            self._pulse = None

    def look(self) -> None:
        """Tell of followed sessions soon: something was read that may be news to them."""
        self._arm()

    def _beat(self) -> None:
        loop = asyncio.get_running_loop()
        self._pulse = loop.call_later(PULSE_SECONDS, self._beat)
        self._catalog.ask(lambda catalog: catalog.look_who_is_live(), Urgency.BACKGROUND)
        self._arm()

    def _heard(self, watch: Watch, paths: set[str] | None) -> None:
        if watch is not self._watch:
            return
        now = asyncio.get_running_loop().time()
        if now - self._heard_at >= APART_SECONDS:
            self._pause = SOONEST_SECONDS
        self._heard_at = now
        if paths is None or self._paths is None:
            self._paths = None
        else:
            self._paths |= paths
        self._arm()

    def _arm(self) -> None:
        """Look as soon as it may be, if no look is on its way already."""
        if self._timer is None and not self._is_asking:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_at(max(self._not_before, loop.time()), self._look)

    def _look(self) -> None:
        self._timer, self._is_asking = None, True
        paths, self._paths = self._paths, set()
        now = asyncio.get_running_loop().time()
        self._not_before = now + self._pause
        if paths is None or paths:
            self._pause = min(2 * self._pause, LATEST_SECONDS)

        def refreshed(catalog: C) -> list[DidChangeSessionParams]:
            if paths is None or paths:
                catalog.refresh(paths)
            return self._take_moves(catalog) if self._take_moves is not None else []

        self._task = asyncio.ensure_future(self._pass_on(refreshed))

    async def _pass_on(self, refreshed: Callable[[C], list[DidChangeSessionParams]]) -> None:
        try:
            async with self.order:
                moves = await asyncio.wrap_future(self._catalog.ask(refreshed))
                # An answer that the catalog gave before is written some turns of the loop later.
                for _ in range(_TURNS):
                    await asyncio.sleep(0)
                for move in moves:
                    self._tell("forkpoint/didChangeSession", encode(move))
            self._news()
        except NoCatalog:
            pass
        except Exception:
            logger.exception("What changed could not be read")
        finally:
            self._is_asking = False
            if self._paths is None or self._paths:
                self._arm()


def _watched(options: Options) -> object:
    return options.claude_config_dirs, options.codex_homes, options.watch
