"""Starts the server: the first answers at once, all others when LSP's types are imported.

One process, one catalog, one reader of standard input. The first phase answers until the server
proper, which another thread makes, is ready; then that goes on with the next byte.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar

from forkpoint.lsp.first_phase import FirstPhase
from forkpoint.lsp.opened_catalog import OpenedCatalog
from forkpoint.lsp.stdio import Input, claim_stdio

if TYPE_CHECKING:
    from forkpoint.lsp.indexing import Catalog
    from forkpoint.lsp.options import Options
    from forkpoint.lsp.server import ForkpointServer

C = TypeVar("C", bound="Catalog")

PATIENCE_SECONDS = 0.1
"""How long the imports wait for the first answer: both at once take twice as long for that. A
client that asks nothing gets the server proper so much later."""


def serve_at_once(
    open_catalog: Callable[[Options], C],
    questions: Mapping[str, Callable[[C, Any], object]],
    content_schemes: Sequence[str],
    create: Callable[[OpenedCatalog[C]], ForkpointServer],
) -> int:
    """Serve on standard input and output until the client ends it or is gone.

    Args:
        open_catalog: As `create_server` takes it.
        questions: Those of the handlers whose answers must not wait for `create`.
        content_schemes: As `create_server` takes them.
        create: Imports and makes the server that answers everything, on a thread of its own.

    Returns:
        The exit code that LSP asks for: 0 after a `shutdown` request, else 1.
    """
    arriving, output = claim_stdio()
    catalog = OpenedCatalog(open_catalog)
    first = FirstPhase(output, catalog, questions, content_schemes)
    made = _made_beside(lambda: create(catalog), first.may_pause, arriving)
    try:
        while (chunk := arriving.next()) is not None:
            first.take(chunk)
    except KeyboardInterrupt:
        return 1
    server = made.result()
    from forkpoint.lsp.server import serve_streams

    try:
        return serve_streams(server, arriving, output, first.hand_over())
    finally:
        catalog.finish()


def _made_beside(
    create: Callable[[], ForkpointServer], may_begin: threading.Event, arriving: Input
) -> Future[ForkpointServer]:
    """Make the server on another thread, and call who waits for input when that is done."""
    made: Future[ForkpointServer] = Future()

    def make() -> None:
        may_begin.wait(PATIENCE_SECONDS)
        try:
            made.set_result(create())
        except BaseException as error:
            made.set_exception(error)
        arriving.call()

    threading.Thread(target=make, name="start", daemon=True).start()
    return made
