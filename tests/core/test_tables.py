"""Rows as Parquet: types, what no engine could read, and how many are held at a time."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet
import pytest

from forkpoint.records.words import PREVIEW
from forkpoint.tables.hiding import Hiding, Wanted
from forkpoint.tables.parquet import BATCH, GROUP, ParquetTables, schema_of
from forkpoint.tables.rows import moment
from forkpoint.tables.schema import (
    FILE_VERSIONS,
    REQUESTS,
    SESSIONS,
    TABLES,
    TOOL_CALLS,
    VERSION,
    Table,
)
from tests.tables_page import PAGE, page

Row = dict[str, Any]


def row(table: Table, **cells: object) -> Row:
    return {**dict.fromkeys(column.name for column in table.columns), **cells}


def written(folder: Path, table: Table, *portions: list[Row]) -> Path:
    path = folder / table.file_name
    with path.open("wb") as file, ParquetTables({table: file}) as tables:
        for rows in portions:
            tables.add(table, rows)
    return path


def query(path: Path, words: str) -> list[tuple[Any, ...]]:
    with duckdb.connect() as connection:
        return connection.execute(words.replace("FILE", f"'{path}'")).fetchall()


# --- the shape ---------------------------------------------------------------------------------

DUCKDB = {
    "text": "VARCHAR",
    "texts": "VARCHAR[]",
    "integer": "BIGINT",
    "decimal": "DOUBLE",
    "time": "TIMESTAMP WITH TIME ZONE",
    "boolean": "BOOLEAN",
}


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_an_engine_sees_the_types_that_are_declared(table: Table, tmp_path: Path) -> None:
    path = written(tmp_path, table)
    seen = [(name, kind) for name, kind, *_ in query(path, "describe select * from FILE")]
    assert seen == [(column.name, DUCKDB[column.type]) for column in table.columns]
    assert query(path, "select count(*) from FILE") == [(0,)]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_a_file_says_what_its_columns_hold(table: Table, tmp_path: Path) -> None:
    schema = pyarrow.parquet.read_schema(written(tmp_path, table))
    for column in table.columns:
        told = schema.field(column.name).metadata
        assert told[b"description"].decode() == column.about
        assert told.get(b"unit", b"").decode() == (column.unit or "")
    assert schema.metadata[b"forkpoint.schema"].decode() == VERSION
    assert schema.metadata[b"forkpoint.table"].decode() == table.name


def test_the_page_says_the_same() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python -m tests.tables_page renews it"


def test_no_column_has_to_be_quoted() -> None:
    with duckdb.connect() as connection:
        found = connection.execute(
            "select keyword_name from duckdb_keywords()"
            " where keyword_category in ('reserved', 'type_function')"
        ).fetchall()
    taken = {name for (name,) in found}
    assert "select" in taken
    names = [column.name for table in TABLES for column in table.columns]
    assert taken.intersection(names) == set()


def test_each_table_says_whose_a_row_is_first() -> None:
    for table in TABLES:
        names = [column.name for column in table.columns]
        assert names[:3] == ["host", "agent", "session_id"]
        assert len(set(names)) == len(names)


def test_texts_that_tell_of_people_are_declared_so() -> None:
    """What is left without titles, names and texts are ids, numbers and words of a list."""
    kept = {
        column.name
        for table in TABLES
        for column in table.columns
        if column.content == "fact" and column.type in ("text", "texts")
    }
    assert kept == {
        *("host", "agent", "session_id", "agent_id", "agent_type", "started_agent_id"),
        *("title_source", "version", "models", "model", "entrypoint", "tip", "forked_from"),
        *("fork_evidence", "problems", "message_id", "uuid", "ttl", "break_cause"),
        *("break_certainty", "tool_use_id", "name", "state", "owner_session_id", "kind"),
        *("prompt_uuid", "source"),
    }


# --- cells -------------------------------------------------------------------------------------

TEXTS = [
    ("", ""),
    ("a\0b", "a\0b"),
    ("\ud83d", "\ufffd"),
    ("\ud83d\ude00", "\U0001f600"),
    ("x\udc80y", "x\ufffdy"),
    ("\U0001f600 \u202e\x1b[2J\r\n", "\U0001f600 \u202e\x1b[2J\r\n"),
]
NUMBERS = [(2**63 - 1, 2**63 - 1), (2**63, None), (-(2**63), -(2**63)), (10**40, None), (0, 0)]
AMOUNTS = [(0.25, 0.25), (float("inf"), None), (float("nan"), None), (0, 0.0)]


def test_odd_cells_cost_themselves_at_most(tmp_path: Path) -> None:
    calls = [row(TOOL_CALLS, summary=text, files=[text, "b"]) for text, _ in TEXTS]
    path = written(tmp_path, TOOL_CALLS, calls)
    assert query(path, "select summary, files from FILE") == [
        (text, [text, "b"]) for _, text in TEXTS
    ]
    requests = [row(REQUESTS, input_tokens=number) for number, _ in NUMBERS]
    requests += [row(REQUESTS, cost_usd=amount) for amount, _ in AMOUNTS]
    path = written(tmp_path, REQUESTS, requests)
    assert query(path, "select input_tokens, cost_usd from FILE") == [
        *((number, None) for _, number in NUMBERS),
        *((None, amount) for _, amount in AMOUNTS),
    ]


def test_lists_may_be_empty_or_missing(tmp_path: Path) -> None:
    rows = [row(TOOL_CALLS, files=files) for files in ([], None, ["a"])]
    path = written(tmp_path, TOOL_CALLS, rows)
    assert query(path, "select files from FILE") == [([],), (None,), (["a"],)]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("2026-05-28T10:00:00.123Z", "2026-05-28 10:00:00.123"),
        ("2026-05-28T12:00:00.123456+02:00", "2026-05-28 10:00:00.123"),
        ("2026-05-28T10:00:00", "2026-05-28 10:00:00"),
        ("0001-01-01T00:00:00Z", "0001-01-01 00:00:00"),
        ("9999-12-31T23:59:59.999Z", "9999-12-31 23:59:59.999"),
        ("yesterday", None),
        ("", None),
        (None, None),
    ],
)
def test_times_are_moments_in_utc(text: str | None, read: str | None, tmp_path: Path) -> None:
    path = written(tmp_path, REQUESTS, [row(REQUESTS, answered_at=moment(text))])
    with duckdb.connect() as connection:
        connection.execute("set timezone = 'America/New_York'")
        words = f"select (answered_at at time zone 'UTC')::varchar from '{path}'"
        assert connection.execute(words).fetchall() == [(read,)]


# --- many --------------------------------------------------------------------------------------


def test_many_rows_keep_their_order_and_come_in_groups(tmp_path: Path) -> None:
    count = GROUP + BATCH + 7
    rows = [row(REQUESTS, ordinal=number, uuid=f"u{number}") for number in range(count)]
    sizes = [1, BATCH - 1, BATCH, 3 * BATCH + 5]
    portions = [rows[sum(sizes[:at]) : sum(sizes[: at + 1])] for at in range(len(sizes))]
    path = written(tmp_path, REQUESTS, *portions, rows[sum(sizes) :])
    assert query(path, "select ordinal, uuid from FILE") == [(n, f"u{n}") for n in range(count)]
    groups = pyarrow.parquet.ParquetFile(path).metadata
    assert groups.num_row_groups == 2
    assert groups.row_group(0).num_rows >= GROUP


def test_who_breaks_off_writes_no_more() -> None:
    files = [BytesIO() for _ in TABLES]
    with pytest.raises(KeyboardInterrupt), ParquetTables(dict(zip(TABLES, files, strict=True))):
        for file in files:
            file.close()
        raise KeyboardInterrupt


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    rows = [row(FILE_VERSIONS, file="/a", version=1, recorded_at=5)]
    first = written(tmp_path, FILE_VERSIONS, rows).read_bytes()
    assert written(tmp_path, FILE_VERSIONS, rows).read_bytes() == first
    assert schema_of(FILE_VERSIONS).names == [each.name for each in FILE_VERSIONS.columns]


# --- what is hidden ----------------------------------------------------------------------------

SECRET = "ghp_" + "x7Kq2mZp9LwR4tYb6NcV" * 2


def session(**cells: object) -> Row:
    usual = {"title": "Fix it", "cwd": "/home/jane/shop", "models": ["m"], "first_prompt": "Fix"}
    return row(SESSIONS, **{**usual, **cells})


@pytest.mark.parametrize(
    ("wanted", "filled"),
    [
        (Wanted(), {"title", "cwd", "models"}),
        (Wanted(words=True), {"title", "cwd", "models", "first_prompt"}),
        (Wanted(names=False), {"models"}),
        (Wanted(names=False, words=True), {"models", "first_prompt"}),
    ],
)
def test_only_what_is_asked_for_is_filled(wanted: Wanted, filled: set[str]) -> None:
    rows = [session()]
    Hiding(wanted).hide(SESSIONS, rows)
    assert {name for name, value in rows[0].items() if value is not None} == filled


def test_what_is_redacted_is_so_wherever_it_stands() -> None:
    hiding = Hiding(Wanted(redact=True, words=True))
    of_sessions = [session(title=f"Use {SECRET} now", project_key="-home-jane-shop")]
    calls = [row(TOOL_CALLS, files=["/home/jane/a.py", "/srv/b.py"], summary="cat /home/jane/x")]
    for table, rows in ((SESSIONS, of_sessions), (TOOL_CALLS, calls)):
        hiding.look(table, rows)
    for table, rows in ((SESSIONS, of_sessions), (TOOL_CALLS, calls)):
        hiding.hide(table, rows)
    [told], [call] = of_sessions, calls
    assert told["title"].startswith("Use [secret 1: ")
    assert told["title"].endswith("] now")
    assert (told["cwd"], told["project_key"]) == ("/home/[user 1]/shop", "-home-[user 1]-shop")
    assert call["files"] == ["/home/[user 1]/a.py", "/srv/b.py"]
    assert call["summary"] == "cat /home/[user 1]/x"
    assert hiding.redactions["homePath"] == 4
    assert sum(count for kind, count in hiding.redactions.items() if "secret" in kind) == 1


def test_a_name_that_is_told_of_later_is_taken_out_before() -> None:
    hiding = Hiding(Wanted(redact=True))
    rows = [session(title="Ask marietta about it"), session(cwd="/home/marietta/shop")]
    hiding.look(SESSIONS, rows)
    hiding.hide(SESSIONS, rows)
    assert rows[0]["title"] == f"Ask {rows[1]['cwd'].split('/')[2]} about it"


def test_what_came_after_the_look_is_looked_at_too() -> None:
    hiding = Hiding(Wanted(redact=True))
    hiding.look(SESSIONS, [session()])
    rows = [session(title=f"Use {SECRET}")]
    hiding.hide(SESSIONS, rows)
    assert SECRET not in rows[0]["title"]


def test_of_a_text_that_was_cut_half_a_secret_does_not_stay() -> None:
    """Its end is out of sight, so no rule knows it."""
    words = "word " * (PREVIEW // 5 - 3)
    title = words + SECRET[: PREVIEW - len(words)]
    rows = [session(title=title, cwd="/srv/" + "a b/" * PREVIEW + "c")]
    path = rows[0]["cwd"]
    hiding = Hiding(Wanted(redact=True))
    hiding.look(SESSIONS, rows)
    hiding.hide(SESSIONS, rows)
    assert rows[0]["title"] == words + "…"
    assert rows[0]["cwd"] == path, "a path is never cut"
