"""Versions of files over all sessions, as pictures.

A line is a version, oldest first: the session that names it, behind `<` the one in whose folder the
copy lies if that is another; the prompt; the number, with `-` where the file did not exist; what
became of the file, and the changed lines if they are known.
"""

from __future__ import annotations

from textwrap import dedent

from forkpoint.file_histories import History, KeptVersion
from tests.builders import CWD, name_of, transcript
from tests.disk.checkpoint_home import A, B, C, CheckpointHome

CART, TAX = f"{CWD}/cart.py", f"{CWD}/tax.py"
LETTERS = {A: "A", B: "B", C: "C"}


def line_of(kept: KeptVersion) -> str:
    version = kept.recorded.version
    session, owner = LETTERS[kept.entry.session_id], LETTERS[kept.owner]
    return " ".join(
        [
            session if session == owner else f"{session}<{owner}",
            name_of(version.prompt) if version.prompt else "nobody",
            f"{version.number}{'-' if version.is_absent else ''}",
            kept.kind,
            *([f"+{kept.changes.added} -{kept.changes.removed}"] if kept.changes else []),
        ]
    )


def picture(history: History) -> str:
    return "\n".join(map(line_of, history.versions))


def of_file(home: CheckpointHome, path: str = CART) -> str:
    return picture(home.catalog().histories.of_file(path))


def lines(text: str) -> str:
    return dedent(text).strip()


def forked(text: str, origin: str, *, start: float = 0, own: str = "") -> bytes:
    """A session that was copied from another: the same rows, and rows of its own."""
    first = text.split()[0 if text[0] == "u" else 1]
    data = transcript(text, fields={first: {"forkedFrom": {"sessionId": origin}}})
    return data + transcript(own, start=start)
