"""Where does the text of a cell stand in a notebook's file?

A notebook is JSON. A cell's text is either one string, as the agent's client writes it, or a string
in a line of its own for each of its lines, as notebook editors do.
"""

from __future__ import annotations

import json

from forkpoint.line_origins import places_of
from forkpoint.text_lines import Lines


def cell_places(source: str, now: Lines) -> list[tuple[int, int]]:
    """Return the lines (from, up to) of a notebook that hold the text of a cell."""
    plain = [line.strip().removesuffix(",") for line in now]
    found: dict[int, int] = {}
    for ascii_only in (False, True):
        pieces = source.splitlines(keepends=True)
        block = [json.dumps(piece, ensure_ascii=ascii_only) for piece in pieces]
        found |= {at: at + len(block) for at in places_of(block, plain, 2)}
        whole = '"source": ' + json.dumps(source, ensure_ascii=ascii_only)
        found |= {at: at + 1 for at, line in enumerate(plain) if source and line == whole}
    return sorted(found.items())
