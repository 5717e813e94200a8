"""What is odd beside single records, as it goes over the wire."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from forkpoint.gone_copies import GoneCopies
from forkpoint.listing import Problem
from forkpoint.odd_fields import OddFields
from forkpoint.protocol import types
from forkpoint.protocol.uri import file_uri
from forkpoint.protocol.wire.health import agent_of, unknown_fields
from forkpoint.session_entry import SessionEntry
from forkpoint.worded import PARTS, counted, joined, say


def duplicate_id(entry: SessionEntry) -> types.DuplicateId:
    """Write that a session has several transcripts."""
    count = len(entry.others)
    older = counted(count, "an older transcript", "{count} older transcripts")
    return types.DuplicateId(
        session_id=entry.session_id,
        agent=agent_of(entry),
        transcript=file_uri(entry.file.path),
        others=[file_uri(other.path) for other in entry.others],
        sentence=say("There is {older} of the same session; the newest one is read.", older=older),
    )


def without_backups(entry: SessionEntry, copies: GoneCopies) -> types.WithoutBackups:
    """Write that all copies which a session names are gone."""
    count = copies.named
    named = counted(count, "the copy of a file", "{count} copies of files")
    return types.WithoutBackups(
        session_id=entry.session_id,
        agent=agent_of(entry),
        transcript=file_uri(entry.main.path),
        count=count,
        sentence=say(
            "The session names {named}, and none is there: code cannot be gone back to.",
            named=named,
        ),
    )


_REASONS: dict[types.UnreadableReason, str] = {
    "gone": say("It is no longer there."),
    "denied": say("It may not be read."),
    "dangling": say("A link that leads nowhere."),
    "outside": say("A link that leads out of the agent's folder, and is not followed."),
    "notRegular": say("No regular file, though it has a transcript's name."),
    "io": say("The system could not read it."),
    "damaged": say("It is compressed, and damaged."),
    "notUnpackable": say("It is compressed, and nothing is installed that unpacks it."),
}


def unreadable_file(
    path: str,
    reason: types.UnreadableReason,
    session_id: str | None = None,
    agent_id: str | None = None,
) -> types.UnreadableFile:
    """Write that a file could not be read; ids where it is a transcript."""
    return types.UnreadableFile(
        path=file_uri(path),
        session_id=session_id,
        agent_id=agent_id,
        reason=reason,
        sentence=_REASONS[reason],
    )


_LISTING = {
    "denied": say("A folder or file may not be read."),
    "dangling": say("A link leads nowhere."),
    "outside": say("A link leads out of the agent's folder and is not followed."),
    "notRegular": say("Something that is no regular file has a transcript's name."),
    "io": say("The system could not list a folder."),
    "damaged": say("A compressed file is damaged."),
    "notUnpackable": say("Nothing is installed that unpacks compressed files."),
}


def listing_problems(found: Iterable[Problem]) -> list[types.Problem]:
    """Write what could not be listed, without the places."""
    counts = Counter(problem.reason for problem in found)
    return [
        types.Problem(
            code=reason,
            sentence=say("{listing} ({count} times)", listing=_LISTING[reason], count=count),
        )
        for reason, count in counts.items()
    ]


def native_problems(without: Sequence[str]) -> list[types.Problem]:
    """Say what it means that libraries with native parts do not load; nothing if all do."""
    if not without:
        return []
    names = joined(without, PARTS)
    if {*without} == {"watchfiles"}:
        sentence = say(
            "Forkpoint runs without native parts of {names}: they were not made for this system or "
            "this Python. Changes are looked for once a second.",
            names=names,
        )
    elif "watchfiles" in without:
        sentence = say(
            "Forkpoint runs without native parts of {names}: they were not made for this system or "
            "this Python. Answers are the same, but take longer, and changes are looked for once a "
            "second.",
            names=names,
        )
    else:
        sentence = say(
            "Forkpoint runs without native parts of {names}: they were not made for this system or "
            "this Python. Answers are the same, but take longer.",
            names=names,
        )
    return [types.Problem(code="withoutNatives", sentence=sentence)]


def sampled_fields(found: OddFields, *, of_one_session: bool) -> types.UnknownFields:
    """Write what a sample of records showed, and what it was a sample of."""
    what = (
        say("of this session")
        if of_one_session
        else say("of the newest session of each client version")
    )
    looked_at = say("{looked_at} of the {of}", looked_at=found.looked_at, of=found.of)
    if found.looked_at == found.of:
        looked_at = say("all {of}", of=found.of)
    sentence = say(
        "The fields of {looked_at} records {what} were looked at.", looked_at=looked_at, what=what
    )
    if not found.of:
        sentence = say("The fields of no record were looked at.")
    return unknown_fields(found, sentence)
