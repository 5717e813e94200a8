"""What the commands do: the same answers as the server's, as text or JSON."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import orjson
from msgspec import to_builtins

from forkpoint import terminal, terminal_health, terminal_search
from forkpoint.catalog import Catalog
from forkpoint.disk import Unreadable
from forkpoint.export_file import NotWritten, write_export
from forkpoint.named import (
    agents_folders,
    fail,
    keeping_for,
    named_homes,
    named_roots,
    search_for,
    usual_homes,
    usual_roots,
)
from forkpoint.protocol.encode import encode, json_bytes
from forkpoint.protocol.errors import InvalidParams, RequestFailed
from forkpoint.protocol.params import decode_params
from forkpoint.protocol.uri import file_uri
from forkpoint.protocol.wire.unreadable import REASONS
from forkpoint.roster import Unknown
from forkpoint.status_line import status_line_folder
from forkpoint.status_line_helper import keep, pass_on

UNKNOWN_METHOD = -32601
INVALID_PARAMS = -32602
NOT_THERE = -32001

INCOMPLETE = 3
"""Exit code of an export that was written, without what could not be read."""


def run(name: str, options: argparse.Namespace) -> int:
    """Run a command and return its exit code.

    Raises:
        InvalidParams: The question has not the form that it must have.
        RequestFailed: What was asked for is not there, or cannot be read.
    """
    try:
        return COMMANDS[name](options)
    except Unreadable as failure:
        sentence = f"{failure.path} could not be read: {REASONS[failure.reason]}."
        raise RequestFailed("unreadable", sentence) from failure


def _catalog(options: argparse.Namespace, *, read_all: bool) -> Catalog:
    roots, homes = named_roots(options), named_homes(options)
    agents = [*roots, *homes]
    catalog = Catalog(
        roots,
        usual_roots()[0],
        keeping_for(agents),
        search_for(agents),
        homes,
        usual_homes()[0],
    )
    while read_all and catalog.index_next():
        pass
    if read_all:
        catalog.keep()
    return catalog


def _wants_json(options: argparse.Namespace) -> bool:
    return getattr(options, "json", False)


def _handlers() -> Mapping[str, Callable[[Catalog, Any], Any]]:
    """All questions; imported when asked for, since LSP's types alone take half a second."""
    from forkpoint.lsp.handlers import HANDLERS

    return HANDLERS


def _ask(catalog: Catalog, method: str, **params: object) -> Any:
    return _handlers()[method](catalog, decode_params(method, params))


def _print_json(value: object) -> None:
    sys.stdout.buffer.write(json_bytes(encode(value)) + b"\n")
    sys.stdout.buffer.flush()


def _sessions(options: argparse.Namespace) -> int:
    catalog = _catalog(options, read_all=True)
    question = {
        "includeProgrammatic": options.all,
        "includeArchived": options.all,
        "agent": options.agent,
        "limit": options.limit,
    }
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
    path = _ask(catalog, "forkpoint/activePath", sessionId=session_id, withInherited=True)
    if _wants_json(options):
        _print_json({"branchTree": encode(tree), "activePath": encode(path)})
    else:
        print(terminal.session_page(session_id, tree, path))
    return 0


def _search(options: argparse.Namespace) -> int:
    # Which records were left behind is known of what is read only.
    catalog = _catalog(options, read_all="abandoned" in " ".join(options.query).lower())
    _put_in_words(catalog)
    # Each word is a piece of its own for the shell only.
    words = " ".join(options.query)
    result = _ask(
        catalog, "forkpoint/search", query=words, agent=options.agent, limit=options.limit
    )
    if _wants_json(options):
        _print_json(result)
    elif result.problem is not None:
        raise InvalidParams(result.problem.sentence)
    else:
        print(terminal_search.hit_list(result, time.time()))
    return 0


def _put_in_words(catalog: Catalog) -> None:
    """Have all transcripts searched, not only those that an earlier run has read."""
    while catalog.searching.filling.next():
        pass
    catalog.searching.keep()


_FORMATS = {"md": "markdown", "html": "html", "json": "json"}
_ALL_KINDS = ["secrets", "paths", "names"]


def _export(options: argparse.Namespace) -> int:
    return _export_session(options) if options.parquet is None else _export_tables(options)


def _export_tables(options: argparse.Namespace) -> int:
    from forkpoint.tables.command import tell, write_tables

    def open_catalog() -> Catalog:
        return _catalog(options, read_all=True)

    try:
        written = write_tables(options, agents_folders(options), open_catalog)
    except NotWritten as failure:
        return fail(str(failure))
    if _wants_json(options):
        _print_json(to_builtins(written))
    else:
        tell(written)
    return INCOMPLETE if written.not_read else 0


def _export_session(options: argparse.Namespace) -> int:
    """The text goes to standard output as it comes, or into a file once it is whole."""
    from forkpoint.lsp.exporting import Export

    catalog = _catalog(options, read_all=False)
    question: dict[str, object] = {
        "sessionId": terminal.full_id(catalog, options.session),
        "format": _FORMATS[options.format],
        "agentId": options.agent,
        "leaf": options.leaf,
        "redact": _ALL_KINDS if options.redact else None,
        "subagents": options.subagents,
    }
    try:
        export = Export(catalog, decode_params("forkpoint/export", question))
    except Unknown as unknown:
        raise RequestFailed("unknownSession", str(unknown)) from None
    if options.output == "-":
        for piece in export.pieces():
            sys.stdout.buffer.write(piece.encode())
        sys.stdout.buffer.flush()
    else:
        target = Path(options.output).absolute()
        try:
            write_export(target, export.pieces(), agents_folders(options), force=options.force)
        except NotWritten as failure:
            return fail(str(failure))
    notes = terminal.export_notes(export.redactions, export.secret_rules, redacted=options.redact)
    for sentence in notes:
        print(sentence, file=sys.stderr)
    return 0


def _usage(options: argparse.Namespace) -> int:
    from forkpoint.lsp.usage_text import usage_csv

    if options.csv and _wants_json(options):
        raise InvalidParams("--csv and --json cannot go together")
    catalog = _catalog(options, read_all=True)
    by = [name.strip() for name in options.by.split(",") if name.strip()]
    question: dict[str, object] = {
        "by": by,
        "since": options.since,
        "until": options.until,
        "agent": options.agent,
        "timeZone": options.time_zone,
        "withText": not options.csv and not _wants_json(options),
    }
    if options.project is not None:
        question |= {"folder": file_uri(str(options.project.absolute())), "scope": "repository"}
    if options.session is not None:
        question["sessionId"] = terminal.full_id(catalog, options.session)
    result = _ask(catalog, "forkpoint/usage", **question)
    if options.csv:
        # The lines end as RFC 4180 has it, which a text stream would write in another way.
        text = usage_csv(result, list(dict.fromkeys(by)))
        sys.stdout.buffer.write(text.encode("utf-8", "replace"))
        sys.stdout.buffer.flush()
    elif _wants_json(options):
        _print_json(result)
    else:
        print(result.text, end="")
    return 0


def _inspect(options: argparse.Namespace) -> int:
    facts = terminal.facts_of(options.file)
    if _wants_json(options):
        _print_json(facts)
    else:
        print(terminal.fact_sheet(facts))
    return 0


def _health(options: argparse.Namespace) -> int:
    catalog = _catalog(options, read_all=options.session is None)
    question: dict[str, object] = {"withinDays": options.days}
    if options.session is not None:
        question["sessionId"] = terminal.full_id(catalog, options.session)
    result = _ask(catalog, "forkpoint/health", **question)
    while result.copies.done < result.copies.total:
        result = _ask(catalog, "forkpoint/health", **question)
    if _wants_json(options):
        _print_json(result)
    else:
        print(result.report if options.report else terminal_health.health_page(result))
    return 0


def _call(options: argparse.Namespace) -> int:
    try:
        handlers = _handlers()
        if options.method not in handlers:
            return _refuse(UNKNOWN_METHOD, f"There is no method {options.method}.")
        params = decode_params(options.method, orjson.loads(options.params))
        catalog = _catalog(options, read_all=options.method in _WANTS_ALL)
        if options.method == "forkpoint/search":
            _put_in_words(catalog)
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
    folder = status_line_folder(os.environ, Path.home())
    failure = keep(told, folder, agents_folders(options))
    kept = fail(failure) if failure is not None else 0
    if not options.command:
        return kept
    code = pass_on(told, options.command)
    return fail(f"{options.command[0]} could not be started.", 127) if code is None else code


_WANTS_ALL = frozenset(
    {
        "forkpoint/sessions",
        "forkpoint/health",
        "forkpoint/checkpoints",
        "forkpoint/checkpointFiles",
        "forkpoint/cacheHistory",
        "forkpoint/cacheImpact",
        "forkpoint/abandoned",
        "forkpoint/family",
        "forkpoint/search",
        "forkpoint/usage",
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


COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "sessions": _sessions,
    "show": _show,
    "search": _search,
    "health": _health,
    "inspect": _inspect,
    "export": _export,
    "usage": _usage,
    "call": _call,
    "status-line": _status_line,
}
