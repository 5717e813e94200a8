"""A conversation that runs over several files reads as one: older files' records stand above."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from forkpoint.protocol.transcript_uri import Named, named_by, transcript_uri
from forkpoint.readable import LIMIT
from tests.builders import name_of
from tests.e2e.family_home import BRANCH, COPY, EARLY, FIRST, RESUMED, plant_family, told
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.e2e.test_paginated_rollouts import FORK, OF_FORK, REVERTED, THREAD, rollouts

__all__ = ["rollouts"]

SHOP = Path("projects") / "-home-dev-shop"


@pytest.fixture
def family(server: ForkpointServer, home: Path) -> Path:
    plant_family(home)
    server.open(home)
    server.listed()
    return home


def headings(result: Json) -> list[str]:
    return [line for line in result["text"].splitlines() if re.match("#{1,2} ", line)]


def names(sections: list[Json]) -> list[str]:
    return [name_of(each["uuid"]) for each in sections]


@pytest.mark.usefixtures("family")
def test_the_older_file_stands_above(server: ForkpointServer) -> None:
    result = server.result("transcript", sessionId=RESUMED)
    assert headings(result) == [
        "# Continue after lunch",
        "# From “Fix the login”, which this one goes on from",
        "## 1. Fix the login",
        "## 2. Add a test",
        "## 3. Tidy up",
        "# This session",
        "## 1. Continue after lunch",
    ]
    [part] = result["inherited"]
    assert (part["sessionId"], name_of(part["leaf"]), part["earlier"]) == (FIRST, "a3", 0)
    assert names(part["sections"]) == ["u1", "a1", "u2", "a2", "u3", "a3"]
    assert {each["fate"] for each in part["sections"]} == {"notSent"}
    assert names(result["sections"]) == ["u7", "a7"]
    lines = result["text"].splitlines()
    for each in part["sections"]:
        assert lines[each["line"]].strip() or lines[each["line"] + 1].strip()
    assert [lines[each["line"]] for each in part["sections"] if each["level"] == 0] == [
        "## 1. Fix the login",
        "## 2. Add a test",
        "## 3. Tidy up",
    ]


def test_only_what_was_gone_on_from_stands_above(server: ForkpointServer, family: Path) -> None:
    (family / SHOP / f"{RESUMED}.jsonl").write_bytes(told("| a2 u7 a7", 5000, RESUMED))
    server.open(family)
    server.listed()
    [part] = server.result("transcript", sessionId=RESUMED)["inherited"]
    assert names(part["sections"]) == ["u1", "a1", "u2", "a2"]


def test_a_path_that_begins_anew_has_none_above(server: ForkpointServer, family: Path) -> None:
    again = told("| a3 u7 a7", 5000, RESUMED) + told("u4 a4", 6000, RESUMED)
    (family / SHOP / f"{RESUMED}.jsonl").write_bytes(again)
    server.open(family)
    server.listed()
    result = server.result("transcript", sessionId=RESUMED)
    assert names(result["sections"]) == ["u4", "a4"]
    assert result["inherited"] == []
    assert server.result("activePath", sessionId=RESUMED)["inherited"] == []


@pytest.mark.usefixtures("family")
def test_copies_have_their_records_themselves(server: ForkpointServer) -> None:
    for session in (FIRST, EARLY, BRANCH, COPY):
        assert server.result("transcript", sessionId=session)["inherited"] == []
        assert server.result("activePath", sessionId=session)["inherited"] == []


@pytest.mark.usefixtures("family")
def test_the_path_says_what_it_goes_on_from(server: ForkpointServer) -> None:
    path = server.result("activePath", sessionId=RESUMED)
    [part] = path["inherited"]
    assert part | {"leaf": name_of(part["leaf"])} == {
        "sessionId": FIRST,
        "title": "Fix the login",
        "leaf": "a3",
        "ordinal": 8,
        "recordCount": 6,
        "promptCount": 3,
    }
    assert names(path["entries"]) == ["u7", "a7"]
    assert path["total"] == 2
    assert server.result("branchTree", sessionId=RESUMED)["inherited"] == [part]
    there = server.result("activePath", sessionId=FIRST, leaf=part["leaf"])
    assert there["total"] == part["recordCount"]


@pytest.mark.usefixtures("family")
def test_the_whole_path_in_pages(server: ForkpointServer) -> None:
    def asked(**more: object) -> list[tuple[str | None, str]]:
        answer = server.result("activePath", sessionId=RESUMED, withInherited=True, **more)
        assert answer["total"] == (4 if more.get("fromPerson") else 8)
        return [(each["sessionId"], name_of(each["uuid"])) for each in answer["entries"]]

    whole = [
        *((FIRST, name) for name in ["u1", "a1", "u2", "a2", "u3", "a3"]),
        (None, "u7"),
        (None, "a7"),
    ]
    assert asked() == whole
    assert asked(order="backward") == whole[::-1]
    for order, expected in (("forward", whole), ("backward", whole[::-1])):
        for size in (1, 3, 5):
            pages = [asked(offset=at, limit=size, order=order) for at in range(0, 8, size)]
            assert [each for page in pages for each in page] == expected
    assert asked(fromPerson=True) == [each for each in whole if each[1][0] == "u"]
    own = server.result("activePath", sessionId=RESUMED, withInherited=True, firstOrdinal=1)
    assert all(each["sessionId"] is None for each in own["entries"])


@pytest.mark.usefixtures("family")
def test_counts_stay_those_of_the_own_file(server: ForkpointServer) -> None:
    row = server.listed()[RESUMED]
    assert (row["promptCount"], row["responseCount"]) == (1, 1)


@pytest.mark.usefixtures("family")
def test_an_editor_knows_the_records_above(server: ForkpointServer) -> None:
    uri = transcript_uri(Named(RESUMED), "Continue after lunch")
    result = server.result("transcript", sessionId=RESUMED)
    about = {"textDocument": {"uri": uri}}
    symbols = server.request("textDocument/documentSymbol", about)["result"]
    turns = [each["name"] for each in symbols if re.match(r"\d", each["name"])]
    assert turns == [
        "1. Fix the login",
        "2. Add a test",
        "3. Tidy up",
        "1. Continue after lunch",
    ]
    [part] = result["inherited"]
    answer = next(each for each in part["sections"] if name_of(each["uuid"]) == "a2")
    at = {**about, "position": {"line": answer["line"], "character": 0}}
    hovered = server.request("textDocument/hover", at)["result"]["contents"]["value"]
    older = server.result("records", sessionId=FIRST, uuids=[answer["uuid"]])["records"][0]
    assert older["timestamp"][:10] in hovered
    parent = server.request("textDocument/definition", at)["result"]
    place = parent[0] if isinstance(parent, list) else parent
    prompt = next(each for each in part["sections"] if name_of(each["uuid"]) == "u2")
    assert (place["uri"], place["range"]["start"]["line"]) == (uri, prompt["line"])


def test_a_long_one_reads_as_one_in_bounded_parts(server: ForkpointServer, family: Path) -> None:
    """All records are met once, on the way up from the newest text by its links."""
    words = " ".join(f"u1{n:03} a1{n:03}" for n in range(200))
    long = told(words, 0, FIRST).replace(b'"a1', b'"' + b"word " * 1600 + b"a1")
    (family / SHOP / f"{FIRST}.jsonl").write_bytes(long)
    (family / SHOP / f"{RESUMED}.jsonl").write_bytes(told("| a1199 u7 a7", 50000, RESUMED))
    server.open(family)
    server.listed()
    seen: list[str] = []
    named: Named | None = Named(RESUMED)
    while named is not None:
        result = server.result(
            "transcript", sessionId=named.session_id, leaf=named.leaf, before=named.before
        )
        assert len(result["text"].encode()) <= LIMIT
        above = [each for part in result["inherited"] for each in part["sections"]]
        seen[:0] = names([*above, *result["sections"]])
        links = {
            result["text"].splitlines()[link["line"]]: named_by(link["target"])
            for link in result["links"]
        }
        named = next((to for line, to in links.items() if "older record" in line), None)
    assert seen == [*words.split(), "u7", "a7"]


# --- Codex -------------------------------------------------------------------------------------


def test_files_of_codex_read_as_one(rollouts: ForkpointServer) -> None:
    assert headings(rollouts.result("transcript", sessionId=OF_FORK)) == [
        "# Round it down instead",
        "# From “Add a cart to the shop”, which this one goes on from",
        "## 1. Add a cart to the shop",
        "# From “Round the total up”, which this one goes on from",
        "## 1. Round the total up",
        "# This session",
        "## 1. Round it down instead",
    ]
    path = rollouts.result("activePath", sessionId=OF_FORK, withInherited=True, fromPerson=True)
    assert [(each["sessionId"], each["preview"], each["fate"]) for each in path["entries"]] == [
        (THREAD, "Add a cart to the shop", "sent"),
        (FORK, "Round the total up", "sent"),
        (None, "Round it down instead", "sent"),
    ]


def test_a_thread_that_was_taken_back_has_what_was_kept(rollouts: ForkpointServer) -> None:
    path = rollouts.result("activePath", sessionId=REVERTED, withInherited=True, fromPerson=True)
    assert [(each["sessionId"], each["preview"]) for each in path["entries"]] == [
        (THREAD, "Add a cart to the shop"),
        (None, "Give the cart a tax line"),
    ]
