"""The lines of a compressed transcript, as a document for an editor."""

from __future__ import annotations

from forkpoint import transcript_bytes
from forkpoint.catalog import Catalog
from forkpoint.lsp.documents import raw_transcript
from forkpoint.protocol.errors import RequestFailed

MOST = 32 * 1024 * 1024
"""Bytes of lines that are given; an editor shows no more than some tens of megabytes."""


def raw_text(catalog: Catalog, path: str, most: int = MOST) -> str:
    """Return the lines of a transcript that was found, the last one ended or not.

    Of a longer one the first lines, and a sentence behind them. Raises `RequestFailed` for a file
    that is no transcript of a session, and `Unreadable`.
    """
    found = raw_transcript(catalog, path)
    if found is None:
        raise RequestFailed("unknownSession", "This file is no transcript of a known session.")
    data = bytearray()
    for chunk in transcript_bytes.read(found):
        data += chunk
        if len(data) > most:
            end = data.rfind(b"\n", 0, most) + 1
            told = f"Forkpoint shows the first {end:,} bytes of this transcript.\n"
            return data[:end].decode("utf-8", "replace") + told
    return data.decode("utf-8", "replace")
