"""How long 10,000 nodes take from a handler to the client, through stock pygls and through ours.

    python tests/bench/bench_rpc.py             print the times
    python tests/bench/bench_rpc.py --check     exit 1 when ours is not ten times as fast

Both servers run at once and are asked in turn, so that a busy machine slows both: take the ratio.
The client reads the bytes and does not decode them. Segments are what a branch tree really sends:
typed values, which ours turns into dicts first.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.e2e.stdio_client import framed, read_body

NODES = 10_000
WANTED_RATIO = 10
PAGE = 200
METHODS = {
    "dicts": "forkpoint/benchDicts",
    "segments": "forkpoint/benchSegments",
    "page": "forkpoint/benchPage",
    "ping": "forkpoint/benchPing",
}
LEAST_BYTES = {"dicts": 100 * NODES, "segments": 100 * NODES, "page": 100 * PAGE, "ping": 2}


class Server:
    """One of the two servers, with the times it took."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.seconds: dict[str, list[float]] = {what: [] for what in METHODS}
        command = [sys.executable, __file__, "--serve", name]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe)
        self._ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})

    def time(self, what: str) -> None:
        started = time.perf_counter()
        body = self._ask(METHODS[what], {})
        self.seconds[what].append(time.perf_counter() - started)
        assert len(body) > LEAST_BYTES[what], body[:200]

    def end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(10)

    def _ask(self, method: str, params: object) -> bytes:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        self._process.stdin.write(framed(json.dumps(request).encode()))
        self._process.stdin.flush()
        body = read_body(self._process.stdout)
        assert body is not None, "the server ended"
        return body


def serve(name: str) -> None:
    """Be one of the two servers."""
    from pygls.lsp.server import LanguageServer
    from pygls.protocol import LanguageServerProtocol

    from forkpoint.lsp.rpc import ForkpointProtocol
    from forkpoint.lsp.server import ForkpointServer, serve_stdio
    from forkpoint.protocol.encode import encode

    if name == "forkpoint":
        server = ForkpointServer("bench", "1", protocol_cls=ForkpointProtocol)
    else:
        server = LanguageServer("bench", "1", protocol_cls=LanguageServerProtocol)
    dicts = [a_node(number) for number in range(NODES)]
    segments = [a_segment(number) for number in range(NODES)]

    @server.feature(METHODS["dicts"])
    def give_dicts(params: None) -> object:
        return dicts

    @server.feature(METHODS["segments"])
    def give_segments(params: None) -> object:
        return encode(segments) if name == "forkpoint" else segments

    @server.feature(METHODS["page"])
    def give_page(params: None) -> object:
        return dicts[:PAGE]

    @server.feature(METHODS["ping"])
    def give_ping(params: None) -> object:
        return {"ok": True}

    if isinstance(server, ForkpointServer):
        serve_stdio(server)
    else:
        server.start_io()


def a_node(number: int) -> dict[str, object]:
    return {
        "uuid": f"{number:08x}-0000-4000-8000-{number:012x}",
        "parent": number - 1,
        "role": "response",
        "preview": f"Reads tree_{number % 97}.py",
        "childCount": 1,
        "active": True,
    }


def a_segment(number: int) -> object:
    from forkpoint.protocol import types

    tokens = types.TokenCounts(
        input=number, output=7, cache_read=9_000, cache_write_5m=0, cache_write_1h=120
    )
    return types.Segment(
        id=f"{number:08x}-0000-4000-8000-{number:012x}",
        parent=None,
        first_ordinal=number,
        last_uuid=f"{number:08x}-0000-4000-8000-{number:012x}",
        last_ordinal=number + 4,
        record_count=5,
        prompt_count=1,
        label=f"Split module {number % 97}",
        started_at="2026-01-02T03:04:05.678Z",
        ended_at=None,
        active=False,
        reason="rewind",
        resend_of=None,
        edited_files=["file:///home/me/project/tree.py"],
        tokens=tokens,
    )


def seconds(rounds: int, methods: Sequence[str]) -> dict[str, dict[str, list[float]]]:
    """Ask both servers in turn; gives the seconds of each round by server and method."""
    servers = [Server("stock"), Server("forkpoint")]
    for turn in range(rounds + 1):
        for what in methods:
            for server in servers:
                server.time(what)
                if turn == 0:
                    server.seconds[what].clear()
    for server in servers:
        server.end()
    return {server.name: server.seconds for server in servers}


def measure(rounds: int) -> dict[str, float]:
    """Print the times of both servers and give the ratio of their medians."""
    taken = seconds(rounds, list(METHODS))
    ratios: dict[str, float] = {}
    for what in METHODS:
        medians = {name: statistics.median(by_method[what]) for name, by_method in taken.items()}
        ratios[what] = medians["stock"] / medians["forkpoint"]
        for name, median in medians.items():
            least = min(taken[name][what])
            print(f"{what:9} {name:9} min {least * 1e3:6.1f}  median {median * 1e3:6.1f} ms")
        print(f"{what:9} ratio of medians {ratios[what]:.1f}")
    return ratios


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="exit 1 when dicts are too slow")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--serve", choices=["stock", "forkpoint"], help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        serve(arguments.serve)
        return 0
    ratio = measure(arguments.rounds)["dicts"]
    if arguments.check and ratio < WANTED_RATIO:
        print(f"a ratio of {WANTED_RATIO} is wanted", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
