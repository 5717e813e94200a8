"""What do other sessions on this machine teach about a client: its tools, and the shared start?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from forkpoint.cache.next_request import ToolSet
from forkpoint.cache.standing import Standing
from forkpoint.catalog import Catalog
from forkpoint.session_entry import SessionEntry
from forkpoint.tool_sets import shared_start
from tests.builders import Fields, transcript
from tests.core.cache_questions import OPUS, SONNET, TOOLS, was
from tests.disk.machine_facts import found

# --- tools of other releases -------------------------------------------------------------------


def session(
    root: Path,
    name: str,
    *,
    tools: Sequence[str] | None = TOOLS,
    version: str = "2.1.340",
    model: str = OPUS,
    entrypoint: str = "sdk-cli",
    read: int = 0,
    text: str = "u1 h1 a1",
    **more: Fields,
) -> None:
    """Another session on this machine; its first request read so many tokens of the cache."""
    usage = {"input_tokens": 3, "output_tokens": 5, "cache_read_input_tokens": read}
    offered = {} if tools is None else {"tools": [{"name": tool} for tool in tools]}
    fields = {
        "h1": {"attachment": {"type": "prompt_snapshot", "systemPrompt": ["You are."], **offered}},
        "a1": {"message": {"model": model, "usage": usage}},
        **more,
    }
    rows = {row: {"entrypoint": entrypoint, **fields.get(row, {})} for row in text.split()}
    path = root / "projects" / "-home-dev-shop" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(transcript(text, version=version, fields=rows))


def entries(root: Path) -> list[SessionEntry]:
    catalog = Catalog([root])
    known = catalog.entries()
    for entry in known:
        catalog.summary(entry)
    return known


FIRST, SECOND = (f"5e5510{number}0-0000-4000-8000-000000000000" for number in (1, 2))
MORE = (*TOOLS, "Monitor")
THERE = "another session of 2.1.340 on this machine"
UNKNOWN = ToolSet("unknown")

# The other session -> what it says about going on from 2.1.332 with 2.1.340.
TAUGHT: dict[str, tuple[dict[str, Any], ToolSet]] = {
    "the same tools": ({}, ToolSet("same", (), THERE)),
    "in another order": ({"tools": TOOLS[::-1]}, ToolSet("same", (), THERE)),
    "one more": ({"tools": MORE}, ToolSet("changed", ("Monitor",), THERE)),
    "one more, which is not in the answer's release": ({"version": "2.1.339"}, UNKNOWN),
    "another model": ({"model": SONNET}, UNKNOWN),
    "another program": ({"entrypoint": "cli"}, UNKNOWN),
    "all are sent in full there": ({"tools": ("Bash", "Edit", "Read")}, UNKNOWN),
    "tools not told": ({"tools": None}, UNKNOWN),
    "nothing recorded": ({"text": "u1 a1"}, UNKNOWN),
    "recorded by another release": ({"h1": {
        "version": "2.1.332",
        "attachment": {"type": "prompt_snapshot", "tools": [{"name": tool} for tool in TOOLS]},
    }}, UNKNOWN),
}  # fmt: skip


@pytest.mark.parametrize(("other", "expected"), TAUGHT.values(), ids=TAUGHT)
def test_tools_of_another_session(other: dict[str, Any], expected: ToolSet, tmp_path: Path) -> None:
    session(tmp_path, FIRST, **other)
    around = {"entries": entries(tmp_path)}
    request, _ = found(was(), given={"version": "2.1.340"}, around=around)
    assert request.tool_set == expected


def tool_set(
    tmp_path: Path, standing: Standing, version: str, other: Sequence[str] = TOOLS
) -> ToolSet:
    session(tmp_path, FIRST, version=version, tools=other)
    around = {"entries": entries(tmp_path)}
    request, _ = found(standing, given={"version": version}, around=around)
    return request.tool_set


def test_a_tool_that_is_gone_is_sent_again_by_releases_that_replay_it(tmp_path: Path) -> None:
    """2.1.326 and later send the recorded list again."""
    there = "another session of {} on this machine"
    recorded = was(version="2.1.320", tools=MORE)
    now = "2.1.326"
    assert tool_set(tmp_path, recorded, now) == ToolSet("same", (), there.format(now))
    before = "2.1.325"
    expected = ToolSet("changed", ("Monitor",), there.format(before))
    assert tool_set(tmp_path, recorded, before) == expected


@pytest.mark.parametrize(
    ("before", "after", "how"),
    [
        # Runs of one session with a release after the other (rule book, section 5).
        ("2.1.286", "2.1.300", "same"),
        ("2.1.326", "2.1.332", "same"),
        ("2.1.331", "2.1.330", "same"),
        ("2.1.270", "2.1.286", "changed"),
        ("2.1.300", "2.1.332", "changed"),
        ("2.1.332", "2.1.300", "changed"),
        ("2.1.301", "2.1.332", "unknown"),
        ("2.1.332", "2.1.340", "unknown"),
    ],
)
def test_releases_that_were_run(before: str, after: str, how: str) -> None:
    request, _ = found(was(version=before), given={"version": after})
    assert request.tool_set.how == how


def test_another_session_knows_better_than_a_run(tmp_path: Path) -> None:
    assert tool_set(tmp_path, was(version="2.1.331"), "2.1.332", MORE).how == "changed"


@pytest.mark.parametrize(
    ("standing", "version"),
    [
        (was(), "2.1.332"),
        (was(recorded=False), "2.1.340"),
        (was(version=None), "2.1.340"),
    ],
    ids=["no other release", "nothing recorded", "release unknown"],
)
def test_nobody_asks_for_tools(standing: Standing, version: str, tmp_path: Path) -> None:
    assert tool_set(tmp_path, standing, version) == UNKNOWN


def test_newest_session_first(tmp_path: Path) -> None:
    session(tmp_path, FIRST, tools=MORE)
    session(tmp_path, SECOND)
    known = sorted(entries(tmp_path), key=lambda entry: entry.session_id)
    for order, how in ((known, "changed"), (known[::-1], "same")):
        request, _ = found(was(), given={"version": "2.1.340"}, around={"entries": order})
        assert request.tool_set.how == how


# --- the start that all share (F, rule book 7.4) -----------------------------------------------


@pytest.mark.parametrize(
    ("sessions", "floor"),
    [
        ([], 0),
        ([{"read": 21_400}], 21_400),
        ([{"read": 21_400}, {"read": 9800}], 9800),
        ([{"read": 21_400}, {"read": 0}], 21_400),
        ([{"read": 21_400, "version": "2.1.339"}], 0),
        ([{"read": 21_400, "model": SONNET}], 0),
        ([{"read": 21_400, "model": f"us.anthropic.{OPUS}-v1:0"}], 21_400),
        ([{"read": 21_400, "entrypoint": "cli"}], 21_400),
        ([{"read": 21_400, "a1": {"isSidechain": True}}], 0),
    ],
)
def test_shared_start(sessions: list[dict[str, Any]], floor: int, tmp_path: Path) -> None:
    for name, each in zip((FIRST, SECOND), sessions, strict=False):
        if "a1" in each:
            each = {**each, "a1": {**each["a1"], "message": {"model": OPUS}}}
        session(tmp_path, name, **each)
    assert shared_start(entries(tmp_path), "2.1.340", OPUS) == floor


def test_only_the_first_request_counts(tmp_path: Path) -> None:
    usage = {"input_tokens": 3, "output_tokens": 5, "cache_read_input_tokens": 7}
    second = {"message": {"model": OPUS, "usage": usage}}
    session(tmp_path, FIRST, read=21_400, text="u1 a1 u2 a2", a2=second)
    assert shared_start(entries(tmp_path), "2.1.340", OPUS) == 21_400


def test_of_which_model_nobody_knows(tmp_path: Path) -> None:
    session(tmp_path, FIRST, read=21_400)
    assert shared_start(entries(tmp_path), "2.1.340", None) == 0


def test_the_start_is_part_of_the_next_request(tmp_path: Path) -> None:
    session(tmp_path, FIRST, read=21_400, version="2.1.332")
    request, basis = found(around={"entries": entries(tmp_path)})
    assert request.floor == 21_400
    assert basis["sharedStart"][0] == "21400 tokens"
