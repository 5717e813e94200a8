"""Texts by number, each once: one piece of memory in place of an object for each.

The API's ids have some thirty characters; as objects, with a map to find them by, they take six
times as much.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate, count, islice

_FEW = 16
"""Searches through the texts before the map is built: it takes as long as about twenty."""


class Ids:
    """Texts in the order in which they came first; each comes back as it was given.

    While there is a map, it alone has what came since: `settle` writes that down.
    """

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._ends = array("Q")
        self._map: defaultdict[str, int] | None = defaultdict(None)
        self._searches = 0

    def __len__(self) -> int:
        return len(self._ends if self._map is None else self._map)

    def __getitem__(self, number: int) -> str:
        self.settle()
        start = self._ends[number - 1] if number else 0
        return self._bytes[start : self._ends[number]].decode(*_CODING)

    def __iter__(self) -> Iterator[str]:
        self.settle()
        texts, start = bytes(self._bytes), 0
        for end in self._ends:
            yield texts[start:end].decode(*_CODING)
            start = end

    def find(self, text: str) -> int | None:
        """Return the number of a text."""
        if self._map is None and text:
            self._searches += 1
            if self._searches <= _FEW:
                return self._search(text.encode(*_CODING))
        return self._known().get(text)

    def find_all(self, texts: Sequence[str]) -> list[int | None]:
        """Return the number of each text."""
        return [*map(self._known().get, texts)]

    def add(self, text: str) -> int:
        """Return the number of a text, which is taken in if it is new."""
        number = self.find(text)
        if number is None:
            number = len(self)
            if self._map is None:
                self._append([text])
            else:
                self._map[text] = number
        return number

    def add_all(self, texts: Sequence[str]) -> list[int]:
        """Return the number of each text; those that are new are taken in."""
        known = self._known()
        known.default_factory = count(len(known)).__next__
        numbers = [*map(known.__getitem__, texts)]
        known.default_factory = None
        return numbers

    def cut(self, end: int) -> None:
        """Forget the texts from a number on."""
        known = self._known()
        while len(known) > end:
            known.popitem()
        del self._ends[end:]
        del self._bytes[self._ends[-1] if self._ends else 0 :]

    def settle(self) -> None:
        """Have all that is to be kept in the two columns."""
        if self._map is not None and len(self._map) > len(self._ends):
            self._append([*islice(self._map, len(self._ends), None)])

    def rest(self) -> None:
        """Give the map's memory back; it is built anew when many texts are looked for."""
        self.settle()
        self._map, self._searches = None, 0

    def _known(self) -> defaultdict[str, int]:
        if self._map is None:
            self._map = defaultdict(None, zip(self, count()))
        return self._map

    def _append(self, texts: Sequence[str]) -> None:
        joined = "".join(texts)
        pieces: Sequence[str | bytes] = texts
        if not joined.isascii():
            pieces = [text.encode(*_CODING) for text in texts]
        ends = accumulate(map(len, pieces), initial=len(self._bytes))
        self._ends.fromlist([*islice(ends, 1, None)])
        self._bytes += joined.encode(*_CODING)

    def _search(self, text: bytes) -> int | None:
        """Texts end where others begin, and the bytes of one may stand across two others."""
        at = -1
        while (at := self._bytes.find(text, at + 1)) >= 0:
            end = at + len(text)
            number = bisect_left(self._ends, end)
            if self._ends[number] == end and at == (self._ends[number - 1] if number else 0):
                return number
        return None


_CODING = ("utf-8", "surrogatepass")
"""A lone surrogate is no text, but a file may hold one."""
