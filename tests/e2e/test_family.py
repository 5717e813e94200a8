"""`forkpoint/family`: who came from whom, what shows it, and where they parted."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.builders import SESSION, line, name_of, row, transcript, uuid
from tests.e2e.family_home import (
    BRANCH,
    COPY,
    EARLY,
    FIRST,
    GONE,
    LEFT,
    NAMES,
    RESUMED,
    plant_family,
)
from tests.e2e.forkpoint_server import ForkpointServer, Json
from tests.fixture_paths import CASES, REAL
from tests.forked import copied


def members(server: ForkpointServer, session_id: str) -> list[Json]:
    result = server.result("family", sessionId=session_id)
    assert result["indexing"] is None
    return result["members"]


def picture(found: list[Json]) -> list[str]:
    """A line per member: relation, signs, the records where it parted, the prompts behind them."""
    return [
        f"{'  ' * each['depth']}{NAMES[each['sessionId']]} {each['relation']}"
        f" {'+'.join(sign['evidence'] for sign in each['signs'])}{_parted(each['parting'])}"
        for each in found
    ]


def _parted(parting: Json | None) -> str:
    if parting is None:
        return ""
    uuids = (parting["uuid"], parting["originUuid"])
    shared, there = (name_of(each) if each else "-" for each in uuids)
    prompts = (parting["prompt"], parting["originPrompt"])
    ways = " / ".join(name_of(each["uuid"]) if each else "-" for each in prompts)
    return f" {shared}={there}; {ways}"


FAMILY = [
    "first root ",
    "  early copy forkedFrom+sameMessageIds+titleMark a1x=a1; u4 / u2",
    "  branch copy forkedFrom+sameFirstUuid+sameMessageIds+titleMark a2=a2; u5 / u3",
    "    copy copy sameFirstUuid+sameMessageIds a5=a5; u6 / -",
    "  resumed goesOn parentInOtherFile -=a3; u7 / -",
]


@pytest.mark.parametrize("asked", [FIRST, EARLY, COPY, RESUMED])
def test_a_family_is_the_same_whoever_is_asked_about(
    server: ForkpointServer, home: Path, asked: str
) -> None:
    plant_family(home)
    server.open(home)
    server.listed()
    assert picture(members(server, asked)) == FAMILY


def test_an_original_that_is_gone_is_named(server: ForkpointServer, home: Path) -> None:
    plant_family(home)
    server.open(home)
    server.listed()
    found = members(server, LEFT)
    assert picture(found) == ["gone gone ", "  left copy forkedFrom a8=-; u9 / -"]
    gone, left = found
    assert (gone["sessionId"], gone["title"], gone["transcript"]) == (GONE, None, None)
    assert gone["sentence"] == "It is not here any more; what was copied from it names it."
    assert left["sentence"] == (
        "2 records were copied from a session that is gone. Then it goes on with “And the logout”."
    )


def test_words_for_people(server: ForkpointServer, home: Path) -> None:
    plant_family(home)
    server.open(home)
    server.listed()
    said = {each["sessionId"]: each for each in members(server, FIRST)}
    assert said[FIRST]["sentence"] == "It came from no other session that is here."
    assert said[EARLY]["sentence"] == (
        "2 records were copied from “Fix the login”. Then it goes on with “Try tokens instead”. "
        "The other one goes on with “Add a test”."
    )
    assert said[RESUMED]["sentence"] == (
        "It goes on from “Fix the login” in a file of its own, and copied nothing."
    )
    assert [sign["sentence"] for sign in said[BRANCH]["signs"]] == [
        "4 records say that they were copied from it.",
        "4 records have the same uuid in both files, the first one among them.",
        "2 answers have the same message id in both files.",
        "Its title is the other one's with “(Branch)” behind it.",
    ]


def test_nothing_counts_twice(server: ForkpointServer, home: Path) -> None:
    """Each of the family's seven answers and prompts counts in one session."""
    plant_family(home)
    server.open(home)
    rows = server.listed()
    counts = {
        NAMES[session]: (
            row["promptCount"],
            row["inheritedPromptCount"],
            row["responseCount"],
            row["tokens"]["output"] // 5,
            row["inheritedTokens"] and row["inheritedTokens"]["output"] // 5,
        )
        for session, row in rows.items()
    }
    assert counts == {
        "first": (3, None, 3, 3, None),
        "early": (1, 1, 1, 1, 1),
        "branch": (1, 2, 1, 1, 2),
        "copy": (1, 3, 1, 1, 3),
        "resumed": (1, None, 1, 1, None),
        "left": (1, 1, 1, 1, 1),
    }


def test_the_list_names_the_nearest(server: ForkpointServer, home: Path) -> None:
    plant_family(home)
    server.open(home)
    named = {NAMES[each]: row["forkedFrom"] for each, row in server.listed().items()}
    assert named == {
        "first": None,
        "early": {"sessionId": FIRST, "evidence": "forkedFrom"},
        "branch": {"sessionId": FIRST, "evidence": "forkedFrom"},
        "copy": {"sessionId": BRANCH, "evidence": "sameFirstUuid"},
        "resumed": {"sessionId": FIRST, "evidence": "parentInOtherFile"},
        "left": {"sessionId": GONE, "evidence": "forkedFrom"},
    }


# --- found once ---------------------------------------------------------------------------------


def found(server: ForkpointServer, query: str, **params: str) -> list[str]:
    """A word per hit: session, record, and the sessions that have copies of it."""
    result = server.result("search", query=query, **params)
    assert result["total"] == len(result["hits"])
    return [
        f"{NAMES[hit['sessionId']]}:{name_of(hit['uuid'])}"
        + "".join(f"+{name}" for name in sorted(NAMES[each] for each in hit["alsoIn"]))
        for hit in result["hits"]
    ]


def test_copies_are_found_once_with_the_oldest(server: ForkpointServer, home: Path) -> None:
    plant_family(home)
    server.open(home)
    server.listed()
    assert found(server, "fix login") == ["first:u1+branch+copy+early"]
    assert found(server, "cookie") == ["branch:u5+copy"]
    assert found(server, "strict") == ["copy:u6"]
    assert found(server, "menu") == ["left:u8"]


def test_in_one_session_its_copies_are_found(server: ForkpointServer, home: Path) -> None:
    plant_family(home)
    server.open(home)
    server.listed()
    assert found(server, "fix login", sessionId=COPY) == ["copy:u1"]
    assert found(server, "fix login", sessionId=EARLY) == ["early:u1x"]


def test_what_was_left_behind_is_listed_once(server: ForkpointServer, home: Path) -> None:
    """An SDK's fork copies abandoned rows, too."""
    folder = home / "projects" / "-home-dev-shop"
    folder.mkdir(parents=True)
    data = transcript("u1 a1 | - u2 a2").replace(SESSION.encode(), FIRST.encode())
    fork = copied(data, "sdk", origin=FIRST, session=EARLY, now=900)
    (folder / f"{FIRST}.jsonl").write_bytes(data)
    (folder / f"{EARLY}.jsonl").write_bytes(fork)
    server.open(home)
    server.listed()
    prompts = server.result("abandoned")["prompts"]
    assert [(each["sessionId"], name_of(each["uuid"])) for each in prompts] == [(FIRST, "u1")]
    [own] = server.result("abandoned", sessionId=EARLY)["prompts"]
    assert name_of(own["uuid"]) == "u1x"
    assert found(server, "is:abandoned u1") == ["first:u1+early"]


def test_prompts_as_symbols_are_told_once(server: ForkpointServer, home: Path) -> None:
    """Whoever names a fork by its title wants all of its prompts."""
    plant_family(home)
    server.open(home)
    server.listed()

    def symbols(query: str) -> list[tuple[str, str]]:
        result = server.request("workspace/symbol", {"query": query})["result"]
        return sorted((each["containerName"], each["name"]) for each in result)

    assert symbols("test") == [("Fix the login", "Add a test")]
    assert symbols("(branch)") == [
        ("Fix the login (Branch)", "Add a test"),
        ("Fix the login (Branch)", "Fix the login"),
        ("Fix the login (Branch)", "Use a cookie"),
    ]


# --- recorded and odd families -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "fork", "origin", "ordinals"),
    [
        (
            REAL / "f1_branch",
            "24784ec7-4bb4-4d16-b451-b70cb98228bb",
            "7ed5a9cc-2fd0-4298-9de9-05227e5f4453",
            (25, 47),
        ),
        (
            CASES / "71-usage-fork-copies",
            "9de6990c-c9e0-4de5-8bef-8568513b125a",
            "8e1f4e7c-44a8-466d-aa3b-35362252ef15",
            (3, 3),
        ),
        (
            CASES / "65-checkpoint-other-session",
            "5f7f8938-32c7-480f-9a20-cac076e1f6e1",
            "77f06ef2-33c3-41c7-9e1e-99855fcd5eaa",
            (5, 5),
        ),
    ],
)
def test_recorded_forks(
    server: ForkpointServer, source: Path, fork: str, origin: str, ordinals: tuple[int, int]
) -> None:
    server.open(source)
    server.listed()
    first, second = members(server, fork)
    assert (first["sessionId"], second["sessionId"]) == (origin, fork)
    parting = second["parting"]
    assert (parting["ordinal"], parting["originOrdinal"]) == ordinals
    assert parting["uuid"] == parting["originUuid"]


def test_one_alone_is_a_family(server: ForkpointServer, home: Path) -> None:
    plant_family(home)
    other = home / "projects" / "-home-dev-shop" / f"{NAMES_ALONE}.jsonl"
    other.write_bytes(transcript("u0 a0"))
    server.open(home)
    server.listed()
    [alone] = members(server, NAMES_ALONE)
    assert (alone["relation"], alone["signs"], alone["parting"]) == ("root", [], None)
    assert (alone["copiedRecords"], alone["ownRecords"]) == (0, 2)


NAMES_ALONE = "fa000000-0000-4000-8000-000000000099"


def test_a_file_that_was_moved_counts_once(server: ForkpointServer, home: Path) -> None:
    plant_family(home)
    old = home / "projects" / "-home-dev-old"
    old.mkdir()
    shutil.copy(home / "projects" / "-home-dev-shop" / f"{LEFT}.jsonl", old)
    server.open(home)
    server.listed()
    left = members(server, LEFT)[-1]
    assert [each.rsplit("/", 2)[-2:] for each in left["duplicates"]] == [
        [folder, f"{LEFT}.jsonl"]
        for folder in ("-home-dev-old", "-home-dev-shop")
        if folder not in left["transcript"]
    ]


def test_a_duplicate_under_another_name_is_told(server: ForkpointServer, home: Path) -> None:
    folder = home / "projects" / "-home-dev-shop"
    folder.mkdir(parents=True)
    data = transcript("u1 a1").replace(b"5e551010-0000-4000-8000-000000000000", FIRST.encode())
    (folder / f"{FIRST}.jsonl").write_bytes(data)
    (folder / f"{BRANCH}.jsonl").write_bytes(data)
    (folder / f"{uuid('u0')}.jsonl").write_bytes(data)
    server.open(home)
    rows = server.listed()
    root, *others = members(server, BRANCH)
    assert root["sessionId"] == FIRST
    assert {(each["parentId"], each["ownRecords"]) for each in others} == {(FIRST, 0)}
    assert others[0]["sentence"].endswith("It has no others: it is a duplicate so far.")
    assert sum(row["responseCount"] for row in rows.values()) == 1


def test_sessions_that_name_each_other_are_a_family(server: ForkpointServer, home: Path) -> None:
    folder = home / "projects" / "-home-dev-shop"
    folder.mkdir(parents=True)
    for one, other, words in ((FIRST, BRANCH, "u1 a1"), (BRANCH, FIRST, "u2 a2")):
        said = {"forkedFrom": {"sessionId": other, "messageUuid": uuid("u1")}}
        data = transcript(words, fields=dict.fromkeys(words.split(), said))
        (folder / f"{one}.jsonl").write_bytes(data)
    server.open(home)
    server.listed()
    found = members(server, BRANCH)
    assert [(each["sessionId"], each["parentId"]) for each in found] == [
        (FIRST, None),
        (BRANCH, FIRST),
    ]


def test_a_forked_subagent_names_its_context(server: ForkpointServer, home: Path) -> None:
    plant_family(home)
    folder = home / "projects" / "-home-dev-shop" / FIRST / "subagents"
    folder.mkdir(parents=True)
    pointer = {
        "type": "fork-context-ref",
        "agentId": "abc",
        "parentSessionId": FIRST,
        "parentLastUuid": uuid("a2"),
        "contextLength": 4,
    }
    rows = line(**pointer) + line(**row("k1", None, 50, {"sessionId": FIRST, "agentId": "abc"}))
    (folder / "agent-abc.jsonl").write_bytes(rows)
    server.open(home)
    server.listed()
    [agent] = members(server, FIRST)[0]["agents"]
    assert agent == {
        "agentId": "abc",
        "sessionId": FIRST,
        "uuid": uuid("a2"),
        "ordinal": 5,
        "sentence": "This subagent began with the context of 4 messages up to a record.",
    }
