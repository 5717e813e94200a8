"""Whatever a client sends, a request gets exactly one answer and the server goes on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.stdio_client import StdioClient, framed

STUB = [sys.executable, str(Path(__file__).with_name("stub_server.py"))]

FAILED = {"code": -32603, "message": "Forkpoint failed to answer; its log has the details."}


@pytest.fixture(scope="module")
def client() -> Iterator[StdioClient]:
    with StdioClient(STUB) as client:
        early = client.request("forkpoint/sessions")
        assert early["error"] == {"code": -32002, "message": "Send initialize first."}
        client.initialize()
        yield client


@pytest.mark.parametrize(
    ("method", "params", "error"),
    [
        pytest.param(
            "forkpoint/sessions",
            {"offset": -1, "scope": "galaxy"},
            {
                "code": -32602,
                "message": 'scope must be one of "folder", "repository", "all"; '
                "offset must be an integer of at least 0",
            },
            id="parameters that do not fit",
        ),
        pytest.param(
            "forkpoint/sessions",
            ["all"],
            {"code": -32602, "message": "params must be an object"},
            id="parameters by position",
        ),
        pytest.param(
            "forkpoint/subagents",
            None,
            {"code": -32602, "message": "sessionId is required"},
            id="no parameters where some are required",
        ),
        pytest.param(
            "forkpoint/subagents",
            {"sessionId": "isNotThere"},
            {
                "code": -32001,
                "message": "There is no session of that id.",
                "data": {"kind": "unknownSession"},
            },
            id="what is not there",
        ),
        pytest.param("forkpoint/subagents", {"sessionId": "fails"}, FAILED, id="a defect"),
        pytest.param(
            "forkpoint/subagents",
            {"sessionId": "cannotBeWritten"},
            FAILED,
            id="a result that is not JSON",
        ),
        pytest.param(
            "forkpoint/future",
            {"type_name": "not a name!", "0": 1},
            {"code": -32601, "message": "forkpoint/future is not a method of this server."},
            id="an unknown method of ours",
        ),
        pytest.param(
            "textDocument/hover",
            {"textDocument": {"uri": "file:///x"}, "position": {"line": 0, "character": 0}},
            {"code": -32601, "message": "textDocument/hover is not a method of this server."},
            id="a method of LSP without a handler",
        ),
        pytest.param(
            "textDocument/hover",
            {"position": "top"},
            {
                "code": -32602,
                "message": "The parameters do not have the form that textDocument/hover asks for.",
            },
            id="parameters of LSP that do not fit",
        ),
        pytest.param(
            "workspace/executeCommand",
            {"command": "no.such.command"},
            {
                "code": -32602,
                "message": "Invalid Params: Command name 'no.such.command' is not defined",
            },
            id="an error of pygls",
        ),
        pytest.param(
            "initialize",
            {"processId": None, "rootUri": None, "capabilities": {}},
            {"code": -32600, "message": "The server is initialized already."},
            id="a second initialize",
        ),
        *(
            pytest.param(
                method,
                {"token": "x"},
                {
                    "code": -32600,
                    "message": f"{method} is a notification, which has no id.",
                },
                id=f"{method} with an id",
            )
            for method in (
                "initialized",
                "textDocument/didOpen",
                "window/workDoneProgress/cancel",
                "workspace/didChangeConfiguration",
                "$/cancelRequest",
            )
        ),
    ],
)
def test_a_refusal_says_why(client: StdioClient, method: str, params: object, error: object):
    assert client.request(method, params)["error"] == error


@pytest.mark.parametrize(
    ("message", "error"),
    [
        ({"id": 901, "method": "forkpoint/sessions"}, "A message is an object"),
        ({"jsonrpc": "1.0", "id": 902, "method": "shutdown"}, "A message is an object"),
        ({"jsonrpc": "2.0", "id": 903, "method": 7}, "A message names its method."),
        ({"jsonrpc": "2.0", "id": 904}, "A message names its method."),
    ],
)
def test_what_is_no_request_is_refused_by_its_id(client: StdioClient, message: dict, error: str):
    client.send(message)
    answer = client.answer(message["id"])["error"]
    assert answer["code"] == -32600
    assert answer["message"].startswith(error)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        pytest.param(b'{"jsonrpc": "2.0", "id": 1,', -32700, id="cut off"),
        pytest.param(b'{"a": "\xff"}', -32700, id="not UTF-8"),
        pytest.param(b"[" * 100_000, -32700, id="nested too deep"),
        pytest.param(b'[{"jsonrpc": "2.0", "id": 1, "method": "x"}]', -32600, id="a batch"),
        pytest.param(b'"hello"', -32600, id="a string"),
        pytest.param(b'{"jsonrpc": "2.0", "id": true, "method": "x"}', -32600, id="id true"),
        pytest.param(b'{"jsonrpc": "2.0", "id": [1], "method": "x"}', -32600, id="id a list"),
    ],
)
def test_what_has_no_usable_id_is_refused_without_one(client: StdioClient, body: bytes, code: int):
    before = len(client.heard)
    client.send_bytes(framed(body))
    assert "result" in client.request("forkpoint/sessions")
    assert [m["error"]["code"] for m in client.heard[before:] if m.get("id", 0) is None] == [code]


def test_neither_stray_answers_nor_unknown_notifications_harm(client: StdioClient):
    before = len(client.heard)
    client.send({"jsonrpc": "2.0", "id": "never-asked", "result": {"x": 1}})
    client.send({"jsonrpc": "2.0", "id": [], "result": 1})
    client.send({"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "?"}})
    client.notify("forkpoint/whatever", {"0": 0})
    client.notify("$/cancelRequest", {"id": "never-asked"})
    client.notify("$/cancelRequest", {})
    assert "result" in client.request("forkpoint/sessions")
    assert [m for m in client.heard[before:] if "error" in m] == []


def test_a_request_that_also_holds_an_answer_is_a_request(client: StdioClient):
    command = {"jsonrpc": "2.0", "method": "workspace/executeCommand", "params": {"command": "x"}}
    client.send({**command, "id": 905, "error": {"code": 1, "message": "?"}, "result": 1})
    assert client.answer(905)["error"]["code"] == -32602


def test_parameters_that_look_like_a_message_are_parameters(client: StdioClient):
    looks_so = {"jsonrpc": "2.0", "id": 77_000, "method": "forkpoint/subagents", "offset": 5}
    answer = client.request("forkpoint/sessions", looks_so)
    assert answer["result"]["total"] == 5
    assert not any(message.get("id") == 77_000 for message in client.heard)


def test_lone_surrogates_become_replacement_characters(client: StdioClient):
    answer = client.request("forkpoint/subagents", {"sessionId": "hasLoneSurrogates"})
    (agent,) = answer["result"]["agents"]
    assert (agent["type"], agent["description"]) == (
        "cut \ufffd here",
        "\ufffd and whole \U0001f600",
    )


def test_lone_surrogates_in_a_method_name_too(client: StdioClient):
    answer = client.request("forkpoint/\ud800")
    assert answer["error"]["message"] == "forkpoint/\ufffd is not a method of this server."


def test_a_running_request_and_those_behind_it_can_be_cancelled(client: StdioClient):
    running = client.ask("forkpoint/subagents", {"sessionId": "takesLong"})
    queued = client.ask("forkpoint/sessions")
    kept = client.ask("forkpoint/sessions", {"offset": 3})
    for cancelled in (queued, running):  # the one behind first: it could start when the other ends
        client.notify("$/cancelRequest", {"id": cancelled})
    for cancelled in (running, queued):
        error = client.answer(cancelled)["error"]
        assert error == {"code": -32800, "message": "The request was cancelled."}
    client.notify("stub/goOn", None)
    assert client.answer(kept)["result"]["total"] == 3


def test_so_can_a_request_of_lsp(client: StdioClient):
    def ask(uri: str) -> int:
        place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
        return client.ask("textDocument/documentHighlight", place)

    running, queued, kept = ask("stub:takesLong"), ask("stub:x"), ask("stub:y")
    for cancelled in (queued, running):
        client.notify("$/cancelRequest", {"id": cancelled})
    for cancelled in (running, queued):
        assert client.answer(cancelled)["error"]["code"] == -32800
    client.notify("stub/goOn", None)
    assert client.answer(kept)["result"] is None


def test_what_needs_no_catalog_does_not_wait_for_it(client: StdioClient):
    long = client.ask("forkpoint/subagents", {"sessionId": "takesLong"})
    assert client.request("forkpoint/sessions", {"limit": 0})["error"]["code"] == -32602
    client.notify("stub/goOn", None)
    assert client.answer(long)["result"] == {"agents": []}


def test_fifty_requests_in_flight_are_answered_once_each(client: StdioClient):
    ids = [client.ask("forkpoint/sessions", {"offset": offset}) for offset in range(50)]
    assert [client.answer(each)["result"]["total"] for each in ids] == list(range(50))
    answered = [m["id"] for m in client.heard if m.get("id") in ids]
    assert sorted(answered) == ids


def test_the_cause_of_a_defect_is_in_the_log_and_nowhere_else(client: StdioClient):
    client.request("forkpoint/subagents", {"sessionId": "fails"})
    assert "no such file: /home/someone/secret.txt" in client.log
    assert "secret" not in str(client.heard)
