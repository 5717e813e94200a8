"""A recording as if it had been made in a folder of the test: its working folder can be looked at.

Only what the working folder's path is part of is rewritten: the path itself in the rows, and the
hash of each tracked file's path in the names of its copies.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.e2e.recordings import rows

RECORDED = "/home/dev/shop"
_RECORDED = re.compile(rb"/home/dev/shop(?![\w.-])")
_COPY = re.compile(r"[0-9a-f]{16}(?=@v\d)")


class Moved(NamedTuple):
    """A config folder, and the empty working folder that its sessions speak of."""

    home: Path
    cwd: Path

    @property
    def transcripts(self) -> list[Path]:
        """The transcripts of its sessions, by name."""
        found = sorted(self.home.glob("projects/*/*.jsonl"))
        return [path for path in found if not path.stem.startswith("agent-")]

    @property
    def session_id(self) -> str:
        """The id of its only session."""
        [transcript] = self.transcripts
        return transcript.stem


def moved(recording: Path, target: Path) -> Moved:
    """Copy the sessions and copies of a recording below the new folder `target`."""
    made = Moved(target / "home", target / "shop")
    made.cwd.mkdir(parents=True)
    for part in ("projects", "file-history"):
        if (recording / part).exists():
            shutil.copytree(recording / part, made.home / part, symlinks=True)
    here = json.dumps(str(made.cwd))[1:-1].encode()
    hashes = {
        path_hash(absolute(path)): path_hash(absolute(path, str(made.cwd)))
        for transcript in made.transcripts
        for path in tracked_paths(transcript)
    }
    for file in made.home.glob("projects/**/*.jsonl"):
        text = _RECORDED.sub(lambda _: here, file.read_bytes()).decode("utf-8", "surrogateescape")
        renamed = _COPY.sub(lambda found: hashes.get(found[0], found[0]), text)
        file.write_bytes(renamed.encode("utf-8", "surrogateescape"))
    for copy in made.home.glob("file-history/*/*@v*"):
        digest, _, version = copy.name.partition("@")
        copy.rename(copy.with_name(f"{hashes.get(digest, digest)}@{version}"))
    return made


def tracked_paths(transcript: Path) -> Iterator[str]:
    """The keys of all tracked files, as written."""
    for row in rows(transcript):
        if row["type"] == "file-history-snapshot":
            yield from row["snapshot"]["trackedFileBackups"]
        elif row["type"] == "file-history-delta":
            yield row["trackingPath"]


def absolute(path: str, start: str = RECORDED) -> str:
    """The path that a key of a session stands for; Windows paths stay as they are."""
    return path if path.startswith("/") or path[1:2] == ":" else f"{start}/{path}"


def path_hash(path: str) -> str:
    """The beginning of the names of a file's copies (format, section 15)."""
    return hashlib.sha256(path.encode()).hexdigest()[:16]
