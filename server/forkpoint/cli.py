"""The command line: the server, and the same answers as text or JSON.

Only the words of the command line are here: what a command imports is its own, since the server has
to start fast.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TextIO, cast

from forkpoint import __version__
from forkpoint.export_words import add_export
from forkpoint.listening_words import add_listening
from forkpoint.named import fail
from forkpoint.protocol.errors import InvalidParams, RequestFailed
from forkpoint.usage_words import add_usage

_AGENTS = ("claude-code", "codex")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code: 0, 1 for a refused question, 2 for wrong usage."""
    options = _parser().parse_args(arguments)
    _allow_any_text(sys.stdout)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except InvalidParams as misfit:
        return fail(misfit.sentence, 2)
    except RequestFailed as failure:
        return fail(failure.sentence)
    except BrokenPipeError:
        # The reader of a pipe went away; what it wanted it has.
        _forget_output()
        return 0
    except OSError as failure:
        _forget_output()
        return fail(f"The answer could not be written: {failure.strerror}.")
    return code


def _allow_any_text(output: TextIO) -> None:
    """Have a question mark stand for what the terminal's encoding cannot show."""
    if isinstance(output, io.TextIOWrapper):
        cast("io.TextIOWrapper", output).reconfigure(errors="replace")


def _forget_output() -> None:
    """Have what is still to be written go nowhere, so that the end of the process is quiet."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _shared(place: str) -> argparse.ArgumentParser:
    """Options that may stand before the command and behind it, each place with its own list."""
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--config-dir",
        dest=f"config_dirs_{place}",
        action="append",
        type=Path,
        metavar="DIR",
        default=argparse.SUPPRESS,
        help="a Claude config folder (may be given several times; default: "
        "$CLAUDE_CONFIG_DIR or ~/.claude)",
    )
    shared.add_argument(
        "--codex-home",
        dest=f"codex_homes_{place}",
        action="append",
        type=Path,
        metavar="DIR",
        default=argparse.SUPPRESS,
        help="a Codex home (may be given several times; default: $CODEX_HOME or ~/.codex)",
    )
    shared.add_argument(
        "--json", action="store_true", default=argparse.SUPPRESS, help="print JSON instead of text"
    )
    return shared


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="forkpoint",
        parents=[_shared("before")],
        description="Reads what coding agents leave on disk.",
    )
    parser.add_argument("--version", action="version", version=f"forkpoint {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    shared = _shared("behind")

    def command(name: str, about: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, parents=[shared], help=about, description=about)
        added.set_defaults(run=_serve if name == "serve" else partial(_run, name))
        return added

    add_listening(command("serve", "Speak the language server protocol on standard input."))
    _add_sessions(command("sessions", "List sessions, newest first."))
    show = command("show", "Show a session's branch tree and active path.")
    show.add_argument("session", help="a session id, or the beginning of one")
    _add_search(command("search", "Find words in all sessions."))
    inspect = command("inspect", "Tell the facts of one transcript file.")
    inspect.add_argument("file", type=Path)
    health = command("health", "Tell what is odd in transcripts, and what is deleted soon.")
    health.add_argument("session", nargs="?", help="a session id, or the beginning of one")
    health.add_argument("--report", action="store_true", help="a report without any content")
    health.add_argument("--days", type=int, default=7, help='what "soon" means (default 7)')
    add_export(command("export", "Write a session, or tables of all, to be kept or shared."))
    add_usage(command("usage", "Sum up tokens and what they cost."))
    call = command("call", "Ask one request of the protocol and print its result as JSON.")
    call.add_argument("method", help="for example forkpoint/sessions")
    call.add_argument("params", nargs="?", default="{}", help="parameters as JSON")
    status_line = command("status-line", "Keep what a status line is told of the prompt cache.")
    status_line.add_argument("command", nargs="*", help="behind --: what makes the status line")
    return parser


def _add_sessions(listing: argparse.ArgumentParser) -> None:
    listing.add_argument("--all", action="store_true", help="also sessions driven by programs")
    listing.add_argument("--agent", choices=_AGENTS, help="only sessions of this agent")
    listing.add_argument("--limit", type=int, default=50, help="at most so many (default 50)")


def _add_search(search: argparse.ArgumentParser) -> None:
    words = 'words, "a phrase", prefix*, file:, tool:, is: ...'
    search.add_argument("query", nargs="+", help=words)
    search.add_argument("--agent", choices=_AGENTS, help="only this agent's sessions")
    search.add_argument("--limit", type=int, default=20, help="at most so many (default 20)")


def _serve(options: argparse.Namespace) -> int:
    if options.tcp is not None or options.ws is not None:
        from forkpoint.listening import listen

        return listen(options)
    from forkpoint.serving import serve

    return serve(options)


def _run(name: str, options: argparse.Namespace) -> int:
    from forkpoint.commands import run

    return run(name, options)
