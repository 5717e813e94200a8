"""What stands above and below the records of a readable text."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from forkpoint.elsewhere import Group, total
from forkpoint.inert import inline
from forkpoint.piece import Piece, foldable, linked, stacked

_MOST = 20
"""Branches and subagents that get a line each."""
_LONGEST = 80
"""Characters of such a line's name."""


class Header(msgspec.Struct, frozen=True):
    """What stands on top; None where unknown.

    Attributes:
        person: whose words the prompts are.
    """

    title: str | None
    project: str | None
    session_id: str
    version: str | None
    person: str = "You"


class Elsewhere(msgspec.Struct, frozen=True):
    """A line that stands for records which the text does not show."""

    line: int
    label: str
    rows: Sequence[int]


def header_lines(header: Header) -> list[str]:
    """Return the title and the facts of a conversation."""
    facts = [
        ("Project", header.project),
        ("Session", header.session_id),
        ("Client", header.version),
    ]
    lines = [f"# {inline(header.title or 'Untitled session')}", ""]
    return lines + [f"- {name}: {inline(value)}" for name, value in facts if value]


def elsewhere_piece(groups: Sequence[Group]) -> tuple[Piece, list[Elsewhere]]:
    """Return a line for each group below one for all, and what each stands for."""
    if not groups:
        return Piece([]), []
    shown = _few(groups)
    pieces = [Piece([f"▸ Not on this path: {_records(total(groups))}"]), *map(_group, shown)]
    lines = [Elsewhere(line, _named(group), group.rows) for line, group in enumerate(shown, 1)]
    return foldable(stacked(pieces), "elsewhere", folded=True), lines


def earlier_line(count: int, before: int | None) -> Piece:
    """Say how many records stand above those of the text, and lead to them."""
    records = "1 older record is" if count == 1 else f"{count:,} older records are"
    said = f"… {records} left out here"
    if before is None:
        return Piece([said])
    return linked(f"{said}: ", "show earlier ones", "part", str(before))


def later_line(count: int, before: int | None) -> Piece:
    """Say how many records stand below those of the text, and lead to them.

    Args:
        count: how many.
        before: the ordinal before which the part that follows ends; None = it has no end.
    """
    records = "1 newer record follows" if count == 1 else f"{count:,} newer records follow"
    kind = "transcript" if before is None else "part"
    return linked(f"… {records}: ", "show later ones", kind, "" if before is None else str(before))


def _few(groups: Sequence[Group]) -> list[Group]:
    """Put what would take too many lines into one."""
    apart = [group for group in groups if group.kind is not None]
    rest = [group for group in groups if group.kind is None]
    if len(apart) > _MOST:
        more = apart[_MOST:]
        rows = sorted(row for group in more for row in group.rows)
        rest.insert(0, Group(f"{len(more):,} more branches and subagents", rows))
    return [*apart[:_MOST], *rest]


def _group(group: Group) -> Piece:
    name, count = inline(_named(group)), f" ({_records(len(group.rows))})"
    if group.kind is None:
        return Piece([f"· {name}{count}"])
    return linked("· ", name, group.kind, group.target, count)


def _named(group: Group) -> str:
    return group.name if len(group.name) <= _LONGEST else f"{group.name[:_LONGEST]}…"


def _records(count: int) -> str:
    return "1 record" if count == 1 else f"{count:,} records"
