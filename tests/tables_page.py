"""TABLES.md, written from the tables' declaration: `python -m tests.tables_page` renews it."""

from __future__ import annotations

from forkpoint.tables.schema import TABLES, VERSION, Column, Table
from tests.fixture_paths import REPOSITORY

PAGE = REPOSITORY / "TABLES.md"

HEAD = f"""# The tables of `forkpoint export --parquet`

Four files, version {VERSION} of their shape. A column never changes its name or its meaning; new
ones come at the end. Each file says the same in its Arrow schema: `description` and `unit` of a
field, and `forkpoint.schema` with the version.

Types are Arrow's: text is `string`, texts `list<string>`, integer `int64`, decimal `float64`, time
`timestamp[ms, UTC]`, boolean `bool`. Unless a column says otherwise, null means that nothing is
written or known. Columns with † are null without `--texts`, those with ‡ with `--no-names`.

Tables are joined by `session_id`, and where many machines fill `host` by both.
"""

MARKS = {"fact": "", "name": " ‡", "line": " ‡", "words": " †"}


def page() -> str:
    return "\n".join([HEAD, *map(_section, TABLES)])


def _section(table: Table) -> str:
    lines = [
        f"## {table.file_name}",
        "",
        f"{table.about} From `{table.request}`.",
        "",
        "| column | type | what it holds |",
        "| --- | --- | --- |",
        *map(_row, table.columns),
        "",
    ]
    return "\n".join(lines)


def _row(column: Column) -> str:
    unit = "" if column.unit is None else f", {column.unit}"
    return f"| `{column.name}`{MARKS[column.content]} | {column.type}{unit} | {column.about} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
