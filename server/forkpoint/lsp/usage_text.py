"""`forkpoint/usage` as a text to read, and as CSV."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from forkpoint.ledger import Dimension
from forkpoint.protocol import types
from forkpoint.text_table import Cell, columns, csv_text, shown, wrapped

_HEADINGS: dict[Dimension, str] = {
    "session": "Session",
    "day": "Day",
    "month": "Month",
    "project": "Project",
    "model": "Model",
    "agent": "Agent",
    "subagent": "Subagent",
}

_NUMBERS = ("Responses", "Input", "Output", "Cache write", "Cache read", "Cost", "By subagents")
_TITLE = 40
"""Characters of a session's title."""
_ID = 8
"""Characters of a session's id."""


def usage_text(
    result: types.UsageResult, by: Sequence[Dimension], since: str | None, until: str | None
) -> str:
    """Return a heading, a table with its total, and what is to be known about the numbers."""
    lines = [_heading(by, since, until), ""]
    if result.total.both.responses:
        lines += _table(result, by)
    else:
        lines += ["Nothing was spent, as far as transcripts tell."]
    notes = [line for note in result.notes for line in wrapped(f"- {note.sentence}", indent="  ")]
    return "\n".join([*lines, "", *notes, ""])


def _heading(by: Sequence[Dimension], since: str | None, until: str | None) -> str:
    names = " and ".join([", ".join(by[:-1]), by[-1]] if len(by) > 1 else by)
    days = [f"from {since}"] if since else []
    days += [f"to {until}"] if until else []
    return " ".join(["Usage", *([f"by {names}"] if names else []), *days])


def _table(result: types.UsageResult, by: Sequence[Dimension]) -> list[str]:
    rows = [[_cell(dimension, row) for dimension in by] + _numbers(row) for row in result.rows]
    first = ["Total"] + [""] * (len(by) - 1)
    table = columns(
        [_HEADINGS[dimension] for dimension in by] + [*_NUMBERS] if by else ["", *_NUMBERS],
        [*rows, first + _numbers(result.total)],
        range(max(len(by), 1), max(len(by), 1) + len(_NUMBERS)),
    ).split("\n")
    return [*table[:-1], *table[1:2], table[-1]] if rows else table


def _cell(dimension: Dimension, row: types.UsageRow) -> str:
    if dimension == "session":
        title = shown(row.title.text)[:_TITLE] if row.title is not None else ""
        return f"{shown(row.session_id or '')[:_ID]}  {title}".rstrip()
    value = _OF[dimension](row)
    return shown(value) if value is not None else _MISSING[dimension]


def _project_name(row: types.UsageRow) -> str | None:
    return None if row.project is None else row.project.name


_OF: dict[Dimension, Callable[[types.UsageRow], str | None]] = {
    "day": lambda row: row.day,
    "month": lambda row: row.month,
    "project": _project_name,
    "model": lambda row: row.model,
    "agent": lambda row: row.agent,
    "subagent": lambda row: row.subagent_id,
}

_MISSING: dict[Dimension, str] = {
    "day": "(no time)",
    "month": "(no time)",
    "project": "(none)",
    "model": "(not named)",
    "agent": "(none)",
    "subagent": "(conversation)",
}


def _numbers(sums: types.UsageSums) -> list[str]:
    tokens = sums.both.tokens
    written = tokens.cache_write_5m + tokens.cache_write_1h
    numbers = (sums.both.responses, tokens.input, tokens.output, written, tokens.cache_read)
    return [*[f"{number:,}" for number in numbers], money(sums.both), money(sums.subagents)]


def money(amount: types.UsageAmount) -> str:
    """Return dollars; a plus says that some of the responses have no known price."""
    if not amount.responses:
        return "-"
    if amount.cost_usd is None:
        return "no price"
    text = "<$0.01" if 0 < amount.cost_usd < _CENT else f"${amount.cost_usd:,.2f}"
    return f"{text}+" if amount.unpriced else text


_CENT = 0.01

# --- CSV ---------------------------------------------------------------------------------------

_KEYS: dict[Dimension, tuple[str, ...]] = {
    "session": ("session_id", "title"),
    "day": ("day",),
    "month": ("month",),
    "project": ("project", "project_path"),
    "model": ("model",),
    "agent": ("agent",),
    "subagent": ("subagent_id",),
}

_AMOUNT = (
    "responses",
    "input",
    "output",
    "cache_read",
    "cache_write_5m",
    "cache_write_1h",
    "cost_usd",
    "unpriced_responses",
)


def usage_csv(result: types.UsageResult, by: Sequence[Dimension]) -> str:
    """Return a line for each row; without dimensions, the total as the only one."""
    headings = [name for dimension in by for name in _KEYS[dimension]]
    headings += ["sessions", *_AMOUNT, *[f"subagents_{name}" for name in _AMOUNT]]
    if not by:
        return csv_text(headings, [_amounts(result.total)])
    rows = [
        [cell for dimension in by for cell in _keys(dimension, row)] + _amounts(row)
        for row in result.rows
    ]
    return csv_text(headings, rows)


def _keys(dimension: Dimension, row: types.UsageRow) -> list[Cell]:
    if dimension == "session":
        return [row.session_id, None if row.title is None else row.title.text]
    if dimension == "project":
        return [_project_name(row), None if row.project is None else row.project.path]
    return [_OF[dimension](row)]


def _amounts(sums: types.UsageSums) -> list[Cell]:
    return [sums.sessions, *_amount(sums.both), *_amount(sums.subagents)]


def _amount(amount: types.UsageAmount) -> list[Cell]:
    tokens = amount.tokens
    return [
        amount.responses,
        tokens.input,
        tokens.output,
        tokens.cache_read,
        tokens.cache_write_5m,
        tokens.cache_write_1h,
        None if amount.cost_usd is None else f"{amount.cost_usd:.6f}",
        amount.unpriced,
    ]
