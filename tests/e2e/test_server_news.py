"""What the server tells unasked: how reading goes on, what changed, which settings do not fit."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from tests.e2e.stdio_client import StdioClient, eventually
from tests.e2e.stub_server import TRANSCRIPTS

STUB = [sys.executable, str(Path(__file__).with_name("stub_server.py"))]
CAPABILITIES = {
    "window": {"workDoneProgress": True},
    "workspace": {"configuration": True, "didChangeConfiguration": {"dynamicRegistration": True}},
}
ALL = [f"session-{number}" for number in range(1, TRANSCRIPTS + 1)]


@pytest.fixture(scope="module")
def client() -> Iterator[StdioClient]:
    replies = {
        "window/workDoneProgress/create": None,
        "client/registerCapability": None,
        "workspace/configuration": [{"claudeConfigDirs": "not a list", "python": "py"}],
    }
    options = {"claudeConfigDirs": ["/from/initialize"]}
    with StdioClient(STUB, replies) as client:
        client.initialize(CAPABILITIES, options)
        yield client


def read(client: StdioClient) -> int:
    return client.request("forkpoint/sessions")["result"]["indexing"]["done"]


def folders(client: StdioClient) -> list[str]:
    return seen(client, "folder")


def seen(client: StdioClient, what: str) -> list[str]:
    problems = client.request("forkpoint/health")["result"]["problems"]
    return [each["sentence"] for each in problems if each["code"] == what]


def progress(client: StdioClient) -> list[dict]:
    return [m["params"]["value"] for m in client.heard if m.get("method") == "$/progress"]


def test_an_answer_does_not_wait_for_the_reading(client: StdioClient):
    indexing = client.request("forkpoint/sessions")["result"]["indexing"]
    assert indexing["total"] == TRANSCRIPTS
    assert indexing["done"] < TRANSCRIPTS


def test_reading_shows_its_progress_from_begin_to_end(client: StdioClient):
    client.wait_for(lambda m: m.get("params", {}).get("value", {}).get("kind") == "end")
    first, *reports, last = progress(client)
    assert (first["kind"], first["title"]) == ("begin", "Forkpoint: reading sessions")
    assert last == {"kind": "end"}
    assert {each["kind"] for each in reports} == {"report"}
    percentages = [each["percentage"] for each in [first, *reports]]
    assert percentages == sorted(percentages)
    assert 0 < percentages[-1] < 100


def test_changes_are_told_together_and_none_is_lost(client: StdioClient):
    client.wait_for(lambda m: ALL[-1] in m.get("params", {}).get("changed", []))
    news = [m for m in client.heard if m.get("method") == "forkpoint/didChangeCatalog"]
    told = [m["params"]["changed"] for m in news]
    assert list(chain.from_iterable(told)) == ALL
    assert len(told) < TRANSCRIPTS / 2
    assert all(m["params"]["added"] == m["params"]["removed"] == [] for m in news)


def test_a_transcript_that_fails_does_not_end_the_reading(client: StdioClient):
    client.wait_for(lambda m: ALL[-1] in m.get("params", {}).get("changed", []))
    assert "one transcript is odd" in client.log
    assert read(client) == TRANSCRIPTS


def test_a_setting_that_does_not_fit_is_said_and_left_out(client: StdioClient):
    said = client.wait_for(lambda m: m.get("method") == "window/showMessage")
    sentence = "forkpoint.claudeConfigDirs must be a list of folders; it is ignored."
    assert said["params"] == {"type": 2, "message": sentence}


def test_settings_that_do_not_fit_leave_the_options_of_initialize(client: StdioClient):
    assert folders(client) == ["/from/initialize"]


def test_pushed_settings_open_another_catalog_and_read_it(client: StdioClient):
    settings = {"forkpoint": {"claudeConfigDirs": ["/from/settings"]}}
    client.notify("workspace/didChangeConfiguration", {"settings": settings})
    assert folders(client) == ["/from/settings"]
    eventually(lambda: read(client) == TRANSCRIPTS)


def test_settings_that_name_no_other_folders_reach_the_catalog_that_is_open(client: StdioClient):
    assert seen(client, "said") == ["[] unknown False"]
    price = dict.fromkeys(("input", "output", "cacheRead", "cacheWrite5m", "cacheWrite1h"), 1)
    section = {
        "claudeConfigDirs": ["/from/settings"],
        "prices": {"opus-5-5": price},
        "account": "apiKey",
        "statusLineCache": True,
    }
    client.notify("workspace/didChangeConfiguration", {"settings": {"forkpoint": section}})
    assert seen(client, "said") == ["['opus-5-5'] apiKey True"]
    assert folders(client) == ["/from/settings"]
    assert read(client) == TRANSCRIPTS


def test_settings_are_asked_for_when_none_are_pushed(client: StdioClient):
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    eventually(lambda: folders(client) == ["/from/initialize"])


def test_a_catalog_that_cannot_be_opened_is_an_answer(client: StdioClient):
    settings = {"forkpoint": {"claudeConfigDirs": ["/somewhere/unopenable"]}}
    client.notify("workspace/didChangeConfiguration", {"settings": settings})
    assert client.request("forkpoint/sessions")["error"] == {
        "code": -32001,
        "message": "Forkpoint could not open its catalog; its log says why.",
        "data": {"kind": "unreadable"},
    }
