"""Whatever an answer holds, DuckDB reads it back, however the rows are portioned."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
from hypothesis import given, settings
from hypothesis import strategies as st

from forkpoint.protocol.encode import json_bytes
from forkpoint.tables.parquet import ParquetTables
from forkpoint.tables.schema import TABLES, Table, Type

Row = dict[str, Any]

ANY_TEXT = st.text(st.characters(), max_size=12)
"""With lone surrogates and NUL."""
CELLS: dict[Type, st.SearchStrategy[Any]] = {
    "text": ANY_TEXT,
    "texts": st.lists(ANY_TEXT, max_size=3),
    "integer": st.integers(-(2**70), 2**70) | st.sampled_from([2**63 - 1, 2**63, -(2**63)]),
    "decimal": st.floats(),
    "time": st.integers(-62_135_596_800_000, 253_402_300_799_999),
    "boolean": st.booleans(),
}


@st.composite
def portions(draw: st.DrawFn) -> tuple[Table, list[list[Row]]]:
    table = draw(st.sampled_from(TABLES))
    cells = {column.name: st.none() | CELLS[column.type] for column in table.columns}
    rows = st.fixed_dictionaries(cells)
    return table, draw(st.lists(st.lists(rows, max_size=3), max_size=3))


def as_json(table: Table, row: Row) -> Row:
    """What `forkpoint call` would print; a number that no engine has a place for is not there."""
    wanted: Row = json.loads(json_bytes(row))
    for column in table.columns:
        value = wanted[column.name]
        if column.type == "integer" and value is not None and not -(2**63) <= value < 2**63:
            wanted[column.name] = None
    return wanted


@settings(max_examples=60)
@given(portions())
def test_what_is_written_is_read(drawn: tuple[Table, list[list[Row]]]) -> None:
    table, parts = drawn
    with TemporaryDirectory() as folder:
        path = Path(folder) / table.file_name
        with path.open("wb") as file, ParquetTables({table: file}) as tables:
            for part in parts:
                tables.add(table, part)
        times = [column.name for column in table.columns if column.type == "time"]
        replaced = ", ".join(f"epoch_ms({name}) as {name}" for name in times)
        with duckdb.connect() as connection:
            words = f"select * replace ({replaced}) from '{path}'"
            found = connection.execute(words).fetchall()
    names = [column.name for column in table.columns]
    rows = [dict(zip(names, row, strict=True)) for row in found]
    assert rows == [as_json(table, row) for part in parts for row in part]
