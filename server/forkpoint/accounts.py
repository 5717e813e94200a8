"""What did each transcript spend, when each response counts once over all of them?

Copies of a session share its responses. Of those that were copied from each other the original
counts first, then its copies from the oldest to the newest, then their subagents' files: what stood
in one of these before is not counted again. So it does not matter whether an original is still
there, and a fork of a fork, or two forks of one session, count nothing twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from weakref import WeakKeyDictionary, ref

from forkpoint.catalog import Catalog
from forkpoint.facts import state_of
from forkpoint.index import TranscriptIndex
from forkpoint.ledger import Account, entries_of
from forkpoint.prices import Prices
from forkpoint.session import Conversation
from forkpoint.session_entry import SessionEntry
from forkpoint.transcript_file import TranscriptFile

ProjectOf = Callable[[SessionEntry], str]
"""Names what is told apart as a project."""


def accounts_of(catalog: Catalog, project_of: ProjectOf) -> list[Account]:
    """Return what each transcript spent that was read, as far as it was read."""
    known = _KNOWN.setdefault(catalog, {})
    families = _families(catalog)
    fresh: dict[str, tuple[object, list[Account]]] = {}
    for name, members in families.items():
        projects = [project_of(entry) for entry in members]
        state = (catalog.prices, projects, [_state(entry) for entry in members])
        before = known.get(name)
        fresh[name] = (
            before
            if before is not None and before[0] == state
            else (state, _account_family(members, projects, catalog.prices))
        )
    _KNOWN[catalog] = fresh
    return [account for _, accounts in fresh.values() for account in accounts]


_KNOWN: WeakKeyDictionary[Catalog, dict[str, tuple[object, list[Account]]]] = WeakKeyDictionary()


def _state(entry: SessionEntry) -> object:
    return entry.session_id, [
        (transcript.path, _state_of(transcript.conversation)) for transcript in entry.transcripts()
    ]


def _state_of(conversation: Conversation | None) -> object:
    """What tells that it was read on; a session that is deleted meanwhile is not held."""
    _, *rest = state_of(conversation)
    return None if conversation is None else (ref(conversation), *rest)


# --- who was copied from whom ------------------------------------------------------------------


def _families(catalog: Catalog) -> dict[str, list[SessionEntry]]:
    """Sessions that go back to one, in the order in which they count, by that one's name.

    Those that begin with the same answer belong together even while a link between them is not read
    yet, or gone.
    """
    entries = {entry.session_id.lower(): entry for entry in catalog.entries()}
    above = {
        session_id: None if origin is None else origin.session_id.lower()
        for session_id, entry in entries.items()
        for origin in [catalog.origin(entry)]
    }
    kin = _Kin()
    placed: list[tuple[int, str, str]] = []
    for session_id, entry in entries.items():
        line = _line(session_id, above)
        created = "~"
        for other in line[1:]:
            kin.join(session_id, other)
        if (index := _index_of(entry.main)) is not None:
            created = index.summary.created or created
            if len(index.joins.message_ids):
                kin.join(session_id, f"answer {index.joins.message_ids[0]}")
        placed.append((len(line), created, session_id))
    families: dict[str, list[SessionEntry]] = {}
    for _, _, session_id in sorted(placed):
        families.setdefault(kin.name_of(session_id), []).append(entries[session_id])
    return families


class _Kin:
    """Which names belong together."""

    def __init__(self) -> None:
        self._towards: dict[str, str] = {}

    def name_of(self, name: str) -> str:
        """Return the one name by which all go that belong together."""
        while (nearer := self._towards.get(name, name)) != name:
            self._towards[name] = self._towards.get(nearer, nearer)
            name = nearer
        return name

    def join(self, one: str, other: str) -> None:
        """Note that two belong together."""
        self._towards[self.name_of(other)] = self.name_of(one)


def _line(session_id: str, above: Mapping[str, str | None]) -> list[str]:
    """A session and those that it goes back to; of a circle, which no client makes, one begins."""
    line = [session_id]
    while (origin := above.get(line[-1])) is not None:
        if origin in line:
            circle = line[line.index(origin) :]
            first = min(circle)
            begin = circle.index(first)
            return [*line[: line.index(origin)], *circle[: begin + 1]]
        line.append(origin)
    return line


# --- what they spent ---------------------------------------------------------------------------


def _account_family(
    members: list[SessionEntry], projects: Iterable[str], prices: Prices
) -> list[Account]:
    seen: set[str] = set()
    accounts: list[Account] = []
    placed = list(zip(members, projects, strict=True))
    is_alone = len(members) == 1 and not members[0].agents
    for entry, project in placed:
        if (index := _index_of(entry.main)) is not None:
            accounts.append(_account(index, seen, prices, entry, project, None))
            if not is_alone:
                seen.update(index.joins.message_ids)
    for entry, project in placed:
        for agent_id, agent in entry.agents.items():
            if (index := _index_of(agent.transcript)) is not None:
                accounts.append(_account(index, seen, prices, entry, project, agent_id))
                seen.update(index.joins.message_ids)
    return accounts


def _index_of(transcript: TranscriptFile) -> TranscriptIndex | None:
    return None if transcript.conversation is None else transcript.conversation.index


def _account(
    index: TranscriptIndex,
    seen: set[str],
    prices: Prices,
    entry: SessionEntry,
    project: str,
    subagent_id: str | None,
) -> Account:
    entries, copies = entries_of(index, seen, prices, of_subagent=subagent_id is not None)
    return Account(entry.session_id, project, entry.agent, subagent_id, entries, copies)
