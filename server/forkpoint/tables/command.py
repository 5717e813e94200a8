"""`forkpoint export --parquet`: what its words mean, and what is told of what was done."""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from forkpoint.catalog import Catalog
from forkpoint.export_file import NotWritten
from forkpoint.protocol.errors import InvalidParams
from forkpoint.redaction.library import detectors
from forkpoint.search_query import first_moment
from forkpoint.tables.files import new_files
from forkpoint.tables.gathered import Gathered, Selection
from forkpoint.tables.hiding import Hiding, Wanted
from forkpoint.tables.parquet import NoParquet, ParquetTables, arrow
from forkpoint.tables.schema import TABLES
from forkpoint.terminal import export_notes, visible


class Written(msgspec.Struct, rename="camel"):
    """What was written.

    Attributes:
        rows: by table.
        not_read: sentences about what is missing in them.
        notes: what else to tell.
    """

    folder: str
    rows: dict[str, int]
    not_read: list[str]
    notes: list[str]


def write_tables(
    options: argparse.Namespace, agents: Iterable[Path], open_catalog: Callable[[], Catalog]
) -> Written:
    """Write all tables; transcripts are read only when it is known that they can be.

    Raises:
        InvalidParams: A word of the command line means nothing.
        NotWritten: Nothing was written.
    """
    selection = _selection(options)
    folder = Path(options.parquet).absolute()
    try:
        arrow()
    except NoParquet as missing:
        raise NotWritten(str(missing)) from None
    names = [table.file_name for table in TABLES]
    hiding = Hiding(Wanted(names=not options.no_names, words=options.texts, redact=options.redact))
    with (
        new_files(folder, names, agents, force=options.force) as files,
        ParquetTables(dict(zip(TABLES, files, strict=True))) as tables,
    ):
        gathered = Gathered(open_catalog(), selection)
        if options.redact:
            for table, rows in gathered.rows():
                hiding.look(table, rows)
        for table, rows in gathered.rows():
            hiding.hide(table, rows)
            tables.add(table, rows)
    rules = ["built-in", "detect-secrets"] if options.redact and detectors() else ["built-in"]
    notes = export_notes(hiding.redactions, rules, redacted=options.redact)
    return Written(str(folder), tables.counts, gathered.notes, notes)


def _selection(options: argparse.Namespace) -> Selection:
    since = None if options.since is None else first_moment(options.since)
    if options.since is not None and since is None:
        raise InvalidParams("--since needs a date such as 2026-05-28 or 2026-05-28T14:30")
    if options.agent not in (None, "claude-code", "codex"):
        raise InvalidParams('--agent must be "claude-code" or "codex" for tables')
    return Selection(
        projects=[str(Path(folder).absolute()) for folder in options.project or ()],
        since=since,
        agent=options.agent,
        host=platform.node() if options.host == "" else options.host,
    )


def tell(written: Written) -> None:
    """Print what was written, and beside it what was not."""
    for name, count in written.rows.items():
        print(f"{name}.parquet  {count:,} {'row' if count == 1 else 'rows'}")
    for sentence in [*written.not_read, *written.notes]:
        print(visible(sentence), file=sys.stderr)
