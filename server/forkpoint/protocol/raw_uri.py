"""Where an editor can see a transcript's own lines.

A plain transcript is a file. A compressed one is nothing that an editor shows: its address is that
of a document of the server's, `forkpoint-raw:` with the path without `.zst`, so that it looks like
the lines that it is.
"""

from __future__ import annotations

from forkpoint.codex_layout import COMPRESSED, SUFFIX, is_compressed
from forkpoint.protocol.uri import file_uri, path_of

SCHEME = "forkpoint-raw"
_PACKED = COMPRESSED.removeprefix(SUFFIX)


def raw_uri(path: str) -> str:
    """Return the address of a transcript's lines."""
    uri = file_uri(path)
    return SCHEME + uri.removeprefix("file").removesuffix(_PACKED) if is_compressed(path) else uri


def shown_by(uri: str) -> str | None:
    """Return the path of the compressed file that an address shows; None for any other address."""
    if not uri.startswith(f"{SCHEME}:/"):
        return None
    try:
        return path_of(f"file{uri.removeprefix(SCHEME)}") + _PACKED
    except ValueError:
        return None
