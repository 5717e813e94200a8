"""`forkpoint/search` and `forkpoint/abandoned` over the wire."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.builders import SESSION, Fields, call_block, line, result_block, row, text_block, uuid
from tests.builders import transcript as written
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.e2e.stdio_client import eventually

OTHER = "5e551010-0000-4000-8000-000000000001"


def says(text: str, **fields: Any) -> Fields:
    return {"message": {"content": text}, **fields}


FIELDS: dict[str, Fields] = {
    "u1": says("Fix the login"),
    "a1": {"message": {"content": [text_block("I look at the login first.")]}},
    "t1": {"message": {"content": [call_block("1", "Edit", file_path="/home/dev/shop/auth.py")]}},
    "r1": {"message": {"content": [result_block("1", content="no login there", is_error=True)]}},
    "u2": says("错误登录 instead", gitBranch="fix/login"),
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A session whose second prompt went back before the first, and one of another folder."""
    plant(tmp_path, "-home-dev-shop", SESSION, written("u1 a1 t1 r1 | - u2 a2", fields=FIELDS))
    other = written(
        "u9 a9", start=5, fields={"u9": says("login of the other", cwd="/home/dev/other")}
    )
    plant(tmp_path, "-home-dev-other", OTHER, other)
    return tmp_path


def plant(home: Path, key: str, name: str, data: bytes) -> Path:
    path = home / "projects" / key / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def names(result: Json) -> list[str | None]:
    assert result["total"] == len(result["hits"])
    shown = {uuid(name): name for name in (*FIELDS, "u3", "a2", "u9", "a9")}
    return [shown[hit["uuid"]] for hit in result["hits"]]


def test_a_hit_says_what_a_client_shows(server: ForkpointServer, home: Path) -> None:
    server.open(home)
    result = server.result("search", query="login file:auth.py")
    assert {key: result[key] for key in ("total", "totalIsLowerBound", "problem", "notes")} == {
        "total": 1,
        "totalIsLowerBound": False,
        "problem": None,
        "notes": [],
    }
    assert result["indexing"] is None
    [hit] = result["hits"]
    assert (hit.pop("title"), hit.pop("project")["name"]) == (
        {"text": "Fix the login", "source": "firstPrompt"},
        "shop",
    )
    assert hit == {
        "sessionId": SESSION,
        "agentId": None,
        "uuid": uuid("r1"),
        "ordinal": 3,
        "role": "toolResult",
        "part": "toolOutput",
        "tool": "Edit",
        "file": "file:///home/dev/shop/auth.py",
        "isError": True,
        "snippet": "no login there",
        "ranges": [{"start": 3, "end": 8}],
        "at": "2026-05-28T00:00:30.000Z",
        "fate": "abandoned",
        "alsoIn": [],
    }


QUERIES: list[tuple[str, list[str]]] = [
    ("login", ["u9", "u1", "a1", "r1"]),
    ('"the login"', ["u1", "a1"]),
    ("logi", []),
    ("logi* THE", ["u9", "u1", "a1"]),
    ("误登", ["u2"]),
    ("tool:edit", ["t1", "r1"]),
    ("is:error", ["r1"]),
    ("is:abandoned login", ["u1", "a1", "r1"]),
    ("in:answers login", ["a1"]),
    ("branch:fix", ["u2"]),
    ("after:2026-05-28T00:00:40", ["u2", "a2"]),
    ("login before:2026-05-28T00:00:10", ["u9", "u1"]),
    ("model:test login", ["a1"]),
]


@pytest.mark.parametrize(("query", "found"), QUERIES)
def test_what_a_query_finds(
    server: ForkpointServer, home: Path, query: str, found: list[str]
) -> None:
    server.open(home)
    server.listed()
    assert names(server.result("search", query=query)) == found


def test_pages_scopes_and_agents(server: ForkpointServer, home: Path) -> None:
    server.open(home)
    whole = server.result("search", query="login")["hits"]
    assert list(server.pages("search", "hits", 1, query="login")) == whole
    other = {"folder": "file:///home/dev/other", "scope": "folder"}
    assert names(server.result("search", query="login", **other)) == ["u9"]
    assert names(server.result("search", query="login", sessionId=OTHER)) == ["u9"]
    assert names(server.result("search", query="login", agent="codex")) == []


def test_a_query_that_is_none_is_told_where(server: ForkpointServer, home: Path) -> None:
    server.open(home)
    result = server.result("search", query='🙂 is:"odd')
    assert (result["hits"], result["total"]) == ([], 0)
    assert result["problem"] == {
        "code": "openQuote",
        "sentence": "A quotation mark opens a phrase that none closes.",
        "start": 6,
        "end": 10,
    }


@pytest.mark.parametrize(
    "query",
    [
        "login OR *",
        'login" UNION SELECT 1',
        "NEAR(login the)",
        "{text}: login",
        "login'); DROP TABLE words; --",
        "^login + the",
        "\0login",
        "login " * 30,
    ],
)
def test_a_query_is_words_whatever_it_looks_like(
    server: ForkpointServer, home: Path, query: str
) -> None:
    server.open(home)
    server.result("search", query=query)
    assert names(server.result("search", query="login")) == ["u9", "u1", "a1", "r1"]


@pytest.mark.parametrize("watch", ["auto", "off"])
def test_what_is_appended_is_found_at_once(server: ForkpointServer, home: Path, watch: str) -> None:
    server.open(home, watch=watch)
    server.listed()
    path = home / "projects" / "-home-dev-shop" / f"{SESSION}.jsonl"
    with path.open("ab") as file:
        file.write(line(**row("u3", "a2", 80, says("one more login"))))
    [hit] = server.result("search", query='"one more login"')["hits"]
    assert (hit["uuid"], hit["ordinal"], hit["fate"]) == (uuid("u3"), 6, "sent")
    path.write_bytes(written("u1 a1", fields=FIELDS))
    assert names(server.result("search", query="login", sessionId=SESSION)) == ["u1", "a1"]
    path.unlink()
    eventually(lambda: names(server.result("search", query="login")) == ["u9"])


def test_outputs_are_left_out_by_a_setting(server: ForkpointServer, home: Path) -> None:
    server.open(home, search={"toolOutputs": False})
    result = server.result("search", query="login")
    assert names(result) == ["u9", "u1", "a1"]
    assert [note["code"] for note in result["notes"]] == ["withoutToolOutputs"]
    server.open(home)
    assert names(server.result("search", query="login")) == ["u9", "u1", "a1", "r1"]


def test_what_was_left_behind(server: ForkpointServer, home: Path) -> None:
    server.open(home)
    server.listed()
    result = server.result("abandoned")
    assert (result["total"], result["indexing"]) == (1, None)
    [left] = result["prompts"]
    assert left.pop("project")["name"] == "shop"
    assert left == {
        "sessionId": SESSION,
        "title": {"text": "Fix the login", "source": "firstPrompt"},
        "uuid": uuid("u1"),
        "ordinal": 0,
        "at": "2026-05-28T00:00:00.000Z",
        "prompt": "Fix the login",
        "answer": "I look at the login first.",
        "answerUuid": uuid("a1"),
        "leaf": uuid("r1"),
        "recordCount": 3,
    }
    assert server.result("abandoned", sessionId=OTHER)["prompts"] == []
    assert server.result("abandoned", sessionId=SESSION)["total"] == 1
    assert server.result("abandoned", agent="codex")["total"] == 0
