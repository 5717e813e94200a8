"""The words of `forkpoint export`: one session as a text, or all of them as tables."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial

_OF_TEXTS = ("format", "leaf", "subagents")
_OF_TABLES = ("project", "since", "host", "texts", "no_names")


def add_export(export: argparse.ArgumentParser) -> None:
    """Add them; what does not go together is wrong usage."""
    export.add_argument("session", nargs="?", help="a session id, or the beginning of one")
    export.add_argument("--format", choices=("md", "html", "json"), help="the form of the text")
    export.add_argument(
        "--redact",
        action="store_true",
        help="take out secrets, home folders and names, as far as rules find them",
    )
    export.add_argument("--subagents", action="store_true", help="with subagents' transcripts")
    export.add_argument(
        "--agent",
        metavar="ID",
        help="a subagent's transcript instead; of tables: claude-code or codex",
    )
    export.add_argument("--leaf", metavar="UUID", help="the path to this record")
    export.add_argument(
        "--output",
        default="-",
        metavar="FILE",
        help="the file to write (default: -, standard output)",
    )
    export.add_argument("--force", action="store_true", help="replace a file that is there")
    _add_tables(export)
    run: Callable[[argparse.Namespace], int] = export.get_default("run")
    export.set_defaults(run=partial(_checked, export, run))


def _add_tables(export: argparse.ArgumentParser) -> None:
    tables = export.add_argument_group("tables of all sessions, in place of one session's text")
    tables.add_argument(
        "--parquet",
        metavar="DIR",
        help="write sessions, requests, tool calls and file versions there as Parquet",
    )
    tables.add_argument(
        "--project",
        action="append",
        metavar="FOLDER",
        help="only sessions started there or in its repository (may be given several times)",
    )
    tables.add_argument(
        "--since", metavar="DATE", help="only sessions that went on from this day (UTC) on"
    )
    tables.add_argument(
        "--host",
        nargs="?",
        const="",
        metavar="NAME",
        help="fill the column host, with this machine's own name if none is given",
    )
    tables.add_argument(
        "--texts", action="store_true", help="with first words of prompts, and calls in a line"
    )
    tables.add_argument(
        "--no-names", action="store_true", help="without titles, paths, branches and tags"
    )


def _checked(
    export: argparse.ArgumentParser,
    run: Callable[[argparse.Namespace], int],
    options: argparse.Namespace,
) -> int:
    problem = _problem(options)
    if problem is not None:
        export.error(problem)
    return run(options)


def _problem(options: argparse.Namespace) -> str | None:
    """Say what does not go together; None if all does."""
    if options.parquet is None:
        missing = "SESSION" if options.session is None else "--format"
        if options.session is None or options.format is None:
            return f"{missing} is required, or --parquet"
        return _only(options, _OF_TABLES, "--parquet")
    if not options.parquet:
        return "--parquet needs a folder"
    if options.session is not None or options.output != "-":
        return "--parquet takes no session and no --output: it writes tables of all sessions"
    return _only(options, _OF_TEXTS, "a session")


def _only(options: argparse.Namespace, names: tuple[str, ...], of: str) -> str | None:
    given = [name for name in names if getattr(options, name) not in (None, False)]
    return f"--{given[0].replace('_', '-')} is for {of} only" if given else None
