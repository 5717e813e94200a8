"""The language server: binds questions to the functions that answer them, and keeps the order.

The event loop reads, decodes and writes. The catalog is asked on its own thread, so a question that
takes long delays those behind it but not what needs no catalog: cancelling, settings, the end.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from lsprotocol import types as lsp
from pygls.io_ import run_async
from pygls.lsp.server import LanguageServer

from forkpoint import __version__
from forkpoint.languages import Language
from forkpoint.lsp.catalog_thread import CatalogThread, NoCatalog, Urgency
from forkpoint.lsp.editor import Editor, editor_of
from forkpoint.lsp.first_phase import Taken
from forkpoint.lsp.indexing import BackgroundIndexing, Catalog, CatalogNews
from forkpoint.lsp.live import Live, TakeMoves
from forkpoint.lsp.opened_catalog import OpenedCatalog, opened_catalog
from forkpoint.lsp.options import Options
from forkpoint.lsp.rpc import ForkpointProtocol
from forkpoint.lsp.settings import Settings
from forkpoint.lsp.stdio import Input, Output, claim_stdio
from forkpoint.protocol.encode import encode
from forkpoint.protocol.errors import RequestFailed
from forkpoint.protocol.params import decode_params
from forkpoint.stand_ins import missing_natives

if TYPE_CHECKING:
    from pygls.io_ import Writer
    from pygls.server import ServerErrors

C = TypeVar("C", bound=Catalog)

InLanguage = Callable[[Language], Mapping[str, Callable[[C, Any], object]]]
"""Handlers that keep answers in a language, by their methods."""

logger = logging.getLogger(__name__)


Answer = Callable[[Any], Coroutine[Any, Any, Any]]

FEATURE_OPTIONS: Mapping[str, Any] = {
    # Where an editor shows outlines of several kinds: a readable text is Markdown, too.
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: lsp.DocumentSymbolOptions(label="Transcript"),
    lsp.TEXT_DOCUMENT_DIAGNOSTIC: lsp.DiagnosticOptions(
        inter_file_dependencies=False, workspace_diagnostics=False, identifier="forkpoint"
    ),
}
"""What is announced of a method beside that it is there, where pygls does not say it."""

TEXTS = frozenset(
    {
        "forkpoint/transcript",
        "forkpoint/transcriptPlace",
        "forkpoint/checkpointContent",
        "workspace/textDocumentContent",
    }
)
"""What somebody waits for who opens a document, while views ask about its session, too."""


class ForkpointServer(LanguageServer):
    """A language server whose failures go to the log, never to the editor as a message.

    Attributes:
        editor: what the client said of itself.
    """

    editor = Editor()

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
    open_catalog: Callable[[Options], C] | OpenedCatalog[C],
    handlers: Mapping[str, Callable[[C, Any], object]],
    standard_handlers: Mapping[str, Callable[[C, Any, Editor], object]] | None = None,
    content_schemes: Sequence[str] = (),
    take_moves: TakeMoves[C] | None = None,
    in_language: InLanguage[C] | None = None,
) -> ForkpointServer:
    """Make a server that answers from a catalog.

    Args:
        open_catalog: As `OpenedCatalog` takes it, or what was made of it and may be open already.
        handlers: For each method a function from catalog and parameters to a wire value. It may
            raise `RequestFailed`. It runs on the catalog's thread, as do `open_catalog` and all
            methods of the catalog.
        standard_handlers: The same for LSP's own methods, from lsprotocol's types to these or to
            plain JSON; they are told what the editor can show.
        content_schemes: Schemes of the documents whose content `standard_handlers` give.
        take_moves: Gives what happened to the sessions that are followed since it was last called.
        in_language: Gives what takes the place of those of `handlers` that answer with sentences
            kept in English, where the client speaks another language.
    """
    opened = opened_catalog(open_catalog)
    catalog = opened.thread
    server = _server_without_texts()

    def found() -> None:
        indexing.start()
        live.look()

    news = CatalogNews(server.protocol, catalog, found)
    indexing = BackgroundIndexing(server.protocol, catalog, news)
    live = Live(server.protocol.notify, catalog, take_moves, news.expect)
    _go_by_the_client(server, opened, news, indexing, live)
    known = _Questions(server, catalog, news, live.order)
    named = _in_any_language(server, handlers, in_language)
    known.answer(named, lambda method: partial(decode_params, method), encode)
    known.answer(_for_editor(server, standard_handlers or {}), lambda _: _as_it_is, _as_it_is)
    server.rpc.content_schemes = content_schemes
    return server


def _server_without_texts() -> ForkpointServer:
    """What is asked about is read on disk: a text of a hundred megabytes need not be held."""
    server = ForkpointServer(
        "forkpoint",
        __version__,
        text_document_sync_kind=lsp.TextDocumentSyncKind.None_,
        protocol_cls=ForkpointProtocol,
    )

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
        server.workspace.remove_text_document(params.text_document.uri)

    return server


def _go_by_the_client(
    server: ForkpointServer,
    opened: OpenedCatalog[C],
    news: CatalogNews[C],
    indexing: BackgroundIndexing[C],
    live: Live[C],
) -> None:
    """Bind what the client says of itself and of its settings."""

    def go_by(before: Options, options: Options) -> None:
        if opened.go_by(options):
            indexing.start()
            live.start(options)
            return
        if options.watch != before.watch:
            live.start(options)
        news.expect()

    settings = Settings(server.protocol, changed=go_by)

    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        settings.begin(params.initialization_options)
        opened.go_by(settings.options)
        server.editor = editor_of(params, server.workspace.position_encoding)
        server.rpc.language = server.editor.language

    @server.feature(lsp.INITIALIZED)
    def initialized(params: lsp.InitializedParams) -> None:
        settings.follow()
        indexing.start()
        live.start(settings.options)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def did_change_configuration(params: lsp.DidChangeConfigurationParams) -> None:
        settings.take(params.settings)

    @server.feature(lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def cancel_progress(params: lsp.WorkDoneProgressCancelParams) -> None:
        indexing.cancel(params.token)


def serve_stdio(server: ForkpointServer) -> int:
    """Serve on standard input and output until the client ends it or is gone.

    Returns:
        The exit code that LSP asks for: 0 after a `shutdown` request, else 1.
    """
    arriving, output = claim_stdio()
    return serve_streams(server, arriving, output, Taken(None, b"", is_end=False))


def serve_streams(server: ForkpointServer, arriving: Input, output: Output, taken: Taken) -> int:
    """Go on from what was taken of a connection; the rest is as with `serve_stdio`."""
    logging.basicConfig(stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("pygls").setLevel(logging.WARNING)
    if missing := missing_natives():
        logger.warning("Without native parts of %s: answers take longer", ", ".join(missing))
    server.rpc.set_writer(cast("Writer", output))
    try:
        asyncio.run(_read_to_the_end(server, arriving, taken))
    except (KeyboardInterrupt, SystemExit, asyncio.IncompleteReadError):
        pass  # the end was asked for, or came in the middle of a message
    finally:
        arriving.pass_to(_nowhere)
        server.shutdown()
    return 0 if server.rpc.is_shut_down else 1


async def _read_to_the_end(server: ForkpointServer, arriving: Input, taken: Taken) -> None:
    stream = asyncio.StreamReader(limit=sys.maxsize)
    loop = asyncio.get_running_loop()
    if taken.initialize is not None:
        server.rpc.take_over(taken.initialize)
    stream.feed_data(taken.unread)
    if taken.is_end:
        stream.feed_eof()

    def feed(chunk: bytes) -> None:
        if chunk:
            stream.feed_data(chunk)
        else:
            stream.feed_eof()

    arriving.pass_to(lambda chunk: loop.call_soon_threadsafe(feed, chunk))
    await run_async(
        threading.Event(), _Turns(stream), server.rpc, logger, server.report_server_error
    )


class _Turns:
    """A reader that lets the loop turn for each line and body, also when the bytes are there.

    One message takes three: what it set off, even the end of a task that it cancelled, is done
    before the next is looked at.
    """

    def __init__(self, stream: asyncio.StreamReader) -> None:
        self._stream = stream

    def readline(self) -> Awaitable[bytes]:
        """Give a line, or what there is at the end."""
        return self._after_a_turn(self._stream.readline())

    def readexactly(self, n: int) -> Awaitable[bytes]:
        """Give a body."""
        return self._after_a_turn(self._stream.readexactly(n))

    async def _after_a_turn(self, read: Coroutine[Any, Any, bytes]) -> bytes:
        await asyncio.sleep(0)
        return await read


def _nowhere(chunk: bytes) -> None:
    """Where bytes go that nobody reads."""


def _as_it_is(value: Any) -> Any:
    """LSP's own types go through pygls' converter."""
    return value


def _for_editor(
    server: ForkpointServer, handlers: Mapping[str, Callable[[C, Any, Editor], object]]
) -> Mapping[str, Callable[[C, Any], object]]:
    """Handlers that answer for the editor on the other side."""

    def told(handler: Callable[[C, Any, Editor], object]) -> Callable[[C, Any], object]:
        return lambda catalog, params: handler(catalog, params, server.editor)

    return {method: told(handler) for method, handler in handlers.items()}


def _in_any_language(
    server: ForkpointServer,
    handlers: Mapping[str, Callable[[C, Any], object]],
    in_language: InLanguage[C] | None,
) -> Mapping[str, Callable[[C, Any], object]]:
    """Handlers, or what stands for them where the client does not speak English."""

    def chosen(method: str) -> Callable[[C, Any], object]:
        def answer(catalog: C, params: Any) -> object:
            language = server.rpc.language
            handler = handlers[method]
            if in_language is not None and not language.is_english:
                handler = in_language(language).get(method, handler)
            return handler(catalog, params)

        return answer

    return {method: chosen(method) for method in handlers}


class _Questions(Generic[C]):
    """Binds what can be asked to the functions that answer it."""

    def __init__(
        self,
        server: LanguageServer,
        catalog: CatalogThread[C],
        news: CatalogNews[C],
        order: asyncio.Lock,
    ) -> None:
        """Bind nothing yet; `order` is held by answers that moves must not overtake."""
        self._server, self._catalog, self._news = server, catalog, news
        self._order = order

    def answer(
        self,
        handlers: Mapping[str, Callable[[C, Any], object]],
        decoder: Callable[[str], Callable[[Any], Any]],
        write: Callable[[Any], Any],
    ) -> None:
        """Have these functions answer; `decoder` gives what reads the parameters of a method."""
        for method, handler in handlers.items():
            urgency = Urgency.READER_WAITS if method in TEXTS else Urgency.CLIENT_WAITS
            answer = self._answering(decoder(method), handler, write, urgency)
            in_order = method == "forkpoint/watch"
            bind = self._server.feature(method, FEATURE_OPTIONS.get(method))
            bind(self._in_order(answer) if in_order else answer)

    def _in_order(self, answer: Answer) -> Answer:
        async def answer_in_order(params: Any) -> Any:
            async with self._order:
                return await answer(params)

        return answer_in_order

    def _answering(
        self,
        decode: Callable[[Any], Any],
        handler: Callable[[C, Any], object],
        write: Callable[[Any], Any],
        urgency: Urgency,
    ) -> Answer:
        async def answer(params: Any) -> Any:
            decoded = decode(params)
            asked = self._catalog.ask(lambda known: write(handler(known, decoded)), urgency)
            try:
                return await asyncio.wrap_future(asked)
            except NoCatalog:
                sentence = "Forkpoint could not open its catalog; its log says why."
                raise RequestFailed("unreadable", sentence) from None
            finally:
                self._news.expect()

        return answer
