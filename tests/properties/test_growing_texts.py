"""A readable transcript that is followed is the one that a server writes which starts now."""

from __future__ import annotations

import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forkpoint import readable
from forkpoint.catalog import Catalog
from forkpoint.lsp.features import transcript as feature
from forkpoint.protocol import types
from forkpoint.readable import ReadablePath
from tests.builders import SESSION
from tests.fixture_paths import REAL
from tests.strategies import chunks, files

LIMIT = 6000
"""Bytes, so that even short recordings do not fit."""
STEPS = 25
RECORDINGS = sorted(
    path
    for path in REAL.glob("*/projects/*/*.jsonl")
    if not path.name.startswith("agent-") and path.stat().st_size < 300_000
)


@contextmanager
def small() -> Generator[None]:
    with (
        patch.object(readable, "BATCH", 4),
        patch.object(feature, "ReadablePath", partial(ReadablePath, LIMIT)),
    ):
        yield


def read(catalog: Catalog, session_id: str) -> types.TranscriptResult:
    return feature.transcript(catalog, types.TranscriptParams(session_id=session_id))


def check_a_part(
    following: Catalog, root: Path, session_id: str, followed: types.TranscriptResult
) -> None:
    """A part and a branch grow, too: other records follow them."""
    for section in followed.sections[1:2]:
        for params in (
            types.TranscriptParams(session_id=session_id, before=section.ordinal),
            types.TranscriptParams(session_id=session_id, leaf=section.uuid),
        ):
            answer = feature.transcript(following, params)
            assert answer == feature.transcript(Catalog([root]), params)


def place(root: Path, session_id: str) -> Path:
    path = root / "projects" / "-home-dev-shop" / f"{session_id}.jsonl"
    path.parent.mkdir(parents=True)
    path.touch()
    return path


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda path: path.parents[2].name)
def test_recordings(recording: Path, tmp_path: Path) -> None:
    path = place(tmp_path, recording.stem)
    lines = recording.read_bytes().splitlines(keepends=True)
    size = max(1, len(lines) // STEPS)
    with small():
        following = Catalog([tmp_path])
        for start in range(0, len(lines), size):
            append(path, b"".join(lines[start : start + size]))
            followed = read(following, recording.stem)
            assert followed == read(Catalog([tmp_path]), recording.stem)
            assert len(followed.text.encode()) <= LIMIT
            check_a_part(following, tmp_path, recording.stem, followed)


@settings(max_examples=50)
@given(files, st.data())
def test_anything(data: bytes, draw: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder, small():
        root = Path(folder)
        path = place(root, SESSION)
        following = Catalog([root])
        for chunk in draw.draw(chunks(data)):
            append(path, chunk)
            assert read(following, SESSION) == read(Catalog([root]), SESSION)
