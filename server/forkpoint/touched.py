"""What a change below a config folder asks us to look at again.

Names only: nothing is opened here. Paths are as the roots spell them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from forkpoint import layout


class Touched(msgspec.Struct):
    """What to look at.

    Attributes:
        transcripts: files that are transcripts by their names.
        listing: something came or went whose name does not tell which transcript it is about.
        registry: a client began, ended or changed its state.
        copies: ids of the sessions beside which copies of files came or went.
    """

    transcripts: set[str] = msgspec.field(default_factory=set[str])
    listing: bool = False
    registry: bool = False
    copies: set[str] = msgspec.field(default_factory=set[str])


def watched_folders(root: Path) -> list[Path]:
    """Return the folders of a config folder in which something may happen that is shown."""
    return [root / name for name in (layout.PROJECTS, layout.LIVE_SESSIONS, layout.FILE_HISTORY)]


def what_to_look_at(paths: Iterable[str], roots: Sequence[Path]) -> Touched:
    """Sort paths by what they mean; one that lies below no root counts as a listing."""
    lengths = [len(root.parts) for root in roots]
    touched = Touched()
    for path in paths:
        parts = Path(path).parts
        known = zip(roots, lengths, strict=True)
        depth = next((depth for root, depth in known if parts[:depth] == root.parts), None)
        _sort_in(touched, path, parts[depth:] if depth else ())
    return touched


def _sort_in(touched: Touched, path: str, parts: tuple[str, ...]) -> None:
    if not parts:
        touched.listing = True
    elif parts[0] == layout.LIVE_SESSIONS:
        touched.registry = True
    elif parts[0] == layout.FILE_HISTORY:
        touched.copies.update(parts[1:2])
    elif layout.session_id_of(parts[-1]) or layout.agent_id_of(parts[-1]):
        touched.transcripts.add(path)
    elif layout.TOOL_RESULTS not in parts:
        touched.listing = True
