"""`forkpoint/checkpointContent`, and the same as a text document: what does a version hold?"""

from __future__ import annotations

from base64 import b64encode

from forkpoint.backups import Copy
from forkpoint.catalog import Catalog
from forkpoint.contents import EMPTY, Patched, Replaced, Source
from forkpoint.disk import Unreadable
from forkpoint.layout import parse_backup_name
from forkpoint.protocol import types
from forkpoint.protocol.errors import InvalidParams, RequestFailed
from forkpoint.protocol.uri import path_of
from forkpoint.protocol.version_uri import file_of_version, shown_by
from forkpoint.worded import say
from forkpoint.written_text import read_text


def checkpoint_content(
    catalog: Catalog, params: types.CheckpointContentParams
) -> types.CheckpointContentResult:
    """Give a version's content as text, as bytes, or say why not."""
    source = _source(catalog, params.document)
    try:
        catalog.contents.begin()
        data = catalog.contents.data(source)
    except Unreadable:
        sentence = say("This version's copy is not there any more, or cannot be read.")
        raise RequestFailed("unreadable", sentence) from None
    if data is None:
        size = catalog.contents.size(source) or 0
        return _without_text(
            size, say("This version is too large to show: {words}.", words=_words(size))
        )
    written = read_text(data)
    if written is None:
        sentence = say("This version is no text: {words}.", words=_words(len(data)))
        return _without_text(len(data), sentence, b64encode(data).decode())
    return types.CheckpointContentResult(
        text=written.text,
        base64=None,
        encoding=written.encoding,
        eol=written.eol,
        size_bytes=len(data),
        sentence=None,
    )


def _source(catalog: Catalog, uri: str) -> Source:
    shown = shown_by(uri)
    if shown is None:
        raise InvalidParams(say("document must be the document of a version"))
    if shown.backup is None and shown.result is None and shown.patch is None:
        return EMPTY
    entry = catalog.entry(shown.session_id)
    if shown.patch is not None:
        path = path_of(file_of_version(uri))
        return Patched(entry.session_id, path, shown.patch, shown.is_before)
    if shown.result is not None:
        return Replaced(entry.session_id, shown.result)
    name = shown.backup or ""
    if parse_backup_name(name) is None:
        raise InvalidParams(say("document must be the document of a version"))
    return Copy(entry.root, entry.session_id, name)


def _without_text(
    size: int, sentence: str, base64: str | None = None
) -> types.CheckpointContentResult:
    return types.CheckpointContentResult(
        text=None, base64=base64, encoding=None, eol=None, size_bytes=size, sentence=sentence
    )


def _words(size: int) -> str:
    if size < 1_000_000:
        return say("{size:,} bytes", size=size)
    return f"{size / 1e6:,.1f} MB"
