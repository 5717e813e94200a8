"""What was found, as text for a terminal."""

from __future__ import annotations

from itertools import groupby

from forkpoint.protocol import types
from forkpoint.terminal import age, visible


def hit_list(result: types.SearchResult, now: float) -> str:
    """Return the hits, those of a session that follow each other below its title."""
    lines: list[str] = []
    for session_id, hits in groupby(result.hits, lambda hit: hit.session_id):
        here = list(hits)
        title = visible(here[0].title.text) or "(no title)"
        lines.append(f"{session_id[:8]}  {visible(here[0].project.name)[:24]}  {title[:80]}")
        lines += [f"  {_line(hit, now)}" for hit in here]
    if not result.hits:
        lines.append("Nothing found.")
    rest = result.total - len(result.hits)
    if rest > 0:
        more = "at least " if result.total_is_lower_bound else ""
        lines.append(f"… and {more}{rest} more (--limit)")
    return "\n".join([*lines, *[note.sentence for note in result.notes]])


def _line(hit: types.SearchHit, now: float) -> str:
    what = visible(hit.tool) if hit.tool else hit.role or hit.part
    marks = [hit.fate] if hit.fate != "sent" else []
    marks += ["error"] if hit.is_error else []
    marks += [f"copies in {len(hit.also_in)} more"] if hit.also_in else []
    when = age(hit.at, now) if hit.at else "?"
    aside = f"  ({', '.join(marks)})" if marks else ""
    return f"{hit.ordinal:>6}  {when:<6}  {what[:14]:<14}  {visible(hit.snippet)}{aside}"
