"""`workspace/textDocumentContent`: what stands in a document that only Forkpoint has?"""

from __future__ import annotations

from lsprotocol import types as lsp

from forkpoint.catalog import Catalog
from forkpoint.lsp.features.checkpoint_content import checkpoint_content
from forkpoint.lsp.features.transcript import transcript
from forkpoint.lsp.raw_text import raw_text
from forkpoint.protocol import raw_uri, transcript_uri, types, version_uri
from forkpoint.protocol.errors import InvalidParams


def document_content(
    catalog: Catalog, params: lsp.TextDocumentContentParams
) -> lsp.TextDocumentContentResult:
    """Give a version's text, or a sentence in its place; or a transcript, readable or its lines."""
    if version_uri.shown_by(params.uri) is not None:
        asked = types.CheckpointContentParams(document=params.uri)
        content = checkpoint_content(catalog, asked)
        text = content.sentence if content.text is None else content.text
        return lsp.TextDocumentContentResult(text=text or "")
    if (packed := raw_uri.shown_by(params.uri)) is not None:
        return lsp.TextDocumentContentResult(text=raw_text(catalog, packed))
    named = transcript_uri.named_by(params.uri)
    if named is None or named.image is not None:
        raise InvalidParams("uri must be the address of a version or of a transcript")
    wanted = types.TranscriptParams(
        session_id=named.session_id,
        agent_id=named.agent_id,
        leaf=named.leaf,
        before=named.before,
    )
    return lsp.TextDocumentContentResult(text=transcript(catalog, wanted).text)
