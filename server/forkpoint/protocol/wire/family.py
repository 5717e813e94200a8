"""A family of sessions, and in words what shows that it is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from forkpoint.catalog import Catalog
from forkpoint.families import Member
from forkpoint.index import TranscriptIndex
from forkpoint.lineage import Sign
from forkpoint.protocol import types
from forkpoint.protocol.uri import file_uri
from forkpoint.protocol.wire.sessions import place_of, project_of, title_of_entry
from forkpoint.records.fork_context import ForkContext
from forkpoint.session_entry import SessionEntry
from forkpoint.summary import Summary
from forkpoint.worded import counted, joined, say

MARKS = ("(Branch)", "(fork)")
"""What clients put behind the title of a copy (2.1.332 and the SDKs of its time)."""
_LONGEST = 60
"""Characters of a title or prompt inside a sentence."""


def family_members(catalog: Catalog, members: Sequence[Member]) -> list[types.FamilyMember]:
    """Write a family down, from the root on."""
    titles = {each.node.session_id: _title(catalog, each) for each in members}
    indexes = {each.node.session_id: each.index for each in members}
    return [_member(catalog, each, titles, indexes) for each in members]


def _member(
    catalog: Catalog,
    member: Member,
    titles: Mapping[str, types.Title | None],
    indexes: Mapping[str, TranscriptIndex | None],
) -> types.FamilyMember:
    node, entry = member.node, member.entry
    summary = (catalog.summary(entry) if entry is not None else None) or Summary()
    parent = indexes.get(node.parent or "")
    title = titles[node.session_id]
    relation = _relation(member)
    parting = None if node.parent is None else _parting(member, parent)
    return types.FamilyMember(
        session_id=node.session_id,
        parent_id=node.parent,
        depth=node.depth,
        relation=relation,
        title=title,
        project=None if entry is None else _project(catalog, entry, summary),
        transcript=None if entry is None else file_uri(entry.file.path),
        updated_at=summary.updated,
        signs=[] if node.parent is None else _signs(member, title, titles[node.parent]),
        parting=parting,
        copied_records=len(member.copies.rows),
        own_records=member.own,
        duplicates=[] if entry is None else [file_uri(other.path) for other in entry.others],
        agents=[_agent(each, context, member) for each, context in member.agents],
        sentence=_sentence(member, relation, titles, parting),
    )


def _title(catalog: Catalog, member: Member) -> types.Title | None:
    if member.entry is None:
        return None
    summary = catalog.summary(member.entry) or Summary()
    return title_of_entry(catalog, member.entry, summary)


def _project(catalog: Catalog, entry: SessionEntry, summary: Summary) -> types.Project:
    return project_of(entry.file, place_of(catalog, entry, summary))


def _relation(member: Member) -> types.FamilyRelation:
    if member.entry is None:
        return "gone"
    if member.node.parent is None:
        return "root"
    goes_on = member.parting is not None and member.parting.row is None
    return "goesOn" if goes_on else "copy"


# --- where it parted ---------------------------------------------------------------------------


def _parting(member: Member, origin: TranscriptIndex | None) -> types.FamilyParting | None:
    parting, index = member.parting, member.index
    if parting is None or index is None:
        return None
    return types.FamilyParting(
        uuid=_uuid(index, parting.row),
        ordinal=parting.row,
        origin_uuid=_uuid(origin, parting.original),
        origin_ordinal=parting.original,
        prompt=_prompt(index, parting.prompt),
        origin_prompt=_prompt(origin, parting.original_prompt),
    )


def _uuid(index: TranscriptIndex | None, row: int | None) -> str | None:
    return None if index is None or row is None else index.nodes.uuid(row)


def _prompt(index: TranscriptIndex | None, row: int | None) -> types.FamilyPrompt | None:
    if index is None or row is None:
        return None
    uuid, preview = index.nodes.uuid(row), index.summary.prompts.get(row, "")
    return types.FamilyPrompt(uuid=uuid or "", ordinal=row, preview=preview)


# --- in words ----------------------------------------------------------------------------------


def _signs(
    member: Member, title: types.Title | None, original: types.Title | None
) -> list[types.FamilySign]:
    signs = [types.FamilySign(evidence=s.evidence, sentence=_said(s)) for s in member.signs]
    if title is not None and original is not None:
        for mark in MARKS:
            if original.text and title.text == f"{original.text} {mark}":
                sentence = say("Its title is the other one's with “{mark}” behind it.", mark=mark)
                signs.append(types.FamilySign(evidence="titleMark", sentence=sentence))
    return signs


def _said(sign: Sign) -> str:
    count = sign.shown_by
    match sign.evidence:
        case "forkedFrom" if not count:
            return say("Its first line says that it was forked from it.")
        case "forkedFrom":
            return counted(
                count,
                "{count:,} record says that they were copied from it.",
                "{count:,} records say that they were copied from it.",
            )
        case "historyBase":
            return say("Its first line says up to where it goes on from the other file.")
        case "forkContextRef":
            return say("A line of it points at the context that it began with.")
        case "parentInOtherFile":
            return say("Its first record goes on from a record that stands in the other file.")
        case "sameFirstUuid":
            return counted(
                count,
                "{count:,} record has the same uuid in both files, the first one among them.",
                "{count:,} records have the same uuid in both files, the first one among them.",
            )
        case "sameMessageIds":
            return counted(
                count,
                "{count:,} answer has the same message id in both files.",
                "{count:,} answers have the same message id in both files.",
            )


def _sentence(
    member: Member,
    relation: types.FamilyRelation,
    titles: Mapping[str, types.Title | None],
    parting: types.FamilyParting | None,
) -> str:
    if relation == "gone":
        return say("It is not here any more; what was copied from it names it.")
    if member.node.parent is None:
        return say("It came from no other session that is here.")
    original = titles[member.node.parent]
    name = (
        say("a session that is gone")
        if original is None
        else say("“{title}”", title=_short(original.text))
    )
    if relation == "goesOn":
        return say("It goes on from {name} in a file of its own, and copied nothing.", name=name)
    count = len(member.copies.rows)
    one = "{count:,} record was copied from {name}."
    copied = counted(count, one, "{count:,} records were copied from {name}.", name=name)
    return joined([copied, *_ways(member, parting)])


def _ways(member: Member, parting: types.FamilyParting | None) -> list[str]:
    """Sentences about what came after the records that both have."""
    if not member.own:
        return [say("It has no others: it is a duplicate so far.")]
    said: list[str] = []
    if parting is not None and parting.prompt is not None:
        said.append(say("Then it goes on with “{prompt}”.", prompt=_short(parting.prompt.preview)))
    if parting is not None and parting.origin_prompt is not None:
        said.append(
            say(
                "The other one goes on with “{prompt}”.",
                prompt=_short(parting.origin_prompt.preview),
            )
        )
    return said


def _short(text: str) -> str:
    if not text:
        return say("Untitled session")
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _agent(agent_id: str, context: ForkContext, member: Member) -> types.FamilyAgent:
    ordinal = None
    if member.index is not None and context.session_id == member.node.session_id:
        ordinal = member.index.nodes.find(context.uuid)
    length = "" if context.length is None else say(" of {length:,} messages", length=context.length)
    where = "" if ordinal is not None else say(", which does not stand in the session's own file")
    return types.FamilyAgent(
        agent_id=agent_id,
        session_id=context.session_id,
        uuid=context.uuid,
        ordinal=ordinal,
        sentence=say(
            "This subagent began with the context{length} up to a record{where}.",
            length=length,
            where=where,
        ),
    )
