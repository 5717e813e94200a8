"""File URIs for paths of any system: a transcript may come from another one than ours."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote, urlsplit

_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_SAFE = "/-._~!$&'()*+,;=@"


def file_uri(path: str) -> str:
    """Return the `file:` URI of an absolute path in POSIX, drive or UNC spelling."""
    if path.startswith("\\\\"):
        return "file:" + _quoted(path.replace("\\", "/"))
    if _DRIVE.match(path):
        return "file:///" + _quoted(path.replace("\\", "/"))
    return "file://" + _quoted(path)


def path_of(uri: str) -> str:
    """Return the path of a `file:` URI, in the spelling of the system that it names."""
    parts = urlsplit(uri)
    path = unquote(parts.path, errors="replace")
    if parts.netloc and parts.netloc != "localhost":
        return "\\\\" + parts.netloc + path.replace("/", "\\")
    if _DRIVE.match(path[1:]):
        return path[1:].replace("/", "\\")
    return path


def is_uri(text: str) -> bool:
    """Say whether a text has the parts of a URI: an authority in brackets must be an address."""
    try:
        urlsplit(text)
    except ValueError:
        return False
    return True


def _quoted(path: str) -> str:
    return quote(path, safe=_SAFE, errors="replace")
