"""What each transcript spent, when each response counts once over all of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from forkpoint.accounts import accounts_of
from forkpoint.catalog import Catalog
from forkpoint.prices import Price, Prices
from tests.builders import Fields, line, transcript

IDS = {
    name: f"{number:08}-0000-4000-8000-000000000000"
    for number, name in enumerate(["one", "two", "three", "gone"], 1)
}
NAMES = {session_id: name for name, session_id in IDS.items()}


def plant(root: Path, name: str, data: bytes, agent: str | None = None) -> Path:
    folder = root / "projects" / "-home-dev-shop"
    path = folder / f"{IDS[name]}.jsonl"
    if agent is not None:
        path = folder / IDS[name] / "subagents" / f"agent-{agent}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def read_all(catalog: Catalog) -> None:
    while catalog.index_next():
        pass


def responses(catalog: Catalog) -> dict[str, tuple[int, int]]:
    """Of each transcript: what counts in it, and what counts elsewhere."""
    return {
        "/".join(
            [NAMES[account.session_id], *([account.subagent_id] * bool(account.subagent_id))]
        ): (
            sum(entry.spent.tokens.responses for entry in account.entries),
            account.copies,
        )
        for account in accounts_of(catalog, lambda _: "/shop")
    }


def spent(root: Path) -> dict[str, tuple[int, int]]:
    catalog = Catalog([root])
    read_all(catalog)
    return responses(catalog)


def fork(text: str, of: str, *copied: str, start: float = 0) -> bytes:
    """Rows of which some say that they were copied from a session."""
    fields: dict[str, Fields] = {
        name: {"forkedFrom": {"sessionId": IDS[of], "messageUuid": name}} for name in copied
    }
    return transcript(text, fields=fields, start=start)


ONE = transcript("u1 a1 u2 a2")
TWO = transcript("u1 a1 u2 a2") + transcript("| a2 u3 a3", start=600)

SITUATIONS: list[Any] = [
    pytest.param({"one": ONE}, {"one": (2, 0)}, id="alone"),
    pytest.param({"one": ONE, "two": transcript("u8 a8")}, {"one": (2, 0), "two": (1, 0)},
                 id="strangers"),
    pytest.param({"one": ONE, "two": fork("u1 a1 u2 a2 u3 a3", "one", "u1", "a1", "u2", "a2")},
                 {"one": (2, 0), "two": (1, 2)}, id="a fork that says so"),
    pytest.param({"one": ONE, "two": TWO}, {"one": (2, 0), "two": (1, 2)}, id="a fork by uuids"),
    pytest.param({"one": ONE, "two": fork("u1 a1 u2 a2 u3 a3", "one", "u1", "a1", "u2", "a2"),
                  "three": fork("u1 a1 u2 a2 u3 a3 u4 a4", "two", "u1", "a1", "u2", "a2", "u3",
                                "a3")},
                 {"one": (2, 0), "two": (1, 2), "three": (1, 3)}, id="a fork of a fork"),
    pytest.param({"one": ONE, "three": fork("u1 a1 u4 a4", "gone", "u1", "a1")},
                 {"one": (2, 0), "three": (1, 1)}, id="a fork of a fork that is gone"),
    pytest.param({"two": fork("u1 a1 u3 a3", "gone", "u1", "a1")}, {"two": (2, 0)},
                 id="the original is gone"),
    pytest.param({"two": fork("u1 a1 u3 a3", "gone", "u1", "a1", start=60),
                  "three": fork("u1 a1 u4 a4", "gone", "u1", "a1", start=90)},
                 {"two": (2, 0), "three": (1, 1)}, id="two forks of one that is gone"),
    pytest.param({"one": transcript("u1 a1"), "two": fork("u1 a1 u2 a2 u3 a3", "one", "u1", "a1"),
                  "three": fork("u1 a1 u2 a2 u4 a4", "one", "u1", "a1", start=600)},
                 {"one": (1, 0), "two": (2, 1), "three": (1, 2)},
                 id="a fork of a fork that names the first"),
    pytest.param({"one": fork("u1 a1", "one", "u1", "a1")}, {"one": (1, 0)}, id="a copy of itself"),
    pytest.param({"one": fork("u1 a1 u2 a2", "two", "u1", "a1"),
                  "two": fork("u1 a1 u3 a3", "one", "u1", "a1")},
                 {"one": (2, 0), "two": (1, 1)}, id="two that name each other"),
]  # fmt: skip


@pytest.mark.parametrize(("sessions", "expected"), SITUATIONS)
def test_each_response_counts_once(
    tmp_path: Path, sessions: dict[str, bytes], expected: dict[str, tuple[int, int]]
) -> None:
    for name, data in sessions.items():
        plant(tmp_path, name, data)
    assert spent(tmp_path) == expected


@pytest.mark.parametrize(("sessions", "expected"), SITUATIONS)
def test_the_order_of_reading_does_not_matter(
    tmp_path: Path, sessions: dict[str, bytes], expected: dict[str, tuple[int, int]]
) -> None:
    for name, data in sessions.items():
        plant(tmp_path, name, data)
    for order in permutations(sessions):
        catalog = Catalog([tmp_path])
        for name in order:
            catalog.conversation(IDS[name])
            so_far = responses(catalog)
            assert sum(own for own, _ in so_far.values()) == distinct(sessions, so_far)
        assert responses(catalog) == expected


def distinct(sessions: dict[str, bytes], read: Sequence[str] | dict[str, Any]) -> int:
    """Responses in those that were read, whichever of them hold it."""
    return len(
        {
            json.loads(row)["message"]["id"]
            for name in read
            for row in sessions[name].splitlines()
            if json.loads(row)["type"] == "assistant"
        }
    )


# --- subagents ---------------------------------------------------------------------------------


def test_subagents_count_by_themselves(tmp_path: Path) -> None:
    plant(tmp_path, "one", ONE)
    plant(tmp_path, "one", transcript("u7 a7 u8 a8"), agent="helper")
    assert spent(tmp_path) == {"one": (2, 0), "one/helper": (2, 0)}


def test_a_subagent_whose_file_begins_with_the_conversation_spent_only_what_follows(
    tmp_path: Path,
) -> None:
    plant(tmp_path, "one", ONE)
    plant(tmp_path, "one", transcript("u1 a1 u2 a2 u7 a7"), agent="forked")
    assert spent(tmp_path) == {"one": (2, 0), "one/forked": (1, 2)}


def test_a_fork_that_took_the_files_of_subagents_along(tmp_path: Path) -> None:
    helper = transcript("u7 a7")
    plant(tmp_path, "one", ONE)
    plant(tmp_path, "one", helper, agent="helper")
    plant(tmp_path, "two", fork("u1 a1 u3 a3", "one", "u1", "a1"))
    plant(tmp_path, "two", helper, agent="helper")
    assert spent(tmp_path) == {
        "one": (2, 0), "one/helper": (1, 0), "two": (1, 1), "two/helper": (0, 1),
    }  # fmt: skip


# --- as it goes on -----------------------------------------------------------------------------


def test_it_follows_what_is_read_and_what_it_costs(tmp_path: Path) -> None:
    path = plant(tmp_path, "one", transcript("u1 a1"))
    catalog = Catalog([tmp_path])
    assert responses(catalog) == {}
    read_all(catalog)
    before = accounts_of(catalog, lambda _: "/shop")
    assert accounts_of(catalog, lambda _: "/shop")[0] is before[0]
    with path.open("ab") as file:
        file.write(transcript("| a1 u2 a2", start=60))
    catalog.refresh(None)
    assert responses(catalog) == {"one": (2, 0)}
    price = Price(1_000_000, 0, 0, 0, 0)
    catalog.adopt(prices=Prices({"claude-test": price}), account="unknown", status_line_cache=False)
    [account] = accounts_of(catalog, lambda _: "/lab")
    assert account.project == "/lab"
    path.unlink()
    catalog.rescan()
    assert responses(catalog) == {}


def test_a_row_that_comes_late_to_an_old_response_has_its_numbers(tmp_path: Path) -> None:
    path = plant(tmp_path, "one", transcript("u1 a1 u2 a2"))
    catalog = Catalog([tmp_path])
    read_all(catalog)
    late = json.loads(transcript("u1 a1").splitlines()[1])
    late["uuid"] = "late"
    late["message"]["usage"]["output_tokens"] = 500
    with path.open("ab") as file:
        file.write(line(**late))
    catalog.refresh(None)
    [account] = accounts_of(catalog, lambda _: "/shop")
    assert sum(entry.spent.tokens.output for entry in account.entries) == 500 + 5
