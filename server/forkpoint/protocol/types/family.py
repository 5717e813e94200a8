"""`forkpoint/family`: which sessions are copies of each other, and where did they part?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from attrs import frozen

from forkpoint.protocol.types.common import Indexing
from forkpoint.protocol.types.sessions import Project, Title

FamilyEvidence = Literal[
    "forkedFrom",
    "historyBase",
    "forkContextRef",
    "parentInOtherFile",
    "sameFirstUuid",
    "sameMessageIds",
    "titleMark",
]
"""What shows that a session came from another one: as `ForkEvidence`; titleMark = the client's mark
for a copy, `(Branch)` or `(fork)`, behind the other one's title."""

FamilyRelation = Literal["root", "copy", "goesOn", "gone"]
"""root = it came from none of those that are here; copy = it begins with copies of the other one's
records; goesOn = it copied nothing and goes on from a record of the other file; gone = it is not
here any more, only its copies name it."""


@frozen(kw_only=True)
class FamilyParams:
    """Whose family to show."""

    session_id: str
    """Id of any of its sessions."""


@frozen(kw_only=True)
class FamilySign:
    """What shows where a session came from."""

    evidence: FamilyEvidence
    """The same word for the same sign, for programs."""
    sentence: str
    """The sign in words, for people."""


@frozen(kw_only=True)
class FamilyPrompt:
    """A prompt with which a session goes on."""

    uuid: str
    """Its uuid."""
    ordinal: int
    """Its ordinal in that session's transcript."""
    preview: str
    """Its first words, one line."""


@frozen(kw_only=True)
class FamilyParting:
    """The last record that a session has in common with the one that it came from."""

    uuid: str | None
    """Its uuid in this session; null = none: it copied nothing, and goes on from the other file."""
    ordinal: int | None
    """Its ordinal in this session; null as above."""
    origin_uuid: str | None
    """Its uuid in the session that it came from, mostly the same; null = not found there."""
    origin_ordinal: int | None
    """Its ordinal there; null = not found there."""
    prompt: FamilyPrompt | None
    """With which this session goes on; null = it did not yet."""
    origin_prompt: FamilyPrompt | None
    """With which the other one goes on; null = it did not, or is gone."""


@frozen(kw_only=True)
class FamilyAgent:
    """A subagent that began with a context of another transcript."""

    agent_id: str
    """Its id."""
    session_id: str
    """The session whose context that is."""
    uuid: str
    """The last record of the context."""
    ordinal: int | None
    """Its ordinal in the session's own transcript; null = it does not stand there."""
    sentence: str
    """All of it in words."""


@frozen(kw_only=True)
class FamilyMember:
    """A session of a family."""

    session_id: str
    """Its id."""
    parent_id: str | None
    """The session that it came from; null = it is the root."""
    depth: int
    """How many sessions stand above it; those that came from it follow it directly."""
    relation: FamilyRelation
    """How it belongs to the one above it."""
    title: Title | None
    """What to call it; null = it is gone."""
    project: Project | None
    """Where it was started; null = it is gone."""
    transcript: str | None
    """URI of its transcript; null = it is gone."""
    updated_at: str | None
    """Time of its last record; null = it is gone, or no record has one."""
    signs: Sequence[FamilySign]
    """What shows where it came from, the strongest first; empty for the root."""
    parting: FamilyParting | None
    """Where it went another way; null for the root, and where nothing tells."""
    copied_records: int
    """Records that it has from there."""
    own_records: int
    """Records of its main conversation that are no copies; 0 = all of it is a duplicate."""
    duplicates: Sequence[str]
    """URIs of older files with the same id in other project folders; nothing of them counts."""
    agents: Sequence[FamilyAgent]
    """Its subagents that began with a context of another transcript."""
    sentence: str
    """How it belongs to the family, in words."""


@frozen(kw_only=True)
class FamilyResult:
    """A family as a tree, which may be one session only."""

    members: Sequence[FamilyMember]
    """From the root down, each directly before those that came from it."""
    indexing: Indexing | None
    """How many transcripts are read: of others it is not known where they came from; null = all."""
