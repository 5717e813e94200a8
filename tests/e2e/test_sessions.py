"""`forkpoint/sessions` over the wire: the demo's whole list, its numbers, scopes, search, pages."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from fixtures.demo.prepare import Demo
from forkpoint.protocol.uri import file_uri, path_of
from tests.e2e.conftest import NOW
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.e2e.recordings import rows
from tests.fixture_paths import FIXTURES


class Row(NamedTuple):
    """What a demo session shows; from what was typed and done while it was recorded."""

    title: str
    prompts: int
    tip: str = "complete"
    source: str = "firstPrompt"
    compactions: int = 0
    subagents: int = 0
    branches: int | None = 0


DEMO = {
    "c1_rewind_conversation": [Row("Round the total", 4, branches=1)],
    "k1_parallel": [Row("Read all three", 3)],
    "n1_queue": [Row("Run the slow check", 3)],
    "b_edits": [Row("What does cart.py do?", 7)],
    "d1_esc_mid_tool": [Row("Round the total", 2, "interrupted")],
    "f1_branch": [
        Row("Round the total (Branch)", 1, source="custom"),
        Row("Round the total", 2),
    ],
    "m1_errors_retry": [Row("What does cart.py do?", 3)],
    "g1_agent_foreground": [Row("What does cart.py do?", 3, subagents=1)],
    "e1_compact_manual": [Row("Round the total", 4, compactions=1)],
    "a_simple_tui": [Row("What does cart.py do?", 2)],
    "c6_resend": [Row("What does cart.py do?", 4, branches=2)],
    "i4_pr_link": [Row("Open a pull request", 1)],
    "i1_titles_modes": [Row("Checkout totals", 3, source="custom")],
    "e2_autocompact": [Row("Round the total", 3, compactions=1)],
    "l2_image_input": [Row("What is on the picture?", 1)],
    "m3_model_switch": [Row("Round the total", 2)],
    # Whether what "summarize from here" replaced is a branch, the documents leave open.
    "c4_summarize_from": [Row("Round the total", 4, compactions=1)],
    "h1_large_output": [Row("Print many lines", 2)],
    "c9_rewind_to_start": [Row("Round the total", 4, branches=1)],
    "d6_kill_mid_answer": [Row("What does cart.py do?", 2, "awaitingAnswer")],
    "o_paths": [Row("Say hi", 1)],
    "v_2_1_100": [Row("Round the total", 8, branches=1, subagents=1)],
    "i2_agent_setting": [Row("Review run", 1, source="custom")],
    "v_2_0_76": [Row("Round the total", 8, branches=1, subagents=3)],
}
BY_PROGRAMS = ("l2_image_input", "o_paths")
AGES = json.loads((FIXTURES / "demo" / "ages.json").read_bytes())


def ids(*situations: str) -> list[str]:
    return [session_id for name in situations for session_id in AGES[name]["sessions"]]


def in_age_order() -> list[str]:
    return ids(*sorted(AGES, key=lambda name: AGES[name]["endedMinutesAgo"]))


def row_of(session: Json) -> Row:
    return Row(
        session["title"]["text"],
        session["promptCount"],
        session["tip"],
        session["title"]["source"],
        session["compactionCount"],
        session["subagentCount"],
        session["branchCount"],
    )


def test_the_demo_is_listed_with_what_happened_in_it(server: ForkpointServer, demo: Demo) -> None:
    server.open(demo.config_dir)
    listed = server.listed()
    assert {name: [row_of(listed[session_id]) for session_id in ids(name)] for name in AGES} == DEMO


def test_the_newest_comes_first(server: ForkpointServer, demo: Demo) -> None:
    server.open(demo.config_dir)
    listed = server.listed()
    assert sorted(listed) == sorted(in_age_order())
    times = [datetime.fromisoformat(row["updatedAt"]) for row in listed.values()]
    assert times == sorted(times, reverse=True)
    newest = next(iter(listed.values()))
    assert newest["sessionId"] == ids("c1_rewind_conversation")[0]
    assert NOW - times[0] == timedelta(minutes=4)


def test_what_programs_wrote_is_behind_a_switch(server: ForkpointServer, demo: Demo) -> None:
    server.open(demo.config_dir)
    default = server.listed(includeProgrammatic=False)
    assert set(in_age_order()) - set(default) == set(ids(*BY_PROGRAMS))


# --- numbers, counted again from the file ------------------------------------------------------


def responses(path: Path) -> dict[str, Json]:
    """The last row of each response by message id."""
    own = [r for r in rows(path) if r["type"] == "assistant" and not r["isSidechain"]]
    return {r["message"]["id"]: r for r in own if r["message"]["model"] != "<synthetic>"}


def tokens(last_rows: list[Json]) -> Json:
    usages = [row["message"]["usage"] for row in last_rows]
    writes = [usage.get("cache_creation", {}) for usage in usages]
    return {
        "input": sum(usage["input_tokens"] for usage in usages),
        "output": sum(usage["output_tokens"] for usage in usages),
        "cacheRead": sum(usage["cache_read_input_tokens"] for usage in usages),
        "cacheWrite5m": sum(write["ephemeral_5m_input_tokens"] for write in writes),
        "cacheWrite1h": sum(write["ephemeral_1h_input_tokens"] for write in writes),
    }


def tracked_files(path: Path) -> set[str]:
    files: set[str] = set()
    for row in rows(path):
        if row["type"] == "file-history-snapshot":
            files.update(row["snapshot"]["trackedFileBackups"])
        elif row["type"] == "file-history-delta":
            files.add(row["trackingPath"])
    return files


@pytest.mark.parametrize("name", [name for name in AGES if name != "f1_branch"])
def test_numbers_are_those_of_the_file(server: ForkpointServer, demo: Demo, name: str) -> None:
    server.open(demo.config_dir)
    [session_id] = ids(name)
    [path] = demo.config_dir.glob(f"projects/*/{session_id}.jsonl")
    row = server.listed()[session_id]
    answers = list(responses(path).values())
    agents = list(dict.fromkeys(answer["message"]["model"] for answer in answers))
    times = [r["timestamp"] for r in rows(path) if "timestamp" in r]
    assert {
        "responses": row["responseCount"],
        "tokens": row["tokens"],
        "inherited": row["inheritedTokens"],
        "files": row["checkpointFileCount"],
        "models": row["models"][: len(agents)],
        "size": row["sizeBytes"],
        "created": row["createdAt"],
        "updated": row["updatedAt"],
    } == {
        "responses": len(answers),
        "tokens": tokens(answers),
        "inherited": None,
        "files": len(tracked_files(path)),
        "models": agents,
        "size": path.stat().st_size,
        "created": times[0],
        "updated": times[-1],
    }


def test_a_fork_has_what_it_copied_apart(server: ForkpointServer, demo: Demo) -> None:
    server.open(demo.config_dir)
    fork_id, origin_id = ids("f1_branch")
    listed = server.listed()
    fork, origin = (responses(_path(demo, each)) for each in (fork_id, origin_id))
    own = [row for message_id, row in fork.items() if message_id not in origin]
    copied = [row for message_id, row in fork.items() if message_id in origin]
    assert own
    assert copied
    assert listed[fork_id]["forkedFrom"] == {"sessionId": origin_id, "evidence": "forkedFrom"}
    assert listed[fork_id]["tokens"] == tokens(own)
    assert listed[fork_id]["inheritedTokens"] == tokens(copied)
    assert (listed[fork_id]["promptCount"], listed[fork_id]["inheritedPromptCount"]) == (1, 2)
    assert listed[fork_id]["responseCount"] == len(own)
    assert (listed[origin_id]["promptCount"], listed[origin_id]["inheritedPromptCount"]) == (
        2,
        None,
    )
    assert listed[origin_id]["forkedFrom"] is None
    assert listed[origin_id]["tokens"] == tokens(list(origin.values()))


def _path(demo: Demo, session_id: str) -> Path:
    return next(demo.config_dir.glob(f"projects/*/{session_id}.jsonl"))


def test_the_price_is_that_of_the_table(server: ForkpointServer, demo: Demo) -> None:
    """Opus 5.5: 4, 20, 0.20, 5 and 8 dollars per million (cache rules, section 7.7)."""
    server.open(demo.config_dir)
    row = server.listed()[ids("c1_rewind_conversation")[0]]
    used = row["tokens"]
    dollars = {"input": 4, "output": 20, "cacheRead": 0.2, "cacheWrite5m": 5, "cacheWrite1h": 8}
    expected = sum(used[kind] * price for kind, price in dollars.items()) / 1e6
    assert row["costUsd"] == pytest.approx(expected)


# --- scope, query, pages -----------------------------------------------------------------------


def test_scopes(server: ForkpointServer, demo: Demo) -> None:
    server.open(demo.config_dir)
    worktree = demo.workspace / ".claude" / "worktrees" / "hotfix"
    elsewhere = {*ids("a_simple_tui"), *ids("o_paths"), *ids("i2_agent_setting")}
    in_shop = set(in_age_order()) - elsewhere

    def found(scope: str, folder: Path | str) -> set[str]:
        return set(server.listed(scope=scope, folder=file_uri(str(folder))))

    assert found("folder", demo.workspace) == in_shop
    assert found("folder", worktree) == set(ids("a_simple_tui"))
    assert found("repository", demo.workspace) == in_shop | set(ids("a_simple_tui"))
    assert found("repository", worktree) == in_shop | set(ids("a_simple_tui"))
    assert found("folder", "/home/dev/p/läden ü") == set(ids("o_paths"))
    assert found("folder", "/home/dev/old-shop/") == set(ids("i2_agent_setting"))
    assert found("folder", "/home/dev") == set()
    assert found("all", "/home/dev") == set(in_age_order())


def test_projects(server: ForkpointServer, demo: Demo) -> None:
    server.open(demo.config_dir)
    listed = server.listed()
    worktree = demo.workspace / ".claude" / "worktrees" / "hotfix"
    expected = {
        "c1_rewind_conversation": (str(demo.workspace), "shop", None, True),
        "a_simple_tui": (str(worktree), "hotfix", str(demo.workspace), True),
        "o_paths": ("/home/dev/p/läden ü", "läden ü", None, False),
        "i2_agent_setting": ("/home/dev/old-shop", "old-shop", None, False),
    }
    for name, place in expected.items():
        [session_id] = ids(name)
        project = listed[session_id]["project"]
        keys = ("cwd", "name", "worktreeOf", "exists")
        assert tuple(project[key] for key in keys) == place
        assert project["key"] == Path(path_of(listed[session_id]["transcript"])).parent.name


@pytest.mark.parametrize(
    ("query", "situations"),
    [
        pytest.param("checkout TOTALS", ["i1_titles_modes"], id="a given title"),
        pytest.param("run two commands", ["k1_parallel"], id="a later prompt"),
        pytest.param("eab9effd", ["a_simple_tui"], id="an id"),
        pytest.param("head", ["o_paths"], id="a branch"),
        pytest.param("said nowhere", [], id="nothing"),
    ],
)
def test_a_query_finds(
    server: ForkpointServer, demo: Demo, query: str, situations: list[str]
) -> None:
    server.open(demo.config_dir)
    assert set(server.listed(query=query)) == set(ids(*situations))


def test_pages_make_the_whole(server: ForkpointServer, demo: Demo) -> None:
    server.open(demo.config_dir)
    whole = list(server.listed().values())
    paged = server.pages("sessions", "sessions", 4, includeProgrammatic=True, includeArchived=True)
    assert list(paged) == whole
    beyond = server.result("sessions", offset=1000, includeProgrammatic=True)
    assert (beyond["sessions"], beyond["total"]) == ([], len(whole))


def test_there_are_no_sessions_of_an_agent_that_is_not_read(
    server: ForkpointServer, demo: Demo
) -> None:
    server.open(demo.config_dir)
    assert server.result("sessions", agent="codex")["sessions"] == []
    assert server.result("sessions", agent="claude-code")["total"] > 0
