"""The words of `forkpoint usage`: what is summed up, by what, and in which form."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_usage(usage: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    usage.add_argument(
        "--by",
        default="day",
        metavar="NAMES",
        help="session, day, month, project, model, agent, subagent, or several with commas "
        "(default day; an empty text: the total alone)",
    )
    usage.add_argument("--since", metavar="DAY", help="the first day that counts, as 2026-11-30")
    usage.add_argument("--until", metavar="DAY", help="the last day that counts")
    usage.add_argument(
        "--project", type=Path, metavar="DIR", help="only sessions of this folder's repository"
    )
    usage.add_argument(
        "--session", metavar="ID", help="only this session; the beginning of its id is enough"
    )
    usage.add_argument(
        "--agent", choices=("claude-code", "codex"), help="only this agent's sessions"
    )
    usage.add_argument(
        "--time-zone", metavar="NAME", help="whose days count, as UTC (default: this machine's)"
    )
    usage.add_argument("--csv", action="store_true", help="print CSV instead of text")
