"""Every record of a transcript stands in its readable text once, or in a row that names it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings

from forkpoint.catalog import Catalog
from forkpoint.elsewhere import elsewhere
from forkpoint.lsp.features import transcript as feature
from forkpoint.protocol import types
from forkpoint.protocol.transcript_uri import named_by
from tests.builders import SESSION
from tests.e2e.recordings import HOMES, Transcript, name_of, transcripts
from tests.fixture_paths import PUBLIC
from tests.small_parts import small
from tests.strategies import files


def read_up(catalog: Catalog, **names: str | None) -> Iterator[types.TranscriptResult]:
    """The parts of a text, the last first, each found by the line on top of the one below."""
    asked = {name: value for name, value in names.items() if value is not None}
    answer = feature.transcript(catalog, types.TranscriptParams(**asked))  # type: ignore[arg-type]
    yield answer
    while answer.earlier:
        [link] = [each for each in answer.links if "before" in each.target and is_top(answer, each)]
        named = named_by(link.target)
        assert named is not None and named.before is not None
        params = types.TranscriptParams(
            session_id=named.session_id,
            agent_id=named.agent_id,
            leaf=named.leaf,
            before=named.before,
        )
        above = answer
        answer = feature.transcript(catalog, params)
        assert answer.sections
        assert answer.later == above.later + len(above.sections)
        assert answer.earlier == above.earlier - len(answer.sections)
        yield answer


def read_down(
    catalog: Catalog, part: types.TranscriptResult, session_id: str, agent_id: str | None
) -> list[int]:
    """The records of a part and of those that the lines below lead to."""
    shown = [section.ordinal for section in part.sections]
    while part.later:
        link = [each for each in part.links if each.kind in ("part", "transcript")][-1]
        named = named_by(link.target)
        assert named is not None
        params = types.TranscriptParams(
            session_id=session_id, agent_id=agent_id, leaf=named.leaf, before=named.before
        )
        below = feature.transcript(catalog, params)
        assert below.later < part.later
        first = len(below.sections) - (part.later - below.later)
        assert 0 <= first < len(below.sections)
        shown += [section.ordinal for section in below.sections[first:]]
        part = below
    return shown


def is_top(answer: types.TranscriptResult, link: types.TranscriptLink) -> bool:
    return link.kind == "part" and link.line < answer.sections[0].line


def check(catalog: Catalog, session_id: str, agent_id: str | None, leaf: str | None = None) -> None:
    """All records are told of; those of other branches can be read, too."""
    read = [*read_up(catalog, session_id=session_id, agent_id=agent_id, leaf=leaf)]
    shown = [section.ordinal for part in read for section in part.sections]
    forwards = [section.ordinal for part in read[::-1] for section in part.sections]
    assert read_down(catalog, read[-1], session_id, agent_id) == forwards
    assert len(shown) == len(set(shown))
    conversation = catalog.conversation(session_id, agent_id)
    version = catalog.resuming_version
    groups = elsewhere(conversation, version, shown, leaf)
    named = [row for group in groups for row in group.rows]
    assert sorted([*shown, *named]) == list(range(len(conversation.index.nodes)))
    told = read[0].elsewhere
    assert sum(row.records for row in told) == len(named)
    assert all(row.records > 0 for row in told)
    lines = read[0].text.split("\n")
    assert all(lines[row.line].startswith("· ") for row in told)
    if leaf is None:
        for group in groups:
            if group.kind == "branch":
                check(catalog, session_id, agent_id, group.target)


CASES = [
    pytest.param(home, each, id=f"{name_of(home)}-{each.path.stem[:8]}")
    for home in HOMES
    for each in transcripts(home)
    if each.path.stat().st_size < 2_000_000
]


@pytest.mark.parametrize(("home", "recorded"), CASES)
def test_recordings(home: Path, recorded: Transcript) -> None:
    with small():
        check(Catalog([home]), recorded.session_id, recorded.agent_id)


@pytest.mark.skipif(not PUBLIC.is_dir(), reason="the published sessions are not here")
def test_published_sessions(tmp_path: Path) -> None:
    folder = tmp_path / "projects" / "-home-dev-shop"
    folder.mkdir(parents=True)
    found = [path for path in PUBLIC.rglob("*.jsonl") if path.stat().st_size < 1_000_000][:40]
    assert found
    for number, path in enumerate(found):
        session_id = f"5e551010-0000-4000-8000-{number:012}"
        (folder / f"{session_id}.jsonl").symlink_to(path)
    catalog = Catalog([tmp_path])
    for entry in catalog.entries():
        check(catalog, entry.session_id, None)


@settings(max_examples=60)
@given(files)
def test_anything(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder, small():
        path = Path(folder) / "projects" / "-home-dev-shop" / f"{SESSION}.jsonl"
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
        check(Catalog([Path(folder)]), SESSION, None)
