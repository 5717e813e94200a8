"""What stands above and below the records of a readable text."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from forkpoint.elsewhere import Group, total
from forkpoint.inert import inline
from forkpoint.piece import NOTHING, Piece, foldable, linked, stacked

UNTITLED = "Untitled session"
_MOST = 20
"""Branches and subagents that get a line each."""
_LONGEST = 80
"""Characters of such a line's name."""


class Header(msgspec.Struct, frozen=True):
    """What stands on top; None where unknown.

    Attributes:
        person: whose words the prompts are.
        before: what leads to the file that this one goes on from, above its first record.
        behind: what leads to files that go on from this one, below its last.
    """

    title: str | None
    project: str | None
    session_id: str
    version: str | None
    person: str = "You"
    before: Piece = NOTHING
    behind: Piece = NOTHING


def earlier_part_line(count: int, address: str) -> Piece:
    """Say how many records of an older file stand above those of the text, and lead to them."""
    records = "1 older record is" if count == 1 else f"{count:,} older records are"
    return linked(f"… {records} left out here: ", "show earlier ones", "session", address)


def from_heading(title: str) -> str:
    """Return the heading above the records of an older file that a conversation goes on from."""
    return f"# From “{_name(title)}”, which this one goes on from"


OWN_HEADING = "# This session"
"""Above a session's own records where those of older files stand above them."""


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
    lines = [f"# {inline(header.title or UNTITLED)}", ""]
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


# --- other files of the family -----------------------------------------------------------------


def follows_line(title: str, address: str) -> Piece:
    """Say that a file goes on from another one, and lead to what stands there."""
    return linked(
        f"… goes on from “{_name(title)}”: ", "show what stands there", "session", address
    )


def goes_on_line(title: str, address: str, *, is_end: bool) -> Piece:
    """Say that another file goes on from this one, be it from its end or from further up."""
    how = "goes on in" if is_end else "from further up another one goes on in"
    return linked(f"… {how} “{_name(title)}”: ", "show later ones", "session", address)


def copied_line(title: str | None, address: str, count: int) -> Piece:
    """Say that the first records are copies, and lead to their session unless it is gone."""
    if not count:
        return NOTHING
    records = "1 record is a copy" if count == 1 else f"{count:,} records are copies"
    if title is None:
        return Piece([f"… {records}, of a session that is gone"])
    return linked(f"… {records}, of ", f"“{_name(title)}”", "session", address)


def began_line(title: str, address: str) -> Piece:
    """Say that a subagent began with a context, and lead to it."""
    return linked(f"… began with the context of “{_name(title)}”: ", "show it", "session", address)


def started_line(title: str, address: str) -> Piece:
    """Say that a call of a session led to a subagent, and lead to it."""
    return linked("… started by a call of ", f"“{_name(title)}”", "session", address)


def _name(title: str) -> str:
    return inline(title if len(title) <= _LONGEST else f"{title[:_LONGEST]}…")


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
