"""The catalog that goes by the options in force, on its thread."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from forkpoint.lsp.catalog_thread import CatalogThread, NoCatalog

if TYPE_CHECKING:
    from forkpoint.lsp.indexing import Catalog
    from forkpoint.lsp.options import Options

C = TypeVar("C", bound="Catalog")

FINISH_SECONDS = 1.0
"""How long the end of the server waits: editors kill one that takes longer than two seconds."""

logger = logging.getLogger(__name__)


class OpenedCatalog(Generic[C]):
    """Opens a catalog once for the options in force, whoever of those that start the server asks.

    Attributes:
        thread: the one that may touch it.
    """

    def __init__(self, open_catalog: Callable[[Options], C]) -> None:
        """Open nothing yet.

        Args:
            open_catalog: Called with the options in force, and again whenever they name other
                folders, always on the catalog's thread. What else they say goes to the catalog by
                `adopt`.
        """
        self.thread: CatalogThread[C] = CatalogThread()
        self._open_catalog = open_catalog
        self._options: Options | None = None

    def go_by(self, options: Options) -> bool:
        """Go by these options from now on, before later questions.

        Returns:
            Whether that takes another catalog, or the first.
        """
        before, self._options = self._options, options
        if before == options:
            return False
        if before is None or _places(options) != _places(before):
            self.thread.ask(lambda known: known.close()).add_done_callback(_log_failure)
            self.thread.open(lambda: self._opened(options)).add_done_callback(_log_failure)
            return True
        self.thread.ask(lambda known: _adopt(options, known)).add_done_callback(_log_failure)
        return False

    def finish(self) -> None:
        """Have it write what is worth to be kept, and let go of what is open; not for long."""

        def end(known: C) -> None:
            known.keep()
            known.close()

        with suppress(Exception):
            self.thread.ask(end).result(FINISH_SECONDS)

    def _opened(self, options: Options) -> C:
        known = self._open_catalog(options)
        known.heed(self.thread.is_unwanted)
        _adopt(options, known)
        return known


def opened_catalog(given: Callable[[Options], C] | OpenedCatalog[C]) -> OpenedCatalog[C]:
    """Give what is given, or what is made of it when it only says how to open."""
    if isinstance(given, OpenedCatalog):
        return cast("OpenedCatalog[C]", given)
    return OpenedCatalog(given)


def _places(options: Options) -> object:
    """What takes another catalog."""
    search = options.search_tool_outputs, options.watch == "off"
    return options.claude_config_dirs, options.codex_homes, options.cache_dir, search


def _adopt(options: Options, catalog: Catalog) -> None:
    catalog.adopt(
        prices=options.prices,
        account=options.account,
        status_line_cache=options.status_line_cache,
    )


def _log_failure(done: Future[None]) -> None:
    """Log why a catalog does not go by the options; one that was never opened is logged already."""
    error = None if done.cancelled() else done.exception()
    if error is not None and not isinstance(error, NoCatalog):
        logger.error("The catalog could not be opened", exc_info=error)
