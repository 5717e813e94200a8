"""A conversation that runs over several files reads as one: readable texts lead to each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from forkpoint.protocol.transcript_uri import Named, named_by
from forkpoint.protocol.uri import file_uri
from tests.builders import line as written
from tests.builders import row, transcript, uuid
from tests.e2e.family_home import (
    BRANCH,
    COPY,
    EARLY,
    FIRST,
    GONE,
    LEFT,
    RESUMED,
    plant_family,
    told,
)
from tests.e2e.forkpoint_server import ForkpointServer, Json


@pytest.fixture
def family(server: ForkpointServer, home: Path) -> Path:
    plant_family(home)
    server.open(home)
    server.listed()
    return home


def ways(result: Json) -> list[tuple[str, str, Named | None]]:
    """The lines that lead to other sessions, what of them is a link, and where it leads."""
    lines = result["text"].splitlines()
    return [
        (line, line[link["start"] : link["end"]], named_by(link["target"]))
        for link in result["links"]
        if link["kind"] == "session"
        for line in [lines[link["line"]]]
    ]


@pytest.mark.usefixtures("family")
def test_a_file_leads_to_what_it_goes_on_from(server: ForkpointServer) -> None:
    """The record is the end of the older file's path: its own text shows it last."""
    result = server.result("transcript", sessionId=RESUMED)
    assert ways(result) == [
        (
            "… goes on from “Fix the login”: show what stands there",
            "show what stands there",
            Named(FIRST),
        )
    ]
    [link] = result["links"]
    assert link["line"] < result["sections"][0]["line"]


@pytest.mark.usefixtures("family")
def test_the_older_file_leads_on(server: ForkpointServer) -> None:
    result = server.result("transcript", sessionId=FIRST)
    assert ways(result) == [
        (
            "… goes on in “Continue after lunch”: show later ones",
            "show later ones",
            Named(RESUMED),
        )
    ]
    assert result["text"].endswith("… goes on in “Continue after lunch”: show later ones\n")


def test_each_file_that_goes_on_has_a_line_of_its_own(
    server: ForkpointServer, family: Path
) -> None:
    path = family / "projects" / "-home-dev-shop" / f"{GONE}.jsonl"
    path.write_bytes(told("| a3 u8 a8", 6000, GONE))
    server.open(family)
    server.listed()
    result = server.result("transcript", sessionId=FIRST)
    assert [named for _, _, named in ways(result)] == [Named(RESUMED), Named(GONE)]
    assert [line.partition("“")[0] for line in result["text"].splitlines()[-2:]] == [
        "… goes on in ",
        "… goes on in ",
    ]


def test_a_file_that_goes_on_from_further_up_leads_there(
    server: ForkpointServer, family: Path
) -> None:
    path = family / "projects" / "-home-dev-shop" / f"{RESUMED}.jsonl"
    path.write_bytes(told("| a2 u7 a7", 5000, RESUMED))
    server.open(family)
    server.listed()
    [(_, _, named)] = ways(server.result("transcript", sessionId=RESUMED))
    assert named == Named(FIRST, leaf=uuid("a2"))
    [(said, _, _)] = ways(server.result("transcript", sessionId=FIRST))
    assert said.startswith("… from further up another one goes on in “Continue after lunch”")
    [(said, _, _)] = ways(server.result("transcript", sessionId=FIRST, leaf=uuid("a2")))
    assert said.startswith("… goes on in “Continue after lunch”")


@pytest.mark.usefixtures("family")
def test_copies_say_whose_they_are(server: ForkpointServer) -> None:
    found = {
        each: ways(server.result("transcript", sessionId=each)) for each in (EARLY, BRANCH, COPY)
    }
    assert found == {
        EARLY: [("… 2 records are copies, of “Fix the login”", "“Fix the login”", Named(FIRST))],
        BRANCH: [("… 4 records are copies, of “Fix the login”", "“Fix the login”", Named(FIRST))],
        COPY: [
            (
                "… 6 records are copies, of “Fix the login (Branch)”",
                "“Fix the login (Branch)”",
                Named(BRANCH),
            )
        ],
    }


@pytest.mark.usefixtures("family")
def test_of_a_session_that_is_gone_that_is_said(server: ForkpointServer) -> None:
    result = server.result("transcript", sessionId=LEFT)
    assert "\n… 2 records are copies, of a session that is gone\n" in result["text"]
    assert ways(result) == []


def test_a_session_alone_says_nothing_of_the_kind(server: ForkpointServer, home: Path) -> None:
    folder = home / "projects" / "-home-dev-shop"
    folder.mkdir(parents=True)
    (folder / f"{FIRST}.jsonl").write_bytes(transcript("| gone u1 a1"))
    server.open(home)
    text = server.result("transcript", sessionId=FIRST)["text"]
    assert "…" not in text


def test_titles_of_others_are_no_markup(server: ForkpointServer, home: Path) -> None:
    plant_family(home)
    first = home / "projects" / "-home-dev-shop" / f"{FIRST}.jsonl"
    title = "[x](command:evil) *b*"
    named = written(type="custom-title", customTitle=title, sessionId=FIRST)
    first.write_bytes(first.read_bytes() + named)
    server.open(home)
    server.listed()
    text = server.result("transcript", sessionId=RESUMED)["text"]
    assert "[x](command" not in text
    assert "command:evil" in text


def test_a_forked_subagent_leads_to_its_context(server: ForkpointServer, family: Path) -> None:
    folder = family / "projects" / "-home-dev-shop" / FIRST / "subagents"
    folder.mkdir(parents=True)
    pointer = written(
        type="fork-context-ref", agentId="abc", parentSessionId=FIRST, parentLastUuid=uuid("a2")
    )
    rows = written(**row("k1", None, 50, {"sessionId": FIRST, "agentId": "abc"}))
    (folder / "agent-abc.jsonl").write_bytes(pointer + rows)
    server.open(family)
    server.listed()
    result = server.result("transcript", sessionId=FIRST, agentId="abc")
    assert ways(result) == [
        (
            "… began with the context of “Fix the login”: show it",
            "show it",
            Named(FIRST, leaf=uuid("a2")),
        )
    ]


def faults(server: ForkpointServer, home: Path, session: str) -> list[str]:
    path = home / "projects" / "-home-dev-shop" / f"{session}.jsonl"
    document = {"textDocument": {"uri": file_uri(str(path))}}
    report = server.request("textDocument/diagnostic", document)["result"]
    return [each["code"] for each in report["items"]]


def test_what_lies_in_another_file_is_not_missing(server: ForkpointServer, family: Path) -> None:
    assert faults(server, family, RESUMED) == []
    (family / "projects" / "-home-dev-shop" / f"{FIRST}.jsonl").unlink()
    server.open(family)
    server.listed()
    assert faults(server, family, RESUMED) == ["danglingParent"]
