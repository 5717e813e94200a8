"""Every recording, written again piece by piece into a folder that is followed.

After each step the answers are those of a catalog that starts on the same bytes, and a client that
only listens knows as much as one that asks. `FORKPOINT_ALL_STEPS=1` compares after every single
line of every recording, which takes some minutes; else a choice of steps is compared, the same
each time, and what is told is checked at all of them.
"""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.e2e.recordings import Transcript, parsed, transcripts
from tests.fixture_paths import CASES, FIXTURES, ORACLE, REAL
from tests.properties.live_home import LiveHome, Reference, ways
from tests.strategies import files

ALL = bool(os.environ.get("FORKPOINT_ALL_STEPS"))
COMPARED = 10
"""Steps of a home after which all answers are compared, beside the last one of each transcript."""
LARGE = 300_000
"""Bytes from which on a transcript is left out: those only make the same steps slower."""

HOMES = sorted(
    [
        *REAL.iterdir(),
        *(case.parent for case in CASES.glob("*/projects")),
        *(home.parent for home in (FIXTURES / "rewinds").glob("*/home/projects")),
        ORACLE / "sample",
    ]
)


def name_of(home: Path) -> str:
    return str(home.relative_to(FIXTURES)).removesuffix("/home")


def empty_copy(home: Path, target: Path) -> None:
    """All of a config folder but the transcripts."""

    def left_out(folder: str, names: list[str]) -> list[str]:
        return [name for name in names if name.endswith(".jsonl") or is_odd(Path(folder, name))]

    for part in ("projects", "file-history"):
        if (home / part).is_dir():
            shutil.copytree(home / part, target / part, symlinks=True, ignore=left_out)


def is_odd(path: Path) -> bool:
    return not path.is_symlink() and not path.is_dir() and not path.is_file()


def growing(home: Path, rng: random.Random) -> Iterator[tuple[Path, Reference, bytes]]:
    """Lines of all transcripts of a home; each file in order, the files mixed."""
    left = [
        (found.path, Reference(found.session_id, found.agent_id), lines_of(found.path))
        for found in transcripts(home)
        if found.path.stat().st_size < LARGE and not found.path.is_symlink()
    ]
    left = [each for each in left if each[2]]
    while left:
        at = rng.randrange(len(left))
        path, reference, lines = left[at]
        yield path.relative_to(home), reference, lines.pop(0)
        if not lines:
            left.pop(at)


def kept_in(line: bytes) -> set[str]:
    """The files whose state a line keeps; it repeats what earlier ones said of other files."""
    row = parsed(line.decode("utf-8", "replace"))
    if not isinstance(row, dict):
        return set()
    if row.get("type") == "file-history-delta":
        return {last_name(row["trackingPath"])}
    if row.get("type") == "file-history-snapshot":
        return {last_name(name) for name in row["snapshot"]["trackedFileBackups"]}
    return set()


def last_name(path: str) -> str:
    return unquote(path).replace("\\", "/").rpartition("/")[2]


def lines_of(path: Path) -> list[bytes]:
    data = path.read_bytes()
    return [line + b"\n" for line in data.split(b"\n")[:-1]] + [
        rest for rest in [data.rpartition(b"\n")[2]] if rest
    ]


def append(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(data)


@pytest.mark.parametrize("home", HOMES, ids=name_of)
def test_line_by_line(home: Path, tmp_path: Path) -> None:
    rng = random.Random(name_of(home))
    empty_copy(home, tmp_path)
    steps = list(growing(home, rng))
    last = {reference: number for number, (_, reference, _) in enumerate(steps)}
    compared = {*last.values(), *rng.sample(range(len(steps)), min(COMPARED, len(steps)))}
    live = LiveHome(tmp_path)
    for number, (path, reference, line) in enumerate(steps):
        before = ways(live.catalog, reference) if reference in live.client.knows else 0
        append(tmp_path / path, line)
        told = [one for one in live.look(tmp_path / path) if one["agentId"] == reference.agent_id]
        if reference in live.client.knows and reference.agent_id is None:
            gone_another_way = ways(live.catalog, reference) > before
            assert any(one["newBranch"] for one in told) == gone_another_way, line
            files = {last_name(name) for one in told for name in one["checkpointFiles"]}
            assert files <= kept_in(line), line
        if reference.agent_id is None and reference not in live.client.knows:
            live.follow(reference.session_id)
        if ALL or number in compared:
            live.check(reference)
    live.check(*last)


# --- torn anywhere -----------------------------------------------------------------------------

RECORDINGS = [
    found
    for home in HOMES
    for found in transcripts(home)
    if found.agent_id is None
    if 0 < found.path.stat().st_size < LARGE and not found.path.is_symlink()
]


def cuts_of(data: bytes) -> st.SearchStrategy[list[int]]:
    """Places to cut: anywhere, around line ends, and in the middle of characters."""
    ends = [at + step for at, byte in enumerate(data) if byte == 0x0A for step in (-1, 0, 1)]
    inside = [at for at, byte in enumerate(data) if 0x80 <= byte < 0xC0]
    places = st.integers(0, len(data))
    for some in (ends, inside):
        places = places | st.sampled_from(some) if some else places
    return st.lists(places, max_size=60 if ALL else 8).map(sorted)


def grow(live: LiveHome, path: Path, reference: Reference, data: bytes, cuts: list[int]) -> None:
    """Write a transcript in pieces; compare after each."""
    for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True):
        append(path, data[start:end])
        before = live.client.knows.get(reference)
        moves = live.look(path)
        if start == end and before is not None:
            assert moves == [], "nothing was written"
        if before is None and path.exists():
            live.follow(reference.session_id)
        live.check(reference)


@settings(max_examples=1_000 if ALL else 60)
@given(st.sampled_from(RECORDINGS), st.data())
def test_recordings_in_pieces(found: Transcript, draw: st.DataObject) -> None:
    data = found.path.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "projects", found.path.parent.name, found.path.name)
        live = LiveHome(Path(folder))
        grow(live, target, Reference(found.session_id), data, draw.draw(cuts_of(data)))


@settings(max_examples=5_000 if ALL else 100)
@given(files, st.data())
def test_anything_in_pieces(data: bytes, draw: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        reference = Reference("5e551010-0000-4000-8000-000000000000")
        target = Path(folder, "projects", "-home-dev-shop", f"{reference.session_id}.jsonl")
        live = LiveHome(Path(folder), plain=False)
        grow(live, target, reference, data, draw.draw(cuts_of(data)))
