"""The first answers come before pygls is there; which of the two gives an answer cannot be seen."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from fixtures.demo.prepare import Demo
from tests.e2e.forkpoint_server import FORKPOINT
from tests.e2e.started_server import OPENED
from tests.e2e.stdio_client import PATIENCE, StdioClient, framed

SCRIPT = str(Path(__file__).with_name("started_server.py"))
END_OF_INPUT = None
"""In a conversation: the client closes its side."""

Json = dict[str, Any]
Answers = dict[Any, Any]


def message(**fields: Any) -> bytes:
    return framed(json.dumps({"jsonrpc": "2.0", **fields}).encode())


def request(number: Any, method: str, params: Any = None) -> bytes:
    return message(id=number, method=method, **({} if params is None else {"params": params}))


def initialize(capabilities: Any = None, options: Any = None, number: Any = 1) -> bytes:
    params = {"processId": None, "rootUri": None, "capabilities": capabilities or {}}
    return request(number, "initialize", {**params, "initializationOptions": options})


def sessions(number: Any = 2, **params: Any) -> bytes:
    return request(number, "forkpoint/sessions", params)


def refused(code: int, sentence: str) -> Json:
    return {"error": {"code": code, "message": sentence}}


INITIALIZED = message(method="initialized", params={})
SHUTDOWN, EXIT = request(9, "shutdown"), message(method="exit")

SERVER = {
    "capabilities": {
        "positionEncoding": "utf-16",
        "textDocumentSync": {"openClose": True, "change": 0, "save": False},
        "hoverProvider": True,
        "definitionProvider": True,
        "referencesProvider": True,
        "documentSymbolProvider": {"label": "Transcript"},
        "codeLensProvider": {"resolveProvider": False},
        "documentLinkProvider": {"resolveProvider": False},
        "foldingRangeProvider": True,
        "workspaceSymbolProvider": {"resolveProvider": True},
        "diagnosticProvider": {
            "identifier": "forkpoint",
            "interFileDependencies": False,
            "workspaceDiagnostics": False,
        },
        "executeCommandProvider": {"commands": []},
        "workspace": {
            "workspaceFolders": {"supported": True, "changeNotifications": True},
            "fileOperations": {},
            "textDocumentContent": {
                "schemes": ["forkpoint-version", "forkpoint-transcript", "forkpoint-raw"]
            },
        },
    },
    "serverInfo": {"name": "forkpoint", "version": "0.1.0"},
}
READY = {"result": SERVER}
NONE = {"result": {"sessions": [], "total": 0, "indexing": {"done": 0, "total": 0}}}
"""The list of an empty config folder."""
DONE = {"result": None}
TOO_EARLY = refused(-32002, "Send initialize first.")
DOCUMENT = {"uri": "x:y", "languageId": "jsonl", "version": 1, "text": "z" * 100}
NO_JSON = refused(-32700, "The body is not JSON.")
UNFIT = refused(-32602, "The parameters do not have the form that initialize asks for.")
CANCELLED = refused(-32800, "The request was cancelled.")
NO_JSON_RPC = refused(-32600, 'A message is an object with "jsonrpc": "2.0".')
A_REQUESTS_ID = refused(-32600, "The id of a request is a string or an integer.")


class Conversation(NamedTuple):
    """What a client sends, and what it hears by id: in the first phase, and when pygls is there.

    `end` is what it sends when it has heard all that: questions that are open then are cancelled.
    """

    sent: list[bytes | None]
    early: Answers
    late: Answers
    code: int
    end: bytes = b""


def whole(sent: list[bytes], early: Answers, late: Answers | None = None) -> Conversation:
    """One that ends as it should."""
    return Conversation(sent, early, late or {}, 0, SHUTDOWN + EXIT)


CONVERSATIONS: dict[str, Conversation] = {
    "as every client begins": whole([initialize(), INITIALIZED, sessions()], {1: READY, 2: NONE}),
    "all in one write": whole([initialize() + INITIALIZED + sessions()], {1: READY, 2: NONE}),
    "without initialized": whole([initialize(), sessions()], {1: READY, 2: NONE}),
    "nothing is asked": whole([initialize(), INITIALIZED], {1: READY}),
    "the list again and again": whole(
        [initialize(), INITIALIZED, *(sessions(n) for n in range(20, 40))],
        {1: READY, **{n: NONE for n in range(20, 40)}},
    ),
    "ids of all kinds": whole(
        [initialize(number="1"), sessions(0), sessions(-7), sessions(""), sessions("é\U0001f642")],
        {"1": READY, 0: NONE, -7: NONE, "": NONE, "é\U0001f642": NONE},
    ),
    "an id that was used before": whole(
        [initialize(), sessions(2), request(1, "forkpoint/nothing")],
        {1: READY, 2: NONE},
        {1: refused(-32601, "forkpoint/nothing is not a method of this server.")},
    ),
    "exit without shutdown": Conversation([initialize(), EXIT], {1: READY}, {}, 1),
    "exit before anything": Conversation([EXIT], {}, {}, 1),
    "what comes behind the exit": Conversation(
        [initialize(), SHUTDOWN, EXIT, sessions()], {1: READY}, {9: DONE}, 0
    ),
    "a question behind the shutdown": Conversation(
        [initialize(), SHUTDOWN, sessions(), EXIT],
        {1: READY},
        {9: DONE, 2: refused(-32600, "The server is shutting down.")},
        0,
    ),
    "nothing at all": Conversation([END_OF_INPUT], {}, {}, 1),
    "end of input": Conversation(
        [initialize(), INITIALIZED, sessions(), END_OF_INPUT], {1: READY, 2: NONE}, {}, 1
    ),
    "end of input with a question open": Conversation(
        [initialize(), request(4, "forkpoint/nothing"), END_OF_INPUT],
        {1: READY},
        {4: refused(-32601, "forkpoint/nothing is not a method of this server.")},
        1,
    ),
    "end of input in a header": Conversation(
        [initialize(), sessions()[:9], END_OF_INPUT], {1: READY}, {}, 1
    ),
    "end of input in a body": Conversation(
        [initialize(), sessions()[:-9], END_OF_INPUT], {1: READY}, {}, 1
    ),
    "end of input in the first body": Conversation([initialize()[:-9], END_OF_INPUT], {}, {}, 1),
    "a question before initialize": whole(
        [sessions(3), initialize(), sessions()], {}, {3: TOO_EARLY, 1: READY, 2: NONE}
    ),
    "a notification before initialize": whole([INITIALIZED, initialize()], {}, {1: READY}),
    "initialize twice": whole(
        [initialize(), initialize(number=5), sessions()],
        {1: READY},
        {5: refused(-32600, "The server is initialized already."), 2: NONE},
    ),
    "initialize without capabilities": Conversation(
        [request(1, "initialize", {"processId": None}), sessions()],
        {},
        {1: UNFIT, 2: TOO_EARLY},
        1,
        EXIT,
    ),
    "initialize without parameters": Conversation(
        [request(1, "initialize"), sessions()], {}, {1: UNFIT, 2: TOO_EARLY}, 1, EXIT
    ),
    "initialize as a notification": whole(
        [message(method="initialize", params={"capabilities": {}}), initialize()],
        {},
        {1: READY},
    ),
    "no JSON": whole(
        [initialize(), framed(b"{nope"), sessions()], {1: READY}, {None: NO_JSON, 2: NONE}
    ),
    "no JSON at first": whole([framed(b"\xff"), initialize()], {}, {None: NO_JSON, 1: READY}),
    "no message": whole(
        [initialize(), framed(b"[]"), sessions()], {1: READY}, {None: NO_JSON_RPC, 2: NONE}
    ),
    "another protocol": whole(
        [initialize(), framed(b'{"jsonrpc":"1.0","id":4,"method":"forkpoint/sessions"}')],
        {1: READY},
        {4: NO_JSON_RPC},
    ),
    "no id that could be answered": whole(
        [initialize(), sessions(True), sessions()], {1: READY}, {None: A_REQUESTS_ID, 2: NONE}
    ),
    "a line that is no header": whole(
        [initialize(), b"hello\r\n", sessions()], {1: READY}, {2: NONE}
    ),
    "lines before the first header": whole([b"\r\n\nhi\n", initialize()], {}, {1: READY}),
    "a content type": whole(
        [
            initialize(),
            sessions(3).replace(b"\r\n\r\n", b"\r\nContent-Type: x; charset=utf-8\r\n\r\n"),
            b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n" + sessions(),
        ],
        {1: READY, 2: NONE, 3: NONE},
    ),
    "parameters that do not fit": whole(
        [initialize(), sessions(3, limit=0, scope="x"), sessions()],
        {1: READY, 2: NONE},
        {
            3: refused(
                -32602,
                'scope must be one of "folder", "repository", "all"; '
                "limit must be an integer of at least 1",
            )
        },
    ),
    "parameters that are no object": whole(
        [initialize(), request(2, "forkpoint/sessions", ["x"])],
        {1: READY},
        {2: refused(-32602, "params must be an object")},
    ),
    "no parameters": whole([initialize(), request(2, "forkpoint/sessions")], {1: READY, 2: NONE}),
    "another question of ours before the list": whole(
        [initialize(), request(4, "forkpoint/subagents", {"sessionId": "x"}), sessions()],
        {1: READY, 2: NONE},
        {
            4: {
                "error": {
                    "code": -32001,
                    "message": "There is no session x.",
                    "data": {"kind": "unknownSession"},
                }
            }
        },
    ),
    "a document before the list": whole(
        [
            initialize(),
            INITIALIZED,
            message(method="textDocument/didOpen", params={"textDocument": DOCUMENT}),
            request(4, "textDocument/documentSymbol", {"textDocument": {"uri": "x:y"}}),
            request(5, "textDocument/hover", {}),
            sessions(),
        ],
        {1: READY, 2: NONE},
        {
            4: DONE,
            5: refused(
                -32602, UNFIT["error"]["message"].replace("initialize", "textDocument/hover")
            ),
        },
    ),
    "another request of LSP before the list": whole(
        [initialize(), request(4, "workspace/executeCommand", {"command": "x"}), sessions()],
        {1: READY},
        {4: refused(-32602, "Invalid Params: Command name 'x' is not defined"), 2: NONE},
    ),
    "an answer to nothing": whole(
        [initialize(), message(id=4, result=None), sessions()], {1: READY}, {2: NONE}
    ),
    "notifications that nobody knows": whole(
        [initialize(), message(method="$/x", params=[1]), message(method="a/b"), sessions()],
        {1: READY},
        {2: NONE},
    ),
    "the trace is set": whole(
        [initialize(), message(method="$/setTrace", params={"value": "off"}), sessions()],
        {1: READY, 2: NONE},
    ),
    "a question is cancelled": whole(
        [
            initialize(),
            request(4, "forkpoint/health"),
            message(method="$/cancelRequest", params={"id": 4}),
            sessions(),
        ],
        {1: READY, 2: NONE},
        {4: CANCELLED},
    ),
    "what is answered is cancelled": whole(
        [initialize(), sessions(), message(method="$/cancelRequest", params={"id": 1})],
        {1: READY, 2: NONE},
    ),
    "big messages": whole(
        [initialize(options={"x": "é" * 1_500_000}), sessions(query="q" * 1_000_000)],
        {1: READY, 2: NONE},
    ),
    "capabilities that matter are odd": Conversation(
        [initialize({"general": 5}), sessions()], {}, {1: UNFIT, 2: TOO_EARLY}, 1, EXIT
    ),
    "a client that counts bytes": whole(
        [initialize({"general": {"positionEncodings": ["utf-8", "utf-16"]}})],
        {
            1: {
                "result": {
                    **SERVER,
                    "capabilities": {**SERVER["capabilities"], "positionEncoding": "utf-8"},
                }
            }
        },
    ),
}


class Start:
    """Talks to a server whose phase is known."""

    def __init__(self, phase: str, gate: Path, config_dir: Path) -> None:
        self._gate = gate
        words = [SCRIPT, phase, str(gate), "serve", "--config-dir", str(config_dir)]
        self.client = StdioClient([sys.executable, "-B", *words])

    def __enter__(self) -> Start:
        return self

    def __exit__(self, *_: object) -> None:
        self.let_pygls_come()
        self.client.__exit__()

    def let_pygls_come(self) -> None:
        self._gate.touch()

    def say(self, sent: list[bytes | None], size: int | None = None) -> None:
        """Send all, in portions of some bytes."""
        everything = b"".join(piece for piece in sent if piece is not None)
        for start in range(0, len(everything), size or len(everything) or 1):
            self.client.send_bytes(everything[start : start + (size or len(everything))])
        if END_OF_INPUT in sent:
            self.client.process.stdin.close()

    def hear_out(self, conversation: Conversation) -> None:
        """Wait for all answers, and then for the end."""
        for number in {**conversation.early, **conversation.late}:
            self.client.answer(number)
        if conversation.end:
            self.client.send_bytes(conversation.end)
        assert self.client.process.wait(PATIENCE) == conversation.code

    def answers(self) -> list[tuple[Any, Json]]:
        """All that was answered so far: id, and result or error."""
        return [
            (each["id"], {key: each[key] for key in ("result", "error") if key in each})
            for each in self.client.heard
            if "method" not in each
        ]


def as_list(*answers: Answers) -> list[tuple[Any, Json]]:
    return sorted((pair for each in answers for pair in each.items()), key=repr)


def all_answers(conversation: Conversation) -> list[tuple[Any, Json]]:
    at_the_end = {9: DONE} if SHUTDOWN in conversation.end else {}
    return as_list(conversation.early, conversation.late, at_the_end)


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    return tmp_path / "gate"


def portions() -> Iterator[Any]:
    for name, conversation in CONVERSATIONS.items():
        size = 1 if len(b"".join(filter(None, conversation.sent))) < 10_000 else 50_021
        yield pytest.param(conversation, size, id=name)


@pytest.mark.parametrize(("conversation", "size"), list(portions()))
def test_what_the_first_phase_answers_and_what_it_leaves(
    conversation: Conversation, size: int, gate: Path, home: Path
) -> None:
    with Start("first", gate, home) as start:
        start.say(conversation.sent, size)
        for number in conversation.early:
            start.client.answer(number)
        assert sorted(start.answers(), key=repr) == as_list(conversation.early)
        start.let_pygls_come()
        start.hear_out(conversation)
    assert sorted(start.answers(), key=repr) == all_answers(conversation)
    assert [word for word in UNHANDLED if word in start.client.log] == []


UNHANDLED = ("Exception in", "never retrieved", "Fatal", "Task was destroyed", "forkpoint/cli.py")
"""What Python says of threads, tasks and callbacks that failed, and of the whole that did."""


SAME = {name: each for name, each in CONVERSATIONS.items() if name != "end of input"}
"""What does not depend on how fast the catalog is: whoever hangs up may miss its last answer."""


@pytest.mark.parametrize("conversation", SAME.values(), ids=SAME)
def test_pygls_alone_says_the_same(conversation: Conversation, gate: Path, home: Path) -> None:
    with Start("second", gate, home) as start:
        start.say(conversation.sent)
        start.hear_out(conversation)
    assert sorted(start.answers(), key=repr) == all_answers(conversation)


# --- more than answers -------------------------------------------------------------------------


def test_a_real_start_is_seamless_wherever_the_phases_meet(demo: Demo) -> None:
    """Questions keep coming while the server proper comes: each is answered, and once."""
    with StdioClient([*FORKPOINT, "serve", "--config-dir", str(demo.config_dir)]) as client:
        client.initialize()
        asked: list[int] = []
        until = time.monotonic() + 20
        health = client.ask("forkpoint/health")
        while not any(m.get("id") == health and "method" not in m for m in client.heard):
            asked += [client.ask("forkpoint/sessions", {"limit": 1}) for _ in range(3)]
            asked.append(client.ask("forkpoint/nothing"))
            time.sleep(0.005)
            assert time.monotonic() < until
        for number in asked:
            client.answer(number)
        assert client.request("shutdown")["result"] is None
        client.notify("exit", None)
        assert client.process.wait(PATIENCE) == 0
    numbers = [m["id"] for m in client.heard if "method" not in m]
    assert sorted(numbers) == list(range(1, max(numbers) + 1))
    kinds = [
        "result" in m and len(m["result"]["sessions"]) for m in client.heard if m.get("id") in asked
    ]
    assert (kinds.count(1), kinds.count(False)) == (len(asked) * 3 // 4, len(asked) // 4)
    assert client.log == ""


def test_the_list_is_the_same_from_both(demo: Demo, tmp_path: Path) -> None:
    """Nothing is initialized, so that nothing is indexed between the questions."""
    lists: list[Json] = []
    for phase in ("first", "second"):
        with Start(phase, tmp_path / phase, demo.config_dir) as start:
            options = {"cacheDir": str(tmp_path / f"{phase} cache")}
            every = {"includeProgrammatic": True, "includeArchived": True}
            start.say([initialize(options=options), sessions(**every)])
            lists.append(start.client.answer(2)["result"])
            del lists[-1]["indexing"]
    assert lists[0]["total"] > 5
    assert lists[0] == lists[1]


def test_one_catalog_for_both(gate: Path, demo: Demo, home: Path) -> None:
    options = {"claudeConfigDirs": [str(demo.config_dir)], "account": "apiKey"}
    with Start("first", gate, home) as start:
        start.say([initialize(options=options), INITIALIZED, sessions()])
        first = start.client.answer(2)["result"]
        start.let_pygls_come()
        start.say([sessions(3), request(4, "forkpoint/health")])
        assert start.client.answer(3)["result"]["total"] == first["total"] > 5
        start.client.answer(4)
        assert start.client.log.count(OPENED) == 1


def test_settings_that_come_before_pygls(gate: Path, demo: Demo, home: Path) -> None:
    pushed = {"settings": {"forkpoint": {"claudeConfigDirs": [str(demo.config_dir)]}}}
    with Start("first", gate, home) as start:
        changed = message(method="workspace/didChangeConfiguration", params=pushed)
        start.say([initialize(), INITIALIZED, sessions(), changed, sessions(3)])
        assert start.client.answer(2)["result"]["total"] == 0
        start.let_pygls_come()
        assert start.client.answer(3)["result"]["total"] > 5
        assert start.client.log.count(OPENED) == 2


def test_what_the_server_itself_asks_and_tells_is_said_once(gate: Path, home: Path) -> None:
    capabilities = {"workspace": {"configuration": True}}
    with Start("first", gate, home) as start:
        start.say([initialize(capabilities, {"account": 5}), INITIALIZED, sessions()])
        start.client.answer(2)
        assert [each for each in start.client.heard if "method" in each] == []
        start.let_pygls_come()
        start.client.wait_for(lambda each: each.get("method") == "workspace/configuration")
        start.say([sessions(3)])
        start.client.answer(3)
        [told] = [m for m in start.client.heard if m.get("method") == "window/showMessage"]
        sentence = "forkpoint.account must be unknown, subscription or apiKey; it is ignored."
        assert told["params"] == {"type": 2, "message": sentence}
        assert [m.get("method") for m in start.client.heard].count("workspace/configuration") == 1


def test_what_lsp_would_not_take_counts_as_not_said(gate: Path, home: Path) -> None:
    """It was told that it may go on before anybody could know."""
    with Start("first", gate, home) as start:
        start.say([initialize({"window": 5, "workspace": {"configuration": True}}), INITIALIZED])
        assert start.client.answer(1)["result"] == SERVER
        start.let_pygls_come()
        start.say([sessions()])
        start.client.answer(2)
        start.say([SHUTDOWN, EXIT])
        assert start.client.process.wait(PATIENCE) == 0
    assert as_list(dict(start.answers())) == as_list({1: READY, 2: NONE, 9: DONE})
    assert [m for m in start.client.heard if m.get("method") == "workspace/configuration"] == []
    assert "did not have the form of LSP" in start.client.log


def test_a_client_that_reads_no_more(gate: Path, home: Path) -> None:
    """It ends when its input does."""
    gate.touch()
    words = [SCRIPT, "first", str(gate), "serve", "--config-dir", str(home)]
    reading, writing = os.pipe()
    os.close(reading)
    with subprocess.Popen([sys.executable, "-B", *words], stdin=-1, stdout=writing) as process:
        os.close(writing)
        process.communicate(initialize() + INITIALIZED + sessions(), timeout=PATIENCE)
        assert process.returncode == 1
