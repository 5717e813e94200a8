"""The command line: the server, and the same answers as text or JSON."""

from __future__ import annotations

import argparse
import io
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO, cast

import orjson

from forkpoint import __version__, terminal
from forkpoint.catalog import Catalog
from forkpoint.disk import Unreadable
from forkpoint.layout import config_dirs
from forkpoint.protocol.encode import encode, json_bytes
from forkpoint.protocol.errors import InvalidParams, RequestFailed
from forkpoint.protocol.params import decode_params
from forkpoint.status_line import status_line_folder
from forkpoint.status_line_helper import keep, pass_on

UNKNOWN_METHOD = -32601
INVALID_PARAMS = -32602
NOT_THERE = -32001


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code: 0, 1 for a refused question, 2 for wrong usage."""
    options = _parser().parse_args(arguments)
    _allow_any_text(sys.stdout)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except InvalidParams as misfit:
        return _fail(misfit.sentence, 2)
    except RequestFailed as failure:
        return _fail(failure.sentence)
    except Unreadable as failure:
        return _fail(f"{failure.path} could not be read ({failure.reason}).")
    except BrokenPipeError:
        # The reader of a pipe went away; what it wanted it has.
        _forget_output()
        return 0
    except OSError as failure:
        _forget_output()
        return _fail(f"The answer could not be written: {failure.strerror}.")
    return code


def _allow_any_text(output: TextIO) -> None:
    """Have a question mark stand for what the terminal's encoding cannot show."""
    if isinstance(output, io.TextIOWrapper):
        cast("io.TextIOWrapper", output).reconfigure(errors="replace")


def _fail(sentence: str, code: int = 1) -> int:
    print(f"forkpoint: {sentence}", file=sys.stderr)
    return code


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

    def command(name: str, run: Any, about: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, parents=[shared], help=about, description=about)
        added.set_defaults(run=run)
        return added

    serve = command("serve", _serve, "Speak the language server protocol on standard input.")
    serve.add_argument("--stdio", action="store_true", help="the only way there is; accepted")
    listing = command("sessions", _sessions, "List sessions, newest first.")
    listing.add_argument("--all", action="store_true", help="also sessions driven by programs")
    listing.add_argument("--limit", type=int, default=50, help="at most so many (default 50)")
    show = command("show", _show, "Show a session's branch tree and active path.")
    show.add_argument("session", help="a session id, or the beginning of one")
    inspect = command("inspect", _inspect, "Tell the facts of one transcript file.")
    inspect.add_argument("file", type=Path)
    call = command("call", _call, "Ask one request of the protocol and print its result as JSON.")
    call.add_argument("method", help="for example forkpoint/sessions")
    call.add_argument("params", nargs="?", default="{}", help="parameters as JSON")
    status_line = command(
        "status-line", _status_line, "Keep what a status line is told of the prompt cache."
    )
    status_line.add_argument("command", nargs="*", help="behind --: what makes the status line")
    return parser


def _catalog(options: argparse.Namespace, *, read_all: bool) -> Catalog:
    catalog = Catalog(_roots(options), _usual_roots()[0])
    while read_all and catalog.index_next():
        pass
    return catalog


def _roots(options: argparse.Namespace) -> list[Path]:
    """The config folders named, else those of the environment; URIs need absolute paths."""
    before: list[Path] = getattr(options, "config_dirs_before", [])
    behind: list[Path] = getattr(options, "config_dirs_behind", [])
    return [root.absolute() for root in [*before, *behind]] or _usual_roots()


def _usual_roots() -> list[Path]:
    return [Path(root).absolute() for root in config_dirs(os.environ, str(Path.home()))]


def _wants_json(options: argparse.Namespace) -> bool:
    return getattr(options, "json", False)


def _handlers() -> Mapping[str, Callable[[Catalog, Any], Any]]:
    """All questions; imported when asked for, since LSP's types alone take half a second."""
    from forkpoint.lsp.features import HANDLERS

    return HANDLERS


def _ask(catalog: Catalog, method: str, **params: object) -> Any:
    return _handlers()[method](catalog, decode_params(method, params))


def _print_json(value: object) -> None:
    sys.stdout.buffer.write(json_bytes(encode(value)) + b"\n")
    sys.stdout.buffer.flush()


def _serve(options: argparse.Namespace) -> int:
    from forkpoint.lsp.features import STANDARD_HANDLERS
    from forkpoint.lsp.features.document_content import SCHEMES
    from forkpoint.lsp.options import Options
    from forkpoint.lsp.server import create_server, serve_stdio

    def open_catalog(chosen: Options) -> Catalog:
        roots = list(chosen.claude_config_dirs or _roots(options))
        return Catalog(roots, _usual_roots()[0])

    server = create_server(open_catalog, _handlers(), STANDARD_HANDLERS, SCHEMES)
    return serve_stdio(server)


def _sessions(options: argparse.Namespace) -> int:
    catalog = _catalog(options, read_all=True)
    question = {"includeProgrammatic": options.all, "limit": options.limit}
    result = _ask(catalog, "forkpoint/sessions", **question)
    if _wants_json(options):
        _print_json(result)
    else:
        print(terminal.session_list(result, time.time()))
    return 0


def _show(options: argparse.Namespace) -> int:
    catalog = _catalog(options, read_all=False)
    session_id = terminal.full_id(catalog, options.session)
    tree = _ask(catalog, "forkpoint/branchTree", sessionId=session_id)
    path = _ask(catalog, "forkpoint/activePath", sessionId=session_id)
    if _wants_json(options):
        _print_json({"branchTree": encode(tree), "activePath": encode(path)})
    else:
        print(terminal.session_page(session_id, tree, path))
    return 0


def _inspect(options: argparse.Namespace) -> int:
    facts = terminal.facts_of(options.file)
    if _wants_json(options):
        _print_json(facts)
    else:
        print(terminal.fact_sheet(facts))
    return 0


def _call(options: argparse.Namespace) -> int:
    try:
        handlers = _handlers()
        if options.method not in handlers:
            return _refuse(UNKNOWN_METHOD, f"There is no method {options.method}.")
        params = decode_params(options.method, orjson.loads(options.params))
        catalog = _catalog(options, read_all=options.method in _WANTS_ALL)
        _print_json(handlers[options.method](catalog, params))
    except orjson.JSONDecodeError as error:
        return _refuse(INVALID_PARAMS, f"The parameters are not JSON: {error}.")
    except InvalidParams as error:
        return _refuse(INVALID_PARAMS, error.sentence)
    except RequestFailed as failure:
        return _refuse(NOT_THERE, failure.sentence, kind=failure.kind)
    return 0


def _status_line(options: argparse.Namespace) -> int:
    """Whatever becomes of the keeping, a status line that is there goes on as it was."""
    told = sys.stdin.buffer.read()
    agents = [*_roots(options), *config_dirs({}, str(Path.home()))]
    failure = keep(told, status_line_folder(os.environ, Path.home()), agents)
    kept = _fail(failure) if failure is not None else 0
    if not options.command:
        return kept
    code = pass_on(told, options.command)
    return _fail(f"{options.command[0]} could not be started.", 127) if code is None else code


_WANTS_ALL = frozenset(
    {
        "forkpoint/sessions",
        "forkpoint/health",
        "forkpoint/checkpoints",
        "forkpoint/checkpointFiles",
        "forkpoint/cacheHistory",
        "forkpoint/cacheImpact",
    }
)
"""Questions over all sessions: one call has no later answer in which counts could follow."""


def _refuse(code: int, sentence: str, **data: str) -> int:
    """Print the error as the wire would carry it."""
    error: dict[str, object] = {"code": code, "message": sentence}
    if data:
        error["data"] = data
    _print_json({"error": error})
    return 1
