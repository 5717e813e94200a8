"""`forkpoint export --parquet`: what DuckDB reads is what `forkpoint call` answers, row by row."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest

from fixtures.demo.prepare import Demo
from forkpoint.cli import main
from forkpoint.protocol.uri import path_of
from tests.e2e.forkpoint_server import ForkpointServer
from tests.e2e.recordings import HOMES, name_of

Json = dict[str, Any]
Ask = Callable[..., Json]

WHERE = {
    "sessions": {
        "agent": "agent",
        "session_id": "sessionId",
        "title": "title.text",
        "title_source": "title.source",
        "first_prompt": "firstPrompt",
        "tag": "tag",
        "agent_name": "agentName",
        "project": "project.name",
        "project_key": "project.key",
        "cwd": "project.cwd",
        "worktree_of": "project.worktreeOf",
        "git_branch": "gitBranch",
        "config_dir": "configDir",
        "transcript": "transcript",
        "version": "version",
        "models": "models",
        "entrypoint": "entrypoint",
        "created_at": "createdAt",
        "updated_at": "updatedAt",
        "modified_at": "modifiedAt",
        "size_bytes": "sizeBytes",
        "prompt_count": "promptCount",
        "response_count": "responseCount",
        "branch_count": "branchCount",
        "compaction_count": "compactionCount",
        "checkpoint_file_count": "checkpointFileCount",
        "subagent_count": "subagentCount",
        "input_tokens": "tokens.input",
        "output_tokens": "tokens.output",
        "cache_read_tokens": "tokens.cacheRead",
        "cache_write_5m_tokens": "tokens.cacheWrite5m",
        "cache_write_1h_tokens": "tokens.cacheWrite1h",
        "subagent_input_tokens": "subagentTokens.input",
        "subagent_output_tokens": "subagentTokens.output",
        "subagent_cache_read_tokens": "subagentTokens.cacheRead",
        "subagent_cache_write_5m_tokens": "subagentTokens.cacheWrite5m",
        "subagent_cache_write_1h_tokens": "subagentTokens.cacheWrite1h",
        "inherited_input_tokens": "inheritedTokens.input",
        "inherited_output_tokens": "inheritedTokens.output",
        "inherited_cache_read_tokens": "inheritedTokens.cacheRead",
        "inherited_cache_write_5m_tokens": "inheritedTokens.cacheWrite5m",
        "inherited_cache_write_1h_tokens": "inheritedTokens.cacheWrite1h",
        "cost_usd": "costUsd",
        "context_tokens": "contextTokens",
        "tip": "tip",
        "forked_from": "forkedFrom.sessionId",
        "fork_evidence": "forkedFrom.evidence",
        "pull_requests": "pullRequests",
        "archived": "archived",
        "expires_at": "expiresAt",
        "problems": "problems",
    },
    "requests": {
        "message_id": "messageId",
        "uuid": "uuid",
        "ordinal": "ordinal",
        "answered_at": "at",
        "model": "model",
        "ttl": "ttl",
        "input_tokens": "input",
        "output_tokens": "output",
        "cache_read_tokens": "cacheRead",
        "cache_write_5m_tokens": "cacheWrite5m",
        "cache_write_1h_tokens": "cacheWrite1h",
        "cost_usd": "costUsd",
        "break_lost_tokens": "break.lostTokens",
        "break_cost_usd": "break.costUsd",
        "break_cause": "break.cause",
        "break_certainty": "break.certainty",
        "break_expected": "break.expected",
    },
    "tool_calls": {
        "tool_use_id": "toolUseId",
        "name": "name",
        "uuid": "uuid",
        "ordinal": "ordinal",
        "called_at": "at",
        "state": "state",
        "files": "files",
        "summary": "summary",
        "started_agent_id": "subagent.agentId",
        "on_active_path": "onActivePath",
    },
    "file_versions": {
        "version": "version",
        "owner_session_id": "sessionId",
        "backup": "backup",
        "state": "state",
        "kind": "kind",
        "recorded_at": "time",
        "prompt_uuid": "prompt.uuid",
        "prompt_preview": "prompt.preview",
        "is_first": "first",
        "on_active_path": "onActivePath",
        "size_bytes": "sizeBytes",
        "is_binary": "binary",
        "added_lines": "added",
        "removed_lines": "removed",
        "source": "source",
    },
}
"""Where in an answer each column stands; the others are who was asked."""

TIMES = {
    *("created_at", "updated_at", "modified_at", "expires_at"),
    *("answered_at", "called_at", "recorded_at"),
}
EACH: dict[str, Callable[[Any], Any]] = {
    "transcript": path_of,
    "files": lambda files: [path_of(file) for file in files],
    "pull_requests": lambda found: [each["url"] for each in found if each["url"] is not None],
    "problems": lambda found: [each["code"] for each in found],
}


def cells(table: str, row: Json) -> Json:
    """The row of a table that an element of an answer has to become."""
    return {column: cell(column, row, place) for column, place in WHERE[table].items()}


def cell(column: str, row: Json, place: str) -> Any:
    value: Any = row
    for part in place.split("."):
        value = None if value is None else value[part]
    if column in TIMES:
        return moment(value)
    return EACH[column](value) if column in EACH and value is not None else value


def moment(text: str | None) -> int | None:
    try:
        read = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    read = read if read.tzinfo else read.replace(tzinfo=UTC)
    seconds = (read - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()
    return int(seconds // 1) * 1000 + read.microsecond // 1000


def expected(ask: Ask) -> dict[str, list[Json]]:
    """All rows of all tables, out of the answers."""
    every = {"includeProgrammatic": True, "includeArchived": True}
    found: dict[str, list[Json]] = {table: [] for table in WHERE}
    sessions = ask("sessions", **every)["sessions"]
    of_session = {row["sessionId"]: identities(ask, row["sessionId"]) for row in sessions}
    for session in sessions:
        found["sessions"].append({"host": None, **cells("sessions", session)})
        for table, row in rows_of(ask, session):
            origin = (session["forkedFrom"] or {}).get("sessionId")
            if table != "requests":
                known = of_session.get(origin, set())
                row["inherited"] = origin is not None and identity(row) in known
            found[table].append(row)
    return found


def rows_of(ask: Ask, session: Json) -> Iterator[tuple[str, Json]]:
    name = {"sessionId": session["sessionId"]}
    whose = {"host": None, "agent": session["agent"], "session_id": session["sessionId"]}
    main = {"agentId": None, "type": None, "transcript": ""}
    for agent in [main, *ask("subagents", **name)["agents"]]:
        if agent["transcript"] is not None:
            named = {**whose, "agent_id": agent["agentId"], "agent_type": agent["type"]}
            asked = {**name, "agentId": agent["agentId"]}
            for request in ask("cacheHistory", **asked)["requests"]:
                yield "requests", {**named, **cells("requests", request)}
            for call in ask("toolCalls", **asked)["calls"]:
                yield "tool_calls", {**named, **cells("tool_calls", call)}
    for history in ask("checkpoints", **name)["files"]:
        for version in history["versions"]:
            place = {"file": path_of(history["file"])}
            yield "file_versions", {**whose, **place, **cells("file_versions", version)}


def identities(ask: Ask, session_id: str) -> set[object]:
    session = {"sessionId": session_id, "agent": None}
    return {identity(row) for table, row in rows_of(ask, session) if table != "requests"}


def identity(row: Json) -> object:
    if "tool_use_id" in row:
        return row["tool_use_id"]
    return row["file"], row["version"], row["backup"], row["recorded_at"], row["prompt_uuid"]


def tables(folder: Path) -> dict[str, list[Json]]:
    return {table: read(folder / f"{table}.parquet") for table in WHERE}


def read(path: Path) -> list[Json]:
    """What DuckDB reads; times as milliseconds since 1970."""
    with duckdb.connect() as connection:
        source = connection.read_parquet(str(path))
        times = [name for name in source.columns if name in TIMES]
        replaced = ", ".join(f"epoch_ms({name}) as {name}" for name in times)
        rows = source.project(f"* replace ({replaced})").fetchall()
        return [dict(zip(source.columns, row, strict=True)) for row in rows]


def differences(found: dict[str, list[Json]], wanted: dict[str, list[Json]]) -> list[object]:
    """Nothing where all is equal; else what is not, table by table."""
    return [
        (table, one, other)
        for table in WHERE
        for one, other in zip_all(found[table], wanted[table])
        if one != other
    ]


def zip_all(one: list[Json], other: list[Json]) -> Iterator[tuple[Json | None, Json | None]]:
    for place in range(max(len(one), len(other))):
        yield (
            one[place] if place < len(one) else None,
            other[place] if place < len(other) else None,
        )


def export(folder: Path, home: Path, *words: str) -> int:
    return main(["export", "--parquet", str(folder), "--config-dir", str(home), *words])


@pytest.mark.parametrize("home", HOMES, ids=name_of)
def test_the_tables_are_the_answers(home: Path, server: ForkpointServer, tmp_path: Path) -> None:
    assert export(tmp_path / "out", home, "--texts") == 0
    server.open(home)
    listed = server.listed()
    found = tables(tmp_path / "out")
    assert differences(found, expected(server.result)) == []
    assert [row["session_id"] for row in found["sessions"]] == list(listed)
    assert [*not_adding_up(tmp_path / "out")] == [each for each in SIDECHAINS if each in listed]


SIDECHAINS = ["53c42dfc-ba08-4e4e-ae31-0c4bc80322ce"]
"""Has a subagent whose records stand in its own file: the session's sums alone tell of it."""


def not_adding_up(folder: Path) -> Iterator[str]:
    """The sessions whose sums are not those of their requests, subagents' apart."""
    kinds = ("input", "output", "cache_read", "cache_write_5m", "cache_write_1h")
    sums = [
        f"coalesce(sum({kind}_tokens) filter (agent_id is {which} null), 0)"
        for which in ("", "not")
        for kind in kinds
    ]
    columns = [f"s.{whose}{kind}_tokens" for whose in ("", "subagent_") for kind in kinds]
    with duckdb.connect() as connection:
        rows = connection.execute(
            f"""
            from '{folder}/sessions.parquet' s
            left join (
                select session_id, sum(cost_usd) usd, [{", ".join(sums)}] sums
                from '{folder}/requests.parquet' group by all
            ) r using (session_id)
            select session_id, [{", ".join(columns)}], sums, cost_usd, usd
            """
        ).fetchall()
    for session_id, told, summed, cost, dollars in rows:
        known = cost is None or cost == pytest.approx(dollars or 0)
        if told != (summed or [0] * len(told)) or not known:
            yield session_id


def test_the_tables_are_what_forkpoint_call_prints(
    demo: Demo, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def call(method: str, **params: Any) -> Json:
        words = [f"forkpoint/{method}", json.dumps(params), "--config-dir", str(demo.config_dir)]
        assert main(["call", *words]) == 0
        return json.loads(capfd.readouterr().out)

    assert export(tmp_path / "out", demo.config_dir, "--texts") == 0
    capfd.readouterr()
    found = tables(tmp_path / "out")
    assert differences(found, expected(call)) == []
    counts = {table: len(rows) for table, rows in found.items()}
    assert counts["sessions"] == 25
    assert all(counts.values())
    assert any(row["agent_id"] for row in found["requests"])
    assert any(row["inherited"] for row in found["tool_calls"])
