"""Readable texts with their sections, folds and links."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path

from forkpoint import disk
from forkpoint.page import Section
from forkpoint.piece import Fold, Link
from forkpoint.protocol import types
from forkpoint.protocol.transcript_uri import Named, transcript_uri
from forkpoint.protocol.uri import file_uri
from forkpoint.protocol.wire.common import ROLES, uri_to_open
from forkpoint.readable import Readable


def transcript_result(
    written: Readable,
    later: int,
    target: Callable[[Link], str | None],
    inherited: Sequence[types.TranscriptInherited] = (),
) -> types.TranscriptResult:
    """Return a text as it goes over the wire; links that lead nowhere are left out."""
    targets = [(link, target(link)) for link in written.links]
    return types.TranscriptResult(
        text=written.text,
        inherited=inherited,
        sections=sections_of(written.sections),
        folds=[_fold(fold) for fold in written.folds],
        links=[_link(link, found) for link, found in targets if found is not None],
        elsewhere=[
            types.TranscriptElsewhere(line=row.line, label=row.label, records=len(row.rows))
            for row in written.elsewhere
        ],
        earlier=written.earlier,
        later=later,
    )


def sections_of(sections: Iterable[Section]) -> list[types.TranscriptSection]:
    """Return where records stand."""
    return [_section(section) for section in sections]


def _section(section: Section) -> types.TranscriptSection:
    return types.TranscriptSection(
        ordinal=section.ordinal,
        uuid=section.uuid,
        line=section.line,
        end_line=section.end_line,
        label=section.label,
        role=ROLES[section.role],
        fate=section.fate,
        level=section.level,
        kind=section.kind,
        agent_id=section.agent_id,
    )


def _fold(fold: Fold) -> types.TranscriptFold:
    return types.TranscriptFold(
        line=fold.line, end_line=fold.end_line, kind=fold.kind, folded=fold.folded
    )


def _link(link: Link, target: str) -> types.TranscriptLink:
    return types.TranscriptLink(
        line=link.line, start=link.start, end=link.end, kind=link.kind, target=target
    )


def targets(
    named: Named, title: str, start_cwd: str | None, results: Path, agents: Iterable[str]
) -> Callable[[Link], str | None]:
    """Return where the links of a text lead.

    Args:
        named: the text.
        title: of the session.
        start_cwd: where relative paths start.
        results: the session's folder of spilled outputs.
        agents: ids of the subagents whose transcripts are there.
    """
    known = frozenset(agents)
    whole = Named(named.session_id, named.agent_id)
    spilled = _spilled_in(results)

    def target(link: Link) -> str | None:
        match link.kind:
            case "file":
                return uri_to_open(link.target, start_cwd)
            case "spilled":
                return spilled(link.target)
            case "subagent":
                there = Named(named.session_id, link.target)
                return transcript_uri(there, title) if link.target in known else None
            case "branch":
                return transcript_uri(whole._replace(leaf=link.target), title)
            case "transcript":
                # What follows a part of a branch is that branch.
                leaf = named.leaf if named.before is not None else None
                return transcript_uri(whole._replace(leaf=leaf), title)
            case "part":
                return transcript_uri(named._replace(before=int(link.target)), title)
            case "session":
                return link.target
            case "image":
                image, _, ending = link.target.rpartition(".")
                return transcript_uri(whole._replace(image=image), title, ending)

    return target


def _spilled_in(results: Path) -> Callable[[str], str | None]:
    """Where a spilled output lies, by its bare name; each is looked up once."""

    @cache
    def spilled(name: str) -> str | None:
        there = disk.lies_within(results / name, results)
        return file_uri(str(results / name)) if there else None

    return spilled
