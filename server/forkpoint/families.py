"""The family of a session: where it came from, what came from it, and where each parted."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import msgspec

from forkpoint.agents import fork_context_of
from forkpoint.catalog import Catalog
from forkpoint.copies import NOTHING, Copies, Parting, main_rows, parting_of
from forkpoint.disk import Unreadable
from forkpoint.family import Node, family_ids, in_order
from forkpoint.index import TranscriptIndex
from forkpoint.lineage import Origin, Sign
from forkpoint.records.fork_context import ForkContext
from forkpoint.session_entry import SessionEntry


class Member(msgspec.Struct, frozen=True):
    """A session of a family.

    Attributes:
        node: its place.
        entry: None where it is gone, and only named by its copies.
        index: None where it is gone or cannot be read.
        origin: see `Lineage.origin`; None for the root.
        signs: all that shows it, the strongest first.
        copies: rows that it has from there.
        parting: where it went another way; None where nothing tells.
        own: how many records of its main conversation are no copies.
        agents: subagents that began with a context of another transcript.
    """

    node: Node
    entry: SessionEntry | None
    index: TranscriptIndex | None
    origin: Origin | None
    signs: Sequence[Sign]
    copies: Copies
    parting: Parting | None
    own: int
    agents: Sequence[tuple[str, ForkContext]]


def family(catalog: Catalog, session_id: str) -> list[Member]:
    """Return the members of a session's family, from the root down.

    Of sessions that nobody read so far it is not known where they come from.

    Raises:
        Unknown: there is no such session.
        Unreadable: its transcript cannot be read.
    """
    entry = catalog.entry(session_id)
    catalog.read(entry)
    origins = origins_of(catalog)
    parents = {each: origin.session_id for each, origin in origins.items()}
    ids = family_ids(entry.session_id, parents)
    for each in ids:
        if (other := catalog.find(each)) is not None:
            _read(catalog, other)
    made = {each: _facts(catalog, each, origins.get(each)) for each in ids}

    def place(each: str) -> tuple[int, str]:
        parting = made[each].parting
        return (-1 if parting is None or parting.original is None else parting.original), each

    nodes = in_order(ids, parents, place)
    return [msgspec.structs.replace(made[node.session_id], node=node) for node in nodes]


def origins_of(catalog: Catalog) -> dict[str, Origin]:
    """Return where each session came from, by its id; both ids as the sessions are listed."""
    found: dict[str, Origin] = {}
    for entry in catalog.entries():
        origin = catalog.origin(entry)
        if origin is None:
            continue
        named = catalog.find(origin.session_id)
        session_id = named.session_id if named is not None else origin.session_id
        if session_id != entry.session_id:
            found[entry.session_id] = Origin(session_id, origin.evidence)
    return found


def _read(catalog: Catalog, entry: SessionEntry) -> None:
    with suppress(Unreadable):
        catalog.read(entry)


def _facts(catalog: Catalog, session_id: str, origin: Origin | None) -> Member:
    facts = catalog.facts
    entry, index = catalog.find(session_id), facts.known_index(session_id)
    signs: Sequence[Sign] = ()
    copies, parting, own = NOTHING, None, 0
    if entry is not None and index is not None:
        copies = facts.copies(entry)
        copied = frozenset(copies.rows)
        own = sum(row not in copied for row in main_rows(index))
        if origin is not None:
            signs = facts.lineage.signs(session_id, index, origin.session_id)
            parting = parting_of(index, facts.known_index(origin.session_id), copies)
    agents = [] if entry is None else _agents(entry)
    node = Node(session_id, None, 0)
    return Member(node, entry, index, origin, signs, copies, parting, own, agents)


def _agents(entry: SessionEntry) -> list[tuple[str, ForkContext]]:
    found = [(name, fork_context_of(agent.file)) for name, agent in sorted(entry.agents.items())]
    return [(name, context) for name, context in found if context is not None]
