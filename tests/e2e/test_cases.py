"""The small cases through the server: what `expect.json` says, found in the answers.

A field is looked up in `ANSWERS`; one that is there neither nor in `CORE` fails. Of cases with low
confidence only what a reader must see is checked.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from forkpoint.protocol.uri import file_uri
from tests.disk.trees import needs_posix
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.e2e.recordings import types_by_uuid
from tests.fixture_paths import CASES
from tests.inflate import inflate

GROUPS = ("branch", "bytes", "list", "usage")
EXPECTED: dict[str, Json] = {
    path.parent.name: expected
    for path in sorted(CASES.glob("*/expect.json"))
    if (expected := json.loads(path.read_bytes()))["group"] in GROUPS
}
FOR_READERS = ("bad_lines", "foreign_session_ids")
TALK = ("user", "assistant")


class Asked:
    """One session of a case, and what the server answers about it."""

    def __init__(self, server: ForkpointServer, home: Path, session_id: str) -> None:
        self.server, self.session_id = server, session_id
        self.path_on_disk = next(home.glob(f"projects/*/{session_id}.jsonl"))
        server.open(home)

    def ask(self, method: str, **params: Any) -> Json:
        return self.server.result(method, sessionId=self.session_id, **params)

    @cached_property
    def row(self) -> Json:
        return self.server.listed()[self.session_id]

    @cached_property
    def path(self) -> Json:
        return self.ask("activePath")

    @cached_property
    def health(self) -> Json:
        answer = self.ask("health")["sessions"]
        return next(own for own in answer if own["agentId"] is None)

    def talk(self, *fates: str) -> list[str]:
        """User and assistant records of the path."""
        types = types_by_uuid(self.path_on_disk)
        entries = [entry for entry in self.path["entries"] if entry["fate"] in fates]
        # A record that only we can read is in no line of its own.
        return [e["uuid"] for e in entries if types.get(e["uuid"], "user") in TALK]

    def active_leaf(self) -> str | None:
        """The last thing said: what trails it is not talk."""
        talk = self.talk("summarized", "sent", "notSent")
        return talk[-1] if talk else None

    def tips(self) -> list[str]:
        leaf = self.active_leaf()
        return sorted([*self.path["leaf"]["otherTips"], *([leaf] if leaf else [])])

    def gaps(self) -> list[Json]:
        return [
            {
                "child": gap["uuid"],
                "missing_parent": gap["missingParent"],
                "bridged_to": gap["bridgedTo"],
            }
            for gap in self.health["brokenChains"]
        ]

    def bad_lines(self) -> list[int]:
        """1-based numbers of the malformed lines, of an unfinished last one too."""
        data = self.path_on_disk.read_bytes()
        ends = [at for at, byte in enumerate(data) if byte == 0x0A]
        torn = self.health["tornTail"]
        offsets = [bad["offset"] for bad in self.health["malformed"]]
        offsets += [torn["offset"]] if torn else []
        return [bisect_right(ends, offset - 1) + 1 for offset in offsets]

    def texts(self) -> dict[str, str]:
        records = self.ask("records", limit=1000)["records"]
        return {
            record["uuid"]: "".join(block.get("text", "") for block in record["blocks"])
            for record in records
        }

    def subagents(self) -> dict[str, Json]:
        agents = self.ask("subagents")["agents"]
        return {
            agent["agentId"]: {"type": agent["type"], "from_tool_use": agent["toolUseId"]}
            for agent in agents
        }

    def foreign(self) -> list[str]:
        """How many other sessions the list's row speaks of."""
        return [p["sentence"] for p in self.row["problems"] if p["code"] == "foreignRecords"]


def utc(time: str) -> str:
    return f"{datetime.fromisoformat(time).astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def tokens(*counts: Json | None) -> Json:
    """Sums in the words of the expectations; the number of responses is not on the wire."""
    known = [count for count in counts if count is not None]
    short, long = (sum(c[key] for c in known) for key in ("cacheWrite5m", "cacheWrite1h"))
    return {
        "input": sum(count["input"] for count in known),
        "output": sum(count["output"] for count in known),
        "cache_read": sum(count["cacheRead"] for count in known),
        "cache_creation": short + long,
        "cache_creation_5m": short,
        "cache_creation_1h": long,
    }


ANSWERS: dict[str, Callable[[Asked], Any]] = {
    "active_path": lambda it: it.talk("sent", "notSent"),
    "active_leaf": Asked.active_leaf,
    "before_compaction": lambda it: it.talk("summarized"),
    "full_line": lambda it: it.talk("summarized", "sent", "notSent"),
    "chain_records": lambda it: [entry["uuid"] for entry in it.path["entries"]],
    "compactions": lambda it: it.row["compactionCount"],
    "tips": Asked.tips,
    "branches": lambda it: it.row["branchCount"] + bool(it.path["entries"]),
    "gaps": Asked.gaps,
    "bad_lines": Asked.bad_lines,
    "incomplete_tail_bytes": lambda it: (it.health["tornTail"] or {"length": 0})["length"],
    "text_contains": Asked.texts,
    "subagents": Asked.subagents,
    "title": lambda it: it.row["title"]["text"],
    "title_source": lambda it: TITLE_SOURCES[it.row["title"]["source"]],
    "listed": lambda it: it.session_id in it.server.listed(),
    "project": lambda it: it.row["project"]["cwd"],
    "last_activity": lambda it: utc(it.row["updatedAt"]),
    "models": lambda it: sorted(it.row["models"]),
    "forked_from": lambda it: it.row["forkedFrom"]["sessionId"],
    "tokens": lambda it: tokens(it.row["tokens"], it.row["inheritedTokens"]),
    "tokens_main": lambda it: tokens(it.row["tokens"], it.row["inheritedTokens"]),
    "tokens_own": lambda it: tokens(it.row["tokens"]),
    "tokens_inherited": lambda it: tokens(it.row["inheritedTokens"]),
    "tokens_subagents": lambda it: tokens(it.row["subagentTokens"]),
    "tokens_total": lambda it: tokens(it.row["tokens"], it.row["subagentTokens"]),
    "foreign_session_ids": Asked.foreign,
}
TITLE_SOURCES = {
    "custom": "custom-title",
    "ai": "ai-title",
    "summary": "summary",
    "firstPrompt": "first-prompt",
}
CORE = (
    # Marks of single records that no answer carries; `tests/core/test_cases.py` has them.
    "unreached", "cycle", "sidechain_records", "foreign_records", "own_records", "inherited",
    "error_records", "user_words", "orphan_results", "recovered_lines", "day",
)  # fmt: skip


def fields() -> Iterator[Any]:
    for name, expected in EXPECTED.items():
        for session_id, answers in expected.get("sessions", {}).items():
            for field, want in answers.items():
                is_sure = expected["confidence"] != "low" or field in FOR_READERS
                if is_sure and field not in CORE:
                    title = f"{name}-{session_id[:4]}-{field}"
                    yield pytest.param(name, session_id, field, want, id=title)


@pytest.mark.parametrize(("name", "session_id", "field", "want"), list(fields()))
def test_a_session_has(
    server: ForkpointServer, name: str, session_id: str, field: str, want: Any
) -> None:
    found = ANSWERS[field](Asked(server, CASES / name, session_id))
    if field == "text_contains":
        assert [text for uuid, text in want.items() if text not in found[uuid]] == []
    elif field == "subagents":
        assert found.keys() == want.keys()
        assert {a: {key: found[a][key] for key in facts} for a, facts in want.items()} == want
    elif field == "foreign_session_ids":
        plural = "s" if len(want) > 1 else ""
        assert found == [f"The file holds records that name {len(want)} other session{plural}."]
    elif field.startswith("tokens"):
        assert {key: found[key] for key in want if key != "responses"} == {
            key: value for key, value in want.items() if key != "responses"
        }
    else:
        assert found == (sorted(want) if field == "tips" else want)


# --- what is listed ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in EXPECTED if "listed" in EXPECTED[name]])
def test_what_is_listed(server: ForkpointServer, name: str, tmp_path: Path) -> None:
    home = inflate(CASES / name, tmp_path / name)
    server.open(home)
    listed = list(server.listed())
    if "listed_order" in EXPECTED[name]:
        assert listed == EXPECTED[name]["listed"]
    else:
        assert sorted(listed) == EXPECTED[name]["listed"]
    problems = server.result("health")["problems"]
    assert len(problems) <= EXPECTED[name].get("errors", len(problems))


@pytest.mark.parametrize("name", [name for name in EXPECTED if "same_project" in EXPECTED[name]])
def test_which_sessions_are_of_one_project(server: ForkpointServer, name: str) -> None:
    server.open(CASES / name)
    listed = server.listed()

    def in_folder_of(session_id: str) -> list[str]:
        folder = file_uri(listed[session_id]["project"]["cwd"])
        return list(server.listed(scope="folder", folder=folder))

    for group in EXPECTED[name]["same_project"]:
        for session_id in group:
            assert set(group) <= set(in_folder_of(session_id))
    for one, other in EXPECTED[name].get("different_project_or_unknown", []):
        assert other not in in_folder_of(one)


@needs_posix
def test_links_count_once(server: ForkpointServer, tmp_path: Path) -> None:
    name = "56-symlinks-in-the-tree"
    server.open(CASES / name)
    [plain] = server.listed().values()
    server.open(inflate(CASES / name, tmp_path / name))
    [linked] = server.listed().values()
    assert linked["tokens"] == plain["tokens"]
    problems = server.result("health")["problems"]
    assert {problem["code"] for problem in problems} == {"dangling"}


# --- cases to be made large --------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in EXPECTED if "inflate" in EXPECTED[name]])
def test_a_huge_case_is_answered(server: ForkpointServer, tmp_path: Path, name: str) -> None:
    home = inflate(CASES / name, tmp_path / name)
    [session_id] = EXPECTED[name]["sessions"]
    after = EXPECTED[name]["after_inflate"]
    asked = Asked(server, home, session_id)
    assert asked.row["sizeBytes"] >= after["size_at_least"]
    assert asked.path["total"] == len(asked.path["entries"])
    sent = [entry for entry in asked.path["entries"] if entry["fate"] == "sent"]
    assert len(sent) == after["active_path_length"]
    assert asked.row["branchCount"] + 1 == after.get("branches", 1)
    assert asked.health["malformed"] == []
    longest = max(
        asked.ask("records", limit=6)["records"], key=lambda record: record["raw"]["length"]
    )
    cut = [block for block in longest["blocks"] if block.get("cutAt")]
    assert all(len(block["text"]) <= 20_000 == block["cutAt"] for block in cut)
    asked.path_on_disk.unlink()
