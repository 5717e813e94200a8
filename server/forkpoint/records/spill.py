"""Where the whole output of a tool went, if it was too long for the transcript."""

from __future__ import annotations

import re
from typing import NamedTuple

from forkpoint.records.calls import base_name


class Spill(NamedTuple):
    """A file beside the transcript.

    Attributes:
        name: its bare name; None where the name written is none that may be opened.
        size: of the output in bytes; None where the client did not say.
    """

    name: str | None
    size: int | None


def spill_of(text: str, account: dict[str, object]) -> Spill | None:
    """Find the file by the row's account, else by the mark inside the text.

    Args:
        text: what stands in the transcript in the place of the output.
        account: `toolUseResult` of the row; `persistedOutputPath` and `persistedOutputSize` stand
            there for Bash (seen in 2.1.332). The mark alone gives a rounded size.
    """
    path, size = account.get("persistedOutputPath"), account.get("persistedOutputSize")
    mark = _MARK.match(text[:_MARK_LIMIT])
    if not isinstance(path, str):
        if mark is None:
            return None
        path = mark[3].strip()
    if isinstance(size, bool) or not isinstance(size, int) or size < 0:
        size = round(float(mark[1]) * _UNITS[mark[2]]) if mark and mark[1] else None
    # The path is one of the writing machine: only its last part may be used, and only as a name.
    name = base_name(path)
    return Spill(name if _FILE_NAME.fullmatch(name) else None, size)


def spilled_path(line: bytes) -> bytes | None:
    """Return the path that a record gives for a whole output, as JSON text with its quotes."""
    found = _PATH.search(line)
    return found[1] if found else None


_PATH = re.compile(rb'"persistedOutputPath":("[^"\\]*+(?:\\.[^"\\]*+)*+")')

_MARK = re.compile(
    r"<persisted-output>\s*(?:[^\n]*?\((\d+(?:\.\d+)?) ?(B|KB|MB|GB)\))?[^\n]*?saved to: ([^\n]+)"
)
_MARK_LIMIT = 5000
"""Room for a path of 4,096 bytes."""
_UNITS = {"B": 1, "KB": 1024, "MB": 1024**2, "GB": 1024**3}
_FILE_NAME = re.compile(r"(?!\.{1,2}\Z)[^/\\:\x00-\x1f]+")
