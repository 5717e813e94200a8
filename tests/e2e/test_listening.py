"""Over TCP and WebSocket: on the loopback alone, with the token, and not from any page."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from fixtures.demo.prepare import Demo
from forkpoint.cli import main
from tests.disk.trees import needs_posix
from tests.e2e.stdio_client import PATIENCE, framed, read_body

websockets = pytest.importorskip("websockets.sync.client")
from websockets.exceptions import ConnectionClosed, InvalidStatus  # noqa: E402

TOKEN = "made up for these tests"
PAGE = "https://editor.example"
Json = dict[str, Any]


def command(*words: str, token: str | None = TOKEN) -> tuple[list[str], dict[str, str]]:
    environment = {**os.environ}
    environment.pop("FORKPOINT_TOKEN", None)
    if token is not None:
        environment["FORKPOINT_TOKEN"] = token
    return [sys.executable, "-B", "-m", "forkpoint", "serve", *words], environment


@contextmanager
def listening(*words: str, token: str | None = TOKEN) -> Iterator[int]:
    """The port of a server that listens."""
    words, environment = command(*words, token=token)
    with subprocess.Popen(words, stdout=subprocess.PIPE, env=environment) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline().decode()
            assert line.startswith("Listening on ")
            assert "127.0.0.1:" in line
            yield int(line.rpartition(":")[2])
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def port(demo: Demo) -> Iterator[int]:
    with listening("--tcp", "0", "--config-dir", str(demo.config_dir)) as port:
        yield port


@pytest.fixture(scope="module")
def ws_port(demo: Demo) -> Iterator[int]:
    folder = ("--config-dir", str(demo.config_dir))
    with listening("--ws", "0", "--allow-origin", PAGE, *folder) as port:
        yield port


def initialize(token: object = TOKEN) -> Json:
    options = {} if token is None else {"token": token}
    params = {"processId": None, "rootUri": None, "capabilities": {}}
    return request(1, "initialize", {**params, "initializationOptions": options})


def request(number: int, method: str, params: object = None) -> Json:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}


class Tcp:
    """A client by TCP."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self._stream = self._socket.makefile("rb")

    def __enter__(self) -> Tcp:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()
        self._socket.close()

    def send(self, message: Json) -> None:
        self.send_bytes(framed(json.dumps(message).encode()))

    def send_bytes(self, data: bytes) -> None:
        self._socket.sendall(data)

    def answer(self, number: int | None) -> Json:
        while True:
            message = self.heard()
            assert message is not None, "the connection ended"
            if "method" not in message and message.get("id") == number:
                return message

    def heard(self) -> Json | None:
        body = read_body(self._stream)
        return None if body is None else json.loads(body)


class Ws:
    """A client by WebSocket."""

    def __init__(self, port: int, **options: Any) -> None:
        address = f"ws://127.0.0.1:{port}/"
        self._opened = websockets.connect(address, open_timeout=PATIENCE, proxy=None, **options)

    def __enter__(self) -> Ws:
        self._socket = self._opened.__enter__()
        return self

    def __exit__(self, *ended: Any) -> None:
        self._opened.__exit__(*ended)

    def send(self, message: Json) -> None:
        self._socket.send(json.dumps(message))

    def answer(self, number: int | None) -> Json:
        while True:
            message = self.heard()
            assert message is not None, "the connection ended"
            if "method" not in message and message.get("id") == number:
                return message

    def heard(self) -> Json | None:
        try:
            return json.loads(self._socket.recv(PATIENCE))
        except ConnectionClosed:
            return None


@contextmanager
def client(kind: str, ports: Mapping[str, int]) -> Iterator[Tcp | Ws]:
    with (Tcp if kind == "tcp" else Ws)(ports[kind]) as made:
        yield made


@pytest.fixture(params=["tcp", "ws"])
def connected(request: pytest.FixtureRequest, port: int, ws_port: int) -> Iterator[Tcp | Ws]:
    with client(request.param, {"tcp": port, "ws": ws_port}) as made:
        yield made


def test_with_the_token_everything_is_asked_as_over_standard_input(
    connected: Tcp | Ws,
) -> None:
    connected.send(initialize())
    assert connected.answer(1)["result"]["serverInfo"]["name"] == "forkpoint"
    connected.send({"jsonrpc": "2.0", "method": "initialized", "params": {}})
    connected.send(request(2, "forkpoint/sessions"))
    sessions = connected.answer(2)["result"]["sessions"]
    assert sessions
    connected.send(request(3, "forkpoint/transcript", {"sessionId": sessions[0]["sessionId"]}))
    assert connected.answer(3)["result"]["text"]
    connected.send(request(4, "shutdown"))
    assert connected.answer(4)["result"] is None
    connected.send({"jsonrpc": "2.0", "method": "exit"})
    while (message := connected.heard()) is not None:
        assert "id" not in message


@pytest.mark.parametrize("token", [None, "", "made up for these test", TOKEN + "x", 5, [TOKEN]])
def test_without_the_token_nothing_is_answered(connected: Tcp | Ws, token: object) -> None:
    connected.send(initialize(token))
    with suppress(ConnectionClosed, OSError):
        connected.send(request(2, "forkpoint/sessions"))
    assert_refused(connected, 1)


@pytest.mark.parametrize("method", ["forkpoint/sessions", "shutdown", "exit"])
def test_what_comes_before_initialize_is_refused(connected: Tcp | Ws, method: str) -> None:
    connected.send(request(7, method, {"token": TOKEN}))
    with suppress(ConnectionClosed, OSError):
        connected.send(initialize())
    assert_refused(connected, 7)


def assert_refused(connected: Tcp | Ws, number: int | None) -> None:
    error = connected.answer(number)["error"]
    assert error["code"] == -32002
    assert error["message"].endswith(
        "with the token of this server in initializationOptions.token."
    )
    assert TOKEN not in json.dumps(error)
    assert connected.heard() is None


@pytest.mark.parametrize(
    "said",
    [
        b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n{}",
        b"\r\n\r\n",
        framed(b"not JSON"),
        framed(b"[]"),
        framed(b'{"jsonrpc":"2.0","id":null,"method":"initialize","params":[]}'),
    ],
)
def test_who_speaks_otherwise_is_refused(port: int, said: bytes) -> None:
    with Tcp(port) as connected:
        connected.send_bytes(said)
        assert_refused(connected, None)


def test_a_first_message_without_end_is_not_waited_for(port: int) -> None:
    with Tcp(port) as connected:
        connected.send_bytes(b"Content-Length: 99999999999\r\n\r\n" + b"x" * (3 << 19))
        assert_refused(connected, None)


def test_the_server_goes_on_for_others(port: int) -> None:
    with Tcp(port) as one, Tcp(port) as other:
        one.send(initialize("wrong"))
        other.send(initialize())
        assert "result" in other.answer(1)
        other.send(request(2, "forkpoint/sessions"))
        assert "result" in other.answer(2)


# --- pages ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "http://127.0.0.1:8080", "null"])
def test_a_page_from_elsewhere_is_refused(ws_port: int, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refused, Ws(ws_port, origin=origin):
        pass
    assert refused.value.response.status_code == 403


def test_a_page_from_where_it_may_come_is_let_in_with_the_token(ws_port: int) -> None:
    with Ws(ws_port, origin=PAGE) as connected:
        connected.send(initialize())
        assert "result" in connected.answer(1)
    with Ws(ws_port, origin=PAGE) as connected:
        connected.send(initialize(None))
        assert_refused(connected, 1)


# --- what is not begun ---------------------------------------------------------------------------


@pytest.fixture
def refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """Why a command does not begin to listen."""

    def why(*words: str, token: str | None = TOKEN) -> str:
        monkeypatch.delenv("FORKPOINT_TOKEN", raising=False)
        if token is not None:
            monkeypatch.setenv("FORKPOINT_TOKEN", token)
        assert main(["serve", *words]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        return said.err

    return why


@pytest.mark.parametrize("way", ["--tcp", "--ws"])
@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.7", "example.org", ""])
def test_no_other_machine_is_listened_to(way: str, host: str, refused: Callable[..., str]) -> None:
    said = refused(way, "0", "--host", host)
    assert f"{host} is not an address of the loopback" in said


def test_nobody_is_listened_to_without_a_token(tmp_path: Path, refused: Callable[..., str]) -> None:
    assert "A token is needed" in refused("--tcp", "0", token=None)
    assert "shorter than 16 characters" in refused("--tcp", "0", token="x" * 15)
    missing = str(tmp_path / "missing")
    assert "cannot be read" in refused("--ws", "0", "--token-file", missing)


def test_one_way_is_listened_by(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serve", "--tcp", "0", "--ws", "0"])
    assert "not allowed with" in capsys.readouterr().err


@needs_posix
def test_a_token_in_a_file_is_its_owner_s(
    tmp_path: Path, demo: Demo, refused: Callable[..., str]
) -> None:
    file = tmp_path / "token"
    file.write_text("another that is made up\n")
    file.chmod(0o640)
    assert "chmod 600" in refused("--tcp", "0", "--token-file", str(file))
    file.chmod(0o600)
    with (
        listening(
            "--tcp", "0", "--token-file", str(file), "--config-dir", str(demo.config_dir)
        ) as port,
        Tcp(port) as connected,
    ):
        connected.send(initialize("another that is made up"))
        assert "result" in connected.answer(1)


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="asks /proc")
def test_the_token_stands_in_no_arguments_and_not_in_the_client_s_server(port: int) -> None:
    with Tcp(port) as connected:
        connected.send(initialize())
        assert "result" in connected.answer(1)
        servers = [path for path in Path("/proc").glob("[0-9]*") if _is_ours(path)]
        assert servers
        for path in servers:
            assert TOKEN.encode() not in (path / "cmdline").read_bytes()
            assert b"FORKPOINT_TOKEN" not in (path / "environ").read_bytes()


def _is_ours(path: Path) -> bool:
    try:
        words = (path / "cmdline").read_bytes().split(b"\0")
        parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
        above = Path("/proc", str(parent), "cmdline").read_bytes()
    except OSError:
        return False
    return b"forkpoint" in words and b"serve" in words and b"--tcp" in above
