"""Which fields do records have that no known client writes, and which versions wrote them?

The index reads none but the fields that it needs, and must not look at more: so this is asked of a
sample of records, which is spread evenly over a transcript, and answers say how large it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

import msgspec

from forkpoint.disk import Unreadable
from forkpoint.index import TranscriptIndex
from forkpoint.records.known_fields import OddRecord, odd_record
from forkpoint.records.rollout_fields import odd_item
from forkpoint.session import Conversation
from forkpoint.transcript_file import TranscriptFile

LONGEST = 256 * 1024
"""A record of more bytes is left out."""
_AT_ONCE = 100


class Sample(NamedTuple):
    """How much of a transcript to look at.

    Attributes:
        rows: at most so many.
        bytes: likewise.
        begins: how many rows of a longer one the sample is of goes in steps, so that it is not
            taken again with each line that comes.
    """

    rows: int
    bytes: int
    begins: int | None = None

    def of(self, rows: int) -> int:
        """Return of how many rows of a transcript with so many the sample is, from the first on."""
        if self.begins is None or rows <= self.begins:
            return rows
        step = 1 << (rows.bit_length() - 4)
        return rows // step * step


OF_A_SESSION = Sample(5000, 16 * 1024 * 1024)
"""Where one session is asked about: some 100 ms."""
OF_A_VERSION = Sample(200, 1024 * 1024, begins=1000)
"""Where all are: a few milliseconds for each client version."""


class OddField(msgspec.Struct):
    """A field that nobody knows: records of the sample that have it, and who wrote them."""

    count: int = 0
    versions: set[str] = msgspec.field(default_factory=set[str])


class OddFields(msgspec.Struct):
    """What a sample of records showed.

    Attributes:
        fields: by record type and field.
        looked_at: records of the sample.
        of: records that there are.
    """

    fields: dict[tuple[str, str], OddField] = msgspec.field(
        default_factory=dict[tuple[str, str], OddField]
    )
    looked_at: int = 0
    of: int = 0

    def add(self, other: OddFields) -> None:
        """Take in what another sample showed."""
        self.looked_at += other.looked_at
        self.of += other.of
        for name, met in other.fields.items():
            known = self.fields.setdefault(name, OddField())
            known.count += met.count
            known.versions |= met.versions


def rows_of_sample(lengths: Sequence[int], sample: Sample) -> list[int]:
    """Choose rows that are spread evenly and together are not larger than allowed."""
    rows = [row for row, length in enumerate(lengths) if length <= LONGEST]
    size = sum(lengths[row] for row in rows)
    wanted = min(sample.rows, len(rows))
    if size > sample.bytes:
        wanted = min(wanted, max(1, len(rows) * sample.bytes // size))
    chosen = [rows[number * len(rows) // wanted] for number in range(wanted)]
    left = sample.bytes
    fitting: list[int] = []
    for row in chosen:
        left -= lengths[row]
        if left < 0:
            break
        fitting.append(row)
    return fitting


def fields_in(
    lines: Iterable[bytes],
    version: str | None,
    odd_of: Callable[[bytes], OddRecord | None] = odd_record,
) -> OddFields:
    """Look at records.

    Args:
        lines: of one agent's transcripts.
        version: of the client that wrote those that name none, as lines of Codex.
        odd_of: says what of a line of that agent nobody knows.
    """
    found = OddFields()
    for line in lines:
        found.looked_at += 1
        if (odd := odd_of(line)) is None:
            continue
        written_by = odd.version or version
        for field in odd.fields:
            met = found.fields.setdefault((odd.type, field), OddField())
            met.count += 1
            if written_by is not None:
                met.versions.add(written_by)
    return found


class FieldsLookedAt:
    """What samples showed, to be told again while nothing else would be looked at."""

    def __init__(self) -> None:
        self._found: WeakKeyDictionary[Conversation, dict[Sample, tuple[int, OddFields]]]
        self._found = WeakKeyDictionary()

    def of(self, transcript: TranscriptFile, sample: Sample) -> OddFields:
        """Return what a sample of a transcript that was read shows; nothing if it is gone."""
        conversation = transcript.conversation
        if conversation is None:
            return OddFields()
        total = len(conversation.index.nodes)
        rows = sample.of(total)
        looked_at = self._found.setdefault(conversation, {})
        known = looked_at.get(sample)
        if known is None or known[0] != rows:
            found, is_whole = _look(transcript, conversation.index, sample, rows)
            known = (rows, found)
            if is_whole:
                # What could not be read now may be read at the next question.
                looked_at[sample] = known
        return msgspec.structs.replace(known[1], of=total)


def _look(
    transcript: TranscriptFile, index: TranscriptIndex, sample: Sample, end: int
) -> tuple[OddFields, bool]:
    """Look at a sample; the second says whether all of it could be read."""
    rows = rows_of_sample(index.nodes.length[:end], sample)
    found = OddFields()
    odd_of = odd_record if index.rollout is None else odd_item
    for start in range(0, len(rows), _AT_ONCE):
        try:
            lines = transcript.lines(rows[start : start + _AT_ONCE])
        except Unreadable:
            return found, False
        found.add(fields_in(lines, index.summary.version, odd_of))
    return found, True
