"""`forkpoint/health`: what is not as it should be, and what goes soon?

Asked of all sessions it goes by what is known already; what costs reading is asked of one.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from weakref import WeakKeyDictionary

import attrs

from forkpoint import __version__, disk
from forkpoint.catalog import Catalog
from forkpoint.disk import Unreadable
from forkpoint.gone_copies import CopiesLookedAt, GoneCopies
from forkpoint.lsp.expiring import MOST_DAYS
from forkpoint.lsp.health_retention import RetentionAsked
from forkpoint.lsp.health_sums import Sums
from forkpoint.lsp.transcript_lines import TranscriptLines
from forkpoint.odd_fields import OF_A_SESSION, OF_A_VERSION, FieldsLookedAt, OddFields
from forkpoint.oddities import Oddities, oddities_of
from forkpoint.protocol import types
from forkpoint.protocol.wire.health import MOST, Found, transcript_health, versions_of
from forkpoint.protocol.wire.health_lists import (
    duplicate_id,
    listing_problems,
    native_problems,
    sampled_fields,
    unreadable_file,
    without_backups,
)
from forkpoint.protocol.wire.health_report import Looked, kinds_of_findings, report
from forkpoint.protocol.wire.remains import remain
from forkpoint.remains import Remain, Remains, weigh
from forkpoint.session import Conversation
from forkpoint.session_entry import SessionEntry
from forkpoint.stand_ins import missing_natives
from forkpoint.transcript_file import TranscriptFile

MOST_VERSIONS = 10
"""Client versions of whose newest session fields are looked at."""
MOST_ROWS = 5000
"""Findings in transcripts that are told one by one; of transcripts behind that only the numbers."""
MOST_ORIGINS = 50
"""Sessions of which one question finds out whether they go on from another one: each is looked for
in all others."""
MOST_WEIGHED = 100
"""Remains that are counted; of more it is only said that they are there."""


class _Known:
    """What was found out of a catalog's sessions."""

    def __init__(self) -> None:
        self.copies = CopiesLookedAt()
        self.fields = FieldsLookedAt()
        self.remains = Remains()
        self.retention = RetentionAsked()
        self.goes_on_from: WeakKeyDictionary[Conversation, tuple[object, str | None]]
        self.goes_on_from = WeakKeyDictionary()
        self._oddities: WeakKeyDictionary[Conversation, tuple[int, Oddities]]
        self._oddities = WeakKeyDictionary()

    def oddities(self, conversation: Conversation) -> Oddities:
        rows = len(conversation.index.nodes)
        known = self._oddities.get(conversation)
        if known is None or known[0] != rows:
            known = self._oddities[conversation] = (rows, oddities_of(conversation.index))
        return known[1]


_KNOWN: WeakKeyDictionary[Catalog, _Known] = WeakKeyDictionary()


def health(catalog: Catalog, params: types.HealthParams) -> types.HealthResult:
    """Tell what is odd, of one session (which is read now) or of all that are indexed."""
    if params.session_id is None:
        return _Question(catalog, params, catalog.entries()).answer()
    entry = catalog.entry(params.session_id)
    catalog.conversation(params.session_id)
    catalog.read_agents(entry)
    return _Question(catalog, params, [entry]).answer()


class _Question:
    """One question, and what was found for it so far."""

    def __init__(
        self, catalog: Catalog, params: types.HealthParams, entries: Sequence[SessionEntry]
    ) -> None:
        self.catalog, self.params, self.entries = catalog, params, entries
        self.is_about_one = params.session_id is not None
        self.known = _KNOWN.setdefault(catalog, _Known())
        self.backups = catalog.contents.backups
        self.now = time.time()
        self.sums = Sums()
        self.copies = (0, 0)
        self.rows_left, self.origins_left = MOST_ROWS, MOST_ORIGINS

    def answer(self) -> types.HealthResult:
        self.known.copies.begin(self.backups, time.monotonic())
        sessions, without = self._transcripts()
        duplicates = [duplicate_id(entry) for entry in self.entries if entry.others]
        unreadable = [*self._unreadable()]
        remains = [] if self.is_about_one else self._remains()
        fields = self._fields()
        lists = {
            "duplicate_ids": duplicates,
            "unreadable": unreadable,
            "remains": remains,
        }
        for name, found in lists.items():
            self.sums.count(name, len(found))
        totals = self.sums.totals()
        findings = sum(count for _, count in kinds_of_findings(totals))
        findings += len(totals.unknown_types) + len(fields.fields)
        done, total = self.catalog.indexing()
        is_whole = self.is_about_one or done == total
        result = types.HealthResult(
            sessions=sessions,
            totals=totals,
            findings=findings,
            sentence=self.sums.sentence(totals, findings, is_whole=is_whole),
            unknown_fields=fields,
            duplicate_ids=duplicates[:MOST],
            transcripts_without_backups=without,
            unreadable=unreadable[:MOST],
            remains=remains[:MOST],
            retention=self._retention(),
            problems=[
                *native_problems(missing_natives()),
                *listing_problems(self.catalog.problems),
            ],
            report="",
            indexing=types.Indexing(done=done, total=total),
            copies=types.Indexing(done=self.copies[0], total=self.copies[1]),
        )
        return attrs.evolve(result, report=report(result, self._looked()))

    def _looked(self) -> Looked:
        sums = self.sums
        versions = {each: sums.versions[each] for each in versions_of(sums.versions)}
        sessions = Counter(entry.agent for entry in self.entries)
        return Looked(_program(), sessions, sums.lines, versions)

    # --- transcripts ---

    def _transcripts(self) -> tuple[list[types.TranscriptHealth], list[types.WithoutBackups]]:
        sessions: list[types.TranscriptHealth] = []
        without: list[types.WithoutBackups] = []
        done = total = 0
        for entry in self.entries:
            copies = self._copies(entry)
            total += entry.main.conversation is not None
            done += copies is not None
            if copies is not None and copies.are_all_gone:
                self.sums.add_without_backups()
                if len(without) < MOST:
                    without.append(without_backups(entry, copies))
            for transcript, agent_id in _transcripts(entry):
                found = self._found(entry, transcript, agent_id, copies)
                if found is not None and len(sessions) < MOST and self.rows_left > 0:
                    self.rows_left -= found.oddities.row_count
                    sessions.append(transcript_health(found))
        self.copies = done, total
        return sessions, without

    def _copies(self, entry: SessionEntry) -> GoneCopies | None:
        if self.is_about_one:
            return self.known.copies.look(entry, self.backups)
        return self.known.copies.of(entry, self.backups)

    def _found(
        self,
        entry: SessionEntry,
        transcript: TranscriptFile,
        agent_id: str | None,
        copies: GoneCopies | None,
    ) -> Found | None:
        """What is odd about a transcript; it is counted."""
        conversation = transcript.conversation
        if conversation is None:
            return None
        index = conversation.index
        self.sums.read += 1
        self.sums.lines += len(index.nodes)
        if agent_id is None and index.summary.version is not None:
            self.sums.versions[index.summary.version] += 1
        oddities = self.known.oddities(conversation)
        is_written = not self.is_about_one and entry.session_id in self.catalog.live
        torn = None if is_written else transcript.torn_tail
        own = copies if agent_id is None else None
        is_odd = oddities.is_odd or torn or (own and own.missing) or entry.problem
        if not (is_odd or self.is_about_one):
            if own is not None and own.pruned:
                self.sums.add_pruned(len(own.pruned))
            return None
        lines = TranscriptLines(transcript, index)
        found = Found(
            entry=entry,
            agent_id=agent_id,
            file=transcript,
            conversation=conversation,
            oddities=oddities,
            line_of=lines.of_row,
            copies=own,
            goes_on_from=self._goes_on_from(entry, oddities) if agent_id is None else None,
            torn=torn,
            torn_line=lines.of_offset,
        )
        self.sums.add(found)
        return found

    def _goes_on_from(self, entry: SessionEntry, oddities: Oddities) -> str | None:
        """The session in whose transcript the first missing parent lies (clients of 1.x)."""
        conversation = entry.main.conversation
        if not oddities.orphans or conversation is None:
            return None
        nodes = conversation.index.nodes
        if any(nodes.is_node(row) for row in range(oddities.orphans[0])):
            return None
        state = self.catalog.indexing()
        known = self.known.goes_on_from.get(conversation)
        if (known is None or known[0] != state) and (self.is_about_one or self.origins_left > 0):
            self.origins_left -= 1
            origin = self.catalog.origin(entry)
            is_there = origin is not None and origin.evidence == "parentInOtherFile"
            known = (state, origin.session_id if origin is not None and is_there else None)
            self.known.goes_on_from[conversation] = known
        return None if known is None else known[1]

    # --- what no transcript tells ---

    def _unreadable(self) -> Iterator[types.UnreadableFile]:
        for entry in self.entries:
            if entry.problem is not None:
                yield unreadable_file(entry.main.path, entry.problem, entry.session_id)
            for agent_id, agent in entry.agents.items():
                if agent.transcript.failed:
                    reason = _why(agent.transcript.path)
                    yield unreadable_file(agent.transcript.path, reason, entry.session_id, agent_id)
        if not self.is_about_one:
            for problem in self.catalog.problems:
                yield unreadable_file(problem.path, problem.reason)

    def _remains(self) -> list[types.Remain]:
        """Of what could not be listed nobody knows whether a session is in it."""
        if any(problem.reason in ("denied", "io") for problem in self.catalog.problems):
            return []
        found, generation = self._left(), self.catalog.generation
        if found:
            # The session of what seems to be left may be new.
            self.catalog.rescan(agents=False)
            found = found if self.catalog.generation == generation else self._left()
        return [
            remain(each, None if each.names or number >= MOST_WEIGHED else weigh(each.path))
            for number, each in enumerate(found)
        ]

    def _left(self) -> list[Remain]:
        catalog = self.catalog
        owned = {
            agent.transcript.path for entry in catalog.entries() for agent in entry.agents.values()
        }

        def is_session(name: str) -> bool:
            return catalog.find(name) is not None or name in catalog.live

        below = self.known.remains.below
        found = [
            each for root in catalog.roots for each in below(root, is_session, owned.__contains__)
        ]
        return [*found, *self._left_names()]

    def _left_names(self) -> Iterator[Remain]:
        """Threads of Codex that have a name, and no rollout."""
        entries = [entry for entry in self.catalog.entries() if entry.agent == "codex"]
        there = {entry.session_id.lower() for entry in entries}
        there |= {agent_id.lower() for entry in entries for agent_id in entry.agents}
        for home in self.catalog.codex_homes:
            path, named = self.catalog.beside.names_in(home) or ("", [])
            gone = sum(name not in there for name in named)
            if gone:
                yield Remain("namesWithoutThreads", path, None, None, gone)

    def _retention(self) -> types.Retention:
        asked, days = self.known.retention, min(self.params.within_days, MOST_DAYS)
        if self.is_about_one:
            return asked.of_one(self.catalog, self.entries[0], days, self.now)
        return asked.of_all(self.catalog, self.entries, days, self.now)

    def _fields(self) -> types.UnknownFields:
        """Of one session its transcripts; of all the newest session of each client version."""
        found = OddFields()
        if self.is_about_one:
            for entry in self.entries:
                for transcript, _ in _transcripts(entry):
                    found.add(self.known.fields.of(transcript, OF_A_SESSION))
            return sampled_fields(found, of_one_session=True)
        newest: dict[tuple[str, str], SessionEntry] = {}
        for entry in self.entries:
            conversation = entry.main.conversation
            version = conversation.index.summary.version if conversation else None
            if version is not None and len(newest) < MOST_VERSIONS:
                newest.setdefault((entry.agent, version), entry)
        for entry in newest.values():
            found.add(self.known.fields.of(entry.main, OF_A_VERSION))
        return sampled_fields(found, of_one_session=False)


def _transcripts(entry: SessionEntry) -> Iterator[tuple[TranscriptFile, str | None]]:
    yield entry.main, None
    for agent_id, agent in entry.agents.items():
        yield agent.transcript, agent_id


def _program() -> str:
    python = ".".join(map(str, sys.version_info[:3]))
    where = "" if sys.prefix == sys.base_prefix else " in a virtual environment"
    return f"Forkpoint {__version__} on {sys.platform}, Python {python}{where}"


def _why(path: str) -> types.UnreadableReason:
    try:
        disk.read_span(path, 0, 1)
    except Unreadable as failure:
        return failure.reason
    return "io"
