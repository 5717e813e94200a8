"""Rows of cells as text: as columns for a person, or as CSV for another program."""

from __future__ import annotations

import csv
import io
import textwrap
from collections.abc import Collection, Sequence

Cell = str | int | float | None
"""None stands for what is not known."""

_STARTS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""With these a spreadsheet takes a text for a formula."""


def columns(headings: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int]) -> str:
    """Return lines of columns below their headings, with a rule between.

    Args:
        headings: of each column.
        rows: as many cells each.
        right: places of the columns that end, not begin, at one place: numbers.
    """
    widths = [max(len(line[place]) for line in [headings, *rows]) for place in range(len(headings))]

    def line(cells: Sequence[str]) -> str:
        padded = [
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return "  ".join(padded).rstrip()

    rule = "  ".join(["-" * width for width in widths])
    return "\n".join([line(headings), rule, *[line(row) for row in rows]])


def csv_text(headings: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """Return CSV (RFC 4180), headings first; what is not known is an empty cell.

    A text that a spreadsheet would take for a formula has an apostrophe before it, and no control
    characters.
    """
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\r\n")
    writer.writerow(headings)
    writer.writerows([[_safe(cell) for cell in row] for row in rows])
    return output.getvalue()


def _safe(cell: Cell) -> Cell:
    if not isinstance(cell, str):
        return cell
    text = "".join([character if character.isprintable() else " " for character in cell])
    return f"'{text}" if text.lstrip().startswith(_STARTS) else text


def wrapped(text: str, indent: str = "") -> list[str]:
    """Return a text as lines that fit an editor; those behind the first begin with the indent."""
    return textwrap.wrap(
        text,
        _LINE,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


_LINE = 88


def shown(text: str) -> str:
    """Return a text as one line that a terminal does not obey: what it would obey is a sign."""
    return "".join([c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text])
