"""Writes rows as Parquet, a bounded number of them in memory.

pyarrow is an extra, and imported when tables are asked for and not before.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from types import TracebackType
from typing import Any, BinaryIO

from forkpoint import __version__
from forkpoint.protocol.encode import whole_text
from forkpoint.tables.rows import Row
from forkpoint.tables.schema import VERSION, Column, Table, Type

BATCH = 4096
"""Rows that are turned into columns at once: so many are held as objects."""
GROUP = 25 * BATCH
"""Rows of a row group, held as columns, some 200 bytes each; engines want some 100,000."""


class NoParquet(Exception):
    """pyarrow is not there; the text is a sentence."""


def arrow() -> Any:
    """Import pyarrow with what writes Parquet; raises `NoParquet`."""
    try:
        import_module("pyarrow.parquet")
        return import_module("pyarrow")
    except ImportError:
        sentence = "Tables need pyarrow, which is not installed: pip install 'forkpoint[parquet]'."
        raise NoParquet(sentence) from None


def schema_of(table: Table) -> Any:
    """Return a table's Arrow schema; what each column holds goes with it."""
    pa = arrow()
    fields = [
        pa.field(column.name, _arrow_type(column.type), metadata=_notes(column))
        for column in table.columns
    ]
    about = {
        "forkpoint.schema": VERSION,
        "forkpoint.version": __version__,
        "forkpoint.table": table.name,
        "description": table.about,
    }
    return pa.schema(fields, metadata=about)


def _arrow_type(kind: Type) -> Any:
    pa = arrow()
    return {
        "text": pa.string,
        "texts": lambda: pa.list_(pa.string()),
        "integer": pa.int64,
        "decimal": pa.float64,
        "time": lambda: pa.timestamp("ms", tz="UTC"),
        "boolean": pa.bool_,
    }[kind]()


def _notes(column: Column) -> dict[str, str]:
    unit = {} if column.unit is None else {"unit": column.unit}
    return {"description": column.about, **unit}


class ParquetTables:
    """Tables that are being written; as a context it ends them all.

    Attributes:
        counts: rows so far, by table.
    """

    def __init__(self, files: Mapping[Table, BinaryIO]) -> None:
        self.counts = dict.fromkeys((table.name for table in files), 0)
        self._writing: dict[str, _Writing] = {}
        for table, file in files.items():
            self._writing[table.name] = _Writing(table, file)

    def add(self, table: Table, rows: Sequence[Row]) -> None:
        """Write rows, which have all columns of the table and no other."""
        self._writing[table.name].add(rows)
        self.counts[table.name] += len(rows)

    def __enter__(self) -> ParquetTables:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> None:
        for writing in self._writing.values():
            if kind is None:
                writing.end()
            else:
                writing.break_off()


class _Writing:
    """One table: rows wait until they are a batch, batches until they are a group."""

    def __init__(self, table: Table, file: BinaryIO) -> None:
        self._columns = table.columns
        self._schema = schema_of(table)
        parquet = import_module("pyarrow.parquet")
        self._writer = parquet.ParquetWriter(file, self._schema, compression="zstd")
        self._rows: list[Row] = []
        self._batches: list[Any] = []
        self._in_group = 0

    def add(self, rows: Sequence[Row]) -> None:
        for start in range(0, len(rows), BATCH):
            self._rows += rows[start : start + BATCH]
            if len(self._rows) >= BATCH:
                self._to_columns()

    def _to_columns(self) -> None:
        pa = arrow()
        columns = [
            pa.array([_cell(column.type, row[column.name]) for row in self._rows], type=field.type)
            for column, field in zip(self._columns, self._schema, strict=True)
        ]
        self._batches.append(pa.record_batch(columns, schema=self._schema))
        self._in_group += len(self._rows)
        self._rows = []
        if self._in_group >= GROUP:
            self._write_group()

    def _write_group(self) -> None:
        if self._in_group:
            group = arrow().Table.from_batches(self._batches, self._schema)
            self._batches, self._in_group = [], 0
            self._writer.write_table(group, row_group_size=len(group))

    def end(self) -> None:
        if self._rows:
            self._to_columns()
        self._write_group()
        self._writer.close()

    def break_off(self) -> None:
        """The file goes; it only must not be written to later, when this is forgotten."""
        with suppress(Exception):
            self._writer.close()


_LARGEST = 2**63


def _cell(kind: Type, value: Any) -> Any:
    """A value as Arrow takes it; what a file says may be of any size, and no Unicode."""
    if value is None:
        return None
    if kind == "text":
        return _text(value)
    if kind == "texts":
        return [_text(each) for each in value]
    if kind == "integer" or kind == "time":
        return value if -_LARGEST <= value < _LARGEST else None
    if kind == "decimal":
        return value if math.isfinite(value) else None
    return value


def _text(text: str) -> str:
    return text if text.isascii() else whole_text(text)
