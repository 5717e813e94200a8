"""What the editor on the other side can show, as it said at the start."""

from __future__ import annotations

from typing import Any, cast, get_args

from attrs import frozen
from lsprotocol import types as lsp

from forkpoint.languages import ENGLISH, Language, language_for
from forkpoint.lsp.positions import Encoding

SHOW_BRANCH = "forkpoint.showBranch"
"""A command of a client's own: takes {sessionId, agentId, uuid} and shows that branch."""


@frozen(kw_only=True)
class Editor:
    """What answers of LSP's own kind depend on beside the files."""

    encoding: Encoding = "utf-16"
    """What its positions count."""
    shows_markdown: bool = False
    """In a hover."""
    nests_symbols: bool = False
    most_folds: int | None = None
    """Folding ranges that it takes of one document."""
    opens_transcripts: bool = False
    """It shows readable transcripts as documents (`initializationOptions.transcripts` is
    `readable`) and asks for the place of a symbol when it goes there: prompts are then found in
    these, not in the raw files."""
    language: Language = ENGLISH
    """For what is put together of sentences; others are said where they are sent."""
    commands: frozenset[str] = frozenset()
    """Commands of its own that a lens may name (`initializationOptions.commands`)."""


def editor_of(params: lsp.InitializeParams, encoding: str | None) -> Editor:
    """Read what a client says of itself."""
    documents = params.capabilities.text_document or lsp.TextDocumentClientCapabilities()
    hover, folding, symbols = documents.hover, documents.folding_range, documents.document_symbol
    given = params.initialization_options
    options = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
    formats = (hover and hover.content_format) or []
    return Editor(
        encoding=next((each for each in get_args(Encoding) if each == encoding), "utf-16"),
        shows_markdown=lsp.MarkupKind.Markdown in formats,
        nests_symbols=bool(symbols and symbols.hierarchical_document_symbol_support),
        most_folds=(folding and folding.range_limit) or None,
        opens_transcripts=options.get("transcripts") == "readable" and _resolves(params),
        language=language_for(params.locale),
        commands=_names(options.get("commands")),
    )


def _resolves(params: lsp.InitializeParams) -> bool:
    workspace = params.capabilities.workspace
    support = workspace and workspace.symbol and workspace.symbol.resolve_support
    return bool(support and "location.range" in support.properties)


def _names(value: object) -> frozenset[str]:
    names = cast("list[object]", value) if isinstance(value, list) else []
    return frozenset(name for name in names if isinstance(name, str))
