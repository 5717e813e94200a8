"""What a change below a config folder asks us to look at again.

Names only: nothing is opened here. Paths are as the roots spell them. In the two agents' folders
the same name, `sessions`, means different things.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from forkpoint import codex_layout, layout


class Touched(msgspec.Struct):
    """What to look at.

    Attributes:
        transcripts: files that are transcripts by their names.
        listing: something came or went whose name does not tell which transcript it is about.
        registry: a client began, ended or changed its state.
        copies: ids of the sessions beside which copies of files came or went.
        names: threads may be called otherwise.
    """

    transcripts: set[str] = msgspec.field(default_factory=set[str])
    listing: bool = False
    registry: bool = False
    copies: set[str] = msgspec.field(default_factory=set[str])
    names: bool = False


def watched_folders(root: Path) -> list[Path]:
    """Return the folders of a config folder in which something may happen that is shown."""
    return [root / name for name in (layout.PROJECTS, layout.LIVE_SESSIONS, layout.FILE_HISTORY)]


def watched_of_codex(home: Path) -> list[Path]:
    """Return the folders and the file of a Codex home in which something may happen."""
    names = (codex_layout.SESSIONS, codex_layout.ARCHIVED_SESSIONS, codex_layout.THREAD_NAMES)
    return [home / name for name in names]


def what_to_look_at(
    paths: Iterable[str], roots: Sequence[Path], codex_homes: Sequence[Path] = ()
) -> Touched:
    """Sort paths by what they mean; one that lies below no root counts as a listing.

    Args:
        paths: where something happened.
        roots: config folders.
        codex_homes: those of the other agent.
    """
    known = [(root.parts, _sort_in) for root in roots]
    known += [(home.parts, _sort_in_codex) for home in codex_homes]
    touched = Touched()
    for path in paths:
        parts = Path(path).parts
        found = (pair for pair in known if parts[: len(pair[0])] == pair[0])
        above, sort_in = next(found, (parts, _sort_in))
        sort_in(touched, path, parts[len(above) :])
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


def _sort_in_codex(touched: Touched, path: str, parts: tuple[str, ...]) -> None:
    if not parts:
        touched.listing = True
    elif parts[0] == codex_layout.THREAD_NAMES:
        touched.names = True
    elif codex_layout.rollout_name(parts[-1]):
        touched.transcripts.add(path)
    elif not parts[-1].endswith(codex_layout.BEING_WRITTEN):
        touched.listing = True
