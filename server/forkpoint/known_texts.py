"""Does a file differ from all that the agent knows of it: its copies, and what its edits made?

What was edited by hand since would be lost by a restore without a trace.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator

from forkpoint.records.edits import Edit, apply_edit
from forkpoint.text_lines import agent_text

MOST_TEXTS = 200
"""Texts tried for an edit whose base nothing tells; a file edited more often is compared with what
these make of it."""

KEPT_AT_MOST = 32 * 1024 * 1024
"""Characters of texts that are kept to build on: a large file may be edited again and again."""


def is_known(
    content: bytes, copies: Iterable[bytes], edits: Iterable[tuple[Edit, str | None]]
) -> bool:
    """Say whether a content is one that the agent wrote or copied.

    Args:
        content: the file as it is now.
        copies: contents of its copies.
        edits: successful edits in their order, each with the text before it if that is told.
    """
    plain, wanted = _plain(content), _text(content)
    known = _Texts()
    for copy in copies:
        if _plain(copy) == plain:
            return True
        known.add(_text(copy))
    for text in _made_by(edits, known):
        if text == wanted:
            return True
        known.add(text)
    return False


class _Texts:
    """Distinct texts, the newest of them."""

    def __init__(self) -> None:
        self._texts: dict[str, None] = {}
        self._length = 0

    def add(self, text: str) -> None:
        if text in self._texts:
            return
        self._texts[text] = None
        self._length += len(text)
        while self._length > KEPT_AT_MOST or len(self._texts) > MOST_TEXTS:
            oldest = next(iter(self._texts))
            del self._texts[oldest]
            self._length -= len(oldest)

    def all(self) -> list[str]:
        return list(self._texts)


def _made_by(edits: Iterable[tuple[Edit, str | None]], known: _Texts) -> Iterator[str]:
    """The texts that edits left; `known` grows meanwhile by what was given out."""
    for edit, original in edits:
        bases = [_lines(original)] if original is not None else [None, *known.all()]
        made = (apply_edit(edit, base) for base in bases)
        yield from {_lines(text): None for text in made if text is not None}


def _plain(content: bytes) -> bytes:
    """What a copy is compared by: bytes that are no text are not all the same."""
    return content.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n")


def _text(content: bytes) -> str:
    """The client edits texts: no byte order mark, and LF for every line end."""
    return _lines(agent_text(content))


def _lines(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n")
