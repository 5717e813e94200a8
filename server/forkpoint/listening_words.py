"""The options of `forkpoint serve` that have it listen, without what listening imports."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_listening(parser: argparse.ArgumentParser) -> None:
    """Take the options of `forkpoint serve` that have it listen."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--stdio", action="store_true", help="speak there, which is the usual way")
    where.add_argument("--tcp", type=_port, metavar="PORT", help="listen on this port; 0: a free")
    where.add_argument("--ws", type=_port, metavar="PORT", help="the same, by WebSocket")
    parser.add_argument("--host", default="127.0.0.1", help="a loopback address to listen on")
    parser.add_argument(
        "--token-file",
        type=Path,
        metavar="FILE",
        help="holds what clients must know (else $FORKPOINT_TOKEN does)",
    )
    parser.add_argument(
        "--allow-origin",
        action="append",
        default=[],
        metavar="ORIGIN",
        help="pages from where may connect by WebSocket (may be given several times)",
    )


def _port(word: str) -> int:
    port = int(word)
    if not 0 <= port < 1 << 16:
        raise argparse.ArgumentTypeError(f"{word} is not a port")
    return port
