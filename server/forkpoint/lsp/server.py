"""The language server: binds questions to the functions that answer them, and keeps the order.

The event loop reads, decodes and writes. The catalog is asked on its own thread, so a question that
takes long delays those behind it but not what needs no catalog: cancelling, settings, the end.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from forkpoint import __version__
from forkpoint.lsp.catalog_thread import CatalogThread, NoCatalog
from forkpoint.lsp.indexing import BackgroundIndexing, Catalog, CatalogNews
from forkpoint.lsp.options import Options
from forkpoint.lsp.rpc import ForkpointProtocol
from forkpoint.lsp.settings import Settings
from forkpoint.protocol.encode import encode
from forkpoint.protocol.errors import RequestFailed
from forkpoint.protocol.params import decode_params

if TYPE_CHECKING:
    from pygls.server import ServerErrors

C = TypeVar("C", bound=Catalog)

logger = logging.getLogger(__name__)

SWITCH_SECONDS = 0.001
"""How long a thread may keep the others from running. A request passes several switches before it
is answered: while transcripts were indexed, one in twenty took 78 ms with Python's own 5 ms, and
20 ms with this."""


class ForkpointServer(LanguageServer):
    """A language server whose failures go to the log, never to the editor as a message."""

    @property
    def rpc(self) -> ForkpointProtocol:
        """The protocol by its own type."""
        return cast("ForkpointProtocol", self.protocol)

    def report_server_error(self, error: Exception, source: ServerErrors) -> None:
        """Log what went wrong outside of a request, and answer a body that is not JSON."""
        logger.error("%s: %s", type(error).__name__, error)
        if isinstance(error, ValueError | RecursionError):
            self.rpc.refuse_unreadable()


def create_server(
    open_catalog: Callable[[Options], C],
    handlers: Mapping[str, Callable[[C, Any], object]],
    standard_handlers: Mapping[str, Callable[[C, Any], object]] | None = None,
    content_schemes: Sequence[str] = (),
) -> ForkpointServer:
    """Make a server that answers from a catalog.

    Args:
        open_catalog: Called with the options in force, and again whenever they name other folders;
            what else they say goes to the catalog by `adopt`.
        handlers: For each method a function from catalog and parameters to a wire value. It may
            raise `RequestFailed`. It runs on the catalog's thread, as do `open_catalog` and all
            methods of the catalog.
        standard_handlers: The same for LSP's own methods, from and to lsprotocol's types.
        content_schemes: Schemes of the documents whose content `standard_handlers` give.
    """
    catalog: CatalogThread[C] = CatalogThread()
    server = ForkpointServer(
        "forkpoint",
        __version__,
        text_document_sync_kind=lsp.TextDocumentSyncKind.None_,
        protocol_cls=ForkpointProtocol,
    )
    news = CatalogNews(server.protocol, catalog, found=lambda: indexing.start())
    indexing = BackgroundIndexing(server.protocol, catalog, news)

    def open_with(options: Options) -> None:
        def opened() -> C:
            known = open_catalog(options)
            _adopt(options, known)
            return known

        catalog.open(opened).add_done_callback(_log_failure)

    def go_by(before: Options, options: Options) -> None:
        if options.claude_config_dirs != before.claude_config_dirs:
            open_with(options)
            indexing.start()
        else:
            catalog.ask(partial(_adopt, options)).add_done_callback(_log_failure)
            news.expect()

    settings = Settings(server.protocol, changed=go_by)

    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        settings.begin(params.initialization_options)
        open_with(settings.options)

    @server.feature(lsp.INITIALIZED)
    def initialized(params: lsp.InitializedParams) -> None:
        settings.follow()
        indexing.start()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def did_change_configuration(params: lsp.DidChangeConfigurationParams) -> None:
        settings.take(params.settings)

    for method, handler in handlers.items():
        decode = partial(decode_params, method)
        server.feature(method)(_answering(decode, handler, encode, catalog, news))
    for method, handler in (standard_handlers or {}).items():
        server.feature(method)(_answering(_as_it_is, handler, _as_it_is, catalog, news))
    server.rpc.content_schemes = content_schemes
    return server


def serve_stdio(server: ForkpointServer) -> int:
    """Serve on standard input and output until the client ends it or is gone.

    Returns:
        The exit code that LSP asks for: 0 after a `shutdown` request, else 1.
    """
    logging.basicConfig(stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("pygls").setLevel(logging.WARNING)
    sys.setswitchinterval(SWITCH_SECONDS)
    stdout, sys.stdout = sys.stdout, sys.stderr  # a stray print must not break into the wire
    server.start_io(sys.stdin.buffer, stdout.buffer)
    return 0 if server.rpc.is_shut_down else 1


def _as_it_is(value: Any) -> Any:
    """LSP's own types go through pygls' converter."""
    return value


def _answering(
    decode: Callable[[Any], Any],
    handler: Callable[[C, Any], object],
    write: Callable[[Any], Any],
    catalog: CatalogThread[C],
    news: CatalogNews[C],
) -> Callable[[Any], Coroutine[Any, Any, Any]]:
    async def answer(params: Any) -> Any:
        decoded = decode(params)
        asked = catalog.ask(lambda known: write(handler(known, decoded)))
        try:
            return await asyncio.wrap_future(asked)
        except NoCatalog:
            sentence = "Forkpoint could not open its catalog; its log says why."
            raise RequestFailed("unreadable", sentence) from None
        finally:
            news.expect()

    return answer


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
