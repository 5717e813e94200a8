"""One client of a server that listens: let in by its token, then it has a server of its own.

That server is a process that speaks on standard input and output, as for an editor that starts it.
So clients share nothing but the store, and what goes wrong with one ends with it.
"""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

from forkpoint.lsp.admission import admitted, refusal
from forkpoint.lsp.framing import Frame, Frames, framed

PATIENCE_SECONDS = 10.0
"""How long a client may take for its first message, and a server for its end."""
MOST_FIRST_BYTES = 1 << 20
"""Of the first message: somebody who is not let in must not fill our memory."""
TOKEN_VARIABLE = "FORKPOINT_TOKEN"

_CHUNK = 1 << 16


class Peer(Protocol):
    """A connection, as a stream of messages with their headers."""

    async def receive(self) -> bytes:
        """Give what came; b"" = no more comes."""
        ...

    async def send(self, data: bytes) -> None:
        """Send some of the stream."""
        ...


class Clients:
    """Serves whoever connects.

    Args:
        command: starts a server for one client.
        token: what lets a client in.
        most: clients at a time; one more is refused.
    """

    def __init__(self, command: Sequence[str], token: str, most: int = 8) -> None:
        self._command, self._token, self._most = command, token, most
        self._count = 0

    async def serve(self, peer: Peer) -> None:
        """Serve one client to its end; what goes wrong with it ends here."""
        self._count += 1
        try:
            with suppress(OSError, EOFError):
                first = await self._let_in(peer)
                if first is not None:
                    await self._served(peer, first)
        finally:
            self._count -= 1

    async def _let_in(self, peer: Peer) -> bytes | None:
        """Return what is to be passed on first; None for who is refused, and told so."""
        frames, frame = Frames(), None
        if self._count <= self._most:
            with suppress(TimeoutError):
                frame = await asyncio.wait_for(_first_frame(peer, frames), PATIENCE_SECONDS)
        body = None if frame is None else admitted(frame.body, self._token)
        if body is None:
            await peer.send(framed(refusal(frame.body if frame is not None else b"")))
            return None
        return framed(body) + frames.rest()

    async def _served(self, peer: Peer, first: bytes) -> None:
        environment = {name: value for name, value in os.environ.items() if name != TOKEN_VARIABLE}
        server = await asyncio.create_subprocess_exec(
            *self._command, stdin=PIPE, stdout=PIPE, env=environment
        )
        ways = [asyncio.create_task(_ask(peer, server, first))]
        ways.append(asyncio.create_task(_answer(peer, server)))
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await _end(server, ways[1])
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)


async def _first_frame(peer: Peer, frames: Frames) -> Frame | None:
    """Wait for the first message; None where there is none, or one that nobody sends to us."""
    size = 0
    while (frame := frames.take()) is None:
        if frames.is_odd or size > MOST_FIRST_BYTES:
            return None
        chunk = await peer.receive()
        if not chunk:
            return None
        size += len(chunk)
        frames.feed(chunk)
    return frame


async def _ask(peer: Peer, server: Process, first: bytes) -> None:
    assert server.stdin is not None
    chunk = first
    while chunk:
        server.stdin.write(chunk)
        await server.stdin.drain()
        chunk = await peer.receive()


async def _answer(peer: Peer, server: Process) -> None:
    assert server.stdout is not None
    while chunk := await server.stdout.read(_CHUNK):
        await peer.send(chunk)


async def _end(server: Process, answers: asyncio.Task[None]) -> None:
    """Have the server end as when its editor goes, and its last answers sent; or else at once."""
    assert server.stdin is not None
    server.stdin.close()
    with suppress(TimeoutError, OSError, EOFError):
        await asyncio.wait_for(asyncio.shield(answers), PATIENCE_SECONDS)
    if server.returncode is None:
        try:
            await asyncio.wait_for(server.wait(), PATIENCE_SECONDS)
        except (TimeoutError, asyncio.CancelledError):
            with suppress(ProcessLookupError):
                server.kill()
            await server.wait()


def stdio_server(folders: Sequence[str]) -> list[str]:
    """Return the command of a server for one client, with the options that name its folders."""
    # As with our other processes: no module of the folder we were started in is one of ours.
    return [sys.executable, "-P", "-m", "forkpoint", "serve", *folders]
