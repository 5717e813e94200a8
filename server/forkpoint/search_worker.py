"""The body of a process of low priority that fills the search table for a server.

`python -m forkpoint.search_worker FOLDER OUTPUTS ROOT... [OF_CODEX HOME]...` puts all transcripts
below the config folders and Codex homes into the table in a folder, and ends. It ends at once when
its standard input does: whoever started it is gone. What it has written by then stays right.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from forkpoint.roster import Roster
from forkpoint.search_file import open_search
from forkpoint.search_filling import Filling

NICENESS = 10
WITH, WITHOUT = "with-outputs", "without-outputs"
OF_CODEX = "of-codex"
"""Before each Codex home; no root is spelled like that, as roots are absolute."""


def fill(
    folder: Path, roots: Sequence[Path], codex_homes: Sequence[Path], *, with_outputs: bool
) -> None:
    """Fill the table in a folder; one that nothing would keep is not filled."""
    file = open_search(folder, [*roots, *codex_homes], with_outputs=with_outputs)
    roster = Roster(roots, codex_homes)
    roster.rescan()
    filling = Filling(roster, file)
    while file.off is None and filling.next():
        pass
    file.close()


def main(arguments: Sequence[str]) -> None:
    """Do what the arguments say, see above."""
    # A key that the user presses in the server's terminal is for the server.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError, AttributeError):  # On Windows whoever starts it says so.
        os.nice(NICENESS)
    threading.Thread(target=_end_with_input, daemon=True).start()
    folder, outputs, *places = arguments
    homes = [place for mark, place in pairwise(places) if mark == OF_CODEX]
    roots = [Path(place) for place in places if place not in (OF_CODEX, *homes)]
    fill(Path(folder), roots, [Path(home) for home in homes], with_outputs=outputs == WITH)


def _end_with_input() -> None:
    with suppress(OSError, ValueError):
        sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
