"""What the findings of all transcripts come to."""

from __future__ import annotations

from collections import Counter

from forkpoint.folds import UnknownType
from forkpoint.index import TranscriptIndex
from forkpoint.protocol import types
from forkpoint.protocol.wire.health import Found, unknown_types
from forkpoint.protocol.wire.health_report import kinds_of_findings
from forkpoint.worded import PARTS, counted, joined, say


class Sums:
    """Numbers of findings, whole also where what is told one by one was cut.

    Attributes:
        read: transcripts that were looked at.
        lines: the lines in them.
        versions: client versions, with the number of sessions that each wrote last.
    """

    def __init__(self) -> None:
        self.read = 0
        self.lines = 0
        self.versions: Counter[str] = Counter()
        self._counts: Counter[str] = Counter()
        self._types: dict[str, UnknownType] = {}

    def add(self, found: Found) -> None:
        """Count what is odd about a transcript."""
        odd, copies, counts = found.oddities, found.copies, self._counts
        counts["malformed"] += len(odd.malformed)
        counts["torn_tails"] += found.torn is not None
        counts["broken_chains"] += len(odd.orphans) - (found.goes_on_from is not None)
        counts["loops"] += len(odd.loops)
        counts["repeated_uuids"] += len(odd.repeats)
        counts["glued_records"] += odd.glued
        if copies is not None:
            self.add_pruned(len(copies.pruned))
            # Where none is left, that is one finding.
            counts["missing_backups"] += 0 if copies.are_all_gone else len(copies.missing)
        if odd.unknown:
            self._add_types(found.index)

    def add_without_backups(self) -> None:
        """Count a session of which all copies are gone."""
        self._counts["transcripts_without_backups"] += 1

    def add_pruned(self, number: int) -> None:
        """Count copies that the agent deleted by its own rule."""
        self._counts["pruned_backups"] += number

    def _add_types(self, index: TranscriptIndex) -> None:
        for name, seen in index.unknown_types.items():
            known = self._types.setdefault(name, UnknownType())
            known.count += seen.count
            known.versions |= seen.versions

    def count(self, name: str, number: int) -> None:
        """Set the number of a kind that no transcript tells."""
        self._counts[name] = number

    def totals(self) -> types.HealthTotals:
        """Write the sums."""
        counts = self._counts
        return types.HealthTotals(
            malformed=counts["malformed"],
            unknown_types=unknown_types(self._types),
            torn_tails=counts["torn_tails"],
            broken_chains=counts["broken_chains"],
            loops=counts["loops"],
            repeated_uuids=counts["repeated_uuids"],
            glued_records=counts["glued_records"],
            missing_backups=counts["missing_backups"],
            pruned_backups=counts["pruned_backups"],
            transcripts_without_backups=counts["transcripts_without_backups"],
            duplicate_ids=counts["duplicate_ids"],
            unreadable=counts["unreadable"],
            remains=counts["remains"],
        )

    def sentence(self, totals: types.HealthTotals, findings: int, *, is_whole: bool) -> str:
        """Return the whole in a sentence."""
        where = counted(self.read, "{count} transcript", "{count} transcripts")
        if not findings:
            nothing = say("Nothing odd in {where}.", where=where)
            return nothing if is_whole else say("So far: nothing odd in {where}.", where=where)
        what = counted(findings, "{count} finding", "{count} findings")
        found = say("{what} in {where}", what=what, where=where)
        if kinds := _kinds(totals):
            found = say("{found}: {kinds}", found=found, kinds=joined(kinds, PARTS))
        return say("{found}.", found=found) if is_whole else say("So far: {found}.", found=found)


def _kinds(totals: types.HealthTotals) -> list[str]:
    kinds = [words for words, count in kinds_of_findings(totals) if count]
    if count := len(totals.unknown_types):
        kinds.insert(
            0, counted(count, "{count} unknown record type", "{count} unknown record types")
        )
    return kinds
