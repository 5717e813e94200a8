"""The bytes behind the documents of versions, and the difference of two contents in lines."""

from __future__ import annotations

import difflib
from base64 import b64decode
from pathlib import Path

from forkpoint.protocol.uri import path_of
from tests.e2e.forkpoint_server import ForkpointServer, Json

CODECS = {
    "utf-8": (b"", "utf-8"),
    "utf-8-bom": (b"\xef\xbb\xbf", "utf-8"),
    "utf-16le": (b"\xff\xfe", "utf-16-le"),
    "utf-16be": (b"\xfe\xff", "utf-16-be"),
    "windows-1252": (b"", "windows-1252"),
}
"""Byte order mark and codec of each encoding that an answer can name."""


def content(server: ForkpointServer, document: str) -> bytes:
    """The bytes of a version, put together again from the text or taken from the answer."""
    answer = server.result("checkpointContent", document=document)
    if answer["text"] is None:
        data = b64decode(answer["base64"])
    else:
        mark, codec = CODECS[answer["encoding"]]
        data = mark + answer["text"].encode(codec)
    assert len(data) == answer["sizeBytes"]
    return data


def by_path(files: list[Json], cwd: Path | None = None) -> dict[str, Json]:
    """Elements of an answer by their file's path, below a working folder by the rest of it."""
    paths = [path_of(file["file"]).removeprefix(f"{cwd}/") for file in files]
    assert len(set(paths)) == len(paths)
    return dict(zip(paths, files, strict=True))


def changed_lines(before: bytes, after: bytes) -> tuple[int, int]:
    """How many lines were added and removed, as the standard library counts them."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    added = removed = 0
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            removed += i2 - i1
            added += j2 - j1
    return added, removed
