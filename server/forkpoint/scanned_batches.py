"""The fastest way into an index: lines that the scanner in C read, folded together by columns.

It gives what `batches` give, which say how; the two differ in where the columns come from. What the
scanner left, or says there is more to, is looked at one by one.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import compress

from forkpoint.batches import CODES, IN_GRAPH, Batch, see
from forkpoint.exchanges import MARKS, ScannedExchange, taken
from forkpoint.folds import Folds
from forkpoint.nodes import iso_time, milliseconds
from forkpoint.records.claude_code import backup_in
from forkpoint.records.record import PREVIEW_SOURCE, FileHistoryLine, Pointer
from forkpoint.records.scanned import (
    HAS_LEAF,
    IS_EXPLICIT,
    IS_REWOUND,
    LEFT,
    History,
    Scanned,
)
from forkpoint.records.work_lines import SETTINGS
from forkpoint.uuids import NO_KEY, WIDTH, is_canonical, key_of


def fold_scanned(folds: Folds, scanned: Scanned) -> bool:
    """Fold in what the scanner made of lines; False if nothing was done."""
    times, named = scanned.times, dict[int, str]()
    for place, odd in scanned.odd.items():
        if odd.uuid is not None and not is_canonical(odd.uuid):
            return False
        begin, end = place * WIDTH, place * WIDTH + WIDTH
        times[place] = milliseconds(odd.timestamp)
        scanned.keys[begin:end] = NO_KEY if odd.uuid is None else key_of(odd.uuid)
        if odd.parent is not None and odd.uuid is not None:
            named[place] = odd.parent
    columns = (scanned.offsets, scanned.lengths, times)
    first = folds.nodes.extend_columns(columns, scanned.keys, scanned.parents, named)
    if first is None:
        return False
    folds.joins.grow(len(scanned))

    def said_at(place: int) -> str | None:
        odd = scanned.odd.get(place)
        return iso_time(times[place]) if odd is None else odd.timestamp

    see(folds, said_at, times)
    ScannedBatch(folds, scanned, first).fold()
    return True


class ScannedBatch(Batch):
    """The same, by columns."""

    def __init__(self, folds: Folds, scanned: Scanned, first: int) -> None:
        super().__init__(folds, scanned.line, first, scanned)
        self.scanned = scanned
        # The place up to which `settle` went.
        self.settled = 0

    def sort(self) -> None:
        """Take over what the scanner told apart."""
        self.codes = bytearray(self.scanned.codes.translate(_WITHOUT_LEFT))
        self.exchange = ScannedExchange(self.folds, self.scanned, self.first)

    def aside(self, in_graph: bytearray) -> set[object]:
        """Return what rows in the graph say of being a sidechain's."""
        return {bool(aside) for aside in {*compress(self.scanned.aside, in_graph)}}

    def to_look_at(self, in_graph: bytearray) -> bytearray:
        """Choose the rows of which columns do not hold all."""
        return bytearray(self.scanned.apart.translate(_IS_ANY))

    def look(self, place: int) -> None:
        """Fold in a row that is looked at."""
        scanned = self.scanned
        text = scanned.words.get(place)
        if text and text[0] not in MARKS:
            self.typed(text, scanned.plain(place), self.first + place)
        elif (history := scanned.histories.get(place)) is not None:
            if not self.recorded(history):
                self.unusual(None, self.first + place)
        elif IN_GRAPH[self.codes[place]] or place in scanned.odd:
            super().look(place)

    def recorded(self, history: History) -> bool:
        """Take in a line of the history of files; False for what is left to the general way."""
        row, other, entries, path, is_update = history
        if path is None:
            kind = "update" if is_update else "base"
            return self.folds.checkpoints.apply_written(kind, row, other or row, entries)
        line = FileHistoryLine("delta", row, other, (backup_in(path, entries),))
        self.folds.checkpoints.apply(line)
        return True

    def settle(self, end: int) -> None:
        """Fold in pointers and settings, too."""
        scanned = self.scanned
        count = bisect_left(scanned.titles, end)
        texts, _ = taken(scanned.title_texts, count), taken(scanned.titles, count)
        self.titles += [text[:PREVIEW_SOURCE] for text in texts if text is not None]
        self.point(end)
        self.settings(end)
        self.settled = end
        super().settle(end)

    def settings(self, end: int) -> None:
        """Fold in the last line of each setting, in the order in which settings first came."""
        codes = {name: CODES.get(name, LEFT) for name in SETTINGS}
        firsts = {name: self.codes.find(code, self.settled, end) for name, code in codes.items()}
        for name in sorted(firsts, key=firsts.__getitem__):
            if firsts[name] >= 0:
                place = self.codes.rfind(codes[name], self.settled, end)
                self.folds.states.last[name] = self.first + place

    def point(self, end: int) -> None:
        """Fold in the lines beside prompts that stand before a place."""
        scanned = self.scanned
        count = bisect_left(scanned.prompts, end)
        places, points = taken(scanned.prompts, count), taken(scanned.points, count)
        texts, leaves = taken(scanned.prompt_texts, count), taken(scanned.leaves, count)
        self.prompts += [text[:PREVIEW_SOURCE] for text in texts if text]
        for place, point, leaf in zip(places, points, leaves, strict=True):
            if point & HAS_LEAF:
                is_explicit, is_rewound = bool(point & IS_EXPLICIT), bool(point & IS_REWOUND)
                self.folds.pointers[self.first + place] = Pointer(leaf, is_explicit, is_rewound)


_IS_ANY = bytes(code > 0 for code in range(256))
_WITHOUT_LEFT = bytes(range(LEFT)) + bytes(256 - LEFT)
