"""`forkpoint serve`: the language server over the catalog, with all that it can be asked."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from forkpoint.lsp.start import serve_at_once
from forkpoint.named import (
    keeping_for,
    named_homes,
    named_roots,
    search_for,
    usual_homes,
    usual_roots,
)
from forkpoint.protocol import raw_uri, transcript_uri, version_uri

if TYPE_CHECKING:
    from forkpoint.catalog import Catalog
    from forkpoint.lsp.opened_catalog import OpenedCatalog
    from forkpoint.lsp.options import Options
    from forkpoint.lsp.server import ForkpointServer
    from forkpoint.protocol.types import SessionsParams, SessionsResult

CONTENT_SCHEMES = (version_uri.SCHEME, transcript_uri.SCHEME, raw_uri.SCHEME)
"""Of the documents that have content here."""


def serve(options: argparse.Namespace) -> int:
    """Serve on standard input and output; what is imported when is what the start is made of."""

    def open_catalog(chosen: Options) -> Catalog:
        from forkpoint.catalog import Catalog

        roots = list(chosen.claude_config_dirs or named_roots(options))
        homes = list(chosen.codex_homes or named_homes(options))
        agents = [*roots, *homes]
        keeping = keeping_for(agents, chosen.cache_dir)
        with_outputs = chosen.search_tool_outputs
        search = search_for(agents, chosen.cache_dir, with_outputs=with_outputs)
        usual = usual_roots()[0], usual_homes()[0]
        catalog = Catalog(roots, usual[0], keeping, search, homes, usual[1])
        catalog.searching.is_watched = chosen.watch != "off"
        return catalog

    return serve_at_once(
        open_catalog, {"forkpoint/sessions": _sessions}, CONTENT_SCHEMES, everything
    )


def _sessions(catalog: Catalog, params: SessionsParams) -> SessionsResult:
    from forkpoint.lsp.features.sessions import sessions

    return sessions(catalog, params)


def everything(catalog: OpenedCatalog[Catalog]) -> ForkpointServer:
    """Make the server that answers whatever can be asked; its imports take half a second."""
    from forkpoint.lsp.features.watch import take_moves
    from forkpoint.lsp.handlers import SERVED, STANDARD_HANDLERS, served_in
    from forkpoint.lsp.server import create_server

    return create_server(catalog, SERVED, STANDARD_HANDLERS, CONTENT_SCHEMES, take_moves, served_in)
