"""Which words does a text hold, for searching?

A word is a run of letters and digits; everything else parts words, an underscore too, so that
`foo_bar` and `src/auth.py` are found by their parts, and as a whole by the phrase of them. `fooBar`
is one word. Case and accents do not count. Chinese, Japanese and Korean characters are a word each,
so that any run of them is found as a phrase. For text in ASCII these are the words that SQLite's
`unicode61` makes.

`folded` gives a text in which SQLite's `ascii` tokenizer finds the very same words: to it every
character beyond ASCII is a letter, whatever release of Unicode SQLite was built with.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from bisect import bisect_right
from functools import lru_cache
from typing import NamedTuple

UNICODE = unicodedata.unidata_version
"""The release that says what a letter is."""


def folded(text: str) -> str:
    """Fold all of a text beyond ASCII; what is ASCII keeps its case, which `ascii` folds."""
    if text.isascii():
        return text
    # The codec finds what is beyond ASCII in less than half the time that a pattern takes.
    return text.encode("ascii", _FOLDING).decode()


def tokens(text: str) -> list[str]:
    """Return the words of a text in their order, folded."""
    return _WORD.findall(folded(text).lower())


class Words(NamedTuple):
    """The words of a text, and where each stands: places are worked out when they are asked for."""

    words: list[str]
    spans: list[tuple[int, int]]
    """Of each word, in the text as it is folded."""
    starts: list[tuple[int, int, bool]]
    """Of each piece of the folded text, where it starts there and in the text, and whether each of
    its characters stands for one; else all of it stands for one."""

    def place(self, first: int, last: int) -> tuple[int, int]:
        """Return where in the text a run of words starts and ends."""
        return self._place(self.spans[first][0]), self._place(self.spans[last][1] - 1) + 1

    def _place(self, at: int) -> int:
        folded_start, start, is_plain = self.starts[bisect_right(self.starts, at, key=_first) - 1]
        return start + at - folded_start if is_plain else start


def composed(text: str) -> str:
    """Return a text that reads the same and holds the same words, for `words_in`."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def words_in(text: str) -> Words:
    """Return the words of a composed text with their places in it."""
    pieces: list[str] = []
    starts: list[tuple[int, int, bool]] = []
    length = done = 0

    def put(piece: str, start: int, *, is_plain: bool) -> None:
        nonlocal length
        pieces.append(piece)
        starts.append((length, start, is_plain))
        length += len(piece)

    for run in _BEYOND.finditer(text):
        put(text[done : run.start()].lower(), done, is_plain=True)
        for at, character in enumerate(run[0], run.start()):
            put(_fold(character), at, is_plain=False)
        done = run.end()
    put(text[done:].lower(), done, is_plain=True)
    matches = list(_WORD.finditer("".join(pieces)))
    return Words([match[0] for match in matches], [match.span() for match in matches], starts)


def _first(start: tuple[int, int, bool]) -> int:
    return start[0]


_BEYOND = re.compile(r"[^\x00-\x7f]+")
_WORD = re.compile(r"[0-9a-z\x80-\U0010ffff]+")

# Where words are not parted by blanks; Korean syllables may be written together as well.
_ONE_BY_ONE = re.compile(
    "[\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u303b\u303c"
    "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e\u31a0-\u31bf"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7fb\uf900-\ufaff"
    "\uff66-\uffdc\U0001aff0-\U0001b16f\U00020000-\U0003fffd]"
)
_VARIANT = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""They choose how the character before is drawn."""
_POINTS = range(10, 36)
"""Combining classes of the points of Hebrew and Arabic, which are mostly left out."""
_OVERLAY = 1
"""The class of strokes through a character."""
_ACCENTS = 200
"""The combining class from which on marks are accents above or below a letter."""


def _fold_error(error: UnicodeError) -> tuple[bytes, int]:
    """Fold the run of characters that ASCII does not have."""
    assert isinstance(error, UnicodeEncodeError)
    return _fold_run(error.object[error.start : error.end]).encode(), error.end


_FOLDING = "forkpoint-fold"
codecs.register_error(_FOLDING, _fold_error)


def _fold_run(run: str) -> str:
    if not unicodedata.is_normalized("NFC", run):
        # Syllables and accents may come in pieces, as in the names of files on macOS.
        run = unicodedata.normalize("NFC", run)
    return "".join(map(_fold, run))


@lru_cache(maxsize=65536)
def _fold(character: str) -> str:
    """What stands for a character: nothing for an accent, a blank for what parts words."""
    if "\ud800" <= character <= "\udfff":
        return " "
    if _VARIANT.match(character):
        return ""
    bare = _without_accents(_without_accents(character).casefold().lower())
    return "".join(map(_parted, bare))


def _without_accents(text: str) -> str:
    apart = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(c for c in apart if not _is_accent(c)))


def _is_accent(character: str) -> bool:
    mark = unicodedata.combining(character)
    return mark >= _ACCENTS or mark in _POINTS or mark == _OVERLAY


def _parted(character: str) -> str:
    if _ONE_BY_ONE.match(character):
        return f" {character} "
    # Marks that are no accents are parts of words: the vowels of Hindi or Thai.
    kind = unicodedata.category(character)
    is_word = kind[0] in "LNM" and kind != "Me"
    return character if is_word or character.isascii() else " "
