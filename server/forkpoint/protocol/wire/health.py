"""What is wrong with one transcript, as it goes over the wire.

Of what stands in a transcript only names go along that look like names: see `name` and `version`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

import msgspec

from forkpoint.chain import Chain
from forkpoint.client_rules import parse_version
from forkpoint.folds import UnknownType
from forkpoint.gone_copies import GoneCopies
from forkpoint.index import TranscriptIndex
from forkpoint.nodes import Nodes
from forkpoint.odd_fields import OddField, OddFields
from forkpoint.oddities import Oddities
from forkpoint.protocol import types
from forkpoint.protocol.raw_uri import raw_uri
from forkpoint.row_names import reason_in_words
from forkpoint.session import Conversation
from forkpoint.session_entry import SessionEntry
from forkpoint.transcript_file import TranscriptFile
from forkpoint.worded import counted, joined, say

MOST = 500
"""Findings of one kind that are told one by one."""

_NAME = re.compile(r"[A-Za-z_$][\w$.:/@+-]{0,79}|", re.ASCII)
_ID = re.compile(r"[\w-]{1,80}", re.ASCII)
_VERSION = re.compile(r"\d{1,9}\.\d{1,9}\.\d{1,9}[\w.+-]{0,20}", re.ASCII)
NO_NAME = "?"


def name(text: str) -> str:
    """Return a name of a type or field; `?` where it is something else, which may be content."""
    return text if _NAME.fullmatch(text) else NO_NAME


def id_of(text: str | None) -> str:
    """Return an id that stands in a transcript; `?` where it is something else."""
    return text if text is not None and _ID.fullmatch(text) else NO_NAME


def versions_of(versions: Iterable[str]) -> list[str]:
    """Return client versions, oldest first; what is none is left out."""
    known = [version for version in versions if _VERSION.fullmatch(version)]
    return sorted(known, key=lambda version: parse_version(version) or (0, 0, 0))


class Found(msgspec.Struct, frozen=True):
    """What is known of a transcript.

    Attributes:
        line_of: the line of a row in the file, from 0; None where it cannot be read.
        torn_line: the same of a byte position behind all rows.
        copies: None where it was not looked for them, or the transcript is a subagent's.
        goes_on_from: the session in whose transcript the first missing parent lies.
        torn: offset and length of an unfinished last line.
    """

    entry: SessionEntry
    agent_id: str | None
    file: TranscriptFile
    conversation: Conversation
    oddities: Oddities
    line_of: Callable[[int], int | None]
    copies: GoneCopies | None
    goes_on_from: str | None
    torn: tuple[int, int] | None
    torn_line: Callable[[int], int | None]

    @property
    def index(self) -> TranscriptIndex:
        """The transcript's index."""
        return self.conversation.index


def agent_of(entry: SessionEntry) -> types.Agent:
    """Return the agent that wrote a session."""
    return entry.agent


def transcript_health(found: Found) -> types.TranscriptHealth:
    """Write what is wrong with a transcript."""
    index, odd, copies = found.index, found.oddities, found.copies
    nodes = index.nodes
    return types.TranscriptHealth(
        session_id=found.entry.session_id,
        agent=agent_of(found.entry),
        agent_id=found.agent_id,
        transcript=raw_uri(found.file.path),
        malformed=[
            types.MalformedLine(
                ordinal=row,
                offset=nodes.offset[row],
                length=nodes.length[row],
                line=found.line_of(row),
                reason=index.malformed[row],
                sentence=say(
                    "This is no record: {reason}.", reason=reason_in_words(index.malformed[row])
                ),
            )
            for row in odd.malformed[:MOST]
        ],
        unknown_types=unknown_types(index.unknown_types),
        torn_tail=_torn_tail(found),
        broken_chains=_broken_chains(found) if odd.orphans else [],
        loops=[_loop(found, row) for row in odd.loops[:MOST]],
        repeated_uuids=[_repeat(found, row) for row in odd.repeats[:MOST]],
        missing_backups=copies.missing if copies else [],
        pruned_backups=len(copies.pruned) if copies else 0,
        problems=_problems(found),
    )


def unknown_types(seen: dict[str, UnknownType]) -> list[types.UnknownType]:
    """Write unknown types, most frequent first."""
    written = [
        types.UnknownType(
            type=name(of_type),
            count=each.count,
            versions=(versions := versions_of(each.versions)),
            sentence=say(
                "{records} of the type {of_type}, which no known client writes{by}. Kept, and "
                "shown raw.",
                records=_records(each.count),
                of_type=name(of_type) or say("(none)"),
                by=_by(versions),
            ),
        )
        for of_type, each in seen.items()
    ]
    return sorted(written, key=lambda each: -each.count)


def unknown_fields(found: OddFields, sentence: str) -> types.UnknownFields:
    """Write unknown fields, most frequent first."""
    return types.UnknownFields(
        fields=sorted(
            [_unknown_field(*of, met) for of, met in found.fields.items()],
            key=lambda each: -each.count,
        ),
        records=found.looked_at,
        total=found.of,
        sentence=sentence,
    )


def _unknown_field(of_type: str, field: str, met: OddField) -> types.UnknownField:
    versions = versions_of(met.versions)
    return types.UnknownField(
        type=of_type,
        field=name(field),
        count=met.count,
        versions=versions,
        sentence=say(
            "{records} of the type {of_type} with the field {field}, which no known client "
            "writes{by}.",
            records=_records(met.count),
            of_type=of_type,
            field=name(field),
            by=_by(versions),
        ),
    )


def _records(count: int) -> str:
    return counted(count, "{count} record", "{count} records")


def _by(versions: Sequence[str]) -> str:
    if not versions:
        return ""
    if len(versions) > 2:
        return say(" (versions {first} to {last})", first=versions[0], last=versions[-1])
    return say(" (version {versions})", versions=joined(versions, " and "))


def _torn_tail(found: Found) -> types.TornTail | None:
    if found.torn is None:
        return None
    offset, length = found.torn
    sentence = say("The last line is not finished: the agent is writing it, or was cut off.")
    line = found.torn_line(offset)
    return types.TornTail(offset=offset, length=length, line=line, sentence=sentence)


def _broken_chains(found: Found) -> list[types.BrokenChain]:
    nodes, chain = found.index.nodes, found.conversation.chain()
    first = found.oddities.orphans[0]
    return [
        _broken_chain(found, chain, row, found.goes_on_from if row == first else None)
        for row in found.oddities.orphans[:MOST]
        if row in nodes.missing
    ]


def _broken_chain(found: Found, chain: Chain, row: int, elsewhere: str | None) -> types.BrokenChain:
    nodes = found.index.nodes
    bridge = chain.bridge(row, {row})
    if elsewhere is not None:
        what = say("it goes on from another session")
    elif bridge is not None:
        what = say("a resume hangs it on record {bridge}, the nearest in time", bridge=bridge)
    else:
        what = say("a resume begins with it, and does not see what is older")
    return types.BrokenChain(
        uuid=id_of(nodes.uuid(row)),
        ordinal=row,
        line=found.line_of(row),
        missing_parent=id_of(nodes.missing[row]),
        bridged_to=None if bridge is None else id_of(nodes.uuid(bridge)),
        goes_on_from=elsewhere,
        sentence=say("The parent of this record is not in the file: {what}.", what=what),
    )


def _loop(found: Found, row: int) -> types.OddLink:
    parent = found.index.nodes.parent[row]
    return _link(found, row, parent, say("The parents of this record lead back to it."))


def _repeat(found: Found, row: int) -> types.OddLink:
    first = found.index.nodes.first_of[row]
    return _link(
        found,
        row,
        first,
        say("The uuid of this record stands on record {first}, too.", first=first),
    )


def _link(found: Found, row: int, other: int, sentence: str) -> types.OddLink:
    nodes: Nodes = found.index.nodes
    return types.OddLink(
        uuid=id_of(nodes.uuid(nodes.first_of.get(row, row))),
        ordinal=row,
        line=found.line_of(row),
        other=other,
        sentence=sentence,
    )


def _problems(found: Found) -> list[types.Problem]:
    problems: list[types.Problem] = []
    if found.entry.problem is not None:
        sentence = say(
            "The transcript could not be read the last time ({problem}).",
            problem=found.entry.problem,
        )
        problems.append(types.Problem(code="unreadable", sentence=sentence))
    if found.oddities.glued:
        count = found.oddities.glued
        sentence = counted(
            count,
            "{count} whole record stands behind something else on the line, unseen by a resume.",
            "{count} whole records stand behind something else on the line, unseen by a resume.",
        )
        problems.append(types.Problem(code="gluedRecords", sentence=sentence))
    return problems
