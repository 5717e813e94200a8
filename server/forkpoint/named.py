"""What all commands share: which config folders are meant, and how a failure is told."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from forkpoint.cache_folder import store_folder
from forkpoint.codex_layout import codex_homes
from forkpoint.layout import config_dirs

if TYPE_CHECKING:
    from forkpoint.keeping import Keeping
    from forkpoint.search_file import SearchFile
    from forkpoint.searching import OpenSearch


def named_roots(options: argparse.Namespace) -> list[Path]:
    """The config folders named, else those of the environment; URIs need absolute paths."""
    before: list[Path] = getattr(options, "config_dirs_before", [])
    behind: list[Path] = getattr(options, "config_dirs_behind", [])
    return [root.absolute() for root in [*before, *behind]] or usual_roots()


def usual_roots() -> list[Path]:
    """The config folders of a client that is told nothing but its environment."""
    return [Path(root).absolute() for root in config_dirs(os.environ, str(Path.home()))]


def named_homes(options: argparse.Namespace) -> list[Path]:
    """The Codex homes named, else that of the environment."""
    before: list[Path] = getattr(options, "codex_homes_before", [])
    behind: list[Path] = getattr(options, "codex_homes_behind", [])
    return [home.absolute() for home in [*before, *behind]] or usual_homes()


def usual_homes() -> list[Path]:
    """The Codex homes of a client that is told nothing but its environment."""
    return [Path(home).absolute() for home in codex_homes(os.environ, str(Path.home()))]


def agents_folders(options: argparse.Namespace) -> list[Path]:
    """All folders of agents that are known here, below which nothing is ever written."""
    home = str(Path.home())
    never = [*config_dirs({}, home), *codex_homes({}, home)]
    usual = [*usual_roots(), *usual_homes()]
    return [*named_roots(options), *named_homes(options), *usual, *map(Path, never)]


def keeping_for(roots: Sequence[Path], folder: Path | None = None) -> Keeping:
    """What is kept over restarts, in this folder or the user's own for caches."""
    from forkpoint.keeping import Keeping
    from forkpoint.store import open_store

    return Keeping(open_store(folder or store_folder(os.environ, Path.home()), roots))


def search_for(
    roots: Sequence[Path], folder: Path | None = None, *, with_outputs: bool = True
) -> OpenSearch:
    """What opens the table of words, in this folder or the user's own for caches."""

    def opened() -> SearchFile:
        from forkpoint.search_file import open_search

        chosen = folder or store_folder(os.environ, Path.home())
        return open_search(chosen, roots, with_outputs=with_outputs)

    return opened


def fail(sentence: str, code: int = 1) -> int:
    """Tell the user why nothing came of it; gives the exit code."""
    print(f"forkpoint: {sentence}", file=sys.stderr)
    return code
