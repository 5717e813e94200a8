"""`forkpoint serve --tcp PORT` and `--ws PORT`: on this machine alone, and with a token.

Any program and, by WebSocket, any page of a browser on this machine can connect. So the address is
one of the loopback, a page must come from where it was allowed to, and each client must know the
token, which stands in a file or in the environment: arguments can be read by everybody.
"""

from __future__ import annotations

import argparse
import asyncio
import os
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from stat import S_IRWXG, S_IRWXO
from typing import TYPE_CHECKING

from forkpoint import at_path
from forkpoint.bridge import TOKEN_VARIABLE, Clients, Peer, stdio_server
from forkpoint.disk import Unreadable, read_small
from forkpoint.lsp.framing import Frames, framed
from forkpoint.named import fail

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection

LEAST_TOKEN = 16
"""Characters: a shorter token could be guessed."""
MOST_MESSAGE = 256 << 20
"""Bytes of a message by WebSocket: an editor may send a long document that it opens."""

PARTING_SECONDS = 1.0
"""How long a client may go on speaking when nobody listens any more."""

Serve = Callable[[Peer], Awaitable[None]]


class Refused(Exception):
    """Why nobody is listened to, as a sentence for the user."""


def listen(options: argparse.Namespace) -> int:
    """Listen until the process is ended; the address is printed when clients may come.

    Returns:
        The exit code: 2 where what was asked for is refused.
    """
    try:
        host, token = _host(options.host), _token(options.token_file)
        if options.ws is not None and options.tcp is None:
            _need_websockets()
            listening = _by_websocket(host, options.ws, options.allow_origin)
        else:
            listening = _by_tcp(host, options.tcp)
    except Refused as refused:
        return fail(str(refused), 2)
    clients = Clients(stdio_server(_folders(options)), token)
    with suppress(KeyboardInterrupt):
        try:
            asyncio.run(listening(clients.serve))
        except OSError as error:
            return fail(f"It cannot listen there: {error.strerror or error}.")
    return 0


def _host(name: str) -> str:
    """Return the address for a name of this machine."""
    address = {"localhost": "127.0.0.1"}.get(name, name)
    try:
        is_loopback = ip_address(address).is_loopback
    except ValueError:
        is_loopback = False
    if not is_loopback:
        raise Refused(
            f"{name} is not an address of the loopback, such as 127.0.0.1 or ::1. "
            "For another machine, forward a port of it by SSH."
        )
    return address


def _token(file: Path | None) -> str:
    token = os.environ.get(TOKEN_VARIABLE, "") if file is None else _token_in(file)
    if not token:
        raise Refused(
            f"A token is needed: in the variable {TOKEN_VARIABLE}, or in a file of your own that "
            "--token-file names."
        )
    if len(token) < LEAST_TOKEN:
        raise Refused(f"The token is shorter than {LEAST_TOKEN} characters.")
    return token


def _token_in(file: Path) -> str:
    real = at_path.real_path(file)
    try:
        if os.name != "nt" and Path(real).stat().st_mode & (S_IRWXG | S_IRWXO):
            raise Refused(f"Others than you may use {file}: chmod 600 it.")
        return read_small(real).decode().strip()
    except (OSError, ValueError, Unreadable):
        raise Refused(f"The token cannot be read from {file}.") from None


def _folders(options: argparse.Namespace) -> list[str]:
    """The folders that were named, as options for another command."""
    named: list[str] = []
    for option, name in (("--config-dir", "config_dirs"), ("--codex-home", "codex_homes")):
        for place in ("before", "behind"):
            for folder in getattr(options, f"{name}_{place}", []):
                named += [option, str(folder.absolute())]
    return named


def _tell(kind: str, host: str, port: int) -> None:
    print(f"Listening on {kind}{f'[{host}]' if ':' in host else host}:{port}", flush=True)


# --- TCP -----------------------------------------------------------------------------------------


class _Stream:
    """A connection that carries messages as standard input and output do."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def receive(self) -> bytes:
        return await self._reader.read(1 << 16)

    async def send(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()


async def _ended(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Say that no more comes, and let what still comes go by.

    Where something is left unread when a connection is closed, what was said last is lost.
    """
    writer.write_eof()
    while await reader.read(1 << 16):
        pass


def _by_tcp(host: str, port: int) -> Callable[[Serve], Coroutine[None, None, None]]:
    async def run(serve: Serve) -> None:
        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                await serve(_Stream(reader, writer))
            finally:
                with suppress(OSError, TimeoutError):
                    await asyncio.wait_for(_ended(reader, writer), PARTING_SECONDS)
                writer.close()

        server = await asyncio.start_server(connected, host, port)
        async with server:
            _tell("", host, server.sockets[0].getsockname()[1])
            await server.serve_forever()

    return run


# --- WebSocket -----------------------------------------------------------------------------------


class _Socket:
    """A connection of which each message is a body without its header."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        self._answers = Frames()

    async def receive(self) -> bytes:
        from websockets.exceptions import ConnectionClosed

        try:
            body = await self._connection.recv(decode=False)
        except ConnectionClosed:
            return b""
        # An empty message would pass for the end.
        return framed(body or b" ")

    async def send(self, data: bytes) -> None:
        from websockets.exceptions import ConnectionClosed

        self._answers.feed(data)
        while (frame := self._answers.take()) is not None:
            try:
                await self._connection.send(frame.body, text=True)
            except ConnectionClosed:
                raise EOFError from None


def _by_websocket(
    host: str, port: int, origins: Sequence[str]
) -> Callable[[Serve], Coroutine[None, None, None]]:
    async def run(serve: Serve) -> None:
        from websockets.asyncio.server import serve as listen_at
        from websockets.typing import Origin

        async def connected(connection: ServerConnection) -> None:
            await serve(_Socket(connection))

        # None: what is no page of a browser names no origin.
        allowed = [None, *map(Origin, origins)]
        async with listen_at(
            connected, host, port, origins=allowed, max_size=MOST_MESSAGE, server_header=None
        ) as server:
            _tell("ws://", host, next(iter(server.sockets)).getsockname()[1])
            await server.serve_forever()

    return run


def _need_websockets() -> None:
    try:
        import websockets.asyncio.server  # noqa: F401  # pyright: ignore[reportUnusedImport]
    except ImportError:
        raise Refused("WebSocket needs a library: pip install 'forkpoint[ws]'.") from None
