"""What Claude Code tells its status line of the prompt cache: what is kept of it, what is read."""

from __future__ import annotations

import json
import os
from pathlib import Path, PurePosixPath
from stat import S_IMODE
from typing import Any

import pytest

from forkpoint.status_line import StatusLineCache, status_line_cache, status_line_folder
from forkpoint.status_line_helper import keep
from tests.disk.trees import needs_posix
from tests.fixture_paths import FIXTURES

RECORDED = FIXTURES / "status-line"
LONG = "b59446af-b136-48c9-9eb4-fb59e043a8ac"
ONE_HOUR = "3b8750cb-b62c-40d1-8d6b-becc845f7fde"
OFF = "ce910557-ff6f-4af9-8e8a-e0b77873a349"
EXPIRED = "17fe8534-c4f4-4f11-bb3d-6e333e8ec833"
OLDEST = "456aa2c9-f974-42a0-9da8-d4b8f4695d0e"
OPUS, SONNET = "claude-opus-5-5", "claude-sonnet-5-5"
AT = 1_796_010_000_000
"""What the times of the recordings are counted from."""
WRITTEN = AT + 9_000_000


def cache(**parts: Any) -> StatusLineCache:
    """What is said after a first answer of Opus 5.5 with a lifetime of five minutes."""
    usual: dict[str, Any] = {
        "version": "2.1.332", "model": OPUS, "ttl_seconds": 300, "is_warm": True, "is_used": True,
        "last_miss_at": None, "miss_causes": (), "written_at": WRITTEN,
        "window_tokens": 1_000_000,
    }  # fmt: skip
    return StatusLineCache(**{**usual, **parts})


# The request times of fixtures/status-line/README.md, rounded up to seconds, and what the
# stand-in's own cache counted.
TOLD = {
    "answered": (LONG, cache(
        last_request_at=AT + 4_055_000, expires_at=AT + 4_355_000,
        read_tokens=0, created_tokens=13973, tokens_if_cold=13974,
    )),
    "resumed-answered": (LONG, cache(
        last_request_at=AT + 4_067_000, expires_at=AT + 4_367_000,
        read_tokens=14155, created_tokens=135, tokens_if_cold=14291,
    )),
    "model-switched": (LONG, cache(
        last_request_at=AT + 4_067_000, expires_at=AT + 4_367_000,
        read_tokens=14155, created_tokens=135, tokens_if_cold=14291, model=SONNET,
    )),
    "model-missed": (LONG, cache(
        last_request_at=AT + 4_075_000, expires_at=AT + 4_375_000,
        read_tokens=14720, created_tokens=104, tokens_if_cold=14825, model=SONNET,
        last_miss_at=AT + 4_074_000, miss_causes=("model_changed",),
    )),
    "server-missed": (LONG, cache(
        last_request_at=AT + 4_078_000, expires_at=AT + 4_378_000,
        read_tokens=14848, created_tokens=100, tokens_if_cold=14949, model=SONNET,
        last_miss_at=AT + 4_077_000, miss_causes=("likely_server_side",),
    )),
    "compacted": (LONG, cache(
        last_request_at=AT + 4_081_000, expires_at=AT + 4_381_000,
        read_tokens=0, created_tokens=0, tokens_if_cold=None, model=SONNET,
        last_miss_at=AT + 4_077_000, miss_causes=("likely_server_side",),
    )),
    "one-hour-slow": (ONE_HOUR, cache(
        ttl_seconds=3600, last_request_at=AT + 4_092_000, expires_at=AT + 7_692_000,
        read_tokens=0, created_tokens=13902, tokens_if_cold=13903,
    )),
    "caching-off": (OFF, cache(
        last_request_at=None, expires_at=None, is_warm=False, is_used=False,
        read_tokens=0, created_tokens=0, tokens_if_cold=13973,
    )),
    "expired": (EXPIRED, cache(
        last_request_at=AT + 4_055_000, expires_at=AT + 4_355_000, is_warm=False,
        read_tokens=0, created_tokens=13973, tokens_if_cold=13974,
    )),
    "expired-missed": (EXPIRED, cache(
        last_request_at=AT + 4_361_000, expires_at=AT + 4_661_000, last_miss_at=AT + 4_360_000,
        read_tokens=13999, created_tokens=67, tokens_if_cold=14067,
    )),
    "answered-2.1.300": (OLDEST, cache(
        last_request_at=AT + 4_117_000, expires_at=AT + 4_417_000, version="2.1.300",
        read_tokens=0, created_tokens=19298, tokens_if_cold=19299,
    )),
}  # fmt: skip


def recorded(name: str) -> bytes:
    return (RECORDED / f"{name}.json").read_bytes()


def put(folder: Path, content: bytes, session_id: str = LONG) -> Path:
    """Put a session's file there as if the client had spoken at `WRITTEN`."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{session_id}.json"
    file.write_bytes(content)
    os.utime(file, ns=(WRITTEN * 1_000_000, WRITTEN * 1_000_000))
    return file


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# --- reading -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TOLD)
def test_it_reads_what_the_helper_keeps_and_what_the_client_said_alike(
    tmp_path: Path, name: str
) -> None:
    session_id, expected = TOLD[name]
    put(tmp_path / "whole", recorded(name), session_id)
    assert status_line_cache(session_id, tmp_path / "whole") == expected
    assert keep(recorded(name), tmp_path / "kept", []) is None
    put(tmp_path / "kept", (tmp_path / "kept" / f"{session_id}.json").read_bytes(), session_id)
    assert status_line_cache(session_id, tmp_path / "kept") == expected


NOTHING_SAID = cache(
    version=None, model=None, ttl_seconds=None, expires_at=None, last_request_at=None,
    read_tokens=None, created_tokens=None, tokens_if_cold=None, is_warm=None, is_used=None,
    window_tokens=None,
)  # fmt: skip
ODD = [
    {"prompt_cache": {}},
    {"version": 2, "model": "opus", "context_window": [], "prompt_cache": {"ttl": 300}},
    {"version": "", "model": {"id": "a\nb"}, "prompt_cache": {"ttl": "2h", "warm": 1}},
    {"model": {"id": "x" * 201}, "prompt_cache": {"ttl": ["5m"], "caching_observed": "yes"}},
    {"prompt_cache": {"expires_at": "1796014355", "last_miss_at": "now"}},
    {"prompt_cache": {"expires_at": 1796014355.5, "last_miss_at": -1}},
    {"prompt_cache": {"expires_at": 1796014355000, "last_miss_at": True}},
    {"prompt_cache": {"expires_at": 0, "recache_tokens_if_cold": -5}},
    {"prompt_cache": {"recache_tokens_if_cold": 10**30, "last_miss_cause": {"causes": "unknown"}}},
    {"prompt_cache": {"last_miss_cause": {"causes": ["next_year", 5, None, {}]}}},
    {"context_window": {"current_usage": {"cache_read_input_tokens": "9"}}, "prompt_cache": {}},
    {"context_window": {"context_window_size": 0}, "prompt_cache": {}},
    {"context_window": {"context_window_size": "1M"}, "prompt_cache": {}},
    {"context_window": {"current_usage": None}, "prompt_cache": {"last_miss_cause": []}},
]


@pytest.mark.parametrize("said", ODD)
def test_what_is_odd_counts_as_not_said(tmp_path: Path, said: dict[str, Any]) -> None:
    put(tmp_path, json.dumps({"session_id": LONG, **said}).encode())
    assert status_line_cache(LONG, tmp_path) == NOTHING_SAID


def test_one_odd_field_leaves_the_others(tmp_path: Path) -> None:
    said = {"session_id": LONG, "prompt_cache": {
        "ttl": "1h", "expires_at": 1796017692, "warm": "?",
        "last_miss_cause": {"causes": ["tools_changed", "next_year", "betas_changed"]},
    }}  # fmt: skip
    put(tmp_path, json.dumps(said).encode())
    found = status_line_cache(LONG, tmp_path)
    assert found is not None
    assert (found.last_request_at, found.is_warm) == (AT + 4_092_000, None)
    assert found.miss_causes == ("tools_changed", "betas_changed")


UNUSABLE = {
    "of no answer yet": recorded("no-answer-yet"),
    "of another session": recorded("one-hour-slow"),
    "empty": b"",
    "torn": recorded("answered")[:-20],
    "no text": b"\xff\xfe{}",
    "a list": b"[]",
    "the object a list": b'{"session_id": "' + LONG.encode() + b'", "prompt_cache": []}',
    "deep": b"[" * 60_000 + b"]" * 5_000,
    "too long": b" " * 65_536 + recorded("answered"),
}


@pytest.mark.parametrize("content", UNUSABLE.values(), ids=list(UNUSABLE))
def test_a_file_that_is_of_no_use(tmp_path: Path, content: bytes) -> None:
    put(tmp_path, content)
    assert status_line_cache(LONG, tmp_path) is None


@needs_posix
def test_only_a_regular_file_in_the_folder_is_read(tmp_path: Path) -> None:
    elsewhere = put(tmp_path / "elsewhere", recorded("answered"))
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / f"{LONG}.json").symlink_to(elsewhere)
    (folder / f"{OFF}.json").mkdir()
    os.mkfifo(folder / f"{EXPIRED}.json")
    asked = [LONG, OFF, EXPIRED, ONE_HOUR, f"../elsewhere/{LONG}", "", "a\0b", "."]
    assert [status_line_cache(session_id, folder) for session_id in asked] == [None] * len(asked)


# --- where -------------------------------------------------------------------------------------


@needs_posix
@pytest.mark.parametrize(
    ("platform", "environ", "folder"),
    [
        ("linux", {}, "/home/dev/.cache/forkpoint/status-line"),
        ("linux", {"XDG_CACHE_HOME": "/var/cache/dev"}, "/var/cache/dev/forkpoint/status-line"),
        ("linux", {"XDG_CACHE_HOME": ""}, "/home/dev/.cache/forkpoint/status-line"),
        ("linux", {"XDG_CACHE_HOME": "cache"}, "/home/dev/.cache/forkpoint/status-line"),
        ("linux", {"LOCALAPPDATA": "/local"}, "/home/dev/.cache/forkpoint/status-line"),
        ("darwin", {}, "/home/dev/Library/Caches/forkpoint/status-line"),
        ("darwin", {"XDG_CACHE_HOME": "/caches"}, "/caches/forkpoint/status-line"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/forkpoint/status-line"),
        ("win32", {"XDG_CACHE_HOME": "/c"}, "/home/dev/AppData/Local/forkpoint/status-line"),
    ],
)
def test_the_folder(platform: str, environ: dict[str, str], folder: str) -> None:
    found = status_line_folder(environ, "/home/dev", platform=platform)
    assert PurePosixPath(found) == PurePosixPath(folder)


# --- keeping -----------------------------------------------------------------------------------

KEPT = {
    "session_id": LONG,
    "version": "2.1.332",
    "model": {"id": SONNET},
    "context_window": {
        "context_window_size": 1_000_000,
        "current_usage": {"cache_read_input_tokens": 14720, "cache_creation_input_tokens": 104},
    },
    "prompt_cache": {
        "warm": True,
        "caching_observed": True,
        "ttl": "5m",
        "expires_at": 1796014375,
        "last_miss_at": 1796014074,
        "last_miss_cause": {"causes": ["model_changed"]},
        "recache_tokens_if_cold": 14825,
    },
}
"""Of `model-missed`: no path, no name, no cost."""


@pytest.mark.parametrize("is_there", [True, False])
def test_it_keeps_these_fields_in_one_private_file(tmp_path: Path, is_there: bool) -> None:
    folder = tmp_path / "caches" / "forkpoint" / "status-line"
    if is_there:
        put(folder, recorded("answered"))
    assert keep(recorded("model-missed"), folder, [tmp_path / "agent"]) is None
    assert names(folder) == [f"{LONG}.json"]
    assert json.loads((folder / f"{LONG}.json").read_bytes()) == KEPT
    if os.name == "posix":
        assert S_IMODE((folder / f"{LONG}.json").stat().st_mode) == 0o600


@needs_posix
def test_the_folder_it_makes_is_private(tmp_path: Path) -> None:
    assert keep(recorded("answered"), tmp_path / "a" / "b", []) is None
    assert S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700


def test_what_an_earlier_process_said_stays_until_this_one_has_an_answer(tmp_path: Path) -> None:
    assert keep(recorded("answered"), tmp_path, []) is None
    before = (tmp_path / f"{LONG}.json").read_bytes()
    assert keep(recorded("resumed"), tmp_path, []) is None
    assert (tmp_path / f"{LONG}.json").read_bytes() == before


def test_without_an_answer_nothing_is_made(tmp_path: Path) -> None:
    assert keep(recorded("no-answer-yet"), tmp_path / "folder", []) is None
    assert names(tmp_path) == []


def told(session_id: object) -> bytes:
    return json.dumps({"session_id": session_id, "prompt_cache": {"ttl": "5m"}}).encode()


NO_STATUS = "What came on standard input is not what a status line is told."
HOSTILE: list[bytes] = [
    *map(told, ["../x", f"../{LONG}", f"{LONG}/x", f"{LONG}\0", f"{LONG}\n", "", ".", "CON", "*"]),
    *map(told, [None, 5, [LONG], {"a": LONG}, "x" * 300]),
    b"", b"{", b"[]", b"null", b"\xff", b"[" * 60_000,
    told(LONG) + b" " * 65_536,
]  # fmt: skip


@pytest.mark.parametrize("hostile", HOSTILE)
def test_what_is_no_status_is_not_kept(tmp_path: Path, hostile: bytes) -> None:
    assert keep(hostile, tmp_path / "caches", []) == NO_STATUS
    assert names(tmp_path) == []


def test_nothing_is_written_below_an_agent_s_folder(tmp_path: Path) -> None:
    agent = tmp_path / "agent"
    agent.mkdir()
    for folder in (agent, agent / "cache", tmp_path / "x" / ".." / "agent" / "cache"):
        failure = keep(recorded("answered"), folder, [tmp_path / "other", agent])
        assert failure == f"{folder} lies below an agent's folder; nothing is written there."
    assert names(agent) == []


@needs_posix
def test_no_link_leads_below_an_agent_s_folder(tmp_path: Path) -> None:
    agent = tmp_path / "agent"
    agent.mkdir()
    (tmp_path / "caches").symlink_to(agent)
    (tmp_path / "named").symlink_to(agent)
    failure = keep(recorded("answered"), tmp_path / "caches" / "new", [tmp_path / "named"])
    assert failure is not None
    assert names(agent) == []


@needs_posix
def test_a_link_in_the_file_s_place_is_replaced_not_followed(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("as it was")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / f"{LONG}.json").symlink_to(precious)
    assert keep(recorded("answered"), folder, []) is None
    assert (precious.read_text(), (folder / f"{LONG}.json").is_symlink()) == ("as it was", False)


def test_a_file_where_the_folder_would_be(tmp_path: Path) -> None:
    (tmp_path / "caches").write_text("as it was")
    folder = tmp_path / "caches" / "forkpoint"
    failure = keep(recorded("answered"), folder, [])
    assert failure is not None
    assert failure.startswith(f"{folder} could not be written to (")
    assert (tmp_path / "caches").read_text() == "as it was"


def test_a_folder_where_the_file_would_be(tmp_path: Path) -> None:
    (tmp_path / f"{LONG}.json").mkdir()
    assert keep(recorded("answered"), tmp_path, []) is not None
    assert names(tmp_path) == [f"{LONG}.json"]


@needs_posix
def test_a_folder_that_may_not_be_written_to(unprivileged_root: Path) -> None:
    folder = unprivileged_root / "status-line"
    put(folder, recorded("answered"))
    before = (folder / f"{LONG}.json").read_bytes()
    folder.chmod(0o500)
    failure = keep(recorded("model-missed"), folder, [])
    assert failure == f"{folder} could not be written to (Permission denied)."
    assert names(folder) == [f"{LONG}.json"]
    assert (folder / f"{LONG}.json").read_bytes() == before


def test_a_name_that_no_folder_can_have(tmp_path: Path) -> None:
    failure = keep(recorded("answered"), tmp_path / "a\0b", [])
    assert failure is not None
    assert failure.endswith("could not be written to (no such name).")
